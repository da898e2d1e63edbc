// SPDX-License-Identifier: GPL-3.0-or-later
// Which CPU of the chosen group a new task goes to (kernel: find_idlest_cpu, v4.8): shallowest idle state, then most recently
// idled, then lowest number; load only while no idle CPU was seen. Source: select.md 1.4.
// Difference: the idle state is Rq::exit_latency, which machines without idle states leave empty.
#include "select/selection.h"

namespace rqscope {

namespace {

CpuId find_idlest_cpu_v4_8(PlacementSearch& sel, const SchedGroup& group, CpuId this_cpu) {
    std::uint32_t best_latency = std::numeric_limits<std::uint32_t>::max();
    RqClock best_stamp = 0;
    std::optional<CpuId> shallowest;
    Load min_load = std::numeric_limits<Load>::max();
    CpuId least_loaded = this_cpu;
    for (const auto cpu : group.span) {
        if (!sel.allowed(cpu)) continue;
        const auto& rq = sel.s.rqs[cpu.index()];
        if (sel.idle(cpu)) {
            sel.explain({.kind = SelectStep::Kind::CpuFigures, .cpu = cpu, .idle = true, .load = rq.idle_stamp});
            if (rq.exit_latency && *rq.exit_latency < best_latency) {
                best_latency = *rq.exit_latency;
                best_stamp = rq.idle_stamp;
                shallowest = cpu;
            } else if ((!rq.exit_latency || *rq.exit_latency == best_latency) && rq.idle_stamp > best_stamp) {
                best_stamp = rq.idle_stamp;
                shallowest = cpu;
            }
        } else if (!shallowest) {
            const auto load = sel.s.cfs_avg[cpu.index()].runnable_load_avg;
            sel.explain({.kind = SelectStep::Kind::CpuFigures, .cpu = cpu, .runnable = load});
            if (load < min_load || (load == min_load && cpu == this_cpu)) {
                min_load = load;
                least_loaded = cpu;
            }
        }
    }
    return shallowest.value_or(least_loaded);
}

} // namespace

CpuId find_idlest_cpu(PlacementSearch& sel, const SchedGroup& group, CpuId this_cpu) {
    switch (placement_profile(sel.s)) {
    case PlacementProfile::E48:
    case PlacementProfile::E48_RFC: {
        const auto cpu = find_idlest_cpu_v4_8(sel, group, this_cpu);
        sel.explain({.kind = SelectStep::Kind::CpuChosen, .cpu = cpu});
        return cpu;
    }
    default: profile_not_built();
    }
}

} // namespace rqscope
