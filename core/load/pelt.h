// SPDX-License-Identifier: GPL-3.0-or-later
// Per-entity load tracking as of 4.7/4.8 (__update_load_avg, attach/detach/enqueue/dequeue_entity_load_avg). Exact integer
// arithmetic, load.md 1.1 to 1.8. Clocks are rq->clock_task in ns. The later form (6.1) is a second set of functions.
#pragma once

#include "base/units.h"

#include <cstdint>

namespace rqscope {

// One task's averages. load_sum = weight * time (4.7 keeps the weight inside), util_sum = time * capacity, u32 wraps.
struct EntityAvg {
    RqClock last_update_time = 0; // 0 = never attached, or migrated and to be attached at the next enqueue
    std::uint64_t load_sum = 0;
    std::uint32_t util_sum = 0;
    std::uint32_t period_contrib = 0; // 0..1023, in units of 1024 ns
    Load load_avg = 0;
    Util util_avg = 0;
    bool operator==(const EntityAvg&) const = default;
};

// One CPU's fair queue. load_avg counts queued and blocked entities, runnable_load_avg queued ones only. 64 bytes: one
// cache line per CPU, because placement and balancing read it for every CPU they look at.
struct alignas(64) CfsAvg {
    RqClock last_update_time = 0;
    std::uint64_t load_sum = 0;
    std::uint64_t runnable_load_sum = 0;
    Load load_avg = 0;
    Load runnable_load_avg = 0;
    std::uint32_t util_sum = 0;
    std::uint32_t period_contrib = 0;
    Util util_avg = 0;
    Load removed_load = 0; // load of entities that left while the queue lock was not held, applied at the next update
    bool operator==(const CfsAvg&) const = default;
};

} // namespace rqscope
