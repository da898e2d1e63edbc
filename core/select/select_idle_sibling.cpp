// SPDX-License-Identifier: GPL-3.0-or-later
// An idle CPU near the target (kernel: select_idle_sibling, v4.8 to v6.12): the target itself, the previous CPU, the CPU used
// before that, then the search of the era. Source: select.md 3.
#include "select/selection.h"

namespace rqscope {

namespace {

// 5.7+: where capacities differ an idle CPU is good enough only if the task fits it.
bool fits(const PlacementSearch& sel, CpuId target, CpuId cpu) {
    return !modern(sel.s) || !asym_capacity(sel.domains, target) || task_fits_cpu(sel.s, sel.p, cpu);
}

bool good(PlacementSearch& sel, CpuId target, CpuId cpu) {
    const bool idle = modern(sel.s) ? sel.idle_or_sched_idle(cpu) : sel.idle(cpu);
    return idle && fits(sel, target, cpu);
}

// As posted, the cluster scan left an idle previous CPU of another cluster unseen.
bool prev_in_reach(const PlacementSearch& sel, CpuId prev, CpuId target) {
    if (sel.s.features.value(Feature::CLUSTER_SCAN) == kScanPosted && sel.domains.cluster_active)
        return sel.domains.share_resources(prev, target);
    return sel.domains.share_cache(prev, target);
}

void search_v4_16(PlacementSearch& sel, CpuId prev, CpuId target) {
    const auto recent = sel.s.se[sel.p.index()].recent_used_cpu;
    if (recent_is_idle(sel, recent, prev, target)) {
        sel.effects.recent_of_task = prev;
        sel.take(recent, PlaceReason::RecentIdle);
        return;
    }
    search_v4_9(sel, target);
}

void search(PlacementSearch& sel, CpuId prev, CpuId target, std::optional<CpuId> prev_aside) {
    switch (placement_profile(sel.s)) {
    case PlacementProfile::E48:
    case PlacementProfile::E48_RFC: {
        const auto found = idle_group_walk(sel, target, target, target);
        sel.take(found.value_or(target), found ? PlaceReason::IdleGroup : PlaceReason::NoIdleGroup);
        return;
    }
    case PlacementProfile::WIP16: return search_wip_2016(sel, target);
    case PlacementProfile::E49:
    case PlacementProfile::E412: return search_v4_9(sel, target);
    case PlacementProfile::E419: return search_v4_16(sel, prev, target);
    case PlacementProfile::E61:
    case PlacementProfile::CLU7:
    case PlacementProfile::E612: return search_v6_1(sel, prev, target, prev_aside);
    }
}

} // namespace

bool recent_is_idle(PlacementSearch& sel, CpuId recent, CpuId prev, CpuId target) {
    return sel.s.features.has(Feature::RECENT_CPU) && recent != prev && recent != target && prev_in_reach(sel, recent, target) &&
           good(sel, target, recent) && sel.allowed(recent);
}

void select_idle_sibling(PlacementSearch& sel, CpuId prev, CpuId target) {
    if (good(sel, target, target)) {
        sel.take(target, PlaceReason::TargetIdle);
        return;
    }
    std::optional<CpuId> prev_aside;
    if (prev != target && prev_in_reach(sel, prev, target) && good(sel, target, prev)) {
        if (!only_aside(sel, prev, target)) {
            sel.take(prev, PlaceReason::PrevIdle);
            return;
        }
        prev_aside = prev;
    }
    search(sel, prev, target, prev_aside);
}

} // namespace rqscope
