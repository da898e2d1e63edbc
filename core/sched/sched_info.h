// SPDX-License-Identifier: GPL-3.0-or-later
// Who waited how long for which CPU (kernel: sched_info_queued/dequeued/arrive/depart of stats.h, v4.7.4): the fields
// run_delay, pcount and rq_cpu_time of /proc/schedstat. Times are rq.clock, interrupts included. No decision reads them.
// enqueue_task_fair() and dequeue_task_fair() call the first two; whoever switches tasks calls sched_info_switch().
#pragma once

#include "sched/sched_state.h"

namespace rqscope {

// p joins the queue of `cpu`: waiting begins unless it waits already.
inline void sched_info_queued(SchedState& s, CpuId cpu, TaskId p) {
    auto& se = s.se[p.index()];
    if (se.last_queued == 0) se.last_queued = s.rqs[cpu.index()].clock;
}

// p leaves the queue; if it was waiting, the wait ends and counts here.
void sched_info_dequeued(SchedState& s, CpuId cpu, TaskId p);

// The CPU goes from prev to next (different tasks, either may be idle). A prev that is still on_rq begins to wait.
void sched_info_switch(SchedState& s, CpuId cpu, TaskId prev, TaskId next);

} // namespace rqscope
