// SPDX-License-Identifier: GPL-3.0-or-later
// Entry of every placement (kernel: select_task_rq and select_task_rq_fair, v4.8 to v6.12): forks and execs walk the levels
// down to the idlest CPU, wake-ups choose between waker and previous CPU and then look for an idle one nearby. Source:
// select.md 1.0, 2.1.
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

FigureNames figure_names(PlaceFigures figures) {
    switch (figures) {
    case PlaceFigures::Loads: return {"runnable_load_avg", "load_avg"};
    case PlaceFigures::Types: return {"group_type", "idle_cpus"};
    case PlaceFigures::IdleCpus: return {"idle_cpus", "group_util"};
    case PlaceFigures::AvgLoads: return {"sum_nr_running", "avg_load"};
    case PlaceFigures::Spare: return {"spare_cap", ""};
    }
    return {};
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
    out.figures = g.figures;
    out.rival = *g.rival.group->span.first();
    out.chosen_runnable = static_cast<std::uint32_t>(g.chosen.runnable);
    out.chosen_load = static_cast<std::uint32_t>(g.chosen.load);
    out.rival_runnable = static_cast<std::uint32_t>(g.rival.runnable);
    out.rival_load = static_cast<std::uint32_t>(g.rival.load);
}

struct PathWords {
    SdFlag flag;
    PlaceReason idlest_cpu, local_group, no_domain, outside;
};
constexpr PathWords kWords[] = {
    {SdFlag::BALANCE_FORK, PlaceReason::ForkIdlestCpu, PlaceReason::ForkLocalGroup, PlaceReason::ForkNoDomain, PlaceReason::ForkOutside},
    {SdFlag::BALANCE_EXEC, PlaceReason::ExecIdlestCpu, PlaceReason::ExecLocalGroup, PlaceReason::ExecNoDomain, PlaceReason::ExecOutside},
};

// Figures stay those of the last level that moved the task; while none has, those of the last level judged.
void walk_levels(PlacementSearch& sel, const SchedDomain* sd, SlowPath path) {
    const auto& words = kWords[static_cast<std::size_t>(path)];
    auto cpu = sel.walker;
    bool moved = false;
    while (sd != nullptr) {
        if (!sd->has(words.flag)) {
            sd = sel.domains.child(*sd);
            continue;
        }
        sel.explain({.kind = SelectStep::Kind::LevelEntered, .domain = sd->id, .cpu = cpu});
        const auto idlest = find_idlest_group(sel, *sd, cpu, path);
        const auto next = idlest.group == nullptr ? cpu : find_idlest_cpu(sel, *idlest.group, cpu);
        if (next == cpu) {
            if (!moved) note_figures(sel.out, idlest);
            sd = sel.domains.child(*sd);
            continue;
        }
        moved = true;
        note_figures(sel.out, idlest);
        cpu = next;
        sd = below(sel.domains, cpu, sd->weight, words.flag);
    }
    sel.take(cpu, moved ? words.idlest_cpu : words.local_group);
}

// The slow path. 4.14+ gives up at once when the widest level holds no allowed CPU.
void slow_path(PlacementSearch& sel, SlowPath path) {
    const auto& words = kWords[static_cast<std::size_t>(path)];
    const auto* top = top_with(sel.domains, sel.walker, words.flag);
    const bool v4_14 = since(sel.s, PlacementProfile::E419);
    if (top == nullptr) sel.take(sel.walker, words.no_domain);
    else if (v4_14 && !sel.allowed_any(top->span)) sel.take(sel.walker, words.outside);
    else walk_levels(sel, top, path);
}

// A walk that found the whole top level forbidden keeps its reason: that says more than the fallback's.
Placement finish(PlacementSearch& sel, CpuId from) {
    if (!sel.allowed(sel.out.cpu) || !sel.s.online.test(sel.out.cpu)) {
        const bool outside = sel.out.reason == PlaceReason::ForkOutside || sel.out.reason == PlaceReason::ExecOutside;
        sel.take(select_fallback_rq(sel.s, sel.p, from), outside ? sel.out.reason : PlaceReason::NotAllowed);
    }
    sel.explain({.kind = SelectStep::Kind::Returned, .cpu = sel.out.cpu, .reason = sel.out.reason});
    if (sel.ctx.effects != nullptr) *sel.ctx.effects = sel.effects;
    return sel.out;
}

} // namespace

Placement select_task_rq_fork(const SelectContext& ctx, TaskId p, CpuId parent_cpu) {
    PlacementSearch sel(ctx, p, parent_cpu, false);
    sel.effects.recent_of_task = parent_cpu;
    slow_path(sel, SlowPath::Fork);
    return finish(sel, parent_cpu);
}

Placement select_task_rq_exec(const SelectContext& ctx, TaskId p, CpuId cpu) {
    PlacementSearch sel(ctx, p, cpu, false);
    slow_path(sel, SlowPath::Exec);
    return finish(sel, cpu);
}

// SD_BALANCE_WAKE is set on no level of any era, so the walk of select.md 1.0 is for forks and execs only. WAKE_AFFINE is a
// flag of the levels: without it the waker is wanted as before, but no level pulls to it.
Placement select_task_rq_wake(const SelectContext& ctx, TaskId p, TaskId waker, CpuId waker_cpu, bool sync) {
    PlacementSearch sel(ctx, p, waker_cpu, true);
    const auto prev = sel.s.se[p.index()].cpu;
    auto target = prev;
    const bool want_affine = !wake_wide(sel, waker) && !wake_cap(sel, prev) && sel.allowed(waker_cpu);
    if (want_affine && waker_cpu != prev && sel.s.features.has(Feature::WAKE_AFFINE)) {
        const auto* sd = sel.domains.lowest(waker_cpu);
        while (sd != nullptr && !(sd->has(SdFlag::WAKE_AFFINE) && sd->span.test(prev))) sd = sel.domains.parent(*sd);
        if (sd != nullptr && wake_affine(sel, *sd, waker, prev, sync)) target = waker_cpu;
    }
    if (want_affine && placement_profile(sel.s) == PlacementProfile::E419) sel.effects.recent_of_waker = waker_cpu;
    select_idle_sibling(sel, prev, target);
    return finish(sel, prev);
}

} // namespace rqscope
