// SPDX-License-Identifier: GPL-3.0-or-later
// Which task runs next (kernel: pick_next_entity, yield_task_fair, v4.7.4 and v6.5). The leftmost entity,
// unless it asked to be skipped or a buddy is close enough. With group scheduling built in, curr takes part in the pick
// and keeps its slice when it wins. Source: runqueue.md 2.6, 3.7.
#include "sched/cfs_internal.h"

#include "sched/clock.h"

namespace rqscope {

namespace {

// The candidate after `se`, which asked to be skipped; kIdleTask when there is none.
TaskId second_choice(const SchedState& s, const CfsRq& cfs, TaskId se, TaskId curr) {
    if (se == curr) return leftmost(cfs);
    const TaskId second = cfs.tree.size() > 1 ? cfs.tree[cfs.tree.size() - 2].task : kIdleTask;
    if (curr == kIdleTask) return second;
    if (second == kIdleTask || vtime_before(s.se[curr.index()].vruntime, s.se[second.index()].vruntime)) return curr;
    return second;
}

// `p` exists and would not run unfairly long before `left`.
bool fair_enough(const SchedState& s, TaskId p, TaskId left) {
    return p != kIdleTask && wakeup_preempt_entity(s.tunables, s.se[p.index()], s.se[left.index()]) < 1;
}

// The leftmost entity, curr included, or the one after it when it asked to be skipped.
TaskId in_order(const SchedState& s, const CfsRq& cfs, TaskId left, TaskId curr) {
    if (cfs.skip != left) return left;
    const TaskId second = second_choice(s, cfs, left, curr);
    return fair_enough(s, second, left) ? second : left;
}

// Somebody wants `next` to run: it outranks `last`. (v4.7 asks in the reverse order, to the same end.)
TaskId preferred(const SchedState& s, const CfsRq& cfs, TaskId left, TaskId choice) {
    if (fair_enough(s, cfs.next, left)) return cfs.next;
    if (fair_enough(s, cfs.last, left)) return cfs.last;
    return choice;
}

} // namespace

TaskId pick_next_entity(SchedState& s, CpuId cpu) {
    auto& cfs = s.rqs[cpu.index()].cfs;
    if (cfs.nr_running == 0) {
        update_idle_rq_clock_pelt(s, cpu);
        return kIdleTask;
    }
    const TaskId curr = cfs.curr != kIdleTask && s.se[cfs.curr.index()].on_rq ? cfs.curr : kIdleTask;
    if (curr != kIdleTask) update_curr(s, cpu);

    TaskId left = leftmost(cfs);
    if (left == kIdleTask || (curr != kIdleTask && vtime_before(s.se[curr.index()].vruntime, s.se[left.index()].vruntime)))
        left = curr;
    const TaskId choice = preferred(s, cfs, left, in_order(s, cfs, left, curr));
    if (since(s, RunQueueProfile::V6_5))
        list_move_to_head(s, cpu, choice); // so that load balancing finds the least recently run at the tail
    else
        clear_buddies(cfs, choice); // v6.5: in set_next_entity(), hence not when curr goes on
    return choice;
}

void yield_task_fair(SchedState& s, CpuId cpu) {
    auto& rq = s.rqs[cpu.index()];
    ++rq.stat.yld_count;
    if (rq.cfs.nr_running <= 1) return;
    clear_buddies(rq.cfs, rq.curr);
    if (s.se[rq.curr.index()].policy != Policy::Batch) update_curr(s, cpu);
    rq.cfs.skip = rq.curr;
}

} // namespace rqscope
