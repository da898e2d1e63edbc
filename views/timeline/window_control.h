// SPDX-License-Identifier: GPL-3.0-or-later
// Which part of the time axis is shown and who decides: it fits the known run until a hand moves it, then stays; F lets it
// follow the play head again. Pure arithmetic, so that it can be tested without a widget.
#pragma once

#include "timeline/lane_data.h"

#include <cstdint>

namespace rqscope {

struct View {
    double begin = 0, end = 1e6; // ns
    [[nodiscard]] double span() const { return end - begin; }
    bool operator==(const View&) const = default;
};

class WindowControl {
public:
    enum class Follow : std::uint8_t {
        Run,  // shows everything that is known
        Head, // keeps its width and turns the page when the play head leaves
        Hand, // does not move by itself
    };
    static constexpr double kLeastSpan = 200; // ns
    static constexpr double kFirstSpan = 1e6; // before anything is known

    [[nodiscard]] const View& view() const { return m_view; }
    [[nodiscard]] Follow follow() const { return m_follow; }

    void restart(Ns known);                        // another run
    void grew(Ns known, Ns cursor, bool finished); // may move the window unless the hand holds it
    void headMoved(Ns cursor);
    // By hand.
    void show(View view, Ns known);
    void zoom(double factor, double anchor, Ns known); // factor < 1 shows less
    void pan(double ns, Ns known);
    // F: the head comes into view and is followed again. F F: everything, or what is given, fills the view.
    void focus(double at, Ns known);
    void fill(Ns known);

    // Within [0, a little beyond what is known], not narrower than kLeastSpan.
    [[nodiscard]] static View bounded(View view, Ns known);
    [[nodiscard]] static View fitting(Ns known);

private:
    View m_view;
    Follow m_follow = Follow::Run;
};

} // namespace rqscope
