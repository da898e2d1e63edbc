// SPDX-License-Identifier: GPL-3.0-or-later
// What load tracking does at each step of an entity's life (kernel: the update_load_avg() family of fair.c). The only place,
// with cfs_load.cpp, that asks which load profile is simulated; the arithmetic is in core/load. Source: load.md 1.6, 1.8.
#pragma once

#include "load/pelt61.h"
#include "sched/cfs.h"
#include "sched/clock.h"

namespace rqscope {

[[nodiscard]] inline bool load_of_6_1(const SchedState& s) { return load_profile(s.era) == LoadProfile::L6_1; }

// A queue and an entity as they are right now, for either generation.
inline PeltNow pelt_queue(const SchedState& s, CpuId cpu) {
    const auto& rq = s.rqs[cpu.index()];
    return {rq.clock_task, scale_load_down(rq.cfs.load_weight), rq.cfs.curr != kIdleTask, s.capacity[cpu.index()]};
}
inline PeltNow pelt_entity(const SchedState& s, CpuId cpu, TaskId p) {
    const auto& rq = s.rqs[cpu.index()];
    const auto& se = s.se[p.index()];
    return {rq.clock_task, se.on_rq ? scale_load_down(se.weight) : 0, rq.cfs.curr == p, s.capacity[cpu.index()]};
}
inline Activity61 pelt61_queue(const CfsRq& cfs) {
    return queue_activity(scale_load_down(cfs.load_weight), cfs.nr_running, cfs.curr != kIdleTask);
}
inline Activity61 pelt61_entity(const SchedState& s, const CfsRq& cfs, TaskId p) {
    const auto& se = s.se[p.index()];
    return entity_activity(scale_load_down(se.weight), se.on_rq ? 1 : 0, cfs.curr == p);
}

// Ages p and its queue: at a tick, when p gets the CPU, when it loses it.
inline void update_load_avg(SchedState& s, CpuId cpu, TaskId p) {
    auto& se = s.se[p.index()];
    auto& avg = s.cfs_avg[cpu.index()];
    if (load_of_6_1(s)) {
        const auto& rq = s.rqs[cpu.index()];
        update_load_avg61(avg, se.avg, rq_clock_pelt(rq), pelt61_entity(s, rq.cfs, p), pelt61_queue(rq.cfs));
        return;
    }
    const auto entity = pelt_entity(s, cpu, p);
    update47(se.avg, entity.now, entity.weight, entity.running, kCapacityScale, entity.cap);
    update_queue47(avg, pelt_queue(s, cpu));
}

// p is about to join the queue (on_rq still false, not yet counted); attaches it when it is new or has migrated.
inline void enqueue_entity_load_avg(SchedState& s, CpuId cpu, TaskId p) {
    auto& se = s.se[p.index()];
    auto& avg = s.cfs_avg[cpu.index()];
    if (load_of_6_1(s)) {
        const auto& rq = s.rqs[cpu.index()];
        enqueue61(avg, se.avg, rq_clock_pelt(rq), pelt61_entity(s, rq.cfs, p), pelt61_queue(rq.cfs));
        return;
    }
    enqueue47(avg, se.avg, pelt_entity(s, cpu, p), pelt_queue(s, cpu));
}

// p is about to leave the queue (still on_rq and counted); its load stays behind as blocked load.
inline void dequeue_entity_load_avg(SchedState& s, CpuId cpu, TaskId p) {
    if (load_of_6_1(s)) {
        update_load_avg(s, cpu, p);
        return;
    }
    dequeue47(s.cfs_avg[cpu.index()], s.se[p.index()].avg, pelt_entity(s, cpu, p), pelt_queue(s, cpu));
}

// p moves away from `from`. `waking`: it slept there and that queue is not locked, so that its load leaves at the next
// update; 6.1 takes the load of a task that was just dequeued along at once.
void migrate_entity_load_avg(SchedState& s, TaskId p, CpuId from, bool waking);

// p, not on_rq, has changed its weight from `old_weight` (scaled).
void reweight_entity_load_avg(SchedState& s, TaskId p, Weight old_weight);

} // namespace rqscope
