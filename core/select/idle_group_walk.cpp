// SPDX-License-Identifier: GPL-3.0-or-later
// The walk of v4.8 through the groups of the last-level cache (kernel: the loop of select_idle_sibling): level by level down,
// the first group without a busy CPU. On SMT the top level asks for a wholly idle core, the SMT level for target's sibling; idle
// threads of other half-busy cores are never used. Source: select.md 3.a.
#include "select/selection.h"

namespace rqscope {

namespace {

// Looks at the group's CPUs in order and stops at the first that is busy or the target itself.
bool all_idle(PlacementSearch& sel, const SchedGroup& group, CpuId target) {
    for (const auto cpu : group.span)
        if (cpu == target || !sel.idle(cpu)) return false;
    return true;
}

CpuId first_allowed(const PlacementSearch& sel, const SchedGroup& group) {
    for (const auto cpu : group.span)
        if (sel.allowed(cpu)) return cpu;
    check_failed("group has an allowed CPU", __FILE__, __LINE__);
}

std::size_t position_of(const PlacementSearch& sel, const SchedDomain& sd, CpuId cpu) {
    std::size_t i = 0;
    while (!sel.domains.group(sd, i).span.test(cpu)) ++i;
    return i;
}

} // namespace

std::optional<CpuId> idle_group_walk(PlacementSearch& sel, CpuId owner, CpuId ring_start, CpuId target) {
    const auto top = sel.domains.sd_llc[owner.index()];
    if (!top) return std::nullopt;
    for (const auto* sd = &sel.domains[*top]; sd != nullptr; sd = sel.domains.child(*sd)) {
        sel.explain({.kind = SelectStep::Kind::LevelEntered, .domain = sd->id, .cpu = owner});
        const auto count = sel.domains.ring_of(*sd).size();
        const auto first = sd->span.test(ring_start) ? position_of(sel, *sd, ring_start) : 0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto& group = sel.domains.group(*sd, (first + i) % count);
            if (sel.allowed_any(group.span) && all_idle(sel, group, target)) return first_allowed(sel, group);
        }
    }
    return std::nullopt;
}

} // namespace rqscope
