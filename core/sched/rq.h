// SPDX-License-Identifier: GPL-3.0-or-later
// One CPU's run queue (kernel: struct rq and its root struct cfs_rq), flat: no task groups.
#pragma once

#include "base/ids.h"
#include "base/units.h"
#include "sched/entity.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace rqscope {

// rq->cfs. The running task is `curr` and is not in `tree`; it is still counted in load and nr_running.
struct CfsRq {
    struct Slot {
        VTime vruntime;
        TaskId task;
        bool operator==(const Slot&) const = default;
    };
    std::vector<Slot> tree; // descending in vruntime, so that the leftmost entity is tree.back(); equal keys: newcomer after
    TaskId curr{0};         // kIdleTask = none
    TaskId next{0}, last{0}, skip{0}; // buddies, kIdleTask = none
    VTime min_vruntime = ~VTime{0} - (1ULL << 20) + 1; // 2^64 - 2^20: wraps in the first millisecond, on purpose
    Weight load_weight = 0; // sum over all on_rq entities, running one included; scaled
    std::uint32_t load_inv_weight = 0; // inverse stored by the last calc_delta() against this load, 0 = stale
    std::uint32_t nr_running = 0;      // running one included
    std::uint32_t idle_nr_running = 0; // those of nr_running that are SCHED_IDLE
};

// Counters of /proc/schedstat version 15 plus the three of the July 2023 thread (runqueue.md 6). No decision reads them.
struct SchedStat {
    std::uint64_t yld_count = 0, sched_count = 0, sched_goidle = 0, ttwu_count = 0, ttwu_local = 0;
    std::uint64_t rq_cpu_time = 0, run_delay = 0, pcount = 0; // ns, ns, switches
    std::uint64_t check_preempt_count = 0, need_preempt_count = 0, low_gran_preempt_count = 0;
};

struct Rq {
    CfsRq cfs;
    TaskId curr{0};           // what runs; kIdleTask = the idle task
    bool need_resched = false;
    RqClock clock = 0;        // rq->clock at its last update, ns
    RqClock clock_task = 0;   // clock without interrupt time
    // The last interrupt: while it lasts clock_task stands at irq_begin. irq_time sums the ones before it, ns.
    RqClock irq_begin = 0, irq_end = 0;
    std::uint64_t irq_time = 0;
    // Load tracking of 6.1 runs on a clock that a CPU of less capacity slows down while it is busy: how far that clock lags
    // behind clock_task in this busy stretch, and what earlier ones never caught up, ns (load.md 1.3). 0 at full capacity.
    std::uint64_t pelt_lag = 0;
    std::uint64_t lost_idle_time = 0;

    // New-idle balancing and wake-up statistics (select.md 4, topology.md 2.5).
    RqClock idle_stamp = 0;   // clock at which new-idle balancing began; 0 = not idle since
    std::optional<std::uint32_t> exit_latency; // us, of the idle state it is in; none = the machine has no idle states
    std::uint64_t avg_idle = 1'000'000;            // ns
    std::uint64_t max_idle_balance_cost = 500'000; // ns
    std::uint64_t wake_avg_idle = 1'000'000; // ns, budget of SIS_PROP in 5.12 to 6.6
    Jiffies wake_stamp = 0;                  // tick at which wake_avg_idle was aged last
    std::uint32_t ttwu_pending = 0;          // wake-ups on their way to this CPU

    // Periodic balancing, in ticks (jiffies).
    Jiffies next_balance = 0;
    std::uint64_t cpu_load[5] = {}; // decayed load history, 4.7 to 4.19
    Capacity capacity_taken = 0;    // by other classes and interrupts; nothing in a simulation takes any
    std::uint32_t nr_other = 0;     // tasks of other classes, running or queued; a simulation has none
    Util util_est = 0;              // cfs.avg.util_est: sum of the queued tasks' estimates (load.md 1.10)
    Load misfit_task_load = 0;      // load of the running task if the CPU is too small for it, else 0
    bool active_balance = false;
    CpuId push_cpu{0};

    // The partners of this CPU's idle task as a waker; other tasks keep theirs in their entity.
    WakeeFlips idle_flips;

    TaskId cfs_tasks{0};      // head of the list that load balancing walks, kIdleTask = empty
    TaskId cfs_tasks_tail{0};

    SchedStat stat;
};

} // namespace rqscope
