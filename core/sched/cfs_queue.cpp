// SPDX-License-Identifier: GPL-3.0-or-later
// Who is in a CPU's fair queue and how far each has run (kernel: update_curr, enqueue_entity, dequeue_entity,
// set_next_entity, put_prev_entity and the task list of v4.7.4 and v6.5). The tree is a vector sorted descending, so that taking the
// leftmost entity is a pop; equal keys keep arrival order. Source: runqueue.md 2.4, 2.5, 3.3.
#include "sched/cfs_internal.h"

#include "base/check.h"
#include "sched/cfs_load.h"
#include "sched/sched_info.h"

namespace rqscope {

namespace {

// rq->cfs_tasks: list_add(), the most recently enqueued task is the head.
void list_add(SchedState& s, Rq& rq, TaskId p) {
    auto& se = s.se[p.index()];
    se.list_prev = kIdleTask;
    se.list_next = rq.cfs_tasks;
    if (rq.cfs_tasks == kIdleTask)
        rq.cfs_tasks_tail = p;
    else
        s.se[rq.cfs_tasks.index()].list_prev = p;
    rq.cfs_tasks = p;
}

void list_del(SchedState& s, Rq& rq, TaskId p) {
    auto& se = s.se[p.index()];
    if (se.list_prev == kIdleTask)
        rq.cfs_tasks = se.list_next;
    else
        s.se[se.list_prev.index()].list_next = se.list_next;
    if (se.list_next == kIdleTask)
        rq.cfs_tasks_tail = se.list_prev;
    else
        s.se[se.list_next.index()].list_prev = se.list_prev;
    se.list_prev = se.list_next = kIdleTask;
}

// curr as far as min_vruntime is concerned: v4.7 looks at it even when it was dequeued a moment ago.
TaskId counted_curr(const SchedState& s, const CfsRq& cfs) {
    if (cfs.curr != kIdleTask && !s.se[cfs.curr.index()].on_rq && since(s, RunQueueProfile::V6_5)) return kIdleTask;
    return cfs.curr;
}

} // namespace

void list_move_to_head(SchedState& s, CpuId cpu, TaskId p) {
    auto& rq = s.rqs[cpu.index()];
    if (rq.cfs_tasks == p) return;
    list_del(s, rq, p);
    list_add(s, rq, p);
}

void account_entity_enqueue(SchedState& s, CpuId cpu, TaskId p) {
    auto& rq = s.rqs[cpu.index()];
    rq.cfs.load_weight += s.se[p.index()].weight;
    rq.cfs.load_inv_weight = 0;
    ++rq.cfs.nr_running;
    if (s.se[p.index()].policy == Policy::Idle) ++rq.cfs.idle_nr_running;
    if (++s.nr_running[cpu.index()] == 2) s.root_overload = true; // add_nr_running(): somebody has a task to give
    list_add(s, rq, p);
}

void account_entity_dequeue(SchedState& s, CpuId cpu, TaskId p) {
    auto& rq = s.rqs[cpu.index()];
    rq.cfs.load_weight -= s.se[p.index()].weight;
    rq.cfs.load_inv_weight = 0;
    --rq.cfs.nr_running;
    if (s.se[p.index()].policy == Policy::Idle) --rq.cfs.idle_nr_running;
    --s.nr_running[cpu.index()];
    list_del(s, rq, p);
}

void tree_insert(CfsRq& cfs, VTime vruntime, TaskId p) {
    // In front of the first entry that is not later: an equal one stays nearer the back and is picked earlier.
    const auto at = std::partition_point(cfs.tree.begin(), cfs.tree.end(), [vruntime](const CfsRq::Slot& slot) {
        return vtime_before(vruntime, slot.vruntime);
    });
    cfs.tree.insert(at, {vruntime, p});
}

void tree_remove(CfsRq& cfs, VTime vruntime, TaskId p) {
    SCHED_CHECK(!cfs.tree.empty());
    if (cfs.tree.back().task == p) {
        cfs.tree.pop_back();
        return;
    }
    auto at = std::partition_point(cfs.tree.begin(), cfs.tree.end(), [vruntime](const CfsRq::Slot& slot) {
        return vtime_before(vruntime, slot.vruntime);
    });
    while (at != cfs.tree.end() && at->task != p) ++at;
    SCHED_CHECK(at != cfs.tree.end());
    cfs.tree.erase(at);
}

void update_min_vruntime(SchedState& s, CfsRq& cfs) {
    VTime candidate = cfs.min_vruntime;
    const TaskId curr = counted_curr(s, cfs);
    if (curr != kIdleTask) candidate = s.se[curr.index()].vruntime;
    if (!cfs.tree.empty()) {
        const VTime left = cfs.tree.back().vruntime;
        if (curr == kIdleTask || vtime_before(left, candidate)) candidate = left;
    }
    if (vtime_before(cfs.min_vruntime, candidate)) cfs.min_vruntime = candidate;
}

void update_curr(SchedState& s, CpuId cpu) {
    auto& rq = s.rqs[cpu.index()];
    if (rq.cfs.curr == kIdleTask) return;
    auto& curr = s.se[rq.cfs.curr.index()];
    const std::uint64_t delta = rq.clock_task - curr.exec_start;
    if (static_cast<std::int64_t>(delta) <= 0) return;
    curr.exec_start = rq.clock_task;
    curr.sum_exec_runtime += delta;
    curr.vruntime += calc_delta_fair(delta, curr);
    update_min_vruntime(s, rq.cfs);
}

void enqueue_entity(SchedState& s, CpuId cpu, TaskId p, EnqueueFlags flags) {
    auto& cfs = s.rqs[cpu.index()].cfs;
    auto& se = s.se[p.index()];
    SCHED_CHECK(!se.on_rq && se.cpu == cpu);
    const bool renorm = !flags.wakeup || flags.migrated;
    const bool is_curr = cfs.curr == p;
    // The running task must be absolute again before it is charged; the others are moved by the min_vruntime after that.
    if (renorm && is_curr) se.vruntime += cfs.min_vruntime;
    update_curr(s, cpu);
    if (renorm && !is_curr) se.vruntime += cfs.min_vruntime;
    enqueue_entity_load_avg(s, cpu, p);
    account_entity_enqueue(s, cpu, p);
    if (flags.wakeup) place_entity(s, cpu, p, false);
    if (flags.migrated) se.exec_start = 0; // not before place_entity() has seen how long it slept
    if (!is_curr) tree_insert(cfs, se.vruntime, p);
    se.on_rq = true;
}

void dequeue_entity(SchedState& s, CpuId cpu, TaskId p, DequeueFlags flags) {
    auto& cfs = s.rqs[cpu.index()].cfs;
    auto& se = s.se[p.index()];
    SCHED_CHECK(se.on_rq && se.cpu == cpu);
    update_curr(s, cpu);
    dequeue_entity_load_avg(s, cpu, p);
    clear_buddies(cfs, p);
    if (cfs.curr != p) tree_remove(cfs, se.vruntime, p);
    se.on_rq = false;
    account_entity_dequeue(s, cpu, p);
    if (!flags.sleep) se.vruntime -= cfs.min_vruntime;
    // v6.5: a nice change comes back in a moment, nothing moves on until then.
    if (!flags.save || !since(s, RunQueueProfile::V6_5)) update_min_vruntime(s, cfs);
}

void enqueue_task_fair(SchedState& s, CpuId cpu, TaskId p, EnqueueFlags flags) {
    sched_info_queued(s, cpu, p);
    enqueue_entity(s, cpu, p, flags);
}

void dequeue_task_fair(SchedState& s, CpuId cpu, TaskId p, DequeueFlags flags) {
    if (!flags.save) sched_info_dequeued(s, cpu, p);
    dequeue_entity(s, cpu, p, flags);
}

void set_next_entity(SchedState& s, CpuId cpu, TaskId p) {
    auto& rq = s.rqs[cpu.index()];
    auto& se = s.se[p.index()];
    if (since(s, RunQueueProfile::V6_5)) clear_buddies(rq.cfs, p);
    if (se.on_rq) {
        tree_remove(rq.cfs, se.vruntime, p);
        update_load_avg(s, cpu, p);
    }
    se.exec_start = rq.clock_task;
    rq.cfs.curr = p;
    se.prev_sum_exec_runtime = se.sum_exec_runtime;
}

void put_prev_entity(SchedState& s, CpuId cpu, TaskId p) {
    auto& cfs = s.rqs[cpu.index()].cfs;
    auto& se = s.se[p.index()];
    if (se.on_rq) {
        update_curr(s, cpu);
        tree_insert(cfs, se.vruntime, p);
        update_load_avg(s, cpu, p);
    }
    cfs.curr = kIdleTask;
}

} // namespace rqscope
