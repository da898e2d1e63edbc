// SPDX-License-Identifier: GPL-3.0-or-later
// Moving tasks between queues (kernel: rebalance_domains, load_balance, newidle_balance, active_load_balance_cpu_stop).
// gather.cpp sums up groups, judge.cpp finds the busiest group and queue, act.cpp detaches and attaches; these entry points
// drive them. Profile 4.7 (average load). Passes take no simulated time. Source: topology.md 2.
#pragma once

#include "base/ids.h"
#include "sched/sched_state.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace rqscope {

enum class CpuIdleType : std::uint8_t { Idle, NotIdle, NewlyIdle }; // enum cpu_idle_type

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
    CpuId src{0};               // busiest queue; meaningful from NothingMoved on
    std::uint32_t moved = 0;    // tasks
    std::uint64_t imbalance = 0; // load, as calculate_imbalance left it
    std::uint64_t local_avg = 0, busiest_avg = 0; // avg_load of the two groups
};

enum class MoveCause : std::uint8_t { Periodic, NewIdle, Active };

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

// The CPU is about to go idle: its last task is dequeued, rq.curr still names it. Returns the number of tasks pulled.
// Sets idle_stamp, next_balance, max_idle_balance_cost. Until it returns the CPU is not in s.idle.
int newidle_balance(SchedState& s, CpuId cpu, BalanceLog& log);

// Stop-class action on `src`: pushes one task, the one that was running included, to rq.push_cpu. Puts the running task back
// into the queue if the caller has not; rq.curr stays as it is and may name a task that has left, so schedule() must follow
// (need_resched is set).
void active_load_balance(SchedState& s, CpuId src, BalanceLog& log);

// A wake-up ends an idle span: avg_idle, cap, idle_stamp = 0 (ttwu_do_wakeup; select.md 4).
void account_idle_end(SchedState& s, CpuId cpu);

} // namespace rqscope
