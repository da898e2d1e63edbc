// SPDX-License-Identifier: GPL-3.0-or-later
// Entry of every placement (kernel: select_task_rq and select_task_rq_fair, v4.8): forks walk the levels down to the idlest
// CPU, wake-ups choose between waker and previous CPU and then look for an idle one nearby. Source: select.md 1.0, 2.1.
// Difference: record_wakee() is a call of its own, so that selecting changes nothing.
#include "select/selection.h"

namespace rqscope {

std::string_view name_of(PlaceReason r) {
    static constexpr std::string_view kNames[] = {
#define PLACE_REASON(id, ...) #id,
#include "select/reasons.def"
#undef PLACE_REASON
    };
    return kNames[static_cast<std::size_t>(r)];
}

namespace {

// Highest domain of `cpu` below which every level carries `flag`.
const SchedDomain* top_with(const SchedDomains& domains, CpuId cpu, SdFlag flag) {
    const SchedDomain* top = nullptr;
    for (const auto* sd = domains.lowest(cpu); sd != nullptr && sd->has(flag); sd = domains.parent(*sd)) top = sd;
    return top;
}

// Where the walk goes on after a move to `cpu`: its widest level with `flag` that is narrower than the one just judged.
const SchedDomain* below(const SchedDomains& domains, CpuId cpu, std::uint32_t weight, SdFlag flag) {
    const SchedDomain* found = nullptr;
    for (const auto* sd = domains.lowest(cpu); sd != nullptr && sd->weight < weight; sd = domains.parent(*sd))
        if (sd->has(flag)) found = sd;
    return found;
}

void note_figures(Placement& out, const IdlestGroup& g) {
    if (g.chosen.group == nullptr || g.rival.group == nullptr) return;
    out.has_figures = true;
    out.rival = *g.rival.group->span.first();
    out.chosen_runnable = static_cast<std::uint32_t>(g.chosen.runnable);
    out.chosen_load = static_cast<std::uint32_t>(g.chosen.load);
    out.rival_runnable = static_cast<std::uint32_t>(g.rival.runnable);
    out.rival_load = static_cast<std::uint32_t>(g.rival.load);
}

// Figures stay those of the last level that moved the task; while none has, those of the last level judged.
void walk_levels(PlacementSearch& sel, const SchedDomain* sd, SdFlag flag) {
    auto cpu = sel.walker;
    bool moved = false;
    while (sd != nullptr) {
        if (!sd->has(flag)) {
            sd = sel.domains.child(*sd);
            continue;
        }
        sel.explain({.kind = SelectStep::Kind::LevelEntered, .domain = sd->id, .cpu = cpu});
        const auto idlest = find_idlest_group(sel, *sd, cpu);
        const auto next = idlest.group == nullptr ? cpu : find_idlest_cpu(sel, *idlest.group, cpu);
        if (next == cpu) {
            if (!moved) note_figures(sel.out, idlest);
            sd = sel.domains.child(*sd);
            continue;
        }
        moved = true;
        note_figures(sel.out, idlest);
        cpu = next;
        sd = below(sel.domains, cpu, sd->weight, flag);
    }
    sel.out.cpu = cpu;
    sel.out.reason = moved ? PlaceReason::ForkIdlestCpu : PlaceReason::ForkLocalGroup;
}

Placement finish(PlacementSearch& sel, CpuId from) {
    if (!sel.allowed(sel.out.cpu) || !sel.s.online.test(sel.out.cpu)) {
        sel.out.cpu = select_fallback_rq(sel.s, sel.p, from);
        sel.out.reason = PlaceReason::NotAllowed;
    }
    sel.explain({.kind = SelectStep::Kind::Returned, .cpu = sel.out.cpu, .reason = sel.out.reason});
    return sel.out;
}

} // namespace

Placement select_task_rq_fork(const SelectContext& ctx, TaskId p, CpuId parent_cpu) {
    PlacementSearch sel(ctx, p, parent_cpu, false);
    if (const auto* top = top_with(sel.domains, parent_cpu, SdFlag::BALANCE_FORK)) {
        walk_levels(sel, top, SdFlag::BALANCE_FORK);
    } else {
        sel.out.cpu = parent_cpu;
        sel.out.reason = PlaceReason::ForkNoDomain;
    }
    return finish(sel, parent_cpu);
}

// SD_BALANCE_WAKE is set on no level of any era, so the walk of select.md 1.0 is for forks only.
Placement select_task_rq_wake(const SelectContext& ctx, TaskId p, TaskId waker, CpuId waker_cpu, bool sync) {
    PlacementSearch sel(ctx, p, waker_cpu, true);
    const auto prev = sel.s.se[p.index()].cpu;
    auto target = prev;
    const bool want_affine = sel.s.features.has(Feature::WAKE_AFFINE) && !wake_wide(sel, waker) && sel.allowed(waker_cpu);
    if (want_affine && waker_cpu != prev) {
        const auto* sd = sel.domains.lowest(waker_cpu);
        while (sd != nullptr && !(sd->has(SdFlag::WAKE_AFFINE) && sd->span.test(prev))) sd = sel.domains.parent(*sd);
        if (sd != nullptr && wake_affine(sel, *sd, waker, prev, sync)) target = waker_cpu;
    }
    select_idle_sibling(sel, prev, target);
    return finish(sel, prev);
}

} // namespace rqscope
