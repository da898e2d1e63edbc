// SPDX-License-Identifier: GPL-3.0-or-later
// A machine described for people: what the hardware is, where the numbers come from. No kernel counterpart; the wording
// follows lscpu and numactl -H, which users know.
#include "topology/topology_text.h"

#include <algorithm>
#include <array>

namespace rqscope {

namespace {

void count_objects(const TreeNode& node, std::array<std::size_t, 9>& counts, std::size_t& most_threads) {
    ++counts[static_cast<std::size_t>(node.type)];
    if (node.type == TreeType::Core) most_threads = std::max<std::size_t>(most_threads, node.cpus.count());
    for (const auto& child : node.children) count_objects(child, counts, most_threads);
}

std::string padded(std::string_view text, std::size_t width) {
    return std::string(width > text.size() ? width - text.size() : 0, ' ') + std::string(text);
}

std::string line(std::string_view label, const std::string& value) {
    std::string out(label);
    out.resize(std::max<std::size_t>(out.size() + 1, 14), ' ');
    return out + value + "\n";
}

std::string objects_text(const Machine& m) {
    static constexpr std::array<std::pair<TreeType, std::string_view>, 7> kShown{{{TreeType::Drawer, "Drawers"},
                                                                                  {TreeType::Book, "Books"},
                                                                                  {TreeType::Package, "Packages"},
                                                                                  {TreeType::Die, "Dies"},
                                                                                  {TreeType::Llc, "LLCs"},
                                                                                  {TreeType::Cluster, "Clusters"},
                                                                                  {TreeType::Core, "Cores"}}};
    std::array<std::size_t, 9> counts{};
    std::size_t threads = 0;
    count_objects(m.tree, counts, threads);
    std::string out;
    for (const auto& [type, label] : kShown)
        if (const auto n = counts[static_cast<std::size_t>(type)]; n > 0) out += line(label, std::to_string(n));
    return out + line("Threads", "up to " + std::to_string(threads) + " per core");
}

std::string nodes_text(const Machine& m) {
    auto out = line("NUMA nodes", std::to_string(m.nodes.size()) + (m.numa_stated ? "" : " (not stated: one node holds all CPUs)"));
    if (!m.numa_stated) return out;
    std::string head;
    for (const auto& n : m.nodes) head += padded(std::to_string(n.id.value), 5);
    out += "  node " + head + "  CPUs\n";
    for (std::size_t i = 0; i < m.nodes.size(); ++i) {
        const auto& n = m.nodes[i];
        out += "  " + padded(std::to_string(n.id.value), 4) + " ";
        for (const auto d : m.distance[i]) out += padded(std::to_string(d), 5);
        out += "  " + (n.cpus.empty() ? "none, memory only" : n.cpus.to_list());
        if (n.memory_mb) out += ", " + std::to_string(*n.memory_mb) + " MB";
        if (n.synthetic) out += ", synthetic";
        out += "\n";
    }
    return out;
}

std::string capacities_text(const Machine& m) {
    std::string out;
    for (const auto& [cpus, value] : m.capacities) out += line("Capacity", std::to_string(value) + " on CPU " + cpus.to_list());
    if (!m.capacities.empty() || m.default_capacity != 1024) out += line("", std::to_string(m.default_capacity) + " on all others");
    return out;
}

} // namespace

std::string topology_text(const Machine& m) {
    auto out = line("Machine", m.name + " (" + m.id + ")") + line("Architecture", std::string(name_of(m.arch)));
    out += line("CPUs", std::to_string(m.online.count()) + " online: " + m.online.to_list());
    if (m.online != m.possible) out += line("", std::to_string(m.possible.count()) + " possible: " + m.possible.to_list());
    if (!m.isolated.empty()) out += line("", "isolated: " + m.isolated.to_list());
    for (const auto& p : m.partitions) out += line("", "partition: " + p.to_list());
    out += objects_text(m) + nodes_text(m) + capacities_text(m);
    if (m.node_reclaim_distance) out += line("Reclaim", "node distance " + std::to_string(*m.node_reclaim_distance));
    out += line("Tick", std::to_string(m.hz) + " Hz" + (m.hz_stated ? "" : " (not stated)"));
    for (const auto& text : m.stated) out += line("Stated", text);
    for (const auto& text : m.assumed) out += line("Assumed", text);
    for (const auto& text : m.warnings) out += line("Warning", text);
    return out;
}

} // namespace rqscope
