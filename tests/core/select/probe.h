// SPDX-License-Identifier: GPL-3.0-or-later
// Asks the entries of core/select and tells what tests compare: CPU, reason and the idle tests in order.
#pragma once

#include "core/select/small_machine.h"
#include "select/selection.h"

#include <QString>
#include <QTest>

namespace rqscope::test {

struct Found {
    std::uint32_t cpu = 0;
    PlaceReason reason{};
    std::vector<std::uint32_t> checks;
    bool operator==(const Found&) const = default;
};

inline char* toString(const Found& f) {
    auto text = QString::number(f.cpu) + " " + QString::fromStdString(std::string(name_of(f.reason))) + " checks";
    for (const auto cpu : f.checks) text += " " + QString::number(cpu);
    return qstrdup(text.toUtf8().constData());
}

inline Found found(const Placement& p, const Explainer& explainer) {
    Found out{p.cpu.value, p.reason, {}};
    for (const auto& step : explainer.steps)
        if (step.kind == SelectStep::Kind::Check) out.checks.push_back(step.cpu.value);
    return out;
}

// select_idle_sibling() alone, run by the target's CPU.
inline Found sibling(const SchedState& s, std::uint32_t prev, std::uint32_t target, PlaceEffects* effects = nullptr) {
    Explainer explainer;
    const SelectContext ctx{s, &explainer};
    PlacementSearch sel(ctx, kTask, CpuId{target}, true);
    select_idle_sibling(sel, CpuId{prev}, CpuId{target});
    if (effects != nullptr) *effects = sel.effects;
    return found(sel.out, explainer);
}

// The whole wake-up; the task slept on se[kTask].cpu.
inline Found wake(const SchedState& s, std::uint32_t waker_cpu, bool sync = false, PlaceEffects* effects = nullptr, TaskId waker = kWaker) {
    Explainer explainer;
    const auto p = select_task_rq_wake({s, &explainer, effects}, kTask, waker, CpuId{waker_cpu}, sync);
    return found(p, explainer);
}

inline Found fork(const SchedState& s, std::uint32_t cpu) {
    Explainer explainer;
    const auto p = select_task_rq_fork({s, &explainer}, kTask, CpuId{cpu});
    return found(p, explainer);
}

inline Found exec(const SchedState& s, std::uint32_t cpu) {
    Explainer explainer;
    const auto p = select_task_rq_exec({s, &explainer}, kTask, CpuId{cpu});
    return found(p, explainer);
}

// A machine on which the CPUs of `list` each run one task of load 1024; "" = none.
inline SchedState busy(SchedDomains domains, const char* list, Era era = Era::V4_8) {
    auto s = idle_state(std::move(domains), era);
    for (const auto cpu : mask(list)) make_busy(s, cpu.value, 1024);
    return s;
}

inline void set_prev(SchedState& s, std::uint32_t cpu) { s.se[kTask.index()].cpu = CpuId{cpu}; }
inline void set_recent(SchedState& s, std::uint32_t cpu) { s.se[kTask.index()].recent_used_cpu = CpuId{cpu}; }
inline void light_hints(SchedState& s) {
    for (auto& llc : s.llc_rt) llc.has_idle_cores = true;
}
inline void turn(SchedState& s, Feature feature, FeatureValue value) { s.features.set({feature, value}); }

// CPUs that run SCHED_IDLE tasks only.
inline void make_sched_idle(SchedState& s, std::uint32_t cpu) {
    make_busy(s, cpu, 3);
    s.rqs[cpu].cfs.nr_running = s.rqs[cpu].cfs.idle_nr_running = 1;
}

using R = PlaceReason;

} // namespace rqscope::test
