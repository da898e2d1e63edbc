// SPDX-License-Identifier: GPL-3.0-or-later
// Which task runs next (kernel: pick_next_entity, yield_task_fair, v4.7.4). The leftmost entity,
// unless it asked to be skipped or a buddy is close enough. With group scheduling built in, curr takes part in the pick
// and keeps its slice when it wins. Source: runqueue.md 2.6, 3.7.
#include "sched/cfs_internal.h"

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

} // namespace

TaskId pick_next_entity(SchedState& s, CpuId cpu) {
    auto& cfs = s.rqs[cpu.index()].cfs;
    if (cfs.nr_running == 0) return kIdleTask;
    const TaskId curr = cfs.curr != kIdleTask && s.se[cfs.curr.index()].on_rq ? cfs.curr : kIdleTask;
    if (curr != kIdleTask) update_curr(s, cpu);

    TaskId left = leftmost(cfs);
    if (left == kIdleTask || (curr != kIdleTask && vtime_before(s.se[curr.index()].vruntime, s.se[left.index()].vruntime)))
        left = curr;
    const auto fair_enough = [&](TaskId p) {
        return p != kIdleTask && wakeup_preempt_entity(s.tunables, s.se[p.index()], s.se[left.index()]) < 1;
    };
    TaskId choice = left;
    if (cfs.skip == choice) {
        const TaskId second = second_choice(s, cfs, choice, curr);
        if (fair_enough(second)) choice = second;
    }
    if (fair_enough(cfs.last)) choice = cfs.last;
    if (fair_enough(cfs.next)) choice = cfs.next; // somebody wants it to run: outranks last
    clear_buddies(cfs, choice);
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
