// SPDX-License-Identifier: GPL-3.0-or-later
// What the panels look at: one recorded run and the snapshot at its cursor. The session writes it, views only read and
// listen; nothing here can change a simulation.
#pragma once

#include "sim/snapshot.h"
#include "trace/history.h"

#include <QObject>

namespace rqscope {

class RunSource : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] const History* history() const { return m_history; } // nullptr = no run is open
    [[nodiscard]] const Snapshot& snapshot() const { return m_snapshot; }
    [[nodiscard]] bool playing() const { return m_playing; }

    // For the session only.
    void setHistory(const History* history); // another run or branch; emits runReset()
    void setCursor();                        // takes a new snapshot; emits cursorMoved()
    void setGrown() { emit runGrew(); }
    void setPlaying(bool playing);

signals:
    void runReset();    // history() is another run: forget everything
    void cursorMoved(); // the snapshot is new (the known rows may have grown too)
    void runGrew();     // rows were appended, the cursor stands
    void playingChanged(bool playing);

private:
    const History* m_history = nullptr;
    Snapshot m_snapshot;
    bool m_playing = false;
};

} // namespace rqscope
