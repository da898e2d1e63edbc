// SPDX-License-Identifier: GPL-3.0-or-later
// Domain trees as JSON and as paragraphs. The JSON is put together by hand: its texts are level names, flag names and CPU
// lists, none of which needs quoting. CPUs' chains repeat each other, so people get one paragraph per (level, span).
#include "topology/topology_text.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace rqscope {

namespace {

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

std::string flag_list(SdFlags flags, DomainProfile profile) {
    std::string out = "[";
    for (const auto& name : flag_names(flags, profile)) out += (out.size() > 1 ? ", " : "") + quoted(name);
    return out + "]";
}

std::string groups_json(const SchedDomains& all, const SchedDomain& d) {
    std::string out = "[";
    for (std::size_t i = 0; i < all.ring_of(d).size(); ++i) {
        const auto& g = all.group(d, i);
        if (i > 0) out += ", ";
        out += "{\"first\": " + std::to_string(g.balance_mask.first().value_or(CpuId{0}).value) + ", \"span\": " + quoted(g.span.to_list());
        if (g.balance_mask != g.span) out += ", \"mask\": " + quoted(g.balance_mask.to_list());
        out += "}";
    }
    return out + "]";
}

std::string domain_json(const SchedDomains& all, const SchedDomain& d) {
    const auto number = [](std::string_view key, std::uint32_t value) { return ", " + quoted(key) + ": " + std::to_string(value); };
    std::string out = "{\"name\": " + quoted(d.name) + ", \"span\": " + quoted(d.span.to_list()) + ", \"flags\": " + flag_list(d.flags, all.profile);
    out += number("imbalance_pct", d.imbalance_pct) + number("min_interval", d.min_interval) + number("max_interval", d.max_interval);
    out += number("busy_factor", d.busy_factor) + number("cache_nice_tries", d.cache_nice_tries);
    out += ", \"groups\": " + groups_json(all, d);
    if (all.profile == DomainProfile::V6_12)
        out += number("topology_level", d.level) + ", \"groups_flags\": " + flag_list(all.group(d, 0).flags, all.profile);
    if (all.profile != DomainProfile::V4_7) out += number("imb_numa_nr", d.imb_numa_nr);
    return out + "}";
}

// "MC(4) > PKG(8)", bottom up.
std::string chain_text(const SchedDomains& all, CpuId cpu) {
    std::string out;
    for (const auto* d = all.lowest(cpu); d != nullptr; d = all.parent(*d))
        out += (out.empty() ? "" : " > ") + d->name + "(" + std::to_string(d->weight) + ")";
    return out.empty() ? "no domains" : out;
}

std::vector<std::string> group_texts(const SchedDomains& all, const SchedDomain& d) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < all.ring_of(d).size(); ++i) {
        const auto& g = all.group(d, i);
        out.push_back(g.span.to_list() + (g.balance_mask != g.span ? " (balanced by " + g.balance_mask.to_list() + ")" : ""));
    }
    return out;
}

// One (level name, span): its owners, and the different sets of groups that they see (NUMA levels only).
struct MergedNode {
    const SchedDomain* domain = nullptr;
    CpuMask owners;
    std::map<std::vector<std::string>, std::pair<const SchedDomain*, CpuMask>> rings; // sorted group texts -> first owner's, owners
};

std::vector<MergedNode> merged_nodes(const SchedDomains& all) {
    std::map<std::pair<std::string, std::string>, MergedNode> nodes;
    for (const auto& d : all.domains) {
        auto& node = nodes[{d.name, d.span.to_list()}];
        if (node.domain == nullptr || d.level < node.domain->level) node.domain = &d;
        node.owners.set(d.owner);
        auto key = group_texts(all, d);
        std::sort(key.begin(), key.end());
        auto& [first, owners] = node.rings[key];
        if (first == nullptr) first = &d;
        owners.set(d.owner);
    }
    std::vector<MergedNode> out;
    for (auto& [key, node] : nodes) out.push_back(std::move(node));
    std::stable_sort(out.begin(), out.end(), [](const MergedNode& a, const MergedNode& b) {
        return std::pair(a.domain->level, a.domain->span.first()) < std::pair(b.domain->level, b.domain->span.first());
    });
    return out;
}

std::string groups_text(const SchedDomains& all, const MergedNode& node) {
    std::string out;
    for (const auto& [key, ring] : node.rings) {
        out += node.rings.size() == 1 ? "  groups  " : "  groups of CPU " + ring.second.to_list() + ":  ";
        const auto texts = group_texts(all, *ring.first);
        for (std::size_t i = 0; i < texts.size(); ++i) out += (i > 0 ? " | " : "") + texts[i];
        out += "\n";
    }
    return out;
}

std::string parameters_text(const SchedDomains& all, const SchedDomain& d) {
    std::string out = "imbalance_pct " + std::to_string(d.imbalance_pct) + ", interval " + std::to_string(d.min_interval) + ".." +
                      std::to_string(d.max_interval) + " ms, busy_factor " + std::to_string(d.busy_factor) + ", cache_nice_tries " +
                      std::to_string(d.cache_nice_tries);
    if (all.profile != DomainProfile::V4_7) return out + ", imb_numa_nr " + std::to_string(d.imb_numa_nr);
    return out + ", busy_idx " + std::to_string(d.busy_idx) + ", idle_idx " + std::to_string(d.idle_idx) + ", newidle_idx " + std::to_string(d.newidle_idx);
}

std::string removed_text(const SchedDomains& all) {
    // Spans of one level usually vanish for one reason; then one line says it for all.
    std::map<std::pair<std::string, std::string>, CpuMask> merged;
    for (const auto& r : all.removed) merged[{r.name, r.reason}] |= r.owners;
    std::string out;
    for (const auto& [key, owners] : merged) out += "  " + key.first + ": " + key.second + " (CPU " + owners.to_list() + ")\n";
    return out;
}

} // namespace

std::string domains_json(const SchedDomains& domains, std::string_view era_key, const CpuMask& online) {
    std::string out = "{\n \"era\": " + quoted(era_key) + ",\n \"cpus\": " + std::to_string(online.count()) + ",\n \"domains\": {";
    bool first = true;
    for (const auto cpu : online) {
        out += (first ? "\n  " : ",\n  ") + quoted(std::to_string(cpu.value)) + ": [";
        first = false;
        if (cpu.value < domains.nr_cpu_ids)
            for (const auto* d = domains.lowest(cpu); d != nullptr; d = domains.parent(*d))
                out += (d->child ? ",\n   " : "\n   ") + domain_json(domains, *d);
        out += "]";
    }
    return out + "\n }\n}\n";
}

std::string domains_text(const SchedDomains& all, std::string_view era_key) {
    std::map<std::string, CpuMask> chains;
    for (const auto cpu : all.map) chains[chain_text(all, cpu)].set(cpu);
    std::string out = "Scheduling domains, era " + std::string(era_key) + ", " + std::to_string(all.map.count()) + " CPUs\n";
    for (const auto& [chain, cpus] : chains) out += "  CPU " + cpus.to_list() + ": " + chain + "\n";
    for (const auto& node : merged_nodes(all)) {
        const auto& d = *node.domain;
        out += "\n" + d.name + " " + d.span.to_list() + " (" + std::to_string(d.weight) + " CPUs, level " + std::to_string(d.level) + ")\n";
        if (node.owners != d.span) out += "  of CPU  " + node.owners.to_list() + "\n";
        out += "  flags  ";
        for (const auto& name : flag_names(d.flags, all.profile)) out += ' ' + name;
        out += "\n  values  " + parameters_text(all, d) + "\n" + groups_text(all, node);
    }
    if (!all.removed.empty()) out += "\nLevels that are not there\n" + removed_text(all);
    for (const auto& w : all.warnings) out += "Warning: " + w + "\n";
    return out;
}

} // namespace rqscope
