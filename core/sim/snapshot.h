// SPDX-License-Identifier: GPL-3.0-or-later
// The state at one moment as the views need it: per CPU what runs and waits with its load figures, per task where it is.
// A plain copy; holding it never blocks or changes the simulation.
#pragma once

#include "base/ids.h"
#include "base/units.h"
#include "sched/features.h"
#include "sched/tunables.h"
#include "topology/sched_domain.h"

#include <cstdint>
#include <memory>
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
    Load runnable_load_avg = 0;
    Load running_load = 0;         // part of runnable_load_avg that belongs to curr
    Util util_avg = 0;
    Capacity capacity = 1024;
    RqClock last_update = 0;       // of the averages, queue clock ns
    RqClock idle_stamp = 0;
    VTime min_vruntime = 0;
};

struct Snapshot {
    SimTime time{};
    std::uint32_t rows = 0; // rows that have happened
    std::vector<CpuSnapshot> cpus;   // by CpuId, nr_cpu_ids entries
    std::vector<TaskSnapshot> tasks; // by TaskId; [0] = idle
    FeatureSet features;
    Tunables tunables;
    std::shared_ptr<const SchedDomains> domains;
};

} // namespace rqscope
