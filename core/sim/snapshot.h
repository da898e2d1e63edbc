// SPDX-License-Identifier: GPL-3.0-or-later
// The state at one moment as the views need it: per CPU what runs and waits with its load figures, per task where it is.
// A plain copy; holding it never blocks or changes the simulation.
#pragma once

#include "base/ids.h"
#include "base/units.h"
#include "sched/eras.h"
#include "sched/features.h"
#include "sched/tunables.h"
#include "select/select.h"
#include "topology/sched_domain.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace rqscope {

enum class TaskState : std::uint8_t { Running, Waiting, Blocked, Migrating /* woken, not yet enqueued */, Exited };

struct TaskSnapshot {
    TaskState state = TaskState::Blocked;
    CpuId cpu{0};
    Weight weight = 1024;  // unscaled, nice 0 = 1024
    VTime vruntime = 0;
    Load load_avg = 0;     // as last updated
    Util util_avg = 0;
    std::uint64_t sum_exec_runtime = 0; // ns
    std::uint32_t nr_migrations = 0;
};

struct CpuSnapshot {
    bool online = true;
    TaskId curr{0};                // kIdleTask = idle
    std::vector<TaskId> waiting;   // leftmost (next in vruntime order) first
    Load load_avg = 0;             // runnable and blocked, stored value
    // 4.x: the kernel's figure. Later kernels keep none: the load_avg of the tasks on the queue, at most that of the queue.
    Load runnable_load_avg = 0;
    Load running_load = 0;         // part of runnable_load_avg that belongs to curr
    Load runnable_avg = 0;         // time runnable, 1024 per task and without weights; 5.7 and later, else 0
    Util util_avg = 0;
    Capacity capacity = 1024;
    RqClock last_update = 0;       // of the averages, queue clock ns
    RqClock idle_stamp = 0;
    VTime min_vruntime = 0;
    std::uint64_t avg_idle = 0;    // ns
    // What a wake-up search begun on this CPU compares (select.md 4); none without a last-level cache.
    std::optional<ScanGate> gate;
};

// One last-level cache: what wake-up searches share.
struct LlcSnapshot {
    bool keeps_hint = false;        // the era has the hint and the machine has cores of several threads
    bool has_idle_cores = false;
    std::uint32_t nr_idle_scan = 0; // CPUs that SIS_UTIL lets a wake-up look at; meaningful while that is on
};

struct Snapshot {
    SimTime time{};
    std::uint32_t rows = 0; // rows that have happened
    std::vector<CpuSnapshot> cpus;   // by CpuId, nr_cpu_ids entries
    std::vector<TaskSnapshot> tasks; // by TaskId; [0] = idle
    std::vector<LlcSnapshot> llcs;   // by LlcId
    Era era = Era::V4_8;
    FeatureSet features;
    Tunables tunables;
    std::shared_ptr<const SchedDomains> domains;
};

} // namespace rqscope
