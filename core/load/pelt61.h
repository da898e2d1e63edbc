// SPDX-License-Identifier: GPL-3.0-or-later
// Load tracking as of 6.1 (___update_load_sum and ___update_load_avg of pelt.c; update_load_avg, attach, detach, remove and
// reweight of fair.c). Against 4.7: the weight stays out of an entity's sum, the rest below 1024 ns is kept, the divisor
// follows the position in the period, an attached entity takes over its queue's position, and runnable time is tracked
// without weights instead of runnable load. Source: load.md 1.3, 1.6, 1.8. Clocks are those of rq_clock_pelt() in ns.
#pragma once

#include "load/pelt.h"

namespace rqscope {

// What ran since the last update.
struct Activity61 {
    std::uint64_t load = 0;
    std::uint64_t runnable = 0; // number of runnable tasks
    bool running = false;
    std::uint64_t factor = 1;   // of load_avg
};

// `weight` is unscaled, of the entity; a queue passes the sum over its queued entities. `runnable`: a task that is on_rq 1,
// else 0; an entity that stands for a group the number of its runnable tasks.
[[nodiscard]] constexpr Activity61 entity_activity(std::uint64_t weight, std::uint64_t runnable, bool running) {
    return {.load = runnable != 0 ? 1U : 0U, .runnable = runnable, .running = running, .factor = weight};
}
[[nodiscard]] constexpr Activity61 queue_activity(std::uint64_t weight, std::uint64_t nr_running, bool running) {
    return {.load = weight, .runnable = nr_running, .running = running, .factor = 1};
}

// get_pelt_divider(): 46718..47741. kPeltMinDivider is its least value.
inline constexpr std::uint32_t kPeltMinDivider = kLoadAvgMax - 1024;
[[nodiscard]] constexpr std::uint32_t pelt_divider(std::uint32_t period_contrib) { return kPeltMinDivider + period_contrib; }

// The slow half of update61(): `units` > 0 whole units of 1024 ns have passed. Returns whether a period ended.
bool accrue61(EntityAvg& a, std::uint64_t units, Activity61 activity);
bool accrue61(CfsAvg& a, std::uint64_t units, Activity61 activity);

// Ages `a` to `now`; returns whether a period ended, and only then are the averages recomputed.
template <class Avg>
inline bool update61(Avg& a, RqClock now, const Activity61& activity) {
    const std::uint64_t delta = now - a.last_update_time;
    if (static_cast<std::int64_t>(delta) < 0) {
        a.last_update_time = now;
        return false;
    }
    const std::uint64_t units = delta >> 10;
    if (units == 0) return false;
    a.last_update_time += units << 10; // the rest below one unit is not lost
    return accrue61(a, units, activity);
}

// init_entity_runnable_average(): all 0, a task gets the load of its weight, which counts once it is attached.
void init61(EntityAvg& e, std::uint64_t weight);
// post_init_entity_util_avg(): first util and runnable time from what the CPU of this capacity has left, see first_util().
void post_init_util61(EntityAvg& e, const CfsAvg& q, Capacity capacity, Weight scaled_weight, bool scaled);
// attach_entity_load_avg(): e takes over q's clock and position in the period; its sums follow from its averages.
void attach61(CfsAvg& q, EntityAvg& e, std::uint64_t weight);
// detach_entity_load_avg(): e and q were updated just now. The queue's sums stay large enough for its averages.
void detach61(CfsAvg& q, const EntityAvg& e, std::uint64_t weight);
// update_cfs_rq_load_avg(): applies what was removed, then ages. Returns whether an average changed.
bool update_queue61(CfsAvg& q, RqClock now, const Activity61& queue);
// update_load_avg(): ages e unless it is to be attached, then the queue.
void update_load_avg61(CfsAvg& q, EntityAvg& e, RqClock now, const Activity61& entity, const Activity61& queue);
// update_load_avg() with DO_ATTACH, as enqueue_entity() calls it: e is attached when it is new or has migrated.
void enqueue61(CfsAvg& q, EntityAvg& e, RqClock now, const Activity61& entity, const Activity61& queue);
// remove_entity_load_avg() and the reset of a waking task that migrates: its load leaves at the queue's next update.
void remove61(CfsAvg& q, EntityAvg& e, std::uint64_t weight);
// reweight_entity(): e is attached. A sleeper is not aged first, as in 6.1; the error fades with the queue's load.
void reweight61(CfsAvg& q, EntityAvg& e, std::uint64_t old_weight, std::uint64_t new_weight);

} // namespace rqscope
