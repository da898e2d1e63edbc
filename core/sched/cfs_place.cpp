// SPDX-License-Identifier: GPL-3.0-or-later
// Where on the virtual time line a task enters: newborn, sleeper, migrant, task of another weight (kernel: place_entity,
// task_fork_fair, migrate_task_rq_fair, set_user_nice, v4.7.4). Source: runqueue.md 3.2 to 3.4, 3.8.
#include "sched/cfs_internal.h"

namespace rqscope {

void place_entity(SchedState& s, CpuId cpu, TaskId p, bool initial) {
    auto& se = s.se[p.index()];
    VTime vruntime = s.rqs[cpu.index()].cfs.min_vruntime;
    if (initial) {
        if (s.features.has(Feature::START_DEBIT)) vruntime += sched_vslice(s, cpu, p);
    } else {
        const auto latency = static_cast<std::uint64_t>(s.tunables.latency_ns);
        vruntime -= s.features.has(Feature::GENTLE_FAIR_SLEEPERS) ? latency >> 1 : latency;
    }
    // Never backwards: a short sleep earns nothing.
    if (vtime_before(se.vruntime, vruntime)) se.vruntime = vruntime;
}

void task_fork_fair(SchedState& s, CpuId cpu, TaskId child) {
    auto& rq = s.rqs[cpu.index()];
    auto& se = s.se[child.index()];
    const TaskId parent = rq.cfs.curr;
    se.vruntime = 0;
    if (parent != kIdleTask) {
        update_curr(s, cpu);
        se.vruntime = s.se[parent.index()].vruntime;
    }
    place_entity(s, cpu, child, true);
    if (s.tunables.child_runs_first != 0 && parent != kIdleTask && vtime_before(s.se[parent.index()].vruntime, se.vruntime)) {
        std::swap(s.se[parent.index()].vruntime, se.vruntime);
        rq.need_resched = true;
    }
    se.vruntime -= rq.cfs.min_vruntime;
}

void migrate_task_rq_fair(SchedState& s, TaskId p, CpuId from, bool waking) {
    auto& se = s.se[p.index()];
    if (waking) se.vruntime -= s.rqs[from.index()].cfs.min_vruntime;
    remove47(s.cfs_avg[from.index()], se.avg);
    se.exec_start = 0;
}

void set_user_nice(SchedState& s, TaskId p, std::int8_t nice) {
    auto& se = s.se[p.index()];
    if (se.nice == nice) return;
    const CpuId cpu = se.cpu;
    const bool queued = se.on_rq;
    const bool raised = nice < se.nice;
    if (queued) dequeue_task_fair(s, cpu, p, {.sleep = false, .save = true});
    set_weight(se, nice, se.policy);
    if (!queued) return;
    enqueue_entity(s, cpu, p, {}); // ENQUEUE_RESTORE: the wait, if any, goes on
    auto& rq = s.rqs[cpu.index()];
    if (raised || rq.curr == p) rq.need_resched = true;
}

} // namespace rqscope
