// SPDX-License-Identifier: GPL-3.0-or-later
// When the running task must give way (kernel: check_preempt_curr, check_preempt_wakeup, entity_tick, check_preempt_tick,
// v4.7.4 and v6.5). Both only set need_resched; schedule() decides. Source: runqueue.md 3.5, 3.6.
#include "sched/cfs_internal.h"

#include "base/check.h"
#include "sched/cfs_load.h"

namespace rqscope {

namespace {

// What curr may run before somebody else is due, ns of wall time. With many tasks the period, and with it a heavy task's
// slice, stretches far beyond the latency.
std::uint64_t ideal_runtime(SchedState& s, CpuId cpu, TaskId curr) {
    const std::uint64_t slice = sched_slice(s, cpu, curr);
    if (!s.features.has(Feature::LATENCY_CLAMP)) return slice;
    return std::min(slice, static_cast<std::uint64_t>(s.tunables.latency_ns));
}

void check_preempt_tick(SchedState& s, CpuId cpu) {
    auto& rq = s.rqs[cpu.index()];
    auto& cfs = rq.cfs;
    const auto& curr = s.se[cfs.curr.index()];
    const std::uint64_t ideal = ideal_runtime(s, cpu, cfs.curr);
    const std::uint64_t ran = curr.sum_exec_runtime - curr.prev_sum_exec_runtime;
    if (ran > ideal) {
        rq.need_resched = true;
        clear_buddies(cfs, cfs.curr); // else a buddy slot would give it the CPU right back
        return;
    }
    if (ran < static_cast<std::uint64_t>(s.tunables.min_granularity_ns) || cfs.tree.empty()) return;
    // Wall time against a difference of virtual times: that is what the kernel compares.
    const auto lead = static_cast<std::int64_t>(curr.vruntime - cfs.tree.back().vruntime);
    if (lead >= 0 && static_cast<std::uint64_t>(lead) > ideal) rq.need_resched = true;
}

// SCHED_IDLE tasks never become buddies.
void set_buddy(const SchedState& s, TaskId& slot, TaskId p) {
    if (s.se[p.index()].policy != Policy::Idle) slot = p;
}

PreemptVerdict grant(SchedState& s, Rq& rq, bool many, PreemptVerdict verdict) {
    ++rq.stat.need_preempt_count;
    rq.need_resched = true;
    verdict.preempt = true;
    if (s.features.has(Feature::LAST_BUDDY) && many && s.se[rq.curr.index()].on_rq) set_buddy(s, rq.cfs.last, rq.curr);
    return verdict;
}

} // namespace

void task_tick_fair(SchedState& s, CpuId cpu) {
    const auto& cfs = s.rqs[cpu.index()].cfs;
    SCHED_CHECK(cfs.curr != kIdleTask);
    update_curr(s, cpu);
    update_load_avg(s, cpu, cfs.curr);
    if (cfs.nr_running > 1) check_preempt_tick(s, cpu);
}

PreemptVerdict check_preempt_wakeup(SchedState& s, CpuId cpu, TaskId wakee, bool fork) {
    auto& rq = s.rqs[cpu.index()];
    if (rq.curr == kIdleTask) {
        rq.need_resched = true;
        return {.preempt = true, .reason = PreemptReason::CurrIdle};
    }
    ++rq.stat.check_preempt_count;
    if (rq.curr == wakee) return {.preempt = false, .reason = PreemptReason::SameTask};
    const auto& curr = s.se[rq.curr.index()];
    const auto& se = s.se[wakee.index()];
    const bool many = rq.cfs.nr_running >= s.tunables.nr_latency;
    const bool next_marked = s.features.has(Feature::NEXT_BUDDY) && many && !fork;
    if (next_marked) set_buddy(s, rq.cfs.next, wakee);
    if (rq.need_resched) return {.preempt = false, .reason = PreemptReason::AlreadyPending};
    if (curr.policy == Policy::Idle && se.policy != Policy::Idle)
        return grant(s, rq, many, {.preempt = true, .reason = PreemptReason::IdlePolicyCurr});
    if (se.policy != Policy::Normal || !s.features.has(Feature::WAKEUP_PREEMPTION))
        return {.preempt = false, .reason = PreemptReason::NotNormal};
    update_curr(s, cpu);
    PreemptVerdict verdict{.preempt = false,
                           .reason = PreemptReason::NotFarEnough,
                           .vdiff = static_cast<std::int64_t>(curr.vruntime - se.vruntime),
                           .gran = wakeup_gran(s.tunables, se)};
    if (verdict.vdiff <= 0 || verdict.vdiff <= static_cast<std::int64_t>(verdict.gran)) return verdict;
    if (!next_marked) set_buddy(s, rq.cfs.next, wakee); // also with NEXT_BUDDY off: the preemptor is to run next
    verdict.reason = PreemptReason::Granted;
    return grant(s, rq, many, verdict);
}

} // namespace rqscope
