// SPDX-License-Identifier: GPL-3.0-or-later
// Small machines and hand-made states for the tests of select and balance: every CPU idle since 1 us, three tasks.
#pragma once

#include "conformance/preset_domains.h"
#include "sched/sched_state.h"

#include <memory>
#include <utility>
#include <vector>

namespace rqscope::test {

inline CpuMask mask(const char* list) { return CpuMask::parse_list(list).value(); }

inline std::vector<CpuMask> masks(std::initializer_list<const char*> lists) {
    std::vector<CpuMask> out;
    for (const auto* list : lists) out.push_back(mask(list));
    return out;
}

inline SchedDomains mc4() { return preset_domains(4, {{.name = "MC", .spans = masks({"0-3"}), .shares_llc = true}}); }
inline SchedDomains mc8() { return preset_domains(8, {{.name = "MC", .spans = masks({"0-7"}), .shares_llc = true}}); }
// Siblings are i and i + 4.
inline SchedDomains smt4() {
    return preset_domains(8, {{.name = "SMT", .spans = masks({"0,4", "1,5", "2,6", "3,7"}), .imbalance_pct = 110, .is_smt = true, .shares_llc = true},
                              {.name = "MC", .spans = masks({"0-7"}), .shares_llc = true}});
}
// Two last-level caches of four CPUs each.
inline SchedDomains two_by_four() {
    return preset_domains(8, {{.name = "MC", .spans = masks({"0-3", "4-7"}), .shares_llc = true},
                              {.name = "DIE", .spans = masks({"0-7"}), .imbalance_pct = 125}});
}

// The same with the four-CPU caches as nodes.
inline SchedDomains two_nodes_of_four() {
    return preset_domains(8, {{.name = "MC", .spans = masks({"0-3", "4-7"}), .shares_llc = true},
                              {.name = "NUMA", .spans = masks({"0-7"}), .is_numa = true}});
}
// Four last-level caches of two CPUs each, margins of 5.x and later.
inline SchedDomains four_by_two() {
    return preset_domains(8, {{.name = "MC", .spans = masks({"0-1", "2-3", "4-5", "6-7"}), .shares_llc = true},
                              {.name = "DIE", .spans = masks({"0-7"})}});
}
// One last-level cache of two clusters of four CPUs.
inline SchedDomains two_clusters() {
    return preset_domains(8, {{.name = "CLS", .spans = masks({"0-3", "4-7"}), .shares_llc = true, .is_cluster = true},
                              {.name = "MC", .spans = masks({"0-7"}), .shares_llc = true}});
}
// The same with two threads per core, siblings i and i + 1.
inline SchedDomains two_smt_clusters() {
    return preset_domains(8, {{.name = "SMT", .spans = masks({"0-1", "2-3", "4-5", "6-7"}), .imbalance_pct = 110, .is_smt = true, .shares_llc = true},
                              {.name = "CLS", .spans = masks({"0-3", "4-7"}), .shares_llc = true, .is_cluster = true},
                              {.name = "MC", .spans = masks({"0-7"}), .shares_llc = true}});
}
// Small CPUs 0-3 of capacity 512 and large ones 4-7, each kind with a last-level cache of its own.
inline SchedDomains big_little() {
    auto domains = two_by_four();
    for (std::size_t cpu = 0; cpu < 4; ++cpu) domains.cpu_capacity[cpu] = domains.cpu_capacity_orig[cpu] = 512;
    for (auto& sd : domains.domains) {
        if (sd.name != "DIE") continue;
        sd.flags |= bit(SdFlag::ASYM_CPUCAPACITY) | bit(SdFlag::ASYM_CPUCAPACITY_FULL);
        domains.sd_asym_cpucapacity[sd.owner.index()] = sd.id;
    }
    for (auto& ring : domains.rings)
        for (auto& group : ring)
            if (group.span.subset_of(mask("0-3"))) group.capacity /= 2;
    return domains;
}

inline SchedState idle_state(SchedDomains domains, Era era = Era::V4_8) {
    SchedState s;
    const auto n = domains.nr_cpu_ids;
    s.era = era;
    s.features = FeatureSet(era);
    s.se.resize(4);
    s.rqs.resize(n);
    s.cfs_avg.resize(n);
    s.nr_running.resize(n);
    s.capacity.assign(domains.cpu_capacity.begin(), domains.cpu_capacity.end());
    s.online = s.idle = CpuMask::first_n(n);
    s.domain_rt.resize(domains.domains.size());
    s.group_rt.resize(domains.nr_sgc);
    s.llc_rt.resize(domains.nr_llc);
    for (const auto cpu : domains.map) s.llc_rt[domains.llc[cpu.index()].index()].nr_idle_scan = domains.sd_llc_size[cpu.index()];
    for (auto& rq : s.rqs) rq.idle_stamp = 1000;
    s.domains = std::make_shared<const SchedDomains>(std::move(domains));
    return s;
}

// A CPU that runs something, as placement sees it.
inline void make_busy(SchedState& s, std::uint32_t cpu, Load runnable, Load load) {
    s.idle.clear(CpuId{cpu});
    s.nr_running[cpu] = 1;
    s.cfs_avg[cpu].runnable_load_avg = runnable;
    s.cfs_avg[cpu].load_avg = load;
}
inline void make_busy(SchedState& s, std::uint32_t cpu, Load runnable) { make_busy(s, cpu, runnable, runnable); }

inline void set_affinity(SchedState& s, TaskId p, const char* list) {
    s.se[p.index()].allowed = static_cast<std::int32_t>(s.affinity.size());
    s.affinity.push_back(mask(list));
}

inline void set_fork_rule(SchedState& s, FeatureValue value) { s.features.set({Feature::FORK_LOAD_AVG, value}); }

inline constexpr TaskId kTask{1}, kWaker{2};

} // namespace rqscope::test
