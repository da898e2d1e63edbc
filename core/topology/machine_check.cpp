// SPDX-License-Identifier: GPL-3.0-or-later
// Validation and canonical form of a machine (topology-schema.md 1). Every rule looks at the whole machine and adds its
// problems, so that a file is corrected in one round. Kernel counterpart: topology_span_sane(), the checks of numa_init().
#include "topology/machine_check.h"

#include <algorithm>
#include <set>

namespace rqscope {

namespace {

void sort_tree(TreeNode& node) {
    if (node.type != TreeType::Core) node.cpus = {};
    for (auto& child : node.children) {
        sort_tree(child);
        node.cpus |= child.cpus;
    }
    std::stable_sort(node.children.begin(), node.children.end(), [](const TreeNode& a, const TreeNode& b) {
        const auto x = a.cpus.first();
        const auto y = b.cpus.first();
        return x && (!y || *x < *y);
    });
}

std::string node_name(const NumaNode& n) { return "node " + std::to_string(n.id.value); }

class Checker {
public:
    explicit Checker(Machine& machine) : m(machine) {}

    Problems run() {
        if (m.possible.empty()) bad("cpus.possible", "is empty. Name at least one CPU.");
        check_tree();
        check_sets();
        check_nodes();
        check_distance();
        check_capacity();
        if (m_problems.empty()) {
            repair_membership();
            if (const auto split = split_packages(m.tree); !split.empty())
                warn("Package" + split + " has CPUs of several nodes: x86 kernels then build no PKG (DIE) level.");
            if (m.possible.count() == 1) warn("Single CPU: no scheduling domain will exist.");
        }
        return std::move(m_problems);
    }

private:
    void bad(std::string where, std::string message) { m_problems.push_back({std::move(where), std::move(message)}); }
    void warn(std::string text) { m.warnings.push_back(std::move(text)); }

    void check_leaves(const TreeNode& node) {
        if (node.type == TreeType::Core) {
            if (const auto twice = node.cpus & m_leaves; !twice.empty())
                bad("tree", "CPU " + twice.to_list() + " is in two cores. A CPU belongs to one core.");
            m_leaves |= node.cpus;
        }
        for (const auto& child : node.children) check_leaves(child);
    }

    void check_tree() {
        check_leaves(m.tree);
        if (const auto extra = m_leaves - m.possible; !extra.empty())
            bad("tree", "CPU " + extra.to_list() + " is in a core but not in cpus.possible.");
        if (const auto homeless = m.online - m_leaves; !homeless.empty())
            bad("tree", "online CPU " + homeless.to_list() + " is in no core.");
    }

    void check_sets() {
        CpuMask seen;
        for (std::size_t i = 0; i < m.partitions.size(); ++i) {
            const auto where = "cpus.partitions[" + std::to_string(i) + "]";
            if (const auto twice = m.partitions[i] & seen; !twice.empty())
                bad(where, "CPU " + twice.to_list() + " is already in another partition. Partitions must be disjoint.");
            seen |= m.partitions[i];
            note_impossible(where, m.partitions[i]);
        }
        note_impossible("cpus.isolated", m.isolated);
        auto map = m.online - m.isolated;
        if (m.partitions_stated) map &= seen;
        if (map.empty() && !m.possible.empty())
            bad("cpus", "no online CPU is left for scheduling: all are isolated or in no partition.");
    }

    void note_impossible(const std::string& where, const CpuMask& set) {
        if (const auto extra = set - m.possible; !extra.empty())
            warn(where + " names CPU " + extra.to_list() + ", which is not possible; ignored.");
    }

    void check_nodes() {
        std::set<std::uint32_t> ids;
        for (std::size_t i = 0; i < m.nodes.size(); ++i) {
            const auto& n = m.nodes[i];
            const auto where = "numa.nodes[" + std::to_string(i) + "]";
            if (!ids.insert(n.id.value).second) bad(where + ".id", node_name(n) + " exists twice.");
            note_impossible(where + ".cpus", n.cpus);
            if (n.cpus.empty() && n.memory_mb.value_or(0) <= 0)
                warn(node_name(n) + " has neither CPUs nor stated memory.");
        }
    }

    void check_distance() {
        const auto n = m.nodes.size();
        if (m.distance.size() != n) {
            bad("numa.distance", "has " + std::to_string(m.distance.size()) + " rows for " + std::to_string(n) + " nodes.");
            return;
        }
        bool square = true;
        for (std::size_t i = 0; i < n; ++i) {
            if (m.distance[i].size() != n) {
                bad("numa.distance[" + std::to_string(i) + "]", "has " + std::to_string(m.distance[i].size()) +
                                                                     " numbers for " + std::to_string(n) + " nodes.");
                square = false;
            }
            check_row(i);
        }
        for (std::size_t i = 0; square && i < n; ++i)
            for (std::size_t j = i + 1; j < n; ++j)
                if (m.distance[i][j] != m.distance[j][i]) {
                    warn("The distance table is not symmetric: " + node_name(m.nodes[i]) + " to " + node_name(m.nodes[j]) + " is " +
                         std::to_string(m.distance[i][j]) + ", back is " + std::to_string(m.distance[j][i]) + ".");
                    return;
                }
    }

    void check_row(std::size_t i) {
        const auto& row = m.distance[i];
        const auto where = "numa.distance[" + std::to_string(i) + "]";
        for (std::size_t j = 0; j < row.size(); ++j)
            if (row[j] < 10 || row[j] > 255)
                bad(where + "[" + std::to_string(j) + "]", std::to_string(row[j]) + " is outside 10..255.");
        if (i < row.size() && *std::min_element(row.begin(), row.end()) < row[i])
            bad(where, "another node is closer than the own node (" + std::to_string(row[i]) + ").");
    }

    void check_capacity() {
        const auto out = [](Capacity c) { return c < 1 || c > 1024; };
        if (out(m.default_capacity))
            bad("capacity.default", std::to_string(m.default_capacity) + " is outside 1..1024.");
        CpuMask seen;
        for (std::size_t i = 0; i < m.capacities.size(); ++i) {
            const auto& [cpus, value] = m.capacities[i];
            const auto where = "capacity.per_cpu[" + std::to_string(i) + "]";
            if (out(value)) bad(where + ".capacity", std::to_string(value) + " is outside 1..1024.");
            if (const auto twice = cpus & seen; !twice.empty())
                bad(where + ".cpus", "CPU " + twice.to_list() + " has two capacities.");
            seen |= cpus;
            note_impossible(where + ".cpus", cpus);
        }
    }

    // The node with the lowest id keeps a CPU named by several; online CPUs named by none get a node of their own.
    void repair_membership() {
        std::vector<NumaNode*> by_id;
        for (auto& n : m.nodes) by_id.push_back(&n);
        std::sort(by_id.begin(), by_id.end(), [](const auto* a, const auto* b) { return a->id < b->id; });
        CpuMask seen;
        std::uint32_t free_id = 0;
        for (auto* n : by_id) {
            if (const auto twice = n->cpus & seen; !twice.empty()) {
                warn("CPU " + twice.to_list() + " is in several nodes; taken out of " + node_name(*n) + ".");
                n->cpus -= twice;
            }
            seen |= n->cpus;
            if (n->id.value == free_id) ++free_id;
        }
        const auto homeless = m.online - seen;
        if (homeless.empty()) return;
        warn("Online CPU " + homeless.to_list() + " is in no node; placed in a synthetic node " + std::to_string(free_id) +
             " at distance 20 from all others.");
        m.nodes.push_back({NodeId{free_id}, homeless, std::nullopt, true});
        m.numa_stated = true;
        for (auto& row : m.distance) row.push_back(20);
        m.distance.emplace_back(m.nodes.size(), 20).back() = 10;
    }

    // " 0 1": ids of packages whose CPUs are in more than one node.
    [[nodiscard]] std::string split_packages(const TreeNode& node) const {
        std::string out;
        if (node.type == TreeType::Package) {
            const auto nodes = std::count_if(m.nodes.begin(), m.nodes.end(), [&](const auto& n) { return n.cpus.intersects(node.cpus); });
            if (nodes > 1) out += ' ' + std::to_string(node.id);
        }
        for (const auto& child : node.children) out += split_packages(child);
        return out;
    }

    Machine& m;
    Problems m_problems;
    CpuMask m_leaves;
};

} // namespace

void normalise(Machine& machine) {
    sort_tree(machine.tree);
    if (machine.nodes.empty()) {
        machine.nodes.push_back({NodeId{0}, machine.possible, std::nullopt, false});
        machine.distance = {{10}};
        machine.numa_stated = false;
    }
}

Problems check_machine(Machine& machine) { return Checker(machine).run(); }

} // namespace rqscope
