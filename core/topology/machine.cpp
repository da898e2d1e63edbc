// SPDX-License-Identifier: GPL-3.0-or-later
// Look-ups in a machine: the object of a type that encloses a CPU, its capacity, names of architectures and tree types.
// The kernel keeps the same facts in cpu_topology[] and cpu_capacity files; here they are read from the tree on demand.
#include "topology/machine.h"

#include <array>

namespace rqscope {

Capacity Machine::capacity(CpuId cpu) const {
    for (const auto& [cpus, value] : capacities)
        if (cpus.test(cpu)) return value;
    return default_capacity;
}

CpuMask Machine::enclosing(CpuId cpu, TreeType type) const {
    const TreeNode* node = &tree;
    while (node != nullptr && node->type != type) {
        const TreeNode* next = nullptr;
        for (const auto& child : node->children)
            if (child.cpus.test(cpu)) next = &child;
        node = next;
    }
    return node != nullptr && node->cpus.test(cpu) ? node->cpus & online : CpuMask{};
}

std::string_view name_of(Arch a) {
    static constexpr std::array<std::string_view, 8> kNames{"x86",     "x86-zen", "x86-k8", "arm64",
                                                            "powerpc", "s390x",   "ia64",   "generic"};
    return kNames[static_cast<std::size_t>(a)];
}

std::string_view name_of(TreeType t) {
    static constexpr std::array<std::string_view, 9> kNames{"machine", "drawer", "book",    "package", "die",
                                                            "numa",    "llc",    "cluster", "core"};
    return kNames[static_cast<std::size_t>(t)];
}

} // namespace rqscope
