// SPDX-License-Identifier: GPL-3.0-or-later
// The scheduling side of one task (kernel: struct sched_entity and the task_struct fields that the fair class reads).
#pragma once

#include "base/ids.h"
#include "base/units.h"
#include "load/pelt.h"

#include <cstdint>

namespace rqscope {

enum class Policy : std::uint8_t { Normal = 0, Batch = 3, Idle = 5 };

// Whom a waker wakes and how often it changes (task_struct: wakee_flips, wakee_flip_decay_ts, last_wakee; select.md 2.2).
struct WakeeFlips {
    std::uint32_t wakee_flips = 0;
    RqClock wakee_flip_decay_ts = 0; // ns of the queue clock
    TaskId last_wakee{0};
};

struct SchedEntity {
    VTime vruntime = 0;               // absolute while queued, running or asleep; relative while it migrates
    std::uint64_t sum_exec_runtime = 0;
    std::uint64_t prev_sum_exec_runtime = 0; // sum_exec_runtime when it was last picked
    RqClock exec_start = 0;           // clock_task up to which it has been charged
    Weight weight = 1024 << 10;       // scaled
    std::uint32_t inv_weight = 4194304; // 2^32 / unscaled weight, 0 = to be computed
    std::int8_t nice = 0;             // -20..19; only the weight decides
    Policy policy = Policy::Normal;
    bool on_rq = false;
    EntityAvg avg;

    CpuId cpu{0};                     // task_cpu(): where it runs, waits or last ran
    std::int32_t allowed = -1;        // index into SchedState::affinity, -1 = every CPU
    std::uint32_t nr_migrations = 0;
    bool per_cpu_kthread = false;     // balancing leaves these alone whatever their mask; no workload has one
    Util util_est = 0;                // task_util_est() without util_avg (load.md 1.10)

    // sched_info: written by sched_info.h, read by statistics only. Times are rq clock ns.
    RqClock last_queued = 0;          // waiting since, 0 = not waiting
    RqClock last_arrival = 0;         // when it last got the CPU
    std::uint64_t run_delay = 0;      // ns spent waiting
    std::uint64_t pcount = 0;         // times it got the CPU

    WakeeFlips flips; // record_wakee(), wake_wide()
    CpuId recent_used_cpu{0}; // where it ran before its last move; 4.16 and later read it

    // rq->cfs_tasks, the list load balancing walks; kIdleTask = end.
    TaskId list_prev{0};
    TaskId list_next{0};
};

} // namespace rqscope
