// SPDX-License-Identifier: GPL-3.0-or-later
// One selection in progress: what is asked, the state it reads, and the count of idle() tests with their price. Internal to
// this folder; each function below is one decision of kernel/sched/fair.c and dispatches on the era in one place.
#pragma once

#include "base/check.h"
#include "select/select.h"
#include "sched/eras.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace rqscope {

struct PlacementSearch {
    const SelectContext& ctx;
    const SchedState& s;
    const SchedDomains& domains;
    TaskId p;
    CpuId walker;         // the CPU that runs the selection
    bool charged;         // wake-ups pay for their tests, forks do not (engine.md 3.5)
    const CpuMask* mask;  // affinity of p, nullptr = every CPU
    Placement out;
    PlaceEffects effects;

    PlacementSearch(const SelectContext& context, TaskId task, CpuId walking_cpu, bool charge)
        : ctx(context), s(context.s), domains(*context.s.domains), p(task), walker(walking_cpu), charged(charge),
          mask(affinity_of(context.s, task)) {}

    [[nodiscard]] bool allowed(CpuId cpu) const { return mask == nullptr || mask->test(cpu); }
    [[nodiscard]] bool allowed_any(const CpuMask& cpus) const { return mask == nullptr || mask->intersects(cpus); }
    [[nodiscard]] bool explains() const { return ctx.explainer != nullptr; }
    void explain(const SelectStep& step) const {
        if (ctx.explainer != nullptr) [[unlikely]]
            ctx.explainer->add(step);
    }

    // idle_cpu(): one counted test.
    bool idle(CpuId cpu) {
        const bool result = s.idle.test(cpu);
        ++out.nr_checks;
        if (charged) out.check_cost_ns += check_cost(s, walker, cpu);
        explain({.kind = SelectStep::Kind::Check, .cpu = cpu, .idle = result});
        return result;
    }

    // 5.4 and later: a CPU that runs SCHED_IDLE tasks only is as good. The second look is not an idle() test.
    bool idle_or_sched_idle(CpuId cpu) { return idle(cpu) || sched_idle(cpu); }
    [[nodiscard]] bool sched_idle(CpuId cpu) const {
        const auto& cfs = s.rqs[cpu.index()].cfs;
        return cfs.nr_running != 0 && cfs.nr_running == cfs.idle_nr_running;
    }
    void take(CpuId cpu, PlaceReason reason) {
        out.cpu = cpu;
        out.reason = reason;
    }

private:
    static const CpuMask* affinity_of(const SchedState& s, TaskId task) {
        const auto index = s.se[task.index()].allowed;
        return index < 0 ? nullptr : &s.affinity[static_cast<std::size_t>(index)];
    }
};

// Two figures of one group, see PlaceFigures; group == nullptr = there is none.
struct GroupLoad {
    const SchedGroup* group = nullptr;
    Load runnable = 0, load = 0;
};

// What find_idlest_group() found: the group to go to (nullptr = stay), and the pair that was compared last.
struct IdlestGroup {
    const SchedGroup* group = nullptr;
    GroupLoad chosen, rival;
    PlaceFigures figures = PlaceFigures::Loads;
};

enum class SlowPath : std::uint8_t { Fork, Exec };

// `cpu` owns the ring of `sd` and defines the local group.
[[nodiscard]] IdlestGroup find_idlest_group(PlacementSearch& sel, const SchedDomain& sd, CpuId cpu, SlowPath path);
[[nodiscard]] IdlestGroup find_idlest_group_v5_5(PlacementSearch& sel, const SchedDomain& sd, CpuId cpu);
[[nodiscard]] CpuId find_idlest_cpu(PlacementSearch& sel, const SchedGroup& group, CpuId this_cpu);
[[nodiscard]] bool wake_wide(PlacementSearch& sel, TaskId waker);
// 4.9 to 4.19, asymmetric capacity: one of the two CPUs is small, and p does not fit the smaller.
[[nodiscard]] bool wake_cap(const PlacementSearch& sel, CpuId prev);
// True = the waker's CPU becomes the target, else the previous one. `sd` is the lowest domain holding both.
[[nodiscard]] bool wake_affine(PlacementSearch& sel, const SchedDomain& sd, TaskId waker, CpuId prev, bool sync);

// Sets out.cpu and out.reason. The files idle_*.cpp hold one search each, called when neither target nor prev would do.
void select_idle_sibling(PlacementSearch& sel, CpuId prev, CpuId target);
// 4.8: the first group without a busy CPU. The levels are those of `owner`, each ring begins at the group of `ring_start`
// where it has one; both are normally the target.
[[nodiscard]] std::optional<CpuId> idle_group_walk(PlacementSearch& sel, CpuId owner, CpuId ring_start, CpuId target);
// First allowed CPU whose core is wholly idle, walking the cache from `start`; every thread of a core is looked at.
[[nodiscard]] std::optional<CpuId> idle_core_walk(PlacementSearch& sel, const CpuMask& llc, CpuId start);
// 4.9 to 4.19: idle core, then idle CPU within the budget, then sibling of target.
void search_v4_9(PlacementSearch& sel, CpuId target);
// May 2016, a reconstruction.
void search_wip_2016(PlacementSearch& sel, CpuId target);
// 5.12 and later. prev_aside: an idle previous CPU in another cluster, kept for the case that nothing is found.
void search_v6_1(PlacementSearch& sel, CpuId prev, CpuId target, std::optional<CpuId> prev_aside);
// recent_used_cpu, tested and in reach; it must differ from prev and target.
[[nodiscard]] bool recent_is_idle(PlacementSearch& sel, CpuId recent, CpuId prev, CpuId target);

// wake_avg_idle of the CPU after ageing: halved once per tick since it was looked at last.
[[nodiscard]] std::uint64_t aged_wake_avg_idle(const SchedState& s, CpuId cpu);

// The task's utilisation fits the CPU with a fifth to spare.
[[nodiscard]] inline bool task_fits_cpu(const SchedState& s, TaskId p, CpuId cpu) {
    return s.se[p.index()].avg.util_avg * 1280 < std::uint64_t{s.capacity_of(cpu)} * 1024;
}
[[nodiscard]] inline bool asym_capacity(const SchedDomains& d, CpuId cpu) { return d.sd_asym_cpucapacity[cpu.index()].has_value(); }

// for_each_cpu_wrap(): members from `start` on, then from 0 up to `start` - 1. The mask may lose bits meanwhile. Stops when
// `visit` returns true.
template <class Visit>
void for_each_cpu_wrap(const CpuMask& mask, std::uint32_t start, Visit visit) {
    for (auto cpu = mask.next(start); cpu; cpu = mask.next(cpu->value + 1))
        if (visit(*cpu)) return;
    for (auto cpu = mask.first(); cpu && cpu->value < start; cpu = mask.next(cpu->value + 1))
        if (visit(*cpu)) return;
}

// An allowed CPU for a task whose choice is not: same node first, then any, then any at all.
[[nodiscard]] CpuId select_fallback_rq(const SchedState& s, TaskId p, CpuId from);

[[nodiscard]] inline PlacementProfile placement_profile(const SchedState& s) { return era_info(s.era).placement; }
// The profiles stand in the order of their kernels. E48_RFC decides as E48 and E612 as E61; toggles tell them apart.
[[nodiscard]] inline bool since(const SchedState& s, PlacementProfile first) { return placement_profile(s) >= first; }
// The rework of 5.5 and what followed.
[[nodiscard]] inline bool modern(const SchedState& s) { return since(s, PlacementProfile::E61); }

// CLUSTER_SCAN, as merged: an idle CPU outside the target's cluster is only kept for the case that nothing else is found.
inline constexpr FeatureValue kScanMerged = 1, kScanPosted = 2;
[[nodiscard]] inline bool only_aside(const PlacementSearch& sel, CpuId cpu, CpuId target) {
    return sel.s.features.value(Feature::CLUSTER_SCAN) == kScanMerged && sel.domains.cluster_active && !sel.domains.share_resources(cpu, target);
}

} // namespace rqscope
