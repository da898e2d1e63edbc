// SPDX-License-Identifier: GPL-3.0-or-later
// The immutable shape of the scheduling domains: every CPU's chain, groups, parameters and shortcuts (kernel:
// struct sched_domain, sched_group, per-CPU sd_llc and friends). Values that change at run time live in SchedState.
#pragma once

#include "base/cpu_mask.h"
#include "base/ids.h"
#include "base/units.h"
#include "topology/domain_profile.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rqscope {

// Bits in print order (topology.md 1.3); names per profile come from sd_flags.def.
enum class SdFlag : std::uint8_t {
#define SD_FLAG(id, ...) id,
#include "topology/sd_flags.def"
#undef SD_FLAG
};
using SdFlags = std::uint32_t;
[[nodiscard]] constexpr SdFlags bit(SdFlag f) { return 1U << static_cast<unsigned>(f); }

struct SchedGroup {
    CpuMask span;
    CpuMask balance_mask;   // CPUs allowed to balance for the group; the lowest is the balance CPU
    SdFlags flags = 0;      // flags of the child domain, 0 at the base
    std::uint32_t weight = 0; // CPUs in span
    std::uint32_t cores = 0;  // distinct SMT masks in span
    Capacity capacity = 0;    // sum over its CPUs of SchedDomains::cpu_capacity
    std::uint32_t sgc = 0;    // index of the shared capacity record, key (level, balance CPU)
};

struct SchedDomain {
    DomainId id;
    CpuId owner;            // the CPU whose chain holds it
    std::string name;       // SMT CLS MC NODE DIE PKG NUMA ..., in the era's own words
    std::uint32_t level = 0; // number given before degenerate removal (6.12 prints it)
    CpuMask span;
    std::uint32_t weight = 0; // CPUs in span
    SdFlags flags = 0;
    std::uint32_t imbalance_pct = 117;
    std::uint32_t min_interval = 1, max_interval = 2; // ms
    std::uint32_t busy_factor = 32;
    std::uint32_t cache_nice_tries = 0;
    std::uint32_t busy_idx = 0, idle_idx = 0, newidle_idx = 0; // profile 4.7 only
    std::uint32_t imb_numa_nr = 0;                             // profiles 5.19 and 6.12
    std::optional<DomainId> parent, child;
    std::uint32_t ring = 0;       // index into SchedDomains::rings
    std::uint32_t ring_first = 0; // position in the ring of the owner's group

    [[nodiscard]] bool has(SdFlag f) const { return (flags & bit(f)) != 0; }
};

// A level that these CPUs do not have, with the reason in words: removed after building (topology.md 1.6), not reached
// because the level below already held all CPUs, or (empty span) not in the machine's table.
struct RemovedLevel {
    std::string name;
    CpuMask span;
    CpuMask owners;
    std::string reason;
};

struct SchedDomains {
    DomainProfile profile = DomainProfile::V4_7;
    CpuMask map;                        // CPUs with domains
    std::uint32_t nr_cpu_ids = 0;       // highest possible CPU number + 1; the size of every per-CPU table
    std::vector<SchedDomain> domains;   // by DomainId
    std::vector<std::vector<SchedGroup>> rings; // groups in ring order, shared by the domains of equal (level, span)
    std::vector<std::optional<DomainId>> base;  // by CpuId: lowest domain, none = CPU without domains
    std::uint32_t nr_sgc = 0;

    std::vector<Capacity> cpu_capacity; // by CpuId: 1024 or the machine's value; profile 4.7: 1178/threads on an SMT core
    std::vector<Capacity> cpu_capacity_orig; // by CpuId: the machine's value
    Capacity max_cpu_capacity = 0;      // largest of cpu_capacity among the CPUs with domains
    std::vector<CpuMask> smt;           // by CpuId: threads of its core, itself included
    std::vector<std::uint32_t> core_of; // by CpuId: lowest CPU of its core
    std::vector<std::uint32_t> cluster_of; // by CpuId: lowest CPU of its cluster, of its core without one; as built, in any era
    std::vector<NodeId> node_of;        // by CpuId
    // Per-CPU shortcuts (topology.md 1.7).
    std::vector<std::optional<DomainId>> sd_llc, sd_busy, sd_numa, sd_asym_cpucapacity;
    std::vector<CpuId> sd_llc_id;       // lowest CPU of sd_llc, own number without one
    std::vector<std::uint32_t> sd_llc_size;
    std::vector<CpuId> sd_share_id;
    std::vector<LlcId> llc;             // record of sd_llc_shared; caches first, by lowest CPU, then one per CPU without a cache
    std::uint32_t nr_llc = 0;
    bool cluster_active = false;        // sched_cluster_active: some domain is a cluster
    bool smt_active = false;            // sched_smt_active(): some core has several threads
    std::vector<RemovedLevel> removed;
    std::vector<std::string> warnings;

    [[nodiscard]] const SchedDomain& operator[](DomainId id) const { return domains[id.index()]; }
    [[nodiscard]] const std::vector<SchedGroup>& ring_of(const SchedDomain& d) const { return rings[d.ring]; }
    // i-th group in the order in which the owner's ring is walked, its own group first.
    [[nodiscard]] const SchedGroup& group(const SchedDomain& d, std::size_t i) const {
        const auto& ring = rings[d.ring];
        const auto at = d.ring_first + i;
        return ring[at < ring.size() ? at : at - ring.size()];
    }
    [[nodiscard]] const SchedDomain* lowest(CpuId cpu) const { return base[cpu.index()] ? &domains[base[cpu.index()]->index()] : nullptr; }
    [[nodiscard]] const SchedDomain* parent(const SchedDomain& d) const { return d.parent ? &domains[d.parent->index()] : nullptr; }
    [[nodiscard]] const SchedDomain* child(const SchedDomain& d) const { return d.child ? &domains[d.child->index()] : nullptr; }
    [[nodiscard]] bool share_cache(CpuId a, CpuId b) const { return a == b || sd_llc_id[a.index()] == sd_llc_id[b.index()]; }
    // cpus_share_resources(): same cluster, or same last-level cache where there are no clusters.
    [[nodiscard]] bool share_resources(CpuId a, CpuId b) const { return a == b || sd_share_id[a.index()] == sd_share_id[b.index()]; }
    // Lowest domain of a's chain that holds b; nullptr = none (different partitions or isolated).
    [[nodiscard]] const SchedDomain* common(CpuId a, CpuId b) const;
};

// "SD_BALANCE_NEWIDLE" ... in print order, spelled as the profile's kernels do; 4.7 begins with SD_LOAD_BALANCE.
[[nodiscard]] std::vector<std::string> flag_names(SdFlags flags, DomainProfile profile);

} // namespace rqscope
