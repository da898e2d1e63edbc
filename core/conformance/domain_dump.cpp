// SPDX-License-Identifier: GPL-3.0-or-later
// Domain dumps of booted kernels against build_domains(), CPU by CPU and bottom up (topology-schema.md 3.4), and the machine
// such a dump describes. Group capacities are left out: they are what interrupts left at boot.
#include "conformance/domain_vectors.h"

#include "conformance/domain_compare.h"
#include "topology/build_domains.h"
#include "topology/machine_check.h"
#include "topology/tree_from_sets.h"

#include <algorithm>
#include <map>

namespace rqscope {

namespace {

// "Linux (none) 6.12.95+deb12-amd64 #1 ..." -> 6.12; other kernels of the 5.19 rules are 6.1.
DomainProfile profile_of_kernel(const std::string& uname) {
    return uname.find(" 6.12.") != std::string::npos ? DomainProfile::V6_12 : DomainProfile::V5_19;
}

void compare_groups(const Json& wanted, const SchedDomains& all, const SchedDomain& d, const std::string& where, DomainDifferences& out) {
    const auto size = all.ring_of(d).size();
    out.number(where + " groups", Json(wanted.size()), size);
    for (std::size_t i = 0; i < std::min(wanted.size(), size); ++i) {
        const auto& expected = wanted.at(i);
        const auto& g = all.group(d, i);
        const auto at = where + " group " + std::to_string(i);
        out.text(at + " span", expected.at("span"), g.span.to_list());
        out.text(at + " mask", expected.contains("mask") ? expected.at("mask") : expected.at("span"), g.balance_mask.to_list());
        out.number(at + " first", expected.at("first"), g.balance_mask.first()->value);
    }
}

void compare_domain(const Json& wanted, const SchedDomains& all, const SchedDomain& d, const std::string& where, DomainDifferences& out) {
    out.text(where + " name", wanted.at("name"), d.name);
    out.text(where + " span", wanted.at("span"), d.span.to_list());
    out.list(where + " flags", wanted.at("flags"), flag_names(d.flags, all.profile));
    out.number(where + " imbalance_pct", wanted.at("imbalance_pct"), d.imbalance_pct);
    out.number(where + " min_interval", wanted.at("min_interval"), d.min_interval);
    out.number(where + " max_interval", wanted.at("max_interval"), d.max_interval);
    out.number(where + " busy_factor", wanted.at("busy_factor"), d.busy_factor);
    out.number(where + " cache_nice_tries", wanted.at("cache_nice_tries"), d.cache_nice_tries);
    if (wanted.contains("topology_level")) out.number(where + " topology_level", wanted.at("topology_level"), d.level);
    if (wanted.contains("groups_flags")) {
        auto flags = wanted.at("groups_flags").get<std::vector<std::string>>();
        auto got = flag_names(all.group(d, 0).flags, all.profile);
        std::sort(flags.begin(), flags.end());
        std::sort(got.begin(), got.end());
        if (flags != got) out.add(where + " groups_flags", DomainDifferences::join(flags), DomainDifferences::join(got));
    }
    compare_groups(wanted.at("groups"), all, d, where, out);
}

void compare_dump(const Json& dump, const SchedDomains& all, DomainDifferences& out) {
    for (const auto& [key, chain] : dump.at("domains").items()) {
        const auto where = "cpu " + key;
        const auto cpus = cpu_list(Json(key));
        const auto cpu = cpus.first();
        const bool known = cpu && cpu->value < all.nr_cpu_ids;
        const auto* d = known ? all.lowest(*cpu) : nullptr;
        for (const auto& wanted : chain) {
            if (d == nullptr) {
                out.add(where, wanted.at("name").get<std::string>(), "end of the chain");
                break;
            }
            compare_domain(wanted, all, *d, where + " " + d->name, out);
            d = all.parent(*d);
        }
        if (d != nullptr) out.add(where, "end of the chain", d->name);
    }
}

// Every sharing set that a CPU of the dump names; equal ones come once per CPU.
std::vector<TreeNode> sharing_sets(const Json& dump) {
    std::map<std::int64_t, CpuMask> packages;
    for (const auto& c : dump.at("cpu_topology")) packages[c.at("pkg").get<std::int64_t>()].set(CpuId{c.at("cpu").get<std::uint32_t>() % kMaxCpus});
    std::vector<TreeNode> out;
    const auto add = [&out](TreeType type, std::int64_t id, const CpuMask& cpus) {
        auto& node = out.emplace_back();
        node.type = type;
        node.id = id;
        node.cpus = cpus;
    };
    for (const auto& [id, cpus] : packages) add(TreeType::Package, id, cpus);
    for (const auto& c : dump.at("cpu_topology")) {
        const auto set = [&c](const char* key) { return c.contains(key) && c.at(key).is_string() ? cpu_list(c.at(key)) : CpuMask{}; };
        const auto& package = packages[c.at("pkg").get<std::int64_t>()];
        const auto core = set("threads");
        const auto llc = set("l3").empty() ? set("l2") : set("l3");
        add(TreeType::Core, c.at("core").get<std::int64_t>(), core);
        if (const auto die = set("diecpus"); die != package) add(TreeType::Die, c.value("die", std::int64_t{0}), die);
        add(TreeType::Llc, llc.first().value_or(CpuId{0}).value, llc);
        const bool no_cluster = c.value("cluster", std::int64_t{0}) == 65535;
        if (const auto cluster = set("clustercpus"); !no_cluster && cluster != core)
            add(TreeType::Cluster, cluster.first().value_or(CpuId{0}).value, cluster);
    }
    return out;
}

Arch arch_of_dump(const Json& dump) {
    const auto args = dump.value("qemu_args", Json::array());
    for (std::size_t i = 0; i + 1 < args.size(); ++i)
        if (args[i] == Json("-cpu") && args[i + 1].get<std::string>().starts_with("EPYC")) return Arch::X86Zen;
    return Arch::X86;
}

Machine build_machine(const Json& dump) {
    Machine m;
    m.id = dump.at("name").get<std::string>();
    m.name = m.id;
    m.arch = arch_of_dump(dump);
    for (const auto& c : dump.at("cpu_topology")) m.possible.set(CpuId{c.at("cpu").get<std::uint32_t>() % kMaxCpus});
    m.online = m.possible;
    m.tree = tree_from_sets(sharing_sets(dump), m.possible, m.warnings);
    for (const auto& n : dump.at("nodes")) {
        m.nodes.push_back({NodeId{n.at("node").get<std::uint32_t>()}, cpu_list(n.at("cpus")), std::nullopt, false});
        m.distance.push_back(n.at("distance").get<std::vector<std::uint32_t>>());
    }
    m.numa_stated = !m.nodes.empty();
    return m;
}

} // namespace

Result<Machine> machine_of_dump(std::string_view text) {
    const auto dump = parse_json(text, kVectorBounds);
    if (!dump) return dump.problems();
    return guarded([&]() -> Result<Machine> {
        auto machine = build_machine(*dump);
        normalise(machine);
        auto problems = check_machine(machine);
        if (!problems.empty()) return problems;
        return machine;
    });
}

Result<ConformanceReport> check_domain_dump(std::string_view text, const Machine& machine) {
    const auto dump = parse_json(text, kVectorBounds);
    if (!dump) return dump.problems();
    return guarded([&]() -> Result<ConformanceReport> {
        DomainDifferences out;
        const auto profile = profile_of_kernel(dump->at("kernel").get<std::string>());
        if (const auto built = build_domains(machine, profile, machine.online)) compare_dump(*dump, *built, out);
        else out.add("build", "domains", built.problems().front().message);
        CaseResult result{dump->at("name").get<std::string>(), out.empty(), false, {}};
        result.differences = out.take();
        return ConformanceReport{{std::move(result)}};
    });
}

} // namespace rqscope
