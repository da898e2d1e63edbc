// SPDX-License-Identifier: GPL-3.0-or-later
// The mapping between time and pixels of one picture, and the choice of ticks: 1-2-5 steps from 0, the unit written once at
// the first label.
#pragma once

#include "timeline/lane_data.h"

#include <QString>

#include <cmath>
#include <vector>

namespace rqscope {

// The library's floor() is a call on plain x86-64, and this one runs for every pixel column.
[[nodiscard]] inline std::int64_t wholeBelow(double v) {
    const auto whole = static_cast<std::int64_t>(v);
    return whole - (v < static_cast<double>(whole) ? 1 : 0);
}

struct TimeScale {
    double begin = 0;   // ns at pixel `left`
    double nsPerPx = 1; // > 0
    double left = 0;

    [[nodiscard]] double x(Ns t) const { return left + (static_cast<double>(t) - begin) / nsPerPx; }
    [[nodiscard]] Ns time(double x) const { return wholeBelow(begin + (x - left) * nsPerPx); }
    // The same time range in device pixels counted from 0.
    [[nodiscard]] TimeScale device(double ratio) const { return {begin, nsPerPx / ratio, 0}; }
};

struct TickStep {
    Ns step = 1;      // ns
    Ns unit = 1;      // ns of the unit the labels count in
    int decimals = 0; // digits behind the point that the step needs
};

// The smallest 1-2-5 step that is at least minNs wide; the unit suits times up to `last`.
[[nodiscard]] TickStep chooseTicks(double minNs, Ns last);
[[nodiscard]] const char* unitName(Ns unit); // "ns" "us" "ms" "s"
// "4.5", "1 204"; a multiple of the step in its unit.
[[nodiscard]] QString tickLabel(Ns t, const TickStep& ticks);
// Multiples of the step in [begin, end].
[[nodiscard]] std::vector<Ns> tickTimes(Ns begin, Ns end, const TickStep& ticks);

} // namespace rqscope
