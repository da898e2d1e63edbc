// SPDX-License-Identifier: GPL-3.0-or-later
// Per-entity load tracking: the averages of an entity and of a queue, and the functions of 4.7/4.8 (__update_load_avg,
// attach/detach/enqueue/dequeue_entity_load_avg). Exact integer arithmetic, load.md 1.1 to 1.8. Clocks are rq->clock_task in
// ns. The later form (6.1) is a second set of functions on the same averages, pelt61.h. We keep no group queues, so
// tg_update() has nothing to do.
#pragma once

#include "base/units.h"

#include <cstdint>

namespace rqscope {

// One task's averages. load_sum = weight * time (4.7), time without weight (6.1); util_sum = time * capacity, u32 wraps.
struct EntityAvg {
    RqClock last_update_time = 0; // 0 = never attached, or migrated and to be attached at the next enqueue
    std::uint64_t load_sum = 0;
    std::uint32_t util_sum = 0;
    std::uint32_t period_contrib = 0; // 0..1023, in units of 1024 ns
    Load load_avg = 0;
    Util util_avg = 0;
    std::uint64_t runnable_sum = 0; // 6.1 only, time << 10
    Load runnable_avg = 0;          // 6.1 only: time runnable, without weight, 0..1024
    bool operator==(const EntityAvg&) const = default;
};

// One CPU's fair queue. load_avg counts queued and blocked entities, runnable_load_avg queued ones only. What placement and
// balancing read for every CPU they look at stands in the first cache line.
struct alignas(64) CfsAvg {
    RqClock last_update_time = 0;
    std::uint64_t load_sum = 0;
    std::uint64_t runnable_load_sum = 0; // 4.x only
    Load load_avg = 0;
    Load runnable_load_avg = 0;          // 4.x only
    Load runnable_avg = 0;               // 6.1 only: 1024 per runnable task, queued and blocked ones
    Util util_avg = 0;
    std::uint32_t util_sum = 0;
    std::uint32_t period_contrib = 0;
    std::uint64_t runnable_sum = 0;      // 6.1 only, (number of runnable tasks << 10) * time
    // Load and util of entities that left while the queue lock was not held, applied at the next update. 32 bits hold
    // 48 000 tasks of the heaviest weight leaving between two updates.
    std::uint32_t removed_load = 0;
    std::uint32_t removed_util = 0;
    std::uint32_t removed_runnable = 0;  // 6.1 only
    std::uint32_t removed_nr = 0;        // 6.1 only: entities that left
    bool operator==(const CfsAvg&) const = default;
};
static_assert(sizeof(CfsAvg) == 128);

inline constexpr std::uint32_t kLoadAvgMax = 47742; // 1024 * sum of y^n in the kernel's integer arithmetic
inline constexpr std::uint32_t kCapacityScale = 1024;

// v * y^n with y^32 = 1/2; 0 beyond 2016 periods. Leaves v alone for n = 0 (4.x).
[[nodiscard]] std::uint64_t decay_load(std::uint64_t v, std::uint64_t n);
// Contribution of n full periods: 1024 * (y + .. + y^n) rounded as the kernel's tables.
[[nodiscard]] std::uint32_t runnable_contrib(std::uint64_t n);

// The slow half of update47(): `units` > 0 whole units of 1024 ns have passed. Returns whether a period ended.
bool accrue47(EntityAvg& a, std::uint64_t units, std::uint64_t weight, bool running, std::uint32_t freq, std::uint32_t cap);
bool accrue47(CfsAvg& a, std::uint64_t units, std::uint64_t weight, bool running, std::uint32_t freq, std::uint32_t cap);

// __update_load_avg(): ages `a` to `now`. weight = unscaled weight, 0 for an entity that is not queued; running accrues
// util even without weight. freq and cap are the frequency and capacity factors, 1024 = full. Called several times per
// event, mostly with nothing to do, hence inline down to the unit test. The rest below 1024 ns is lost (load.md 1.7).
template <class Avg>
inline bool update47(Avg& a, RqClock now, std::uint64_t weight, bool running, std::uint32_t freq = kCapacityScale,
                     std::uint32_t cap = kCapacityScale) {
    const std::uint64_t delta = now - a.last_update_time;
    if (static_cast<std::int64_t>(delta) < 0) {
        a.last_update_time = now;
        return false;
    }
    const std::uint64_t units = delta >> 10;
    if (units == 0) return false;
    a.last_update_time = now;
    return accrue47(a, units, weight, running, freq, cap);
}

// What an update needs to know about the owner. `weight` is unscaled and already 0 when it does not count.
struct PeltNow {
    RqClock now = 0;
    std::uint64_t weight = 0;
    bool running = false;
    std::uint32_t cap = kCapacityScale;
};

// init_entity_runnable_average(): full load of its weight, util 0, not attached. `weight` unscaled.
void init47(EntityAvg& e, std::uint64_t weight);
// post_init_entity_util_avg(), the value: a share of what the queue has left of `capacity`, 0 when nothing is left.
// `scaled_weight` = load.weight; with `scaled` (feature UTIL_INIT_SCALED) it is used as it is, 1024 times too large, as every
// kernel up to May 2024 did.
[[nodiscard]] Util first_util(const CfsAvg& q, Capacity capacity, Weight scaled_weight, bool scaled);
// post_init_entity_util_avg() of 4.7/4.8, where every CPU counts as full capacity.
void post_init_util47(EntityAvg& e, const CfsAvg& q, Weight scaled_weight, bool scaled);
// attach_entity_load_avg(): `age`: the time since e's last update counts as sleep (ATTACH_AGE_LOAD).
void attach47(CfsAvg& q, EntityAvg& e, bool age);
// detach_entity_load_avg(): ages e to the queue's clock first (weight and running as it is now).
void detach47(CfsAvg& q, EntityAvg& e, std::uint64_t weight, bool running, std::uint32_t cap = kCapacityScale);
// update_cfs_rq_load_avg(): applies what was removed, then ages. Returns whether an average changed.
bool update_queue47(CfsAvg& q, const PeltNow& queue);
// enqueue_entity_load_avg(): e is aged as not queued, joins runnable load, and is attached when it migrated.
void enqueue47(CfsAvg& q, EntityAvg& e, const PeltNow& entity, const PeltNow& queue);
// dequeue_entity_load_avg(): e leaves runnable load; load_avg keeps it as blocked load.
void dequeue47(CfsAvg& q, EntityAvg& e, const PeltNow& entity, const PeltNow& queue);
// remove_entity_load_avg() and the reset that migration does: e's load leaves at the queue's next update.
void remove47(CfsAvg& q, EntityAvg& e);

} // namespace rqscope
