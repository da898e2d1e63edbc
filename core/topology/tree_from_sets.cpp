// SPDX-License-Identifier: GPL-3.0-or-later
// Widest set first, each object sinks to the deepest one that holds it. What then crosses a neighbour, repeats a type on its
// path or lies inside a core is left out (topology-schema.md 1 "laminar", 3.3).
#include "topology/tree_from_sets.h"

#include <algorithm>
#include <tuple>

namespace rqscope {

namespace {

struct Sized {
    TreeNode object;
    std::uint32_t weight;
    CpuId first;
};

enum class Placed { Yes, Duplicate, Crosses };

Placed place(TreeNode& root, TreeNode object) {
    TreeNode* node = &root;
    for (;;) {
        if (node->type == object.type) return node->cpus == object.cpus ? Placed::Duplicate : Placed::Crosses;
        if (node->type == TreeType::Core) return Placed::Crosses;
        TreeNode* inside = nullptr;
        for (auto& child : node->children) {
            if (object.cpus.subset_of(child.cpus)) inside = &child;
            else if (object.cpus.intersects(child.cpus)) return Placed::Crosses;
        }
        if (inside == nullptr) {
            node->children.push_back(std::move(object));
            return Placed::Yes;
        }
        node = inside;
    }
}

} // namespace

TreeNode tree_from_sets(std::vector<TreeNode> objects, const CpuMask& cpus, std::vector<std::string>& notes) {
    std::vector<Sized> sorted;
    for (auto& object : objects) {
        object.cpus &= cpus;
        if (const auto first = object.cpus.first()) {
            const auto weight = object.cpus.count();
            sorted.push_back({std::move(object), weight, *first});
        }
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const Sized& a, const Sized& b) {
        return std::tuple(b.weight, a.object.type, a.first) < std::tuple(a.weight, b.object.type, b.first);
    });
    TreeNode root;
    root.cpus = cpus;
    auto coreless = cpus;
    for (auto& [object, weight, first] : sorted) {
        const auto text = std::string(name_of(object.type)) + " " + object.cpus.to_list();
        const auto set = object.cpus;
        const auto type = object.type;
        const auto placed = place(root, std::move(object));
        if (placed == Placed::Crosses) notes.push_back(text + " crosses another object; left out.");
        if (placed == Placed::Yes && type == TreeType::Core) coreless -= set;
    }
    for (const auto cpu : coreless) {
        TreeNode core;
        core.type = TreeType::Core;
        core.id = cpu.value;
        core.cpus = CpuMask::single(cpu);
        place(root, std::move(core));
    }
    return root;
}

} // namespace rqscope
