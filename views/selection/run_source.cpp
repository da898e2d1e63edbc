// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/run_source.h"

namespace rqscope {

void RunSource::setHistory(const History* history) {
    m_history = history;
    m_snapshot = history ? history->snapshot() : Snapshot{};
    emit runReset();
}

void RunSource::setCursor() {
    m_snapshot = m_history ? m_history->snapshot() : Snapshot{};
    emit cursorMoved();
}

void RunSource::setPlaying(bool playing) {
    if (m_playing == playing) return;
    m_playing = playing;
    emit playingChanged(playing);
}

} // namespace rqscope
