// SPDX-License-Identifier: GPL-3.0-or-later
// Which CPU a forked, executed or woken task goes to (kernel: select_task_rq_fair and what it calls). Pure functions over
// SchedState: they gather facts, judge, and return a verdict; side effects come back as a value that the engine applies.
// One function per era for each decision; the era's PlacementProfile picks. Source: select.md.
#pragma once

#include "base/ids.h"
#include "base/units.h"
#include "sched/group_type.h"
#include "sched/sched_state.h"

#include <cstdint>
#include <optional>
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

// What the figures of a fork or exec verdict are.
enum class PlaceFigures : std::uint8_t {
    Loads,    // 4.x: runnable_load_avg and load_avg of the group, scaled to capacity
    Types,    // 5.5+, the group types differ: group_type and idle CPUs
    IdleCpus, // 5.5+, both groups are of one type that is compared by idle CPUs (has_spare) or not by load: idle CPUs and util
    AvgLoads, // 5.5+, both groups are fully busy or overloaded: running tasks and avg_load
    Spare,    // 4.x exec: the largest spare capacity of a CPU, and 0
};

// The kernel's words for the two figures; the second may be empty.
struct FigureNames {
    std::string_view first, second;
};
[[nodiscard]] FigureNames figure_names(PlaceFigures figures);

// The verdict. For forks the pair of groups whose comparison decided last is kept in figures, so that the log alone says
// which load sent the child where.
struct Placement {
    CpuId cpu;
    PlaceReason reason{};
    std::uint16_t nr_checks = 0;     // idle() tests made, repeated ones included
    std::uint32_t check_cost_ns = 0; // charged to the waker for the tests (engine.md 3.5); 0 for forks
    bool has_figures = false;        // forks: the fields below are set
    PlaceFigures figures = PlaceFigures::Loads;
    CpuId rival{0};                  // first CPU of the best group that was not chosen (ring order)
    std::uint32_t chosen_runnable = 0, chosen_load = 0; // first and second figure of the chosen group, see PlaceFigures
    std::uint32_t rival_runnable = 0, rival_load = 0;   // the same of the rival
};

// What a selection changes besides choosing; apply() carries it out.
struct PlaceEffects {
    std::optional<LlcId> no_idle_core; // the search for an idle core failed: the hint of this cache goes out
    std::optional<DomainId> walked;    // avg_scan_cost of this domain takes in walk_ns
    std::uint64_t walk_ns = 0;         // charged time of select_idle_cpu()'s walk
    bool ages_wake_avg_idle = false;   // 5.12 to 6.6 with SIS_PROP: the waker's CPU ages its wake_avg_idle ..
    bool spends_wake_avg_idle = false; // .. and pays walk_ns from it
    std::optional<CpuId> recent_of_task, recent_of_waker; // new recent_used_cpu
};

// What a selection did, step by step; filled only when somebody asks why.
struct SelectStep {
    enum class Kind : std::uint8_t {
        LevelEntered, // domain
        Group,        // domain, cpu = first CPU of the group, runnable, load, verdict, local; 5.5+: also type, nr, idle_cpus, util
        GroupChosen,  // domain, cpu = first CPU of the group chosen; verdict says why
        StayLocal,    // domain: no group better than the local one
        CpuFigures,   // cpu, runnable (of a busy CPU looked at by find_idlest_cpu), idle_stamp
        CpuChosen,    // cpu returned by find_idlest_cpu
        Check,        // cpu, idle = result
        Affine,       // wake_affine: cpu = waker, runnable/load = the two products compared, idle = pulled
        AffineIdle,   // wake_affine_idle decided: cpu = waker, idle = pulled
        WakeWide,     // runnable = flips of the master, load = of the slave, idle = wide
        Gate,         // 4.9..4.19: runnable = avg_idle / 512, load = avg_scan_cost, idle = open
        Budget,       // nr = CPUs the walk may look at
        HintCleared,  // cpu = first CPU of the cache whose has_idle_cores went out
        Returned,     // cpu, reason
    };
    Kind kind{};
    DomainId domain{0};
    CpuId cpu{0};
    bool idle = false;
    bool local = false;
    std::uint64_t runnable = 0;
    std::uint64_t load = 0;
    std::uint32_t nr = 0;        // running tasks of a group; budget of a walk
    std::uint32_t idle_cpus = 0; // of a group
    std::uint64_t util = 0;      // of a group
    GroupType type{};            // of a group
    PlaceReason reason{};
    // Static text key. Group: local, not_allowed, lighter (takes the lead), not_lighter, band_lighter (runnable close, load_avg
    // takes the lead), band_not_lighter, heavier (runnable clearly larger); 5.5+: better_type, worse_type, more_idle, fewer_idle,
    // lower_util, not_lower_util, lower_load, not_lower_load, larger_capacity, not_larger_capacity, never.
    // StayLocal: no_candidate, local_lighter, band_local_lighter, local_spare; 4.14+: numa_near; 5.5+: local_better_type,
    // numa_allowance, not_more_idle, load_near, load_within_pct, no_larger_capacity, same_imbalanced.
    // GroupChosen: not_local_lighter, most_spare, local_not_allowed, and the 5.5+ words of Group.
    std::string_view verdict{};
};

struct Explainer {
    std::vector<SelectStep> steps;
    void add(const SelectStep& s) { steps.push_back(s); }
};

struct SelectContext {
    const SchedState& s;
    Explainer* explainer = nullptr;  // null in a normal run
    PlaceEffects* effects = nullptr; // null: nobody will apply them
};

// SD_BALANCE_FORK placement of child p by the task running on `parent_cpu`.
[[nodiscard]] Placement select_task_rq_fork(const SelectContext& ctx, TaskId p, CpuId parent_cpu);

// SD_BALANCE_EXEC placement of the task running on `cpu`.
[[nodiscard]] Placement select_task_rq_exec(const SelectContext& ctx, TaskId p, CpuId cpu);

// Wake-up placement. `waker` is the current task of `waker_cpu` (kIdleTask when the idle task or an interrupt there wakes).
[[nodiscard]] Placement select_task_rq_wake(const SelectContext& ctx, TaskId p, TaskId waker, CpuId waker_cpu, bool sync);

// record_wakee(): select.md 2.2; `now` = rq clock of the waker's CPU, which counts as the waker when it is idle.
void record_wakee(SchedState& s, TaskId waker, TaskId p, RqClock now, CpuId waker_cpu = CpuId{0});

// Carries out what a selection by `waker` on `walker` changed besides placing p.
void apply(SchedState& s, TaskId p, TaskId waker, CpuId walker, const PlaceEffects& effects);

// The hint of the last-level cache of `cpu` that some core there is wholly idle; false where the era keeps it elsewhere.
[[nodiscard]] bool test_idle_cores(const SchedState& s, CpuId cpu);
// Whether searches leave that hint at all: from 4.9 on and in the reconstruction, on machines with SMT.
[[nodiscard]] bool keeps_idle_cores(const SchedState& s);
// __update_idle_core(): `cpu` went idle; lights the hint when its siblings are idle too. No effect before 4.9 and without SMT.
void update_idle_core(SchedState& s, CpuId cpu);

// The two sides of the test that SIS_AVG_CPU makes before a walk begun on one CPU (4.9 to 4.19).
struct ScanGate {
    std::uint64_t idle = 0;          // avg_idle / 512, ns
    std::uint64_t avg_scan_cost = 0; // ns
    std::uint64_t margin = 0;        // added to it: 1 from 4.12 on
    [[nodiscard]] std::uint64_t cost() const { return avg_scan_cost + margin; }
    [[nodiscard]] bool open() const { return idle >= cost(); }
};
// None for a CPU without a last-level cache.
[[nodiscard]] std::optional<ScanGate> scan_gate(const SchedState& s, CpuId walker);

// ttwu_queue_cond(): the waker sends a message to `target`, which enqueues the task itself, instead of reaching into its queue.
// 4.x: the two share no cache; 6.1 (and 5.19, which borrows it) also when the target runs nothing.
[[nodiscard]] bool ttwu_queue_cond(const SchedState& s, CpuId waker_cpu, CpuId target);

// Cost of one idle() test of `looked_at` made from `walker`, by the level between the two (own CPU 0).
[[nodiscard]] std::uint32_t check_cost(const SchedState& s, CpuId walker, CpuId looked_at);

} // namespace rqscope
