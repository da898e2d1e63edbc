// SPDX-License-Identifier: GPL-3.0-or-later
// A machine as sched-topology/1 describes it (topology-schema.md): CPUs, the tree of packages, caches and cores, NUMA nodes
// with distances, capacities, tick rate. Immutable once loaded; true without any task.
#pragma once

#include "base/cpu_mask.h"
#include "base/ids.h"
#include "base/units.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rqscope {

enum class Arch : std::uint8_t { X86, X86Zen, X86K8, Arm64, PowerPC, S390x, Ia64, Generic };
enum class TreeType : std::uint8_t { Machine, Drawer, Book, Package, Die, Numa, Llc, Cluster, Core };

struct TreeNode {
    TreeType type = TreeType::Machine;
    std::int64_t id = 0;      // as the firmware numbers it, may be -1
    CpuMask cpus;             // union of the leaves; of a core, its hardware threads
    std::string cache;        // llc: "L3", "L2", free text
    std::optional<std::int64_t> size_kb; // llc
    std::string shares;       // cluster: "l2", "l3-tag", "cluster_id"
    std::vector<TreeNode> children;
};

struct NumaNode {
    NodeId id;
    CpuMask cpus;             // empty = memory only
    std::optional<std::int64_t> memory_mb;
    bool synthetic = false;
};

struct Machine {
    std::string id, name;
    Arch arch = Arch::Generic;
    CpuMask possible, online, isolated;
    std::vector<CpuMask> partitions; // empty = one partition: online minus isolated
    bool partitions_stated = false;
    TreeNode tree;
    std::vector<NumaNode> nodes;                     // never empty
    std::vector<std::vector<std::uint32_t>> distance; // rows in node order
    bool numa_stated = false;
    Capacity default_capacity = 1024;
    std::vector<std::pair<CpuMask, Capacity>> capacities;
    std::optional<std::uint32_t> node_reclaim_distance; // stated value; effective_reclaim_distance() knows the default
    std::uint32_t hz = 250;
    bool hz_stated = false;
    std::string cost_class;                          // "" = not stated (generic)
    std::map<std::string, std::int64_t> costs;       // tunable name -> ns
    std::string provenance_json = "{}";              // free keys, kept verbatim in canonical form
    std::vector<std::string> stated, assumed;        // from provenance, for display
    std::vector<std::string> warnings;               // of validation, shown to the user

    [[nodiscard]] Capacity capacity(CpuId cpu) const;
    [[nodiscard]] std::uint32_t nr_cpu_ids() const { return possible.last() ? possible.last()->value + 1 : 0; }
    // CPUs of the enclosing tree object of this type, cut to online; empty = no such object.
    [[nodiscard]] CpuMask enclosing(CpuId cpu, TreeType type) const;
};

[[nodiscard]] std::string_view name_of(Arch a);
[[nodiscard]] std::string_view name_of(TreeType t);

} // namespace rqscope
