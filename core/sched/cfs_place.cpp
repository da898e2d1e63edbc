// SPDX-License-Identifier: GPL-3.0-or-later
// Where on the virtual time line a task enters: newborn, sleeper, migrant, task of another weight (kernel: place_entity,
// task_fork_fair, migrate_task_rq_fair, set_user_nice, v4.7.4 and v6.5). Source: runqueue.md 3.2 to 3.4, 3.8.
#include "sched/cfs_internal.h"

#include "sched/cfs_load.h"

namespace rqscope {

namespace {

// How far left of min_vruntime a sleeper may enter, ns of virtual time.
std::uint64_t sleeper_credit(const SchedState& s, const SchedEntity& se) {
    const bool small = since(s, RunQueueProfile::V6_5) && se.policy == Policy::Idle;
    const auto credit = static_cast<std::uint64_t>(small ? s.tunables.min_granularity_ns : s.tunables.latency_ns);
    return s.features.has(Feature::GENTLE_FAIR_SLEEPERS) ? credit >> 1 : credit;
}

// entity_is_long_sleeper(): the queue may have moved on by more than half the range of vruntime, so that comparing with the
// entity's own says nothing any more. A migrating entity may be ahead of this queue's clock.
bool is_long_sleeper(const SchedState& s, CpuId cpu, const SchedEntity& se) {
    constexpr std::uint64_t kHalfRange = (1ULL << 63) / 1024; // at nice 0
    if (!since(s, RunQueueProfile::V6_5) || se.exec_start == 0) return false;
    const RqClock now = s.rqs[cpu.index()].clock_task;
    return now > se.exec_start && now - se.exec_start > kHalfRange;
}

} // namespace

void place_entity(SchedState& s, CpuId cpu, TaskId p, bool initial) {
    auto& se = s.se[p.index()];
    VTime vruntime = s.rqs[cpu.index()].cfs.min_vruntime;
    if (!initial)
        vruntime -= sleeper_credit(s, se);
    else if (s.features.has(Feature::START_DEBIT))
        vruntime += sched_vslice(s, cpu, p);
    // Never backwards: a short sleep earns nothing.
    if (is_long_sleeper(s, cpu, se) || vtime_before(se.vruntime, vruntime)) se.vruntime = vruntime;
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
    migrate_entity_load_avg(s, p, from, waking);
    // v6.5 forgets it at the enqueue, where a waking task's placement still asks how long it slept.
    if (!waking || !since(s, RunQueueProfile::V6_5)) se.exec_start = 0;
}

namespace {

void reweight_task(SchedState& s, TaskId p, std::int8_t nice) {
    auto& se = s.se[p.index()];
    const Weight old_weight = se.weight;
    set_weight(se, nice, se.policy);
    if (se.weight != old_weight) reweight_entity_load_avg(s, p, old_weight);
}

// prio_changed_fair() of a queued task.
void prio_changed(SchedState& s, CpuId cpu, TaskId p, bool raised) {
    auto& rq = s.rqs[cpu.index()];
    if (!since(s, RunQueueProfile::V6_5)) {
        if (raised || rq.curr == p) rq.need_resched = true;
        return;
    }
    if (rq.cfs.nr_running == 1) return;
    if (rq.curr != p)
        (void)check_preempt_wakeup(s, cpu, p, false);
    else if (!raised)
        rq.need_resched = true;
}

} // namespace

void change_nice(SchedState& s, TaskId p, std::int8_t nice) {
    const auto& se = s.se[p.index()];
    const CpuId cpu = se.cpu;
    const bool queued = se.on_rq;
    const bool raised = nice < se.nice;
    // v6.5: the running task leaves `curr` too, so that its slice begins anew.
    const bool restarts = queued && s.rqs[cpu.index()].curr == p && since(s, RunQueueProfile::V6_5);
    if (queued) dequeue_task_fair(s, cpu, p, {.sleep = false, .save = true});
    if (restarts) put_prev_entity(s, cpu, p);
    reweight_task(s, p, nice);
    if (!queued) return;
    enqueue_entity(s, cpu, p, {}); // ENQUEUE_RESTORE: the wait, if any, goes on
    if (restarts) set_next_entity(s, cpu, p);
    prio_changed(s, cpu, p, raised);
}

void set_user_nice(SchedState& s, TaskId p, std::int8_t nice) {
    if (s.se[p.index()].nice != nice) change_nice(s, p, nice);
}

} // namespace rqscope
