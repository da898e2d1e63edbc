// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/snapshot.h"

#include <algorithm>

namespace rqscope {

namespace {

// From 5.7 on the queue's load_avg is split no further, but the bars show running, waiting and blocked load. Each task on the
// queue still has its own stored load_avg. Those were aged at other moments than the queue's, so their sum may be the larger
// one by a little; the queue's figure is what the kernel reads, and the parts must not exceed it.
Load queued_load(const SchedState& sched, const Rq& rq, Load whole) {
    Load sum = 0;
    for (const auto& slot : rq.cfs.tree) sum += sched.se[slot.task.index()].avg.load_avg;
    if (rq.cfs.curr != kIdleTask) sum += sched.se[rq.cfs.curr.index()].avg.load_avg;
    return std::min(sum, whole);
}

void take_cpu(CpuSnapshot& cpu, const SchedState& sched, CpuId id) {
    const auto& rq = sched.rqs[id.index()];
    const auto& avg = sched.cfs_avg[id.index()];
    cpu.online = sched.online.test(id);
    cpu.curr = rq.curr;
    for (auto slot = rq.cfs.tree.rbegin(); slot != rq.cfs.tree.rend(); ++slot) cpu.waiting.push_back(slot->task);
    cpu.load_avg = avg.load_avg;
    const bool splits = load_profile(sched.era) != LoadProfile::L6_1;
    cpu.runnable_load_avg = splits ? avg.runnable_load_avg : queued_load(sched, rq, avg.load_avg);
    if (rq.curr != kIdleTask && sched.se[rq.curr.index()].on_rq)
        cpu.running_load = std::min(sched.se[rq.curr.index()].avg.load_avg, cpu.runnable_load_avg);
    cpu.runnable_avg = avg.runnable_avg;
    cpu.util_avg = avg.util_avg;
    cpu.capacity = sched.domains->cpu_capacity_orig[id.index()];
    cpu.last_update = avg.last_update_time;
    cpu.idle_stamp = rq.idle_stamp;
    cpu.min_vruntime = rq.cfs.min_vruntime;
    cpu.avg_idle = rq.avg_idle;
    cpu.gate = scan_gate(sched, id);
}

std::vector<LlcSnapshot> take_llcs(const SchedState& sched) {
    std::vector<LlcSnapshot> llcs(sched.llc_rt.size());
    const bool keeps = keeps_idle_cores(sched);
    for (const auto cpu : sched.domains->map) {
        const auto id = sched.domains->llc[cpu.index()].index();
        // Through the test that searches make: the quirk of the reconstruction may leave the hint no place to live.
        llcs[id] = {keeps, keeps && test_idle_cores(sched, cpu), sched.llc_rt[id].nr_idle_scan};
    }
    return llcs;
}

} // namespace

Snapshot take_snapshot(const SimState& s, SimTime shown) {
    const auto& sched = s.sched;
    Snapshot out;
    out.time = shown;
    out.rows = s.rows;
    out.era = sched.era;
    out.features = sched.features;
    out.tunables = sched.tunables;
    out.domains = sched.domains;
    out.cpus.resize(s.cpus.size());
    for (std::uint32_t c = 0; c < out.cpus.size(); ++c) take_cpu(out.cpus[c], sched, CpuId{c});
    out.llcs = take_llcs(sched);
    out.tasks.resize(s.tasks.size());
    for (std::size_t t = 1; t < out.tasks.size(); ++t) {
        const auto& se = sched.se[t];
        out.tasks[t] = {s.tasks[t].state, se.cpu, se.weight >> 10, se.vruntime, se.avg.load_avg, se.avg.util_avg, se.sum_exec_runtime, se.nr_migrations};
    }
    return out;
}

} // namespace rqscope
