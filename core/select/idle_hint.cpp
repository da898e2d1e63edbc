// SPDX-License-Identifier: GPL-3.0-or-later
// What wake-up searches remember for the next one: the hint that a core is wholly idle, the mean cost of a walk, the idle time
// left to pay for walks, the CPU used before (kernel: test_idle_cores, set_idle_cores, __update_idle_core, update_avg, v4.9 to
// 6.12). Source: select.md 3.b, 3.c, 4.
#include "select/selection.h"

#include <algorithm>

namespace rqscope {

namespace {

// In the reading where the hint lives on the level above the cache, a machine with one cache has nowhere to keep it.
bool hint_exists(const SchedState& s, CpuId cpu) {
    return !s.features.has(Feature::HINT_VIA_SD_BUSY) || s.domains->sd_busy[cpu.index()].has_value();
}

} // namespace

bool keeps_idle_cores(const SchedState& s) {
    return s.domains->smt_active && since(s, PlacementProfile::WIP16);
}

bool test_idle_cores(const SchedState& s, CpuId cpu) {
    return hint_exists(s, cpu) && s.llc_rt[s.domains->llc[cpu.index()].index()].has_idle_cores;
}

void update_idle_core(SchedState& s, CpuId cpu) {
    if (!keeps_idle_cores(s) || !s.domains->sd_llc[cpu.index()] || !hint_exists(s, cpu)) return;
    auto& hint = s.llc_rt[s.domains->llc[cpu.index()].index()].has_idle_cores;
    if (hint) return;
    for (const auto sibling : s.domains->smt[cpu.index()])
        if (sibling != cpu && !s.idle.test(sibling)) return;
    hint = true;
}

std::optional<ScanGate> scan_gate(const SchedState& s, CpuId walker) {
    const auto llc = s.domains->sd_llc[walker.index()];
    if (!llc) return std::nullopt;
    const bool v4_9 = placement_profile(s) == PlacementProfile::E49;
    return ScanGate{s.rqs[walker.index()].avg_idle / 512, s.domain_rt[llc->index()].avg_scan_cost, v4_9 ? 0U : 1U};
}

std::uint64_t aged_wake_avg_idle(const SchedState& s, CpuId cpu) {
    const auto& rq = s.rqs[cpu.index()];
    if (s.jiffies <= rq.wake_stamp) return rq.wake_avg_idle;
    const auto ticks = s.jiffies - rq.wake_stamp;
    return ticks >= 64 ? 0 : rq.wake_avg_idle >> ticks;
}

void apply(SchedState& s, TaskId p, TaskId waker, CpuId walker, const PlaceEffects& effects) {
    if (effects.no_idle_core) s.llc_rt[effects.no_idle_core->index()].has_idle_cores = false;
    if (effects.walked) {
        auto& cost = s.domain_rt[effects.walked->index()].avg_scan_cost;
        const auto difference = static_cast<std::int64_t>(effects.walk_ns - cost);
        cost += static_cast<std::uint64_t>(difference / 8);
    }
    auto& rq = s.rqs[walker.index()];
    if (effects.ages_wake_avg_idle) {
        rq.wake_avg_idle = aged_wake_avg_idle(s, walker);
        rq.wake_stamp = std::max(rq.wake_stamp, s.jiffies);
    }
    if (effects.spends_wake_avg_idle) rq.wake_avg_idle -= std::min(rq.wake_avg_idle, effects.walk_ns);
    if (effects.recent_of_task) s.se[p.index()].recent_used_cpu = *effects.recent_of_task;
    if (effects.recent_of_waker && waker != kIdleTask) s.se[waker.index()].recent_used_cpu = *effects.recent_of_waker;
}

} // namespace rqscope
