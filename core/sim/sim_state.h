// SPDX-License-Identifier: GPL-3.0-or-later
// The whole simulation as one copyable value: the scheduler's state, what each CPU is executing, where each program
// stands, channels, calendar. A keyframe is a copy of it; equal scenarios have equal states at equal steps.
#pragma once

#include "base/rng.h"
#include "sched/sched_state.h"
#include "select/select.h"
#include "sim/calendar.h"
#include "sim/channel.h"
#include "sim/snapshot.h"

#include <array>
#include <cstdint>
#include <vector>

namespace rqscope {

// What occupies a CPU and cannot be interrupted; ticks and reschedules wait for its end.
enum class Window : std::uint8_t { None, Switch, Wake, SleepPath, Tick, TimerWake };

struct CpuExec {
    Window window = Window::None;
    bool working = false;     // the current task's program is between work_begin and its end
    bool blocking = false;    // at the end of the sleep path the current task leaves the queue
    bool exiting = false;     // it leaves for good
    bool tick_waits = false;  // a tick came during a window
    bool stopper_waits = false; // active balance came during a window
    bool sync = false;        // of the wake-ups in wake_queue
    std::uint32_t speed = 1024; // work per ns in 1/1024: SMT share
    SimTime work_begin{};     // work is accounted up to here (in the future while an interrupt lasts)
    // The wake-up under way (Wake, TimerWake): verdict taken at its start, enqueued at its end.
    TaskId wakee{0};
    Placement verdict{};
    PlaceEffects effects{};
    bool remote = false;              // its end sends a message instead of enqueueing
    SimTime wake_begin{};
    std::vector<TaskId> wake_queue;   // further tasks this task wakes, in order
    std::vector<TaskId> timers_due;   // sleepers whose timer fired here during a window
    std::vector<TaskId> remote_due;   // wakees whose message arrived here during a window
};

// A wake-up between its choice and its enqueueing; `sent` differs from the time of that only for a message under way.
struct WakeUnderWay {
    TaskId wakee{0}, waker{0};
    CpuId waker_cpu{0}, from{0};
    Placement verdict{};
    bool sync = false;
    SimTime begin{}, sent{};
};

// The program side of one task.
struct SimTask {
    std::uint32_t task_template = 0;
    std::uint32_t number = 0; // within its role, from 1
    TaskId parent{0};
    std::uint32_t pc = 0;
    std::uint8_t stage = 0;   // within an op: 0 = to be begun, 1 = its cost is being worked off
    std::uint8_t depth = 0;   // open loops
    std::array<std::int64_t, kMaxLoopDepth> loops{}; // rounds left, -1 = for ever
    std::int64_t work_left = 0; // 1/1024 ns
    SimTime mark{};             // of Mark
    SimTime timer_edge{};       // last expiry, of Timer
    SimTime expiry{};           // of the pending timer
    CpuId timer_cpu{0};         // where it was armed
    TaskState state = TaskState::Blocked;
    bool thread = false;        // of its parent's process
    bool woken_early = false;   // a wake-up came while it was still on its way to sleep
    bool waits_forever = false; // Block
    bool wakes_writers = false; // the message being read frees room that blocked writers wait for
    bool waited_to_write = false; // the message being written had to wait for room
    std::uint32_t exited_children = 0; // not yet reaped
    std::uint32_t reap_wanted = 0;     // blocked in Reap until this many have exited
    Rng jitter;
};

// LOAD_FREQ in ticks: the load average is updated every 5 s and a tick.
[[nodiscard]] constexpr Jiffies load_freq(std::uint32_t hz) { return 5 * Jiffies{hz} + 1; }

// The system's load average (load.md 3.1); no decision reads it.
struct LoadAverage {
    std::array<std::uint64_t, 3> avenrun{}; // fixed point, 2048 = 1.00
    Jiffies update_at = 0;
};

struct SimState {
    SchedState sched;
    SimTime now{};
    std::vector<CpuExec> cpus;    // by CpuId
    std::vector<SimTask> tasks;   // by TaskId; [0] = idle
    std::vector<Channel> channels;
    std::vector<WakeUnderWay> remote_wakes; // messages under way, in the order sent
    Calendar calendar;            // slot 0 = inputs, 1 + cpu, 1 + nr_cpus + task
    std::vector<std::uint32_t> born; // by template: tasks made so far
    // Ticks of one instant, CPU by CPU, then the balance passes that fell due.
    SimTime next_tick{};
    std::uint32_t tick_cpu = 0;   // next CPU to tick at next_tick
    CpuMask balance_due;
    std::uint32_t next_action = 0; // scenario actions done
    std::uint32_t inputs_done = 0; // actions and user inputs: the number of the next Input row
    std::uint32_t rows = 0;
    std::uint64_t steps = 0;
    bool finished = false;
    LoadAverage loadavg;
    SimTime release{};            // from when the workload is timed: its Release op, else 0
    SimTime makespan_end{};       // last exit or final block of a workload task

    [[nodiscard]] std::uint32_t cpu_slot(CpuId cpu) const { return 1 + cpu.value; }
    [[nodiscard]] std::uint32_t task_slot(TaskId t) const { return 1 + static_cast<std::uint32_t>(cpus.size()) + t.value; }
};

// Covers what happened, not why: engine.md 5.
[[nodiscard]] std::uint64_t state_hash(const SimState& s);
// Approximate size in memory, for the keyframe policy.
[[nodiscard]] std::size_t state_bytes(const SimState& s);

} // namespace rqscope
