// SPDX-License-Identifier: GPL-3.0-or-later
// Load of newborns, of queues nobody touches, and the per-tick load history (kernel: init_entity_runnable_average,
// post_init_entity_util_avg of 4.8.15, update_blocked_averages, __update_cpu_load of 4.7.4). Source: load.md 1.8, 2.b,
// 2.e; topology.md 2.4a.
#include "sched/cfs_internal.h"

#include "sched/clock.h"

namespace rqscope {

void init_entity_load(SchedState& s, TaskId p) {
    auto& se = s.se[p.index()];
    init47(se.avg, scale_load_down(se.weight));
}

void post_init_entity_load(SchedState& s, TaskId p) {
    auto& se = s.se[p.index()];
    const CpuId cpu = se.cpu;
    auto& avg = s.cfs_avg[cpu.index()];
    // v4.8 attached before anybody had updated the clock of the queue it had just locked.
    if (!s.features.has(Feature::BUG_STALE_CLOCK_AT_FORK)) update_rq_clock(s, cpu);
    post_init_util47(se.avg, avg, se.weight, s.features.has(Feature::UTIL_INIT_SCALED));
    update_queue47(avg, pelt_queue(s, cpu));
    attach47(avg, se.avg, true);
}

void update_cpu_load(SchedState& s, CpuId cpu) {
    auto& history = s.rqs[cpu.index()].cpu_load;
    const Load load = s.cfs_avg[cpu.index()].runnable_load_avg;
    for (unsigned k = 0; k < std::size(history); ++k) {
        const std::uint64_t old_share = (1ULL << k) - 1;
        const Load rounded = load > history[k] ? load + old_share : load; // so that it can reach the load
        history[k] = (history[k] * old_share + rounded) >> k;
    }
}

void update_blocked_averages(SchedState& s, CpuId cpu) {
    update_queue47(s.cfs_avg[cpu.index()], pelt_queue(s, cpu));
}

} // namespace rqscope
