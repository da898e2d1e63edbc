// SPDX-License-Identifier: GPL-3.0-or-later
// Each rule has a condition on the state and one on the choice; only records that meet the first are counted.
#include "conformance/decision_rules.h"

#include "conformance/decision_fork_set.h"
#include "conformance/decision_wake_set.h"

namespace rqscope {

namespace {

bool core_idle(const SchedDomains& domains, const Decision& d, CpuId cpu) { return domains.smt[cpu.index()].subset_of(d.idle); }

bool holds_idle_core(const SchedDomains& domains, const Decision& d, const CpuMask& cpus) {
    for (const auto cpu : cpus)
        if (core_idle(domains, d, cpu)) return true;
    return false;
}

void count_fork(const SchedDomains& domains, const Decision& d, CpuId chosen, RuleCounts& counts) {
    const auto reach = fork_reach(domains, d.waker_cpu);
    counts[HardRule::F1].add(reach.test(chosen));
    if (reach.intersects(d.idle)) counts[HardRule::F2].add(d.idle.test(chosen));
    if (holds_idle_core(domains, d, reach)) counts[HardRule::F3].add(core_idle(domains, d, chosen));
    if (const auto newest = newest_idle(d, llc_span(domains, chosen)); !newest.empty() && !domains.share_cache(chosen, d.waker_cpu))
        counts[HardRule::F4].add(newest.test(chosen));
}

void count_wake(const SchedDomains& domains, const Decision& d, CpuId chosen, RuleCounts& counts) {
    counts[HardRule::W1].add(domains.share_cache(chosen, d.prev) || domains.share_cache(chosen, d.waker_cpu));
    if (!d.idle.test(d.prev) || !domains.share_cache(d.prev, d.waker_cpu)) return;
    if (!domains.cluster_active) return counts[HardRule::W2].add(chosen == d.prev);
    auto near = cluster_span(domains, d.waker_cpu);
    if (near.empty()) near = llc_span(domains, d.waker_cpu);
    if (near.test(d.prev)) counts[HardRule::W3].add(chosen == d.prev);
    else if (near.intersects(d.idle)) counts[HardRule::W4].add(near.test(chosen) || chosen == d.prev);
}

} // namespace

std::string_view name_of(HardRule rule) {
    static constexpr std::string_view kNames[kHardRules] = {"F1", "F2", "F3", "F4", "W1", "W2", "W3", "W4"};
    return kNames[static_cast<std::size_t>(rule)];
}

void count_rules(const SchedDomains& domains, const Decision& d, CpuId chosen, RuleCounts& counts) {
    if (d.kind == DecisionKind::Fork) count_fork(domains, d, chosen, counts);
    else count_wake(domains, d, chosen, counts);
}

} // namespace rqscope
