// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/snapshot.h"

#include <algorithm>

namespace rqscope {

Snapshot take_snapshot(const SimState& s, SimTime shown) {
    const auto& sched = s.sched;
    Snapshot out;
    out.time = shown;
    out.rows = s.rows;
    out.features = sched.features;
    out.tunables = sched.tunables;
    out.domains = sched.domains;
    out.cpus.resize(s.cpus.size());
    for (std::size_t c = 0; c < out.cpus.size(); ++c) {
        auto& cpu = out.cpus[c];
        const auto& rq = sched.rqs[c];
        const auto& avg = sched.cfs_avg[c];
        cpu.online = sched.online.test(CpuId{static_cast<std::uint32_t>(c)});
        cpu.curr = rq.curr;
        for (auto slot = rq.cfs.tree.rbegin(); slot != rq.cfs.tree.rend(); ++slot) cpu.waiting.push_back(slot->task);
        cpu.load_avg = avg.load_avg;
        cpu.runnable_load_avg = avg.runnable_load_avg;
        if (rq.curr != kIdleTask && sched.se[rq.curr.index()].on_rq)
            cpu.running_load = std::min(sched.se[rq.curr.index()].avg.load_avg, avg.runnable_load_avg);
        cpu.util_avg = avg.util_avg;
        cpu.capacity = sched.domains->cpu_capacity_orig[c];
        cpu.last_update = avg.last_update_time;
        cpu.idle_stamp = rq.idle_stamp;
        cpu.min_vruntime = rq.cfs.min_vruntime;
    }
    out.tasks.resize(s.tasks.size());
    for (std::size_t t = 1; t < out.tasks.size(); ++t) {
        const auto& se = sched.se[t];
        out.tasks[t] = {s.tasks[t].state, se.cpu, se.weight >> 10, se.vruntime, se.avg.load_avg, se.avg.util_avg, se.sum_exec_runtime, se.nr_migrations};
    }
    return out;
}

} // namespace rqscope
