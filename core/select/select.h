// SPDX-License-Identifier: GPL-3.0-or-later
// Which CPU a forked, executed or woken task goes to (kernel: select_task_rq_fair and what it calls). Pure functions over
// SchedState: they gather facts, judge, and return a verdict; side effects come back as a value that the engine applies.
// One function per era for each decision; the era's PlacementProfile picks. Source: select.md.
#pragma once

#include "base/ids.h"
#include "base/units.h"
#include "sched/sched_state.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace rqscope {

// One enumerator per return statement of the kernel's selection code. Sentences: resources/explanations.json.
enum class PlaceReason : std::uint8_t {
#define PLACE_REASON(id, ...) id,
#include "select/reasons.def"
#undef PLACE_REASON
};
[[nodiscard]] std::string_view name_of(PlaceReason r);

// The verdict. For forks the pair of groups whose comparison decided last is kept in figures, so that the log alone says
// which load sent the child where.
struct Placement {
    CpuId cpu;
    PlaceReason reason{};
    std::uint16_t nr_checks = 0;     // idle() tests made, repeated ones included
    std::uint32_t check_cost_ns = 0; // charged to the waker for the tests (engine.md 3.5); 0 for forks
    bool has_figures = false;        // forks: the fields below are set
    CpuId rival{0};                  // first CPU of the best group that was not chosen (ring order)
    std::uint32_t chosen_runnable = 0, chosen_load = 0; // runnable_load_avg, load_avg of the chosen group, scaled to capacity
    std::uint32_t rival_runnable = 0, rival_load = 0;   // the same of the rival
};

// What a selection did, step by step; filled only when somebody asks why.
struct SelectStep {
    enum class Kind : std::uint8_t {
        LevelEntered, // domain
        Group,        // domain, cpu = first CPU of the group, runnable, load, verdict, local
        GroupChosen,  // domain, cpu = first CPU of the group chosen; verdict says why
        StayLocal,    // domain: no group better than the local one
        CpuFigures,   // cpu, runnable (of a busy CPU looked at by find_idlest_cpu), idle_stamp
        CpuChosen,    // cpu returned by find_idlest_cpu
        Check,        // cpu, idle = result
        Affine,       // wake_affine: cpu = waker, runnable/load = the two products compared, idle = pulled
        WakeWide,     // runnable = flips of the master, load = of the slave, idle = wide
        Returned,     // cpu, reason
    };
    Kind kind{};
    DomainId domain{0};
    CpuId cpu{0};
    bool idle = false;
    bool local = false;
    std::uint64_t runnable = 0;
    std::uint64_t load = 0;
    PlaceReason reason{};
    // Static text key. Group: local, not_allowed, lighter (takes the lead), not_lighter, band_lighter (runnable close, load_avg
    // takes the lead), band_not_lighter, heavier (runnable clearly larger). StayLocal: no_candidate, local_lighter,
    // band_local_lighter. GroupChosen: not_local_lighter.
    std::string_view verdict{};
};

struct Explainer {
    std::vector<SelectStep> steps;
    void add(const SelectStep& s) { steps.push_back(s); }
};

struct SelectContext {
    const SchedState& s;
    Explainer* explainer = nullptr; // null in a normal run
};

// SD_BALANCE_FORK placement of child p by the task running on `parent_cpu`.
[[nodiscard]] Placement select_task_rq_fork(const SelectContext& ctx, TaskId p, CpuId parent_cpu);

// Wake-up placement. `waker` is the current task of `waker_cpu` (kIdleTask when the idle task or an interrupt there wakes).
[[nodiscard]] Placement select_task_rq_wake(const SelectContext& ctx, TaskId p, TaskId waker, CpuId waker_cpu, bool sync);

// record_wakee(): select.md 2.2; `now` = rq clock of the waker's CPU, which counts as the waker when it is idle.
void record_wakee(SchedState& s, TaskId waker, TaskId p, RqClock now, CpuId waker_cpu = CpuId{0});

// Cost of one idle() test of `looked_at` made from `walker`, by the level between the two (own CPU 0).
[[nodiscard]] std::uint32_t check_cost(const SchedState& s, CpuId walker, CpuId looked_at);

} // namespace rqscope
