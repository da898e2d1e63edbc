// SPDX-License-Identifier: GPL-3.0-or-later
// Each rule has a condition on the state and one on the choice; only records that meet the first are counted.
#include "conformance/decision_rules.h"

#include "conformance/decision_fork_set.h"
#include "conformance/decision_wake_set.h"

namespace rqscope {

namespace {

bool core_idle(const SchedDomains& domains, const Decision& d, CpuId cpu) {
    return domains.smt[cpu.index()].subset_of(d.idle);
}

bool holds_idle_core(const SchedDomains& domains, const Decision& d, const CpuMask& cpus) {
    for (const auto cpu : cpus)
        if (core_idle(domains, d, cpu)) return true;
    return false;
}

// The cluster of the waker, its LLC without one.
CpuMask near_cpus(const SchedDomains& domains, CpuId waker_cpu) {
    auto near = cluster_span(domains, waker_cpu);
    return near.empty() ? llc_span(domains, waker_cpu) : near;
}

void count_fork(const SchedDomains& domains, const Decision& d, CpuId chosen, RuleCounts& counts) {
    const auto reach = fork_reach(domains, d.waker_cpu);
    counts[HardRule::F1].add(reach.test(chosen));
    if (reach.intersects(d.idle)) counts[HardRule::F2].add(d.idle.test(chosen));
    if (holds_idle_core(domains, d, reach)) counts[HardRule::F3].add(core_idle(domains, d, chosen));
    if (const auto newest = newest_idle(d, llc_span(domains, chosen));
        !newest.empty() && !domains.share_cache(chosen, d.waker_cpu))
        counts[HardRule::F4].add(newest.test(chosen));
}

void count_wake(const SchedDomains& domains, const Decision& d, CpuId chosen, RuleCounts& counts) {
    counts[HardRule::W1].add(domains.share_cache(chosen, d.prev) || domains.share_cache(chosen, d.waker_cpu));
    if (!d.idle.test(d.prev) || !domains.share_cache(d.prev, d.waker_cpu)) return;
    if (!domains.cluster_active) return counts[HardRule::W2].add(chosen == d.prev);
    const auto near = near_cpus(domains, d.waker_cpu);
    if (near.test(d.prev)) counts[HardRule::W3].add(chosen == d.prev);
    else if (near.intersects(d.idle)) counts[HardRule::W4].add(near.test(chosen) || chosen == d.prev);
}

} // namespace

bool out_of_reach(const SchedDomains& domains, const Decision& d, const CpuMask& set, HardRule rule) {
    switch (rule) {
    case HardRule::F2: return !set.intersects(d.idle);
    case HardRule::F3: return !holds_idle_core(domains, d, set);
    case HardRule::W4:
        return holds_idle_core(domains, d, llc_span(domains, d.waker_cpu)) &&
               !holds_idle_core(domains, d, near_cpus(domains, d.waker_cpu));
    default: return false;
    }
}

std::string_view name_of(HardRule rule) {
    static constexpr std::string_view kNames[kHardRules] = {"F1", "F2", "F3", "F4", "W1", "W2", "W3", "W4"};
    return kNames[static_cast<std::size_t>(rule)];
}

void count_rules(const SchedDomains& domains, const Decision& d, CpuId chosen, RuleCounts& counts) {
    if (d.kind == DecisionKind::Fork) count_fork(domains, d, chosen, counts);
    else count_wake(domains, d, chosen, counts);
}

} // namespace rqscope
