// SPDX-License-Identifier: GPL-3.0-or-later
// The idle search of May 2016 that was never merged (mail of the list quotes one block of it), with its switches OLD_IDLE,
// ORDER_IDLE, IDLE_CORE, FORCE_CORE and the experiment "sibling or target, nothing else". A reconstruction: the order of the
// blocks, the meaning of FORCE_CORE and the defaults are inferred. Source: select.md 3.b.
#include "select/selection.h"

namespace rqscope {

namespace {

constexpr FeatureValue kForceOnly = 2; // FORCE_CORE=1

std::optional<CpuId> flat_walk(PlacementSearch& sel, const CpuMask& llc, CpuId start) {
    std::optional<CpuId> found;
    for_each_cpu_wrap(llc, start.value, [&](CpuId cpu) {
        if (sel.allowed(cpu) && sel.idle(cpu)) found = cpu;
        return found.has_value();
    });
    return found;
}

void sibling_or_target(PlacementSearch& sel, CpuId target) {
    for (const auto cpu : sel.domains.smt[target.index()])
        if (sel.allowed(cpu) && sel.idle(cpu)) return sel.take(cpu, PlaceReason::IdleSmt);
    sel.take(target, PlaceReason::SmtOnlyTarget);
}

// ORDER_IDLE with OLD_IDLE: the first CPU's own levels are walked, so its core's SMT level is where all end. With
// ORDER_RING_ONLY the levels stay target's and only the ring begins elsewhere.
std::optional<CpuId> old_walk(PlacementSearch& sel, CpuId start, CpuId target) {
    return idle_group_walk(sel, sel.s.features.has(Feature::ORDER_RING_ONLY) ? target : start, start, target);
}

} // namespace

void search_wip_2016(PlacementSearch& sel, CpuId target) {
    const auto top = sel.domains.sd_llc[target.index()];
    if (!top) return sel.take(target, PlaceReason::NoIdleCpu);
    const auto& llc = sel.domains[*top].span;
    const auto& f = sel.s.features;
    const auto start = f.has(Feature::ORDER_IDLE) ? *llc.first() : target;
    if (f.has(Feature::IDLE_CORE) && test_idle_cores(sel.s, target)) {
        if (const auto core = idle_core_walk(sel, llc, start)) return sel.take(*core, PlaceReason::IdleCore);
        sel.effects.no_idle_core = sel.domains.llc[target.index()];
        sel.explain({.kind = SelectStep::Kind::HintCleared, .cpu = *llc.first()});
    }
    if (f.has(Feature::SMT_ONLY)) return sibling_or_target(sel, target);
    if (f.has(Feature::FORCE_CORE)) {
        if (const auto core = idle_core_walk(sel, llc, start)) return sel.take(*core, PlaceReason::IdleCore);
        if (f.value(Feature::FORCE_CORE) == kForceOnly) return sel.take(target, PlaceReason::ForcedCoreMissing);
    }
    if (f.has(Feature::OLD_IDLE)) {
        const auto found = old_walk(sel, start, target);
        return sel.take(found.value_or(target), found ? PlaceReason::IdleGroup : PlaceReason::NoIdleGroup);
    }
    const auto found = flat_walk(sel, llc, start);
    sel.take(found.value_or(target), found ? PlaceReason::IdleCpu : PlaceReason::NoIdleCpu);
}

} // namespace rqscope
