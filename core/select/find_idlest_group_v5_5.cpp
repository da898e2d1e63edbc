// SPDX-License-Identifier: GPL-3.0-or-later
// Which group of a domain a new task goes to since v5.5 (kernel: find_idlest_group, update_sg_wakeup_stats, update_pick_idlest,
// adjust_numa_imbalance, v6.1 and v6.12): groups are classed by how busy they are, classes first, then idle CPUs or load. A
// child may stay on its node while few tasks run there. Source: select.md 1.5.
// Difference: no NUMA balancing, so no node is preferred.
#include "select/selection.h"

#include <algorithm>

namespace rqscope {

namespace {

constexpr std::uint32_t kNumaImbalanceMin = 2;

struct SgStats {
    const SchedGroup* group = nullptr;
    GroupType type = GroupType::Overloaded;
    std::uint64_t load = 0, util = 0, runnable = 0;
    std::uint64_t avg_load = std::numeric_limits<std::uint32_t>::max(); // of fully busy and overloaded groups
    std::uint32_t nr = 0, idle_cpus = 0;
    Capacity max_capacity = 0; // sgc->max_capacity: largest CPU, allowed or not; of groups that p does not fit
};

std::uint64_t without(std::uint64_t sum, std::uint64_t part) { return sum - std::min(sum, part); }

GroupType classify(const PlacementSearch& sel, const SchedDomain& sd, const SgStats& g, bool fits) {
    const GroupSums sums{.capacity = g.group->capacity, .weight = g.group->weight, .nr_running = g.nr, .util = g.util, .runnable = g.runnable};
    if (group_is_overloaded(sums, sd.imbalance_pct)) return GroupType::Overloaded;
    if (sel.s.group_rt[g.group->sgc].imbalance) return GroupType::Imbalanced;
    if (!fits) return GroupType::MisfitTask;
    return group_has_capacity(sums, sd.imbalance_pct) ? GroupType::HasSpare : GroupType::FullyBusy;
}

bool asymmetric(const SchedDomain& sd) { return sd.has(SdFlag::ASYM_CPUCAPACITY); }

// update_sg_wakeup_stats(): allowed CPUs only, and without p where it runs already.
SgStats gather(const PlacementSearch& sel, const SchedDomain& sd, const SchedGroup& group) {
    const auto& s = sel.s;
    const auto& p = s.se[sel.p.index()];
    SgStats g{.group = &group};
    bool fits = !asymmetric(sd);
    for (const auto cpu : group.span) {
        if (!sel.allowed(cpu)) continue;
        const auto& avg = s.cfs_avg[cpu.index()];
        const bool home = p.cpu == cpu && p.avg.last_update_time != 0;
        g.load += home ? without(avg.load_avg, p.avg.load_avg) : avg.load_avg;
        g.util += home ? without(avg.util_avg, p.avg.util_avg) : avg.util_avg;
        g.runnable += home ? without(avg.runnable_avg, p.avg.runnable_avg) : avg.runnable_avg;
        const bool runs_here = p.cpu == cpu && p.on_rq;
        const auto nr = s.nr_running[cpu.index()] - (runs_here ? 1U : 0U);
        g.nr += nr;
        // idle_cpu_without(): p itself does not keep its CPU from counting as idle.
        if (nr == 0 && (s.idle.test(cpu) || (runs_here && s.rqs[cpu.index()].ttwu_pending == 0))) ++g.idle_cpus;
        fits = fits || task_fits_cpu(s, sel.p, cpu);
    }
    if (!fits)
        for (const auto cpu : group.span) g.max_capacity = std::max(g.max_capacity, s.capacity_of(cpu));
    g.type = classify(sel, sd, g, fits);
    if (g.type == GroupType::FullyBusy || g.type == GroupType::Overloaded) g.avg_load = g.load * 1024 / group.capacity;
    return g;
}

struct Verdict {
    bool leads;
    std::string_view key; // SelectStep::verdict
};

// update_pick_idlest(): does `g` take the lead over the best group so far?
Verdict judge(const SgStats& g, const SgStats& best) {
    if (g.type < best.type) return {true, "better_type"};
    if (g.type > best.type) return {false, "worse_type"};
    switch (g.type) {
    case GroupType::Overloaded:
    case GroupType::FullyBusy: return best.avg_load > g.avg_load ? Verdict{true, "lower_load"} : Verdict{false, "not_lower_load"};
    case GroupType::MisfitTask:
        return best.max_capacity < g.max_capacity ? Verdict{true, "larger_capacity"} : Verdict{false, "not_larger_capacity"};
    case GroupType::HasSpare:
        if (g.idle_cpus != best.idle_cpus)
            return g.idle_cpus > best.idle_cpus ? Verdict{true, "more_idle"} : Verdict{false, "fewer_idle"};
        return best.util > g.util ? Verdict{true, "lower_util"} : Verdict{false, "not_lower_util"};
    default: return {false, "never"}; // imbalanced groups never displace one another
    }
}

// allow_numa_imbalance() and adjust_numa_imbalance(): true = the child stays on its node.
bool numa_allowance(const PlacementSearch& sel, const SchedDomain& sd, const SgStats& local, const SgStats& best) {
    if (!sel.s.features.has(Feature::NUMA_ALLOWANCE)) return false;
    const auto imbalance = local.idle_cpus > best.idle_cpus ? local.idle_cpus - best.idle_cpus : best.idle_cpus - local.idle_cpus;
    if (imbalance == 0) return true;
    auto allowed = sd.imb_numa_nr;
    if (sel.mask != nullptr) allowed = std::min(allowed, (local.group->span & *sel.mask).count());
    return local.nr + 1 <= allowed && imbalance <= kNumaImbalanceMin;
}

Verdict compare_loads(const SchedDomain& sd, const SgStats& local, const SgStats& best) {
    const std::uint64_t imbalance = 1024 * (std::uint64_t{sd.imbalance_pct} - 100) / 100;
    if (sd.has(SdFlag::NUMA) && best.avg_load + imbalance >= local.avg_load) return {true, "load_near"};
    if (best.avg_load >= local.avg_load + imbalance) return {true, "local_lighter"};
    if (100 * local.avg_load <= sd.imbalance_pct * best.avg_load) return {true, "load_within_pct"};
    return {false, "lower_load"};
}

// leads = the local group keeps the task.
Verdict stay(const PlacementSearch& sel, const SchedDomain& sd, const SgStats& local, const SgStats& best) {
    if (best.group == nullptr) return {true, "no_candidate"};
    if (local.group == nullptr) return {false, "local_not_allowed"};
    if (local.type < best.type) return {true, "local_better_type"};
    if (local.type > best.type) return {false, "better_type"};
    switch (local.type) {
    case GroupType::Overloaded:
    case GroupType::FullyBusy: return compare_loads(sd, local, best);
    case GroupType::MisfitTask:
        return local.max_capacity >= best.max_capacity ? Verdict{true, "no_larger_capacity"} : Verdict{false, "larger_capacity"};
    case GroupType::HasSpare:
        if (sd.has(SdFlag::NUMA) && numa_allowance(sel, sd, local, best)) return {true, "numa_allowance"};
        return local.idle_cpus >= best.idle_cpus ? Verdict{true, "not_more_idle"} : Verdict{false, "more_idle"};
    default: return {true, "same_imbalanced"};
    }
}

PlaceFigures figures_for(const SgStats& a, const SgStats& b) {
    if (a.type != b.type) return PlaceFigures::Types;
    return a.type == GroupType::FullyBusy || a.type == GroupType::Overloaded ? PlaceFigures::AvgLoads : PlaceFigures::IdleCpus;
}

GroupLoad figures_of(const SgStats& g, PlaceFigures figures) {
    switch (figures) {
    case PlaceFigures::Types: return {g.group, static_cast<Load>(g.type), g.idle_cpus};
    case PlaceFigures::AvgLoads: return {g.group, g.nr, g.avg_load};
    default: return {g.group, g.idle_cpus, g.util};
    }
}

void explain_group(const PlacementSearch& sel, const SchedDomain& sd, const SgStats& g, std::string_view verdict) {
    if (!sel.explains()) return;
    sel.explain({.kind = SelectStep::Kind::Group, .domain = sd.id, .cpu = *g.group->span.first(), .local = verdict == "local",
                 .load = g.avg_load, .nr = g.nr, .idle_cpus = g.idle_cpus, .util = g.util, .type = g.type, .verdict = verdict});
}

} // namespace

IdlestGroup find_idlest_group_v5_5(PlacementSearch& sel, const SchedDomain& sd, CpuId cpu) {
    SgStats local, best, runner_up;
    const auto count = sel.domains.ring_of(sd).size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto& group = sel.domains.group(sd, i);
        if (!sel.allowed_any(group.span)) {
            explain_group(sel, sd, {.group = &group}, "not_allowed");
            continue;
        }
        const auto g = gather(sel, sd, group);
        if (group.span.test(cpu)) {
            local = g;
            explain_group(sel, sd, g, "local");
            continue;
        }
        const auto verdict = judge(g, best);
        explain_group(sel, sd, g, verdict.key);
        if (verdict.leads) {
            runner_up = best;
            best = g;
        } else if (runner_up.group == nullptr || judge(g, runner_up).leads) {
            runner_up = g;
        }
    }

    const auto end = stay(sel, sd, local, best);
    const auto& chosen = end.leads ? local : best;
    const bool local_lost_by_type = local.group != nullptr && local.type > best.type;
    const auto& rival = end.leads ? best : runner_up.group != nullptr && !local_lost_by_type ? runner_up : local;
    const auto figures = figures_for(chosen, rival);
    if (sel.explains())
        sel.explain({.kind = end.leads ? SelectStep::Kind::StayLocal : SelectStep::Kind::GroupChosen, .domain = sd.id,
                     .cpu = end.leads ? cpu : *best.group->span.first(), .verdict = end.key});
    return {.group = end.leads ? nullptr : best.group, .chosen = figures_of(chosen, figures), .rival = figures_of(rival, figures), .figures = figures};
}

} // namespace rqscope
