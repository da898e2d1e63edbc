// SPDX-License-Identifier: GPL-3.0-or-later
// Waiting time and CPU time counters (kernel: stats.h of v4.7.4, sched_info_*). A long run is counted when it ends, so
// the sum over an interval can exceed the interval. Source: runqueue.md 6.
#include "sched/sched_info.h"

#include <utility>

namespace rqscope {

namespace {

void end_wait(SchedState& s, CpuId cpu, TaskId p) {
    auto& rq = s.rqs[cpu.index()];
    auto& se = s.se[p.index()];
    const RqClock since = std::exchange(se.last_queued, RqClock{0});
    const std::uint64_t delay = since == 0 ? 0 : rq.clock - since;
    se.run_delay += delay;
    rq.stat.run_delay += delay;
}

void depart(SchedState& s, CpuId cpu, TaskId p) {
    auto& rq = s.rqs[cpu.index()];
    rq.stat.rq_cpu_time += rq.clock - s.se[p.index()].last_arrival;
    if (s.se[p.index()].on_rq) sched_info_queued(s, cpu, p);
}

void arrive(SchedState& s, CpuId cpu, TaskId p) {
    auto& rq = s.rqs[cpu.index()];
    end_wait(s, cpu, p);
    s.se[p.index()].last_arrival = rq.clock;
    ++s.se[p.index()].pcount;
    ++rq.stat.pcount;
}

} // namespace

void sched_info_dequeued(SchedState& s, CpuId cpu, TaskId p) { end_wait(s, cpu, p); }

void sched_info_switch(SchedState& s, CpuId cpu, TaskId prev, TaskId next) {
    if (prev != kIdleTask) depart(s, cpu, prev);
    if (next != kIdleTask) arrive(s, cpu, next);
}

} // namespace rqscope
