// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the run is shown: one unit per click and a few units a second while playing, or a fraction of real time.
#pragma once

#include "trace/history.h"

#include <QString>

namespace rqscope {

struct Pace {
    enum class Kind : std::uint8_t { Event, Decision, Tick, RealTime };
    Kind kind = Kind::Decision;
    double perSecond = 2.0;  // units a second while playing
    double realTime = 1e-3;  // simulated seconds per second, 1e-6..1

    bool operator==(const Pace&) const = default;
    // What a click on step does; real time has no unit of its own and steps by events.
    [[nodiscard]] StepUnit unit() const {
        if (kind == Kind::Decision) return StepUnit::Decision;
        return kind == Kind::Tick ? StepUnit::Tick : StepUnit::Event;
    }
};

[[nodiscard]] Pace paceOf(Pace::Kind kind);   // with its usual speed
[[nodiscard]] QString paceText(const Pace& pace); // "1 decision per click", "0.001 × real time"
// Log slider 0..kPaceSteps <-> real-time factor.
inline constexpr int kPaceSteps = 60;
[[nodiscard]] double realTimeAt(int position);
[[nodiscard]] int positionOf(double realTime);

} // namespace rqscope
