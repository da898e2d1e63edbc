// SPDX-License-Identifier: GPL-3.0-or-later
// Which CPU of the chosen group a new task goes to (kernel: find_idlest_cpu, v4.8 to v6.12): shallowest idle state, then most
// recently idled, then lowest number; load only while no idle CPU was seen. Source: select.md 1.4.
// Difference: the idle state is Rq::exit_latency, which machines without idle states leave empty.
#include "select/selection.h"

namespace rqscope {

namespace {

// The idle CPUs looked at so far.
struct Shallowest {
    std::uint32_t best_latency = std::numeric_limits<std::uint32_t>::max();
    RqClock best_stamp = 0;
    std::optional<CpuId> cpu;

    void look_at(CpuId c, const Rq& rq) {
        if (rq.exit_latency && *rq.exit_latency < best_latency) {
            best_latency = *rq.exit_latency;
            best_stamp = rq.idle_stamp;
            cpu = c;
        } else if ((!rq.exit_latency || *rq.exit_latency == best_latency) && rq.idle_stamp > best_stamp) {
            best_stamp = rq.idle_stamp;
            cpu = c;
        }
    }
};

CpuId idlest_of_several(PlacementSearch& sel, const SchedGroup& group, CpuId this_cpu) {
    const bool v5_5 = modern(sel.s);
    const bool tie_stays = !since(sel.s, PlacementProfile::E419); // equal load: this CPU wins
    Shallowest shallowest;
    Load min_load = std::numeric_limits<Load>::max();
    CpuId least_loaded = this_cpu;
    for (const auto cpu : group.span) {
        if (!sel.allowed(cpu)) continue;
        const auto& rq = sel.s.rqs[cpu.index()];
        if (v5_5 && sel.sched_idle(cpu)) return cpu;
        if (sel.idle(cpu)) {
            sel.explain({.kind = SelectStep::Kind::CpuFigures, .cpu = cpu, .idle = true, .load = rq.idle_stamp});
            shallowest.look_at(cpu, rq);
        } else if (!shallowest.cpu) {
            const auto& avg = sel.s.cfs_avg[cpu.index()];
            const auto load = v5_5 ? avg.load_avg : avg.runnable_load_avg;
            sel.explain({.kind = SelectStep::Kind::CpuFigures, .cpu = cpu, .runnable = load});
            if (load < min_load || (tie_stays && load == min_load && cpu == this_cpu)) {
                min_load = load;
                least_loaded = cpu;
            }
        }
    }
    return shallowest.cpu.value_or(least_loaded);
}

} // namespace

CpuId find_idlest_cpu(PlacementSearch& sel, const SchedGroup& group, CpuId this_cpu) {
    const bool single = group.weight == 1 && since(sel.s, PlacementProfile::E49); // needs no look
    const auto cpu = single ? *group.span.first() : idlest_of_several(sel, group, this_cpu);
    sel.explain({.kind = SelectStep::Kind::CpuChosen, .cpu = cpu});
    return cpu;
}

} // namespace rqscope
