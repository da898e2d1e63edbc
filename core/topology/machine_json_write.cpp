// SPDX-License-Identifier: GPL-3.0-or-later
// The canonical writer of sched-topology/1: fixed key order, normalised sets, short objects on one line. Equal machines give
// equal bytes, so that saved files can be compared and kept under version control.
#include "topology/machine_json.h"

#include "base/json_fields.h"

namespace rqscope {

namespace {

constexpr std::size_t kLine = 140; // longest value kept on one line

std::string compact(const Json& value) {
    if (value.is_object()) {
        std::string out = "{";
        for (const auto& [key, item] : value.items()) {
            if (out.size() > 1) out += ", ";
            out += Json(key).dump() + ": " + compact(item);
        }
        return out + "}";
    }
    if (value.is_array()) {
        std::string out = "[";
        for (const auto& item : value) out += (out.size() > 1 ? ", " : "") + compact(item);
        return out + "]";
    }
    // Text of other origin than a JSON file may hold broken UTF-8; it is replaced, never refused.
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void write(std::string& out, const Json& value, std::size_t indent) {
    const auto line = compact(value);
    if (!value.is_structured() || value.empty() || (indent > 0 && line.size() <= kLine)) {
        out += line;
        return;
    }
    out += value.is_object() ? "{\n" : "[\n";
    std::size_t left = value.size();
    for (const auto& [key, item] : value.items()) {
        out.append(indent + 1, ' ');
        if (value.is_object()) out += Json(key).dump() + ": ";
        write(out, item, indent + 1);
        out += --left > 0 ? ",\n" : "\n";
    }
    out.append(indent, ' ');
    out += value.is_object() ? '}' : ']';
}

Json tree_json(const TreeNode& node) {
    Json out;
    out["type"] = name_of(node.type);
    if (node.type != TreeType::Machine || node.id != 0) out["id"] = node.id;
    if (!node.cache.empty()) out["cache"] = node.cache;
    if (node.size_kb) out["size_kb"] = *node.size_kb;
    if (!node.shares.empty()) out["shares"] = node.shares;
    if (node.type == TreeType::Core) out["cpus"] = node.cpus.to_list();
    for (const auto& child : node.children) out["children"].push_back(tree_json(child));
    return out;
}

Json cpus_json(const Machine& m) {
    Json out;
    out["possible"] = m.possible.to_list();
    if (m.online != m.possible) out["online"] = m.online.to_list();
    if (!m.isolated.empty()) out["isolated"] = m.isolated.to_list();
    if (m.partitions_stated) {
        out["partitions"] = Json::array();
        for (const auto& p : m.partitions) out["partitions"].push_back(p.to_list());
    }
    return out;
}

Json numa_json(const Machine& m) {
    Json out;
    for (const auto& n : m.nodes) {
        Json node;
        node["id"] = n.id.value;
        node["cpus"] = n.cpus.to_list();
        if (n.memory_mb) node["memory_mb"] = *n.memory_mb;
        if (n.synthetic) node["synthetic"] = true;
        out["nodes"].push_back(std::move(node));
    }
    out["distance"] = m.distance;
    return out;
}

Json capacity_json(const Machine& m) {
    Json out;
    out["default"] = m.default_capacity;
    for (const auto& [cpus, value] : m.capacities) {
        Json entry;
        entry["cpus"] = cpus.to_list();
        entry["capacity"] = value;
        out["per_cpu"].push_back(std::move(entry));
    }
    return out;
}

Json provenance_json(const Machine& m) {
    auto parsed = parse_json(m.provenance_json, {kMaxMachineBytes, kMaxMachineDepth});
    return parsed && parsed->is_object() ? std::move(parsed).value() : Json::object();
}

} // namespace

std::string save_machine_json(const Machine& m) {
    Json out;
    out["schema"] = "sched-topology/1";
    out["id"] = m.id;
    out["name"] = m.name;
    out["arch"] = name_of(m.arch);
    out["provenance"] = provenance_json(m);
    out["cpus"] = cpus_json(m);
    out["tree"] = tree_json(m.tree);
    if (m.numa_stated) out["numa"] = numa_json(m);
    if (m.default_capacity != 1024 || !m.capacities.empty()) out["capacity"] = capacity_json(m);
    if (m.node_reclaim_distance) out["sched"]["node_reclaim_distance"] = *m.node_reclaim_distance;
    if (m.hz_stated) out["sched"]["hz"] = m.hz;
    if (!m.cost_class.empty()) out["costs"]["class"] = m.cost_class;
    for (const auto& [name, ns] : m.costs) out["costs"][name] = ns;
    std::string text;
    write(text, out, 0);
    return text + '\n';
}

} // namespace rqscope
