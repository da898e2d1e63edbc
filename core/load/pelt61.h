// SPDX-License-Identifier: GPL-3.0-or-later
// Load tracking as of 6.1: the update step (___update_load_sum and ___update_load_avg of pelt.c). Against 4.7: the weight
// stays out of an entity's sum, the rest below 1024 ns is kept, the divisor follows the position in the period, and
// runnable time is tracked without weights. Source: load.md 1.3.
#pragma once

#include "base/units.h"

#include <cstdint>

namespace rqscope {

struct Avg61 {
    RqClock last_update_time = 0;
    std::uint64_t load_sum = 0;     // entity: time without weight; queue: sum of weight * time
    std::uint64_t runnable_sum = 0; // (number of runnable tasks << 10) * time
    std::uint32_t util_sum = 0;     // time << 10
    std::uint32_t period_contrib = 0; // 0..1023, units of 1024 ns
    Load load_avg = 0;
    std::uint64_t runnable_avg = 0;
    Util util_avg = 0;
    bool operator==(const Avg61&) const = default;
};

// What ran since the last update. Entity: load = on_rq, factor = unscaled weight. Queue: load = sum of unscaled weights,
// factor = 1.
struct Activity61 {
    std::uint64_t load = 0;
    std::uint64_t runnable = 0; // number of runnable tasks
    bool running = false;
    std::uint64_t factor = 1;
};

// Ages `a` to `now`; returns whether a period ended, and only then are the averages recomputed.
bool update61(Avg61& a, RqClock now, Activity61 activity);

} // namespace rqscope
