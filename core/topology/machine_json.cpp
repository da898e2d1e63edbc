// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of sched-topology/1 (topology-schema.md 1). One function per part of the file; each reads what it can and adds
// its problems, so that one run lists them all. The rules between the parts are check_machine()'s.
#include "topology/machine_json.h"

#include "base/words.h"
#include "base/json_fields.h"
#include "topology/machine_check.h"

#include <algorithm>
#include <fstream>
#include <limits>

namespace rqscope {

namespace {

constexpr std::string_view kSchema = "sched-topology/1";
constexpr std::size_t kMaxTreeObjects = 4 * kMaxCpus; // a core per CPU and as many objects above them
constexpr std::int64_t kMaxNode = 1023;               // the kernel's largest NODES_SHIFT
constexpr auto kAnyMin = std::numeric_limits<std::int64_t>::min();
constexpr auto kAnyMax = std::numeric_limits<std::int64_t>::max();

std::optional<Arch> find_arch(std::string_view name) {
    for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(Arch::Generic); ++i)
        if (name_of(static_cast<Arch>(i)) == name) return static_cast<Arch>(i);
    return std::nullopt;
}

std::optional<TreeType> find_tree_type(std::string_view name) {
    if (name == "l3" || name == "ccx") return TreeType::Llc;
    if (name == "socket") return TreeType::Package;
    for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(TreeType::Core); ++i)
        if (name_of(static_cast<TreeType>(i)) == name) return static_cast<TreeType>(i);
    return std::nullopt;
}

class Reader {
public:
    explicit Reader(std::span<const std::string_view> known_costs) : m_known_costs(known_costs) {}

    Result<Machine> read(const Json& file, std::string_view origin) {
        if (read_schema(file)) {
            const JsonObject top(file, "", m_problems,
                                 {"schema", "id", "name", "arch", "provenance", "cpus", "tree", "numa", "capacity", "sched", "costs"});
            read_names(top);
            read_provenance(top);
            read_cpu_sets(top);
            if (const auto* tree = top.require("tree")) read_object(*tree, "tree", 0, m.tree);
            read_numa(top);
            read_capacity(top);
            read_sched(top);
            read_costs(top);
        }
        if (m_problems.empty()) {
            normalise(m);
            for (auto& p : check_machine(m)) m_problems.add(std::move(p.where), std::move(p.message));
        }
        if (!m_problems.empty()) return m_problems.take(origin);
        return std::move(m);
    }

private:
    // Another schema has other rules, so its remaining content is not judged.
    bool read_schema(const Json& file) {
        if (!file.is_object()) {
            m_problems.add("", describe(file) + " stands where a machine { \"schema\": \"sched-topology/1\", ... } is expected.");
            return false;
        }
        const auto it = file.find("schema");
        if (it != file.end() && it->is_string() && it->get_ref<const std::string&>() == kSchema) return true;
        m_problems.add("schema", (it == file.end() ? "is missing" : describe(*it) + " is not supported") +
                                     ". This program reads \"sched-topology/1\".");
        return false;
    }

    void read_names(const JsonObject& top) {
        top.require("id");
        top.require("name");
        m.id = top.text("id").value_or("");
        m.name = top.text("name").value_or("");
        if (top.find("id") && (m.id.empty() || m.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos))
            top.bad("id", "must consist of the letters a-z, digits and '-'.");
        top.require("arch");
        if (const auto name = top.text("arch")) {
            static constexpr std::string_view kNames[] = {"x86", "x86-zen", "x86-k8", "arm64", "powerpc", "s390x", "ia64", "generic"};
            if (const auto arch = find_arch(*name)) m.arch = *arch;
            else top.bad("arch", describe(*top.find("arch")) + " is none of x86, x86-zen, x86-k8, arm64, powerpc, s390x, ia64, generic" + did_you_mean(*name, kNames));
        }
    }

    static std::vector<std::string> sentences(const Json& value) {
        std::vector<std::string> out;
        if (value.is_string()) out.push_back(value.get<std::string>());
        if (value.is_array())
            for (const auto& item : value)
                if (item.is_string()) out.push_back(item.get<std::string>());
        return out;
    }

    void read_provenance(const JsonObject& top) {
        const auto* value = top.require("provenance");
        if (value == nullptr) return;
        if (!value->is_object()) {
            top.bad("provenance", describe(*value) + " stands where an object { } is expected.");
            return;
        }
        m.provenance_json = value->dump();
        if (const auto it = value->find("stated"); it != value->end()) m.stated = sentences(*it);
        if (const auto it = value->find("assumed"); it != value->end()) m.assumed = sentences(*it);
    }

    void read_cpu_sets(const JsonObject& top) {
        const auto* value = top.require("cpus");
        if (value == nullptr) return;
        const JsonObject cpus(*value, "cpus", m_problems, {"possible", "online", "isolated", "partitions"});
        cpus.require("possible");
        m.possible = cpus.cpus("possible").value_or(CpuMask{});
        m.online = cpus.find("online") ? cpus.cpus("online").value_or(CpuMask{}) : m.possible;
        m.isolated = cpus.cpus("isolated").value_or(CpuMask{});
        if (const auto* list = cpus.array("partitions")) {
            m.partitions_stated = true;
            for (std::size_t i = 0; i < list->size(); ++i)
                m.partitions.push_back(read_cpus((*list)[i], "cpus.partitions[" + std::to_string(i) + "]", m_problems).value_or(CpuMask{}));
        }
    }

    // `above` has a bit per type on the way from the root.
    void read_object(const Json& value, const std::string& path, std::uint32_t above, TreeNode& node) {
        if (++m_tree_objects > kMaxTreeObjects) return stop_tree("has more than " + std::to_string(kMaxTreeObjects) + " objects.");
        const JsonObject object(value, path, m_problems, {"type", "id", "cpus", "children", "cache", "size_kb", "shares"});
        object.require("type");
        const auto name = object.text("type");
        const auto type = name ? find_tree_type(*name) : std::nullopt;
        if (name && !type) {
            static constexpr std::string_view kNames[] = {"machine", "drawer", "book", "package", "die", "numa", "llc", "cluster", "core"};
            object.bad("type", describe(*object.find("type")) + " is none of machine, drawer, book, package, die, numa, llc, cluster, core" + did_you_mean(*name, kNames));
        }
        if (!type) return;
        node.type = *type;
        const auto type_bit = 1U << static_cast<unsigned>(*type);
        if (above == 0 && *type != TreeType::Machine) object.bad("type", "the outermost object must be of type machine.");
        if ((above & type_bit) != 0) object.bad("type", std::string(name_of(*type)) + " is inside another " + std::string(name_of(*type)) + ".");
        node.id = object.integer("id", kAnyMin, kAnyMax).value_or(0);
        read_attributes(object, node);
        const auto* children = object.array("children");
        if (*type == TreeType::Core) read_core(object, children, node);
        else if (children == nullptr || children->empty()) object.bad("children", "an object without children must be a core.");
        else
            for (std::size_t i = 0; i < children->size() && !m_tree_stopped; ++i)
                read_object((*children)[i], path + ".children[" + std::to_string(i) + "]", above | type_bit, node.children.emplace_back());
    }

    void read_attributes(const JsonObject& object, TreeNode& node) const {
        const auto only = [&](std::string_view key, TreeType type) {
            if (object.find(key) && node.type != type)
                object.bad(key, "belongs to an object of type " + std::string(name_of(type)) + ", not " + std::string(name_of(node.type)) + ".");
        };
        only("cache", TreeType::Llc);
        only("size_kb", TreeType::Llc);
        only("shares", TreeType::Cluster);
        node.cache = object.text("cache").value_or("");
        node.size_kb = object.integer("size_kb", 0, kAnyMax);
        node.shares = object.text("shares").value_or("");
    }

    void read_core(const JsonObject& object, const Json* children, TreeNode& node) {
        if (children != nullptr && !children->empty()) object.bad("children", "a core has no children.");
        object.require("cpus");
        const auto cpus = object.cpus("cpus");
        if (cpus && cpus->empty()) object.bad("cpus", "a core needs at least one CPU.");
        node.cpus = cpus.value_or(CpuMask{});
        m_leaf_cpus += node.cpus.count();
        if (m_leaf_cpus > kMaxCpus && !m_tree_stopped) stop_tree("the cores together name more than " + std::to_string(kMaxCpus) + " CPUs.");
    }

    // A tree this large is wrong for certain; the rest of it is not read.
    void stop_tree(std::string message) {
        m_tree_stopped = true;
        m_problems.add("tree", std::move(message));
    }

    void read_numa(const JsonObject& top) {
        const auto* value = top.find("numa");
        if (value == nullptr) return;
        const JsonObject numa(*value, "numa", m_problems, {"nodes", "distance"});
        m.numa_stated = true;
        numa.require("nodes");
        if (const auto* nodes = numa.array("nodes")) {
            if (nodes->empty()) numa.bad("nodes", "is empty. Leave out numa for a machine with one node.");
            for (std::size_t i = 0; i < nodes->size(); ++i) read_node((*nodes)[i], "numa.nodes[" + std::to_string(i) + "]");
        }
        if (numa.find("distance") == nullptr && m.nodes.size() == 1) {
            m.distance = {{10}};
            return;
        }
        numa.require("distance");
        if (const auto* rows = numa.array("distance"))
            for (std::size_t i = 0; i < rows->size(); ++i) read_row((*rows)[i], "numa.distance[" + std::to_string(i) + "]");
    }

    void read_node(const Json& value, const std::string& path) {
        const JsonObject object(value, path, m_problems, {"id", "cpus", "memory_mb", "synthetic"});
        object.require("id");
        object.require("cpus");
        NumaNode node;
        node.id = NodeId{static_cast<std::uint32_t>(object.integer("id", 0, kMaxNode).value_or(0))};
        node.cpus = object.cpus("cpus").value_or(CpuMask{});
        node.memory_mb = object.integer("memory_mb", 0, kAnyMax);
        if (const auto* flag = object.find("synthetic")) {
            if (flag->is_boolean()) node.synthetic = flag->get<bool>();
            else object.bad("synthetic", describe(*flag) + " is neither true nor false.");
        }
        m.nodes.push_back(std::move(node));
    }

    void read_row(const Json& value, const std::string& path) {
        auto& row = m.distance.emplace_back();
        if (!value.is_array()) {
            m_problems.add(path, describe(value) + " stands where a row of numbers [ ] is expected.");
            return;
        }
        for (std::size_t j = 0; j < value.size(); ++j)
            row.push_back(static_cast<std::uint32_t>(
                read_integer(value[j], path + "[" + std::to_string(j) + "]", 10, 255, m_problems).value_or(10)));
    }

    void read_capacity(const JsonObject& top) {
        const auto* value = top.find("capacity");
        if (value == nullptr) return;
        const JsonObject capacity(*value, "capacity", m_problems, {"default", "per_cpu"});
        m.default_capacity = static_cast<Capacity>(capacity.integer("default", 1, 1024).value_or(1024));
        const auto* list = capacity.array("per_cpu");
        for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
            const JsonObject entry((*list)[i], "capacity.per_cpu[" + std::to_string(i) + "]", m_problems, {"cpus", "capacity"});
            entry.require("cpus");
            entry.require("capacity");
            m.capacities.emplace_back(entry.cpus("cpus").value_or(CpuMask{}),
                                      static_cast<Capacity>(entry.integer("capacity", 1, 1024).value_or(1024)));
        }
    }

    void read_sched(const JsonObject& top) {
        const auto* value = top.find("sched");
        if (value == nullptr) return;
        const JsonObject sched(*value, "sched", m_problems, {"node_reclaim_distance", "hz"});
        if (const auto r = sched.integer("node_reclaim_distance", 0, 255)) m.node_reclaim_distance = static_cast<std::uint32_t>(*r);
        if (const auto hz = sched.integer("hz", 10, 10000)) {
            m.hz = static_cast<std::uint32_t>(*hz);
            m.hz_stated = true;
        }
    }

    void read_costs(const JsonObject& top) {
        const auto* value = top.find("costs");
        if (value == nullptr) return;
        std::vector<std::string_view> known{"class"};
        known.insert(known.end(), m_known_costs.begin(), m_known_costs.end());
        if (m_known_costs.empty() && value->is_object())
            for (const auto& [key, ignored] : value->items())
                if (key.ends_with("_ns")) known.push_back(key);
        const JsonObject costs(*value, "costs", m_problems, known);
        m.cost_class = costs.text("class").value_or("");
        for (const auto name : std::span(known).subspan(1))
            if (const auto ns = costs.integer(name, -1, 1'000'000'000'000)) m.costs.emplace(name, *ns);
    }

    std::span<const std::string_view> m_known_costs;
    ProblemList m_problems;
    Machine m;
    std::size_t m_tree_objects = 0;
    std::size_t m_leaf_cpus = 0;
    bool m_tree_stopped = false;
};

} // namespace

Result<Machine> load_machine_json(std::string_view text, std::string_view origin, std::span<const std::string_view> known_costs) {
    const auto file = parse_json(text, {kMaxMachineBytes, kMaxMachineDepth});
    if (!file) {
        ProblemList problems;
        problems.add("", file.problems().front().message);
        return problems.take(origin);
    }
    return Reader(known_costs).read(file.value(), origin);
}

Result<Machine> load_machine_file(const std::filesystem::path& path, std::span<const std::string_view> known_costs) {
    const auto origin = path.string();
    std::error_code ec;
    if (!std::filesystem::is_regular_file(path, ec)) return Problem{origin, "is not a file that can be read."};
    std::ifstream in(path, std::ios::binary);
    std::string text;
    // One byte more than allowed, so that a longer file is noticed without being read.
    text.resize(kMaxMachineBytes + 1);
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (in.bad() || (!in.eof() && in.fail())) return Problem{origin, "cannot be read."};
    text.resize(static_cast<std::size_t>(in.gcount()));
    return load_machine_json(text, origin, known_costs);
}

} // namespace rqscope
