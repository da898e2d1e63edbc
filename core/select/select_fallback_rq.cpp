// SPDX-License-Identifier: GPL-3.0-or-later
// Where a task goes when its chosen CPU is offline or outside its mask (kernel: select_fallback_rq, v4.8): first allowed
// online CPU of the same node, then of the machine. Source: topology.md 3.1.
// Difference: a task whose whole mask is offline runs on the first online CPU; its mask is left as it is.
#include "select/selection.h"

namespace rqscope {

CpuId select_fallback_rq(const SchedState& s, TaskId p, CpuId from) {
    const auto& node_of = s.domains->node_of;
    std::optional<CpuId> elsewhere;
    for (const auto cpu : s.online) {
        if (!s.allowed(p, cpu)) continue;
        if (node_of[cpu.index()] == node_of[from.index()]) return cpu;
        if (!elsewhere) elsewhere = cpu;
    }
    if (elsewhere) return *elsewhere;
    const auto any = s.online.first();
    SCHED_CHECK(any.has_value());
    return *any;
}

} // namespace rqscope
