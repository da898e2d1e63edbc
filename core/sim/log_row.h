// SPDX-License-Identifier: GPL-3.0-or-later
// One event of a run as everybody outside the simulator sees it (engine.md 2: event = one row). The packed form is
// trace/event_log.h; this is the unpacked one.
#pragma once

#include "base/ids.h"
#include "base/units.h"
#include "balance/balance.h"
#include "sched/cfs.h"
#include "select/select.h"

#include <cstdint>

namespace rqscope {

enum class RowKind : std::uint8_t {
    Switch,      // cpu: other (previous) -> task (next); end = how the previous task left; cost_ns = switch time
    Wakeup,      // task enqueued on cpu; other = waker (kIdleTask: a timer interrupt), from = previous CPU, placement, preempt
    Fork,        // task = child enqueued on cpu; other = parent, from = parent's CPU, placement, preempt
    Block,       // task dequeued on cpu
    Exit,        // task left for good on cpu
    TickResched, // tick on cpu asked for a reschedule of task
    Migration,   // task moved from -> cpu, cause
    Balance,     // pass of cpu at `domain`: balance
    Exec,        // task, running on `from`, was placed anew: placement; a Migration follows when cpu is another one
    Input,       // a toggle or another user input; input = index into the input log
};

enum class SwitchEnd : std::uint8_t { Preempted, Blocked, Exited, WasIdle };

struct LogRow {
    EventSeq seq;
    SimTime time{};
    RowKind kind{};
    bool first_of_step = false; // rows of one engine step share an instant of the calendar
    CpuId cpu{0};
    TaskId task{0};
    TaskId other{0};
    CpuId from{0};

    SwitchEnd end{};            // Switch
    std::uint32_t cost_ns = 0;  // Switch: time before the next task's first instruction; Wakeup: enqueue minus call
    CpuId waker_cpu{0};         // Wakeup
    bool sync = false;          // Wakeup
    std::uint32_t pending_ns = 0; // Wakeup: the part of cost_ns in which the wakee was on its way to its CPU by message
    Placement placement{};      // Wakeup, Fork, Exec; placement.cpu == cpu
    PreemptVerdict preempt{};   // Wakeup, Fork, Exec that moved
    MoveCause cause{};          // Migration
    BalanceVerdict balance{};   // Balance
    std::uint32_t input = 0;    // Input

    // A placement was chosen: every fork and exec, and every wake-up but those of a task that had not left its queue yet.
    [[nodiscard]] bool is_decision() const {
        return kind == RowKind::Fork || kind == RowKind::Exec || (kind == RowKind::Wakeup && placement.reason != PlaceReason::StillQueued);
    }
    [[nodiscard]] SimTime decided_at() const { return kind == RowKind::Wakeup ? time - Duration{cost_ns} : time; }
};

// Receives every row in order, as it happens.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void row(const LogRow& row) = 0;
};

} // namespace rqscope
