// SPDX-License-Identifier: GPL-3.0-or-later
// Domains written down level by level instead of derived from a machine: the presets of golden files and the small machines
// of tests. Parameters are those of profile 4.7 (topology.md 1.3); every level forks, executes and pulls wakees.
#pragma once

#include "topology/sched_domain.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rqscope {

struct PresetLevel {
    std::string name;
    std::vector<CpuMask> spans; // disjoint, together all CPUs
    std::uint32_t imbalance_pct = 117;
    bool is_smt = false, shares_llc = false, is_cluster = false, is_numa = false;
};

// `levels` bottom up. Groups are the spans of the level below (single CPUs at the bottom) by ascending first CPU.
[[nodiscard]] SchedDomains preset_domains(std::uint32_t nr_cpus, const std::vector<PresetLevel>& levels);

} // namespace rqscope
