// SPDX-License-Identifier: GPL-3.0-or-later
// Steps that the cfs_*.cpp files share and nobody else needs: the sorted queue, buddies, min_vruntime (kernel:
// __enqueue_entity, clear_buddies, update_min_vruntime, v4.7.4 and v6.5).
#pragma once

#include "sched/cfs.h"

#include <algorithm>
#include <utility>

namespace rqscope {

// Profiles stand in the order of their kernels; what changed with one holds for the later ones.
[[nodiscard]] inline bool since(const SchedState& s, RunQueueProfile first) { return run_queue_profile(s.era) >= first; }

inline void clear_buddies(CfsRq& cfs, TaskId p) {
    if (cfs.last == p) cfs.last = kIdleTask;
    if (cfs.next == p) cfs.next = kIdleTask;
    if (cfs.skip == p) cfs.skip = kIdleTask;
}

inline TaskId leftmost(const CfsRq& cfs) { return cfs.tree.empty() ? kIdleTask : cfs.tree.back().task; }

void tree_insert(CfsRq& cfs, VTime vruntime, TaskId p);
void tree_remove(CfsRq& cfs, VTime vruntime, TaskId p);

void update_min_vruntime(SchedState& s, CfsRq& cfs);

// Sum of weights, counts and the task list; not the tree.
void account_entity_enqueue(SchedState& s, CpuId cpu, TaskId p);
void account_entity_dequeue(SchedState& s, CpuId cpu, TaskId p);

// enqueue_entity() and dequeue_entity(): the queue steps without the statistics of enqueue_task() and dequeue_task().
void enqueue_entity(SchedState& s, CpuId cpu, TaskId p, EnqueueFlags flags);
void dequeue_entity(SchedState& s, CpuId cpu, TaskId p, DequeueFlags flags);

// set_user_nice() without its test for a value that stays the same.
void change_nice(SchedState& s, TaskId p, std::int8_t nice);

} // namespace rqscope
