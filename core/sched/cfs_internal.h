// SPDX-License-Identifier: GPL-3.0-or-later
// Steps that the cfs_*.cpp files share and nobody else needs: the sorted queue, buddies, min_vruntime, what load tracking
// is told (kernel: __enqueue_entity, clear_buddies, update_min_vruntime, update_load_avg, v4.7.4).
#pragma once

#include "sched/cfs.h"

#include <algorithm>
#include <utility>

namespace rqscope {

inline void clear_buddies(CfsRq& cfs, TaskId p) {
    if (cfs.last == p) cfs.last = kIdleTask;
    if (cfs.next == p) cfs.next = kIdleTask;
    if (cfs.skip == p) cfs.skip = kIdleTask;
}

inline TaskId leftmost(const CfsRq& cfs) { return cfs.tree.empty() ? kIdleTask : cfs.tree.back().task; }

void tree_insert(CfsRq& cfs, VTime vruntime, TaskId p);
void tree_remove(CfsRq& cfs, VTime vruntime, TaskId p);

// v4.7 looks at curr even when it was dequeued a moment ago.
void update_min_vruntime(SchedState& s, CfsRq& cfs);

// Sum of weights, counts and the task list; not the tree.
void account_entity_enqueue(SchedState& s, CpuId cpu, TaskId p);
void account_entity_dequeue(SchedState& s, CpuId cpu, TaskId p);

// enqueue_entity() and dequeue_entity(): the queue steps without the statistics of enqueue_task() and dequeue_task().
void enqueue_entity(SchedState& s, CpuId cpu, TaskId p, EnqueueFlags flags);
void dequeue_entity(SchedState& s, CpuId cpu, TaskId p, DequeueFlags flags);

// Load tracking's view of a queue and of an entity right now.
inline PeltNow pelt_queue(const SchedState& s, CpuId cpu) {
    const auto& rq = s.rqs[cpu.index()];
    return {rq.clock_task, scale_load_down(rq.cfs.load_weight), rq.cfs.curr != kIdleTask, s.capacity[cpu.index()]};
}
inline PeltNow pelt_entity(const SchedState& s, CpuId cpu, TaskId p) {
    const auto& rq = s.rqs[cpu.index()];
    const auto& se = s.se[p.index()];
    return {rq.clock_task, se.on_rq ? scale_load_down(se.weight) : 0, rq.cfs.curr == p, s.capacity[cpu.index()]};
}
inline void update_load_avg(SchedState& s, CpuId cpu, TaskId p) {
    const auto entity = pelt_entity(s, cpu, p);
    update47(s.se[p.index()].avg, entity.now, entity.weight, entity.running, kCapacityScale, entity.cap);
    update_queue47(s.cfs_avg[cpu.index()], pelt_queue(s, cpu));
}

} // namespace rqscope
