// SPDX-License-Identifier: GPL-3.0-or-later
// Moving tasks between queues (kernel: rebalance_domains, load_balance, newidle_balance, active_load_balance_cpu_stop).
// Two generations, chosen by the era's balance profile in balance.cpp: 4.7 compares average load (gather, judge, act,
// load_balance, rebalance), 5.19 and 6.12 compare group types (the same files with 61 in their name, after the kernel that
// was read). Facts first (gather), then judgement, then action. Passes take no simulated time. Source: topology.md 2.
#pragma once

#include "base/ids.h"
#include "sched/group_type.h"
#include "sched/sched_state.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace rqscope {

enum class CpuIdleType : std::uint8_t { Idle, NotIdle, NewlyIdle }; // enum cpu_idle_type

// enum migration_type: what an imbalance counts. 4.7 counts load only.
enum class MigrationType : std::uint8_t { MigrateLoad, MigrateUtil, MigrateTask, MigrateMisfit };
[[nodiscard]] std::string_view name_of(MigrationType t); // the kernel's: load, util, task, misfit

// How a pass ended, one per way out of load_balance().
enum class BalanceReason : std::uint8_t {
#define BALANCE_REASON(id, ...) id,
#include "balance/reasons.def"
#undef BALANCE_REASON
};
[[nodiscard]] std::string_view name_of(BalanceReason r);

struct BalanceVerdict {
    CpuId dst;
    DomainId domain;
    CpuIdleType idle{};
    BalanceReason reason{};
    CpuId src{0};               // busiest queue; meaningful from AllPinned on
    std::uint32_t moved = 0;    // tasks
    std::uint64_t imbalance = 0; // as calculate_imbalance left it; its unit is `migration_type`
    std::uint64_t local_avg = 0, busiest_avg = 0; // avg_load of the two groups; later than 4.7 0 where it was not needed
    GroupType local_type{}, busiest_type{};       // later than 4.7
    MigrationType migration_type{};
};

enum class MoveCause : std::uint8_t { Periodic, NewIdle, Active, Exec /* sched_exec(), no balancing */ };

struct TaskMove {
    TaskId task;
    CpuId from, to;
    MoveCause cause{};
};

// What a call did, in order; the engine logs it. Reused between calls, so that a pass allocates nothing.
struct BalanceLog {
    std::vector<BalanceVerdict> passes; // every pass that got past should_we_balance
    std::vector<TaskMove> moves;
    std::vector<CpuId> active;          // source CPUs for which active_load_balance() is to run at this instant
    void clear() {
        passes.clear();
        moves.clear();
        active.clear();
    }
};

// Periodic balancing of one CPU, bottom up; call when jiffies >= rq.next_balance. `idle` as the CPU is now. A CPU that gets a
// task leaves s.idle here; need_resched says who has to schedule.
void rebalance_domains(SchedState& s, CpuId cpu, CpuIdleType idle, BalanceLog& log);

// The CPU is about to go idle: its last task is dequeued, rq.curr still names it. Returns the number of tasks pulled, -1 if
// tasks of other classes wait. Sets idle_stamp, next_balance, max_idle_balance_cost; later than 4.7 nothing of it is set
// while a wake-up is on its way here. Until it returns the CPU is not in s.idle.
int newidle_balance(SchedState& s, CpuId cpu, BalanceLog& log);

// Stop-class action on `src`: pushes one task, the one that was running included, to rq.push_cpu. Puts the running task back
// into the queue if the caller has not; rq.curr stays as it is and may name a task that has left, so schedule() must follow
// (need_resched is set).
void active_load_balance(SchedState& s, CpuId src, BalanceLog& log);

// A wake-up ends an idle span: avg_idle, cap, idle_stamp = 0, later than 4.7 also wake_avg_idle (ttwu_do_wakeup,
// ttwu_do_activate; select.md 4).
void account_idle_end(SchedState& s, CpuId cpu);

// Later than 4.7, at every pick (kIdleTask = nothing) and every tick of the running task: whether `p` is too large for the
// CPU, which another CPU's pass reads. Machines of one capacity have no misfits.
void update_misfit_status(SchedState& s, CpuId cpu, TaskId p);

} // namespace rqscope
