// SPDX-License-Identifier: GPL-3.0-or-later
// Load of newborns, of migrating tasks, of queues nobody touches, and the per-tick load history (kernel:
// init_entity_runnable_average and post_init_entity_util_avg of 4.7.4, 4.8.15 and 6.1, migrate_task_rq_fair,
// reweight_entity, update_blocked_averages, __update_cpu_load of 4.7.4). Source: load.md 1.6, 1.8, 2.b, 2.e; topology.md 2.4a.
#include "sched/cfs_load.h"

namespace rqscope {

void init_entity_load(SchedState& s, TaskId p) {
    auto& se = s.se[p.index()];
    const auto weight = scale_load_down(se.weight);
    if (load_of_6_1(s))
        init61(se.avg, weight);
    else
        init47(se.avg, weight);
}

void post_init_entity_load(SchedState& s, TaskId p) {
    auto& se = s.se[p.index()];
    const CpuId cpu = se.cpu;
    auto& avg = s.cfs_avg[cpu.index()];
    const bool scaled = s.features.has(Feature::UTIL_INIT_SCALED);
    // v4.8 attached before anybody had updated the clock of the queue it had just locked.
    if (!s.features.has(Feature::BUG_STALE_CLOCK_AT_FORK)) update_rq_clock(s, cpu);
    switch (load_profile(s.era)) {
    case LoadProfile::L4_7:
        post_init_util47(se.avg, avg, se.weight, scaled);
        return; // not attached: the enqueue that follows does it
    case LoadProfile::L4_8:
        post_init_util47(se.avg, avg, se.weight, scaled);
        update_queue47(avg, pelt_queue(s, cpu));
        attach47(avg, se.avg, true);
        return;
    case LoadProfile::L6_1:
        post_init_util61(se.avg, avg, s.capacity[cpu.index()], se.weight, scaled);
        return; // as in 4.7
    }
}

void migrate_entity_load_avg(SchedState& s, TaskId p, CpuId from, bool waking) {
    auto& se = s.se[p.index()];
    auto& avg = s.cfs_avg[from.index()];
    if (!load_of_6_1(s)) {
        remove47(avg, se.avg);
    } else if (waking) {
        remove61(avg, se.avg, scale_load_down(se.weight));
    } else {
        detach61(avg, se.avg, scale_load_down(se.weight));
        se.avg.last_update_time = 0;
    }
}

void reweight_entity_load_avg(SchedState& s, TaskId p, Weight old_weight) {
    auto& se = s.se[p.index()];
    if (!load_of_6_1(s) || se.avg.last_update_time == 0) return; // 4.x lets the averages drift to the new weight
    reweight61(s.cfs_avg[se.cpu.index()], se.avg, scale_load_down(old_weight), scale_load_down(se.weight));
}

void update_cpu_load(SchedState& s, CpuId cpu) {
    if (load_of_6_1(s)) return; // no history any more
    auto& history = s.rqs[cpu.index()].cpu_load;
    const Load load = s.cfs_avg[cpu.index()].runnable_load_avg;
    for (unsigned k = 0; k < std::size(history); ++k) {
        const std::uint64_t old_share = (1ULL << k) - 1;
        const Load rounded = load > history[k] ? load + old_share : load; // so that it can reach the load
        history[k] = (history[k] * old_share + rounded) >> k;
    }
}

void update_blocked_averages(SchedState& s, CpuId cpu) {
    auto& avg = s.cfs_avg[cpu.index()];
    const auto& rq = s.rqs[cpu.index()];
    if (load_of_6_1(s))
        update_queue61(avg, rq_clock_pelt(rq), pelt61_queue(rq.cfs));
    else
        update_queue47(avg, pelt_queue(s, cpu));
}

} // namespace rqscope
