// SPDX-License-Identifier: GPL-3.0-or-later
// An idle CPU near the target (kernel: select_idle_sibling, v4.8): target, previous CPU, then the first group without a busy
// CPU, level by level down from the last-level cache. On SMT the top level asks for a wholly idle core, the SMT level for
// target's sibling; idle threads of other half-busy cores are never used. Source: select.md 3.a.
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

std::optional<CpuId> idle_group_walk(PlacementSearch& sel, CpuId target) {
    const auto top = sel.domains.sd_llc[target.index()];
    if (!top) return std::nullopt;
    for (const auto* sd = &sel.domains[*top]; sd != nullptr; sd = sel.domains.child(*sd)) {
        sel.explain({.kind = SelectStep::Kind::LevelEntered, .domain = sd->id, .cpu = target});
        const auto count = sel.domains.ring_of(*sd).size();
        for (std::size_t i = 0; i < count; ++i) {
            const auto& group = sel.domains.group(*sd, i);
            if (sel.allowed_any(group.span) && all_idle(sel, group, target)) return first_allowed(sel, group);
        }
    }
    return std::nullopt;
}

void search(PlacementSearch& sel, CpuId target) {
    switch (placement_profile(sel.s)) {
    case PlacementProfile::E48:
    case PlacementProfile::E48_RFC: {
        const auto found = idle_group_walk(sel, target);
        sel.out.cpu = found.value_or(target);
        sel.out.reason = found ? PlaceReason::IdleGroup : PlaceReason::NoIdleGroup;
        return;
    }
    default: profile_not_built();
    }
}

} // namespace

void select_idle_sibling(PlacementSearch& sel, CpuId prev, CpuId target) {
    if (sel.idle(target)) {
        sel.out.cpu = target;
        sel.out.reason = PlaceReason::TargetIdle;
    } else if (prev != target && sel.domains.share_cache(prev, target) && sel.idle(prev)) {
        sel.out.cpu = prev;
        sel.out.reason = PlaceReason::PrevIdle;
    } else {
        search(sel, target);
    }
}

} // namespace rqscope
