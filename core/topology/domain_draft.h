// SPDX-License-Identifier: GPL-3.0-or-later
// The domain trees while they are being built: every CPU's chain before anything is removed, and the group rings
// (topology.md 1.2 to 1.6). Private to build_domains; spans are numbers of a SpanTable.
#pragma once

#include "topology/level_masks.h"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace rqscope {

struct DraftGroup {
    std::uint32_t span = 0, balance_mask = 0;
    SdFlags flags = 0;
    std::uint32_t level = 0; // table index of the capacity record's level
    auto operator<=>(const DraftGroup&) const = default;
};

struct DraftDomain {
    std::uint32_t level = 0;   // index into LevelMasks::levels; before removal also the position in the chain
    std::uint32_t span = 0;
    std::uint32_t weight0 = 0; // CPUs of the level mask before the cut to the partition
    SdFlags flags = 0;
    std::uint32_t imb_numa_nr = 0;
    std::uint32_t ring = 0, ring_first = 0; // index into DraftDomains::rings, position of the owner's group
};

struct DraftDomains {
    const Machine& machine;
    DomainProfile profile;
    DomainOptions options;
    CpuMask online;
    SpanTable spans{};
    LevelMasks masks{};
    std::vector<std::vector<DraftDomain>> chains{}; // by CPU number, bottom up
    std::vector<std::vector<DraftGroup>> rings{};
    std::vector<RemovedLevel> removed{};
    std::vector<std::string> warnings{};
    CpuMask map{}; // all partitions

    void note_removed(const DraftDomain& d, CpuId owner, const std::string& reason);

    // Index into `removed` by level, span and reason.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, std::size_t> removed_index{};
};

// 1.2 and 1.3: the chains of one partition.
void build_chains(DraftDomains& draft, const CpuMask& map);
// 1.4: groups of all domains of one partition.
void build_groups(DraftDomains& draft, const CpuMask& map);
// 1.5: allowed NUMA imbalance, for the profiles that have it.
void set_imb_numa_nr(DraftDomains& draft, const CpuMask& map);
// 1.6: removal of redundant domains, per CPU in ascending order.
void remove_degenerate(DraftDomains& draft, const CpuMask& map);
// Turns what is left into the final tables, 1.7 included.
[[nodiscard]] SchedDomains finish_domains(DraftDomains& draft);

} // namespace rqscope
