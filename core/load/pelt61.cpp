// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of load tracking 6.1 (kernel: accumulate_sum, __accumulate_pelt_segments, ___update_load_avg; attach, detach,
// removal and reweight of fair.c). The decay table is that of 4.7; period sums are derived instead of tabulated. Source:
// load.md 1.3, 1.6, 1.8.
#include "load/pelt61.h"

#include <algorithm>

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

template <class Avg>
bool accrue(Avg& a, std::uint64_t units, Activity61 activity) {
    if (activity.load == 0) activity = {.load = 0, .runnable = 0, .running = false, .factor = activity.factor};
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
    if (periods == 0) return false;
    const std::uint32_t divider = pelt_divider(a.period_contrib);
    a.load_avg = activity.factor * a.load_sum / divider;
    a.runnable_avg = a.runnable_sum / divider;
    a.util_avg = a.util_sum / divider;
    return true;
}

// Takes an average and its sum away, each at most down to 0, and then keeps the sum large enough for the average that is
// left: sums of leaving entities may be rounded up.
template <class Sum>
void take(std::uint64_t& avg, Sum& sum, std::uint64_t avg_part, std::uint64_t sum_part) {
    avg -= std::min(avg, avg_part);
    const std::uint64_t left = sum - std::min<std::uint64_t>(sum, sum_part);
    sum = static_cast<Sum>(std::max(left, avg * kPeltMinDivider));
}

bool apply_removed(CfsAvg& q) {
    if (q.removed_nr == 0) return false;
    const std::uint64_t divider = pelt_divider(q.period_contrib);
    take(q.load_avg, q.load_sum, q.removed_load, q.removed_load * divider);
    take(q.util_avg, q.util_sum, q.removed_util, q.removed_util * divider);
    take(q.runnable_avg, q.runnable_sum, q.removed_runnable, q.removed_runnable * divider);
    q.removed_load = q.removed_util = q.removed_runnable = q.removed_nr = 0;
    return true;
}

} // namespace

bool accrue61(EntityAvg& a, std::uint64_t units, Activity61 activity) { return accrue(a, units, activity); }

bool accrue61(CfsAvg& a, std::uint64_t units, Activity61 activity) { return accrue(a, units, activity); }

void init61(EntityAvg& e, std::uint64_t weight) {
    e = EntityAvg{};
    e.load_avg = weight;
}

void post_init_util61(EntityAvg& e, const CfsAvg& q, Capacity capacity, Weight scaled_weight, bool scaled) {
    e.util_avg = e.runnable_avg = first_util(q, capacity, scaled_weight, scaled);
}

void attach61(CfsAvg& q, EntityAvg& e, std::uint64_t weight) {
    const std::uint64_t divider = pelt_divider(q.period_contrib);
    e.last_update_time = q.last_update_time;
    e.period_contrib = q.period_contrib;
    e.util_sum = static_cast<std::uint32_t>(e.util_avg * divider);
    e.runnable_sum = e.runnable_avg * divider;
    e.load_sum = std::max<std::uint64_t>(e.load_avg * divider / weight, 1);
    q.load_avg += e.load_avg;
    q.load_sum += weight * e.load_sum;
    q.util_avg += e.util_avg;
    q.util_sum += e.util_sum;
    q.runnable_avg += e.runnable_avg;
    q.runnable_sum += e.runnable_sum;
}

void detach61(CfsAvg& q, const EntityAvg& e, std::uint64_t weight) {
    take(q.load_avg, q.load_sum, e.load_avg, weight * e.load_sum);
    take(q.util_avg, q.util_sum, e.util_avg, e.util_sum);
    take(q.runnable_avg, q.runnable_sum, e.runnable_avg, e.runnable_sum);
}

bool update_queue61(CfsAvg& q, RqClock now, const Activity61& queue) {
    const bool removed = apply_removed(q);
    return update61(q, now, queue) || removed;
}

void update_load_avg61(CfsAvg& q, EntityAvg& e, RqClock now, const Activity61& entity, const Activity61& queue) {
    if (e.last_update_time != 0) update61(e, now, entity);
    update_queue61(q, now, queue);
}

void enqueue61(CfsAvg& q, EntityAvg& e, RqClock now, const Activity61& entity, const Activity61& queue) {
    update_load_avg61(q, e, now, entity, queue);
    if (e.last_update_time == 0) attach61(q, e, entity.factor);
}

void remove61(CfsAvg& q, EntityAvg& e, std::uint64_t weight) {
    if (e.last_update_time != 0) {
        update61(e, q.last_update_time, entity_activity(weight, 0, false));
        ++q.removed_nr;
        q.removed_load += static_cast<std::uint32_t>(e.load_avg);
        q.removed_util += static_cast<std::uint32_t>(e.util_avg);
        q.removed_runnable += static_cast<std::uint32_t>(e.runnable_avg);
    }
    e.last_update_time = 0;
}

void reweight61(CfsAvg& q, EntityAvg& e, std::uint64_t old_weight, std::uint64_t new_weight) {
    take(q.load_avg, q.load_sum, e.load_avg, old_weight * e.load_sum);
    e.load_avg = new_weight * e.load_sum / pelt_divider(e.period_contrib);
    q.load_avg += e.load_avg;
    q.load_sum += new_weight * e.load_sum;
}

} // namespace rqscope
