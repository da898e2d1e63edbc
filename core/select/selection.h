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

private:
    static const CpuMask* affinity_of(const SchedState& s, TaskId task) {
        const auto index = s.se[task.index()].allowed;
        return index < 0 ? nullptr : &s.affinity[static_cast<std::size_t>(index)];
    }
};

// Scaled sums of one group; group == nullptr = there is none.
struct GroupLoad {
    const SchedGroup* group = nullptr;
    Load runnable = 0, load = 0;
};

// What find_idlest_group() found: the group to go to (nullptr = stay), and the pair that was compared last.
struct IdlestGroup {
    const SchedGroup* group = nullptr;
    GroupLoad chosen, rival;
};

// `cpu` owns the ring of `sd` and defines the local group.
[[nodiscard]] IdlestGroup find_idlest_group(PlacementSearch& sel, const SchedDomain& sd, CpuId cpu);
[[nodiscard]] CpuId find_idlest_cpu(PlacementSearch& sel, const SchedGroup& group, CpuId this_cpu);
[[nodiscard]] bool wake_wide(PlacementSearch& sel, TaskId waker);
// True = pull to the waker's CPU. `sd` is the lowest domain holding both CPUs.
[[nodiscard]] bool wake_affine(PlacementSearch& sel, const SchedDomain& sd, TaskId waker, CpuId prev, bool sync);
// Sets out.cpu and out.reason.
void select_idle_sibling(PlacementSearch& sel, CpuId prev, CpuId target);
// An allowed CPU for a task whose choice is not: same node first, then any, then any at all.
[[nodiscard]] CpuId select_fallback_rq(const SchedState& s, TaskId p, CpuId from);

[[nodiscard]] inline PlacementProfile placement_profile(const SchedState& s) { return era_info(s.era).placement; }
[[noreturn]] inline void profile_not_built() { check_failed("placement profile is built", __FILE__, __LINE__); }

} // namespace rqscope
