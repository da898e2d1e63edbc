// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of load tracking 6.1 (kernel: accumulate_sum, __accumulate_pelt_segments, ___update_load_avg). The decay
// table is that of 4.7; period sums are derived instead of tabulated. Source: load.md 1.3.
#include "load/pelt61.h"

#include "load/pelt.h"

namespace rqscope {

namespace {

constexpr std::uint32_t kPeriod = 1024;

// Unlike decay_load() of 4.x this is never called with 0, and multiples of 32 lose one unit in the table's 0xffffffff.
// Contribution of d units that end `rest` units into a period, `periods` boundaries after they began.
std::uint32_t segments(std::uint32_t contrib, std::uint64_t periods, std::uint64_t rest) {
    const auto oldest = static_cast<std::uint32_t>(decay_load(kPeriod - contrib, periods));
    const auto full = kLoadAvgMax - static_cast<std::uint32_t>(decay_load(kLoadAvgMax, periods)) - kPeriod;
    return oldest + full + static_cast<std::uint32_t>(rest);
}

// Adds `units` of time; returns whether a period ended.
bool accumulate(Avg61& a, std::uint64_t units, const Activity61& activity) {
    auto contrib = static_cast<std::uint32_t>(units);
    const std::uint64_t position = units + a.period_contrib;
    const std::uint64_t periods = position / kPeriod;
    const std::uint64_t rest = position % kPeriod;
    if (periods > 0) {
        a.load_sum = decay_load(a.load_sum, periods);
        a.runnable_sum = decay_load(a.runnable_sum, periods);
        a.util_sum = static_cast<std::uint32_t>(decay_load(a.util_sum, periods));
        if (activity.load != 0) contrib = segments(a.period_contrib, periods, rest);
    }
    a.period_contrib = static_cast<std::uint32_t>(rest);
    a.load_sum += activity.load * contrib;
    a.runnable_sum += activity.runnable * contrib << 10;
    if (activity.running) a.util_sum += contrib << 10;
    return periods > 0;
}

} // namespace

bool update61(Avg61& a, RqClock now, Activity61 activity) {
    const std::uint64_t delta = now - a.last_update_time;
    if (static_cast<std::int64_t>(delta) < 0) {
        a.last_update_time = now;
        return false;
    }
    const std::uint64_t units = delta >> 10;
    if (units == 0) return false;
    a.last_update_time += units << 10; // the rest below one unit is not lost
    if (activity.load == 0) activity = {.load = 0, .runnable = 0, .running = false, .factor = activity.factor};
    if (!accumulate(a, units, activity)) return false;
    const std::uint32_t divisor = kLoadAvgMax - kPeriod + a.period_contrib;
    a.load_avg = activity.factor * a.load_sum / divisor;
    a.runnable_avg = a.runnable_sum / divisor;
    a.util_avg = a.util_sum / divisor;
    return true;
}

} // namespace rqscope
