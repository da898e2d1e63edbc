// SPDX-License-Identifier: GPL-3.0-or-later
// From hardware to level masks (topology.md 1.1): the table of levels of an architecture and profile, each with the CPU set
// it gives to every CPU. Kernel: default_topology[] and the tables of arch/*, cpu_coregroup_mask(), sched_init_numa().
#pragma once

#include "topology/build_domains.h"

#include <deque>
#include <string>
#include <vector>

namespace rqscope {

// CPU sets stored once and named by number, so that "equal span" is an integer comparison.
class SpanTable {
public:
    std::uint32_t intern(CpuMask mask);
    [[nodiscard]] const CpuMask& operator[](std::uint32_t id) const { return m_masks[id]; }
    [[nodiscard]] std::uint32_t weight(std::uint32_t id) const { return m_weights[id]; }

private:
    std::deque<CpuMask> m_masks; // references stay valid while sets are added
    std::vector<std::uint32_t> m_weights;
    std::vector<std::vector<std::uint32_t>> m_buckets = std::vector<std::vector<std::uint32_t>>(1024);
};

struct TopologyLevel {
    std::string name;
    SdFlags flags = 0;              // the level's own
    std::uint32_t distance = 0;     // NUMA levels; 0 = plain
    std::vector<std::uint32_t> mask; // by CPU number: span id before the cut to a partition

    [[nodiscard]] bool numa() const { return distance != 0; }
};

struct LevelMasks {
    std::vector<TopologyLevel> levels; // bottom up
    std::vector<std::uint32_t> core;   // by CPU number: span id of its hardware threads, online
    std::vector<NodeId> node;          // by CPU number
    std::string no_package_level;      // why PKG/DIE is not in the table; "" = it is
};

// Masks hold only CPUs of `online` and always the CPU itself; CPUs that are not online get a mask of their own.
[[nodiscard]] LevelMasks level_masks(const Machine& machine, DomainProfile profile, const CpuMask& online,
                                     const DomainOptions& options, SpanTable& spans);

// First level of a CPU's table whose sets overlap without being equal (topology_span_sane); "" = all are sound.
[[nodiscard]] std::string partial_overlap(const LevelMasks& masks, const SpanTable& spans, const CpuMask& online);

} // namespace rqscope
