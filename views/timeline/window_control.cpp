// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/window_control.h"

#include <algorithm>

namespace rqscope {

namespace {
constexpr double kMargin = 1.03; // room behind the last event, so that its bar has an end
constexpr double kGrowth = 1.5;  // a running simulation gets room in steps; growing with every event would never stand still
constexpr double kTurnAt = 0.92, kTurnTo = 0.1; // where the head turns the page, and where it stands on the next
constexpr double kMostBeyond = 1.25;            // widest view, in known time
} // namespace

View WindowControl::fitting(Ns known) { return {0, known > 0 ? static_cast<double>(known) * kMargin : kFirstSpan}; }

View WindowControl::bounded(View view, Ns known) {
    const auto most = std::max(static_cast<double>(known), kFirstSpan) * kMostBeyond;
    const auto span = std::clamp(view.span(), kLeastSpan, most);
    const auto middle = (view.begin + view.end) / 2;
    const auto begin = std::clamp(middle - span / 2, 0.0, most - span);
    return {begin, begin + span};
}

void WindowControl::restart(Ns known) {
    m_follow = Follow::Run;
    m_view = fitting(known);
}

void WindowControl::grew(Ns known, Ns cursor, bool finished) {
    const auto end = static_cast<double>(known);
    if (m_follow == Follow::Run) {
        if (finished || end > m_view.end * kGrowth) m_view = fitting(known); // all of it, or a jump
        else if (end > m_view.end) m_view = {0, end * kGrowth};
    }
    headMoved(cursor);
}

void WindowControl::headMoved(Ns cursor) {
    if (m_follow != Follow::Head) return;
    const auto at = static_cast<double>(cursor);
    const auto span = m_view.span();
    if (at >= m_view.begin && at <= m_view.begin + span * kTurnAt) return;
    const auto begin = std::max(0.0, at - span * kTurnTo);
    m_view = {begin, begin + span};
}

void WindowControl::show(View view, Ns known) {
    m_follow = Follow::Hand;
    m_view = bounded(view, known);
}

void WindowControl::zoom(double factor, double anchor, Ns known) {
    const auto most = std::max(static_cast<double>(known), kFirstSpan) * kMostBeyond;
    const auto span = std::clamp(m_view.span() * factor, kLeastSpan, most);
    const auto share = (anchor - m_view.begin) / m_view.span();
    show({anchor - share * span, anchor + (1 - share) * span}, known);
}

void WindowControl::pan(double ns, Ns known) { show({m_view.begin + ns, m_view.end + ns}, known); }

void WindowControl::focus(double at, Ns known) {
    const auto span = m_view.span();
    show({at - span / 2, at + span / 2}, known);
    m_follow = Follow::Head;
}

void WindowControl::fill(Ns known) { restart(known); }

} // namespace rqscope
