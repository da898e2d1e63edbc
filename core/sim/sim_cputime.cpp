// SPDX-License-Identifier: GPL-3.0-or-later
// What one times() or clock_gettime(CLOCK_PROCESS_CPUTIME_ID) costs (kernel: thread_group_cputime(), task_sched_runtime()):
// a walk along the process's threads in which those that run are dear, since their queue is locked and its lines come from
// another CPU. The formula and every number are load.md 4's, FITTED to the published tables of the pound programs: agreement
// with those tables is in-sample. CPUTIME_PREFETCH chooses between the set of 4.7-rc7 and that of the patch.
#include "sim/simulator.h"

#include <algorithm>

namespace rqscope {

namespace {

// A thread belongs to the process of whoever made it.
TaskId process_of(const SimState& s, TaskId t) {
    while (s.tasks[t.index()].thread) t = s.tasks[t.index()].parent;
    return t;
}

struct Threads {
    std::int64_t running = 0; // on a CPU, the caller among them
    std::int64_t off = 0;     // waiting or asleep
};

Threads count_threads(const SimState& s, TaskId caller) {
    const auto process = process_of(s, caller);
    Threads n;
    for (std::uint32_t t = 1; t < s.tasks.size(); ++t) {
        const auto state = s.tasks[t].state;
        if (state == TaskState::Exited || process_of(s, TaskId{t}) != process) continue;
        ++(state == TaskState::Running ? n.running : n.off);
    }
    return n;
}

std::int64_t count_cores(const SchedState& s) {
    std::int64_t cores = 0;
    for (const auto cpu : s.online) cores += s.domains->smt[cpu.index()].first() == cpu ? 1 : 0;
    return cores;
}

} // namespace

// ns of work for op.amount calls, from the threads that run at this moment. The fitted costs are wall time with the SMT share
// in them, so the engine's own SMT speed is taken out again.
std::int64_t Simulator::cputime_cost(CpuId cpu, TaskId t, const Op& op) const {
    const auto& tun = m_s.sched.tunables;
    const bool prefetch = m_s.sched.features.has(Feature::CPUTIME_PREFETCH);
    const auto own = prefetch ? tun.cputime_prefetch_own_ns : tun.cputime_own_ns;
    const auto other = prefetch ? tun.cputime_prefetch_other_ns : tun.cputime_other_ns;
    const auto smt = prefetch ? tun.cputime_prefetch_smt_ns : tun.cputime_smt_ns;
    const auto threads = count_threads(m_s, t);
    const auto cores = std::max<std::int64_t>(count_cores(m_s.sched), 1);
    const auto others = threads.running - 1;
    auto ns = op.amount * (own + others * other + threads.off * tun.cputime_off_ns);
    ns += op.amount * others * smt * std::max<std::int64_t>(threads.running - cores, 0) / cores;
    if (op.jump == 1) ns += op.amount * tun.cputime_times_extra_ns;
    return ns * m_s.cpus[cpu.index()].speed / 1024;
}

} // namespace rqscope
