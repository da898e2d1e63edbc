// SPDX-License-Identifier: GPL-3.0-or-later
// The fair class on one CPU as of v4.7.4/v4.8 and of v6.5 (enqueue_task_fair, dequeue_task_fair, pick_next_task_fair, task_tick_fair,
// check_preempt_wakeup, task_fork_fair, yield_task_fair, set_user_nice). Exact arithmetic; source: runqueue.md 1 to 3.
// The real tree is red-black; ours is a sorted vector with the same order. No groups, no bandwidth control.
// All functions read rq.clock_task as "now"; the caller updates clocks first. Load tracking calls are made here (load.md 1.6).
#pragma once

#include "base/ids.h"
#include "base/units.h"
#include "sched/sched_state.h"

#include <cstdint>

namespace rqscope {

// One enumerator per way out of check_preempt_wakeup().
enum class PreemptReason : std::uint8_t {
    CurrIdle,       // the idle task runs: always preempted
    SameTask,       // wakee is the running task
    AlreadyPending, // a reschedule was asked for before
    IdlePolicyCurr, // SCHED_IDLE runs, a normal task woke
    NotNormal,      // wakee is SCHED_BATCH or SCHED_IDLE, or WAKEUP_PREEMPTION is off
    NotFarEnough,   // vruntime difference within wakeup_gran
    Granted,        // difference beyond wakeup_gran
};

struct PreemptVerdict {
    bool preempt = false;
    PreemptReason reason = PreemptReason::NotNormal;
    std::int64_t vdiff = 0; // curr.vruntime - wakee.vruntime, ns of virtual time
    std::uint64_t gran = 0; // wakeup_gran(wakee), ns of virtual time
};

// --- arithmetic (runqueue.md 2.1, 2.2, 3.1, 3.6)
struct LoadWeight {
    Weight weight;
    std::uint32_t inv_weight; // 0 = compute and store
};
[[nodiscard]] std::uint64_t calc_delta(std::uint64_t delta, Weight weight, LoadWeight& lw, RunQueueProfile profile);
inline constexpr Weight kNice0Load = 1024 << 10;
[[nodiscard]] constexpr Weight scale_load_down(Weight w) { return w >> 10; } // of an entity, or of a sum of entities
// Wall time to virtual time of `se`; nice 0 is the identity and most of all calls.
[[nodiscard]] inline std::uint64_t calc_delta_fair(std::uint64_t delta, const SchedEntity& se) {
    if (se.weight == kNice0Load) [[likely]]
        return delta;
    LoadWeight own{se.weight, se.inv_weight};
    return calc_delta(delta, kNice0Load, own, RunQueueProfile::V4_7); // profiles agree on what an entity can weigh
}
[[nodiscard]] std::uint64_t sched_period(const Tunables& t, std::uint32_t nr_running);
// Wall time p may run in one period, ns; with BASE_SLICE at least min_granularity (runqueue.md 3.1).
[[nodiscard]] std::uint64_t sched_slice(SchedState& s, CpuId cpu, TaskId p);
[[nodiscard]] std::uint64_t sched_vslice(SchedState& s, CpuId cpu, TaskId p);
[[nodiscard]] std::uint64_t wakeup_gran(const Tunables& t, const SchedEntity& wakee);
// -1, 0, 1 as wakeup_preempt_entity(curr, se).
[[nodiscard]] int wakeup_preempt_entity(const Tunables& t, const SchedEntity& curr, const SchedEntity& se);
void set_weight(SchedEntity& se, std::int8_t nice, Policy policy); // table of runqueue.md 1.1, inverses included
void set_raw_weight(SchedEntity& se, std::uint32_t weight);        // 2..88761 unscaled, inverse from the table or computed

// --- queue operations; p's cpu field must name `cpu` already
void update_curr(SchedState& s, CpuId cpu);
void place_entity(SchedState& s, CpuId cpu, TaskId p, bool initial);
struct EnqueueFlags {
    bool wakeup = false;
    bool migrated = false; // wake-up on another CPU than it slept on
};
void enqueue_task_fair(SchedState& s, CpuId cpu, TaskId p, EnqueueFlags flags);
struct DequeueFlags {
    bool sleep = false;
    bool save = false; // nice change: queue is left only for a moment
};
void dequeue_task_fair(SchedState& s, CpuId cpu, TaskId p, DequeueFlags flags);
// Charges the running task, then chooses; kIdleTask when nothing is runnable, and then the CPU must go idle. Up to 4.19 this
// clears the chosen one's buddy slots; later set_next_entity() does, and the pick moves the chosen one to the head of the
// task list.
[[nodiscard]] TaskId pick_next_entity(SchedState& s, CpuId cpu);
void set_next_entity(SchedState& s, CpuId cpu, TaskId p);
void put_prev_entity(SchedState& s, CpuId cpu, TaskId p);
// Puts a queued task at the head of rq->cfs_tasks: load balancing looks at it last.
void list_move_to_head(SchedState& s, CpuId cpu, TaskId p);
// Tick of the running task; may set rq.need_resched.
void task_tick_fair(SchedState& s, CpuId cpu);
// check_preempt_curr() for a fair wakee: with the idle task running only need_resched is set and nothing counted.
[[nodiscard]] PreemptVerdict check_preempt_wakeup(SchedState& s, CpuId cpu, TaskId wakee, bool fork);
// Hook on the parent's CPU before the child's CPU is chosen; child's vruntime leaves relative.
void task_fork_fair(SchedState& s, CpuId cpu, TaskId child);
// set_task_cpu() hook, called before p's cpu field changes: its load leaves the old queue and exec_start is forgotten (v6.5:
// of a waking task at the enqueue).
// `waking`: p slept on `from` and wakes elsewhere, so its vruntime becomes relative. A task that load balancing moves was
// dequeued just before, at the same clock, and is relative already.
void migrate_task_rq_fair(SchedState& s, TaskId p, CpuId from, bool waking = true);
// sched_yield() of the running task, counter included; the caller runs schedule() next.
void yield_task_fair(SchedState& s, CpuId cpu);
// p's queue clock is up to date. May set need_resched there.
void set_user_nice(SchedState& s, TaskId p, std::int8_t nice);
// A newborn's load, load.md 1.8 and 2.b. sched_fork() of 4.8 and later initialises.
void init_entity_load(SchedState& s, TaskId p);
// wake_up_new_task(), p->cpu is the chosen CPU: first util; 4.8 updates the queue and attaches, 4.7 and 6.1 leave that to the
// enqueue. With BUG_STALE_CLOCK_AT_FORK the queue
// clock stays as it was seen last, else it is updated here; the caller must not have updated it for this purpose.
void post_init_entity_load(SchedState& s, TaskId p);
// Periodic load history of update_cpu_load_active(): cpu_load[0..4], topology.md 2.4a. Load tracking of 6.1 has none.
void update_cpu_load(SchedState& s, CpuId cpu);
// update_blocked_averages(): ages a queue that nobody touched.
void update_blocked_averages(SchedState& s, CpuId cpu);

} // namespace rqscope
