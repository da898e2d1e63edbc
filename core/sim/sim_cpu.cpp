// SPDX-License-Identifier: GPL-3.0-or-later
// What one CPU executes: windows that nothing interrupts, the current task's work between them, and schedule(). Mirrors
// __schedule() and resched_curr(); costs and SMT shares are the model of engine.md 3 and costs.md, not kernel text.
#include "sim/simulator.h"

#include "base/check.h"
#include "sched/cfs.h"
#include "sched/clock.h"
#include "sched/sched_info.h"

#include <algorithm>
#include <utility>

namespace rqscope {

namespace {

constexpr std::uint32_t kFullSpeed = 1024;
constexpr std::uint32_t kPairSpeed = 635;   // two busy threads: 0.62 each
constexpr std::uint32_t kCoreSpeed = 1270;  // more than two share this

} // namespace

void Simulator::cpu_event(CpuId cpu) {
    if (m_s.cpus[cpu.index()].window != Window::None) {
        close_window(cpu);
        return;
    }
    account_work(cpu);
    SCHED_CHECK(m_s.tasks[current(cpu).index()].work_left <= 0 || pad_end(current(cpu)));
    m_s.cpus[cpu.index()].working = false;
    advance(cpu);
}

void Simulator::open_window(CpuId cpu, Window w, std::uint64_t ns) {
    auto& exec = m_s.cpus[cpu.index()];
    exec.window = w;
    const bool wake = w == Window::Wake || w == Window::TimerWake;
    m_s.calendar.set(m_s.cpu_slot(cpu), m_s.now + Duration{static_cast<std::int64_t>(ns)}, wake ? EventClass::Wake : EventClass::BurstEnd);
}

void Simulator::close_window(CpuId cpu) {
    auto& exec = m_s.cpus[cpu.index()];
    const auto w = exec.window;
    exec.window = Window::None;
    switch (w) {
    case Window::Wake:
        finish_wake(cpu, w);
        next_wake(cpu);
        return;
    case Window::TimerWake:
        finish_wake(cpu, w);
        break;
    case Window::SleepPath:
        if (exec.exiting || !m_s.tasks[current(cpu).index()].woken_early) {
            exec.blocking = true;
            schedule(cpu);
            return;
        }
        m_s.tasks[current(cpu).index()].woken_early = false;
        break;
    case Window::Switch:
    case Window::Tick:
    case Window::None:
        break;
    }
    settle(cpu);
}

// Between windows: interrupts that waited, then a reschedule that was asked for, then the task goes on.
void Simulator::settle(CpuId cpu) {
    auto& exec = m_s.cpus[cpu.index()];
    if (exec.window != Window::None) return;
    if (!exec.remote_due.empty()) {
        const auto t = exec.remote_due.front();
        exec.remote_due.erase(exec.remote_due.begin());
        handle_remote_wake(cpu, t);
        return;
    }
    if (!exec.timers_due.empty()) {
        const auto t = exec.timers_due.front();
        exec.timers_due.erase(exec.timers_due.begin());
        begin_timer_wake(cpu, t);
        return;
    }
    const auto& rq = m_s.sched.rqs[cpu.index()];
    if (exec.tick_waits) {
        exec.tick_waits = false;
        tick(cpu);
        if (exec.window == Window::None && rq.curr != kIdleTask)
            open_window(cpu, Window::Tick, static_cast<std::uint64_t>(m_s.sched.tunables.tick_ns));
        if (exec.window != Window::None) return;
    }
    if (exec.stopper_waits) {
        exec.stopper_waits = false;
        run_stopper(cpu);
        return;
    }
    if (rq.need_resched) schedule(cpu);
    else if (rq.curr != kIdleTask && !exec.working) start_work(cpu);
}

// active_load_balance_cpu_stop(): the stopper displaces the running task for no simulated time and pushes one of the
// queue's tasks away; then the queue picks again.
void Simulator::run_stopper(CpuId src) {
    auto& s = m_s.sched;
    auto& rq = s.rqs[src.index()];
    auto& exec = m_s.cpus[src.index()];
    if (exec.window != Window::None) {
        exec.stopper_waits = true;
        return;
    }
    pause_work(src);
    update_rq_clock(s, src);
    const auto prev = rq.curr;
    if (prev != kIdleTask) {
        put_prev_entity(s, src, prev);
        m_s.tasks[prev.index()].state = TaskState::Waiting; // whoever takes it next says otherwise
    }
    m_balance_log.clear();
    active_load_balance(s, src, m_balance_log);
    log_balance(src);
    rq.curr = kIdleTask; // the stopper's moment: nobody is compared with a task that may have left
    const auto next = pick_or_pull(src);
    rq.need_resched = false;
    if (next == prev) {
        if (next == kIdleTask) return;
        rq.curr = next;
        set_next_entity(s, src, next);
        m_s.tasks[next.index()].state = TaskState::Running;
        start_work(src);
        return;
    }
    begin_switch(src, prev, next, prev == kIdleTask ? SwitchEnd::WasIdle : SwitchEnd::Preempted);
}

// resched_curr() on another CPU: it reacts at once unless a window or an interrupt is in progress.
void Simulator::kick(CpuId cpu) {
    auto& exec = m_s.cpus[cpu.index()];
    const auto& rq = m_s.sched.rqs[cpu.index()];
    if (!rq.need_resched || exec.window != Window::None) return;
    pause_work(cpu);
    if (rq.curr != kIdleTask && m_s.sched.now < rq.irq_end) {
        open_window(cpu, Window::Tick, rq.irq_end - m_s.sched.now);
        return;
    }
    schedule(cpu);
}

void Simulator::schedule(CpuId cpu) {
    auto& s = m_s.sched;
    auto& rq = s.rqs[cpu.index()];
    auto& exec = m_s.cpus[cpu.index()];
    const auto prev = rq.curr;
    const auto end = prev == kIdleTask ? SwitchEnd::WasIdle : exec.exiting ? SwitchEnd::Exited : exec.blocking ? SwitchEnd::Blocked : SwitchEnd::Preempted;
    rq.need_resched = false;
    ++rq.stat.sched_count;
    update_rq_clock(s, cpu);
    if (exec.blocking) leave_queue(cpu, prev);
    const auto next = pick_or_pull(cpu);
    exec.blocking = exec.exiting = false;
    if (next != prev) {
        switch_to(cpu, prev, next, end);
        return;
    }
    if (prev == kIdleTask) {
        become_idle(cpu);
        settle(cpu);
    } else {
        start_work(cpu);
    }
}

// pick_next_task_fair(): an empty queue looks for work elsewhere before the CPU goes idle.
TaskId Simulator::pick_or_pull(CpuId cpu) {
    if (m_s.sched.nr_running[cpu.index()] == 0) {
        m_balance_log.clear();
        newidle_balance(m_s.sched, cpu, m_balance_log);
        log_balance(cpu);
        m_s.sched.rqs[cpu.index()].need_resched = false; // asked for by the pull, and about to be done
    }
    return pick_next_entity(m_s.sched, cpu);
}

void Simulator::leave_queue(CpuId cpu, TaskId prev) {
    const bool exits = m_s.cpus[cpu.index()].exiting;
    dequeue_task_fair(m_s.sched, cpu, prev, {.sleep = true});
    m_s.tasks[prev.index()].state = exits ? TaskState::Exited : TaskState::Blocked;
    if (exits || m_s.tasks[prev.index()].waits_forever) m_s.makespan_end = m_s.now;
    LogRow row;
    row.kind = exits ? RowKind::Exit : RowKind::Block;
    row.cpu = cpu;
    row.task = prev;
    emit(row);
}

void Simulator::switch_to(CpuId cpu, TaskId prev, TaskId next, SwitchEnd end) {
    if (prev != kIdleTask) {
        put_prev_entity(m_s.sched, cpu, prev);
        if (m_s.sched.se[prev.index()].on_rq) m_s.tasks[prev.index()].state = TaskState::Waiting;
    }
    begin_switch(cpu, prev, next, end);
}

void Simulator::begin_switch(CpuId cpu, TaskId prev, TaskId next, SwitchEnd end) {
    auto& s = m_s.sched;
    auto& rq = s.rqs[cpu.index()];
    auto cost = static_cast<std::uint64_t>(s.tunables.ctx_switch_ns);
    if (prev == kIdleTask || next == kIdleTask) cost /= 2;
    sched_info_switch(s, cpu, prev, next);
    update_misfit_status(s, cpu, next);
    rq.curr = next;
    if (next == kIdleTask) {
        ++rq.stat.sched_goidle;
        if (s.nr_running[cpu.index()] == 0) become_idle(cpu);
    } else {
        set_next_entity(s, cpu, next);
        s.se[next.index()].exec_start += cost; // the switch is charged to nobody
        m_s.tasks[next.index()].state = TaskState::Running;
        s.idle.clear(cpu);
    }
    LogRow row;
    row.kind = RowKind::Switch;
    row.cpu = cpu;
    row.task = next;
    row.other = prev;
    row.end = end;
    row.cost_ns = static_cast<std::uint32_t>(cost);
    emit(row);
    update_smt_speed(cpu);
    open_window(cpu, Window::Switch, cost);
}

// --- work of the current task, in 1/1024 ns

void Simulator::start_work(CpuId cpu) {
    auto& exec = m_s.cpus[cpu.index()];
    exec.work_begin = m_s.now;
    if (m_s.tasks[current(cpu).index()].stage == 0) {
        advance(cpu);
        return;
    }
    exec.working = true;
    arm_work_end(cpu);
}

void Simulator::arm_work_end(CpuId cpu) {
    const auto& exec = m_s.cpus[cpu.index()];
    if (const auto end = pad_end(current(cpu))) {
        m_s.calendar.set(m_s.cpu_slot(cpu), std::max(exec.work_begin, *end), EventClass::BurstEnd);
        return;
    }
    const auto left = m_s.tasks[current(cpu).index()].work_left;
    const auto ns = left <= 0 ? 0 : (left + exec.speed - 1) / static_cast<std::int64_t>(exec.speed);
    m_s.calendar.set(m_s.cpu_slot(cpu), exec.work_begin + Duration{ns}, EventClass::BurstEnd);
}

void Simulator::account_work(CpuId cpu) {
    auto& exec = m_s.cpus[cpu.index()];
    if (!exec.working || m_s.now <= exec.work_begin) return;
    m_s.tasks[current(cpu).index()].work_left -= (m_s.now - exec.work_begin).count() * exec.speed;
    exec.work_begin = m_s.now;
}

void Simulator::pause_work(CpuId cpu) {
    auto& exec = m_s.cpus[cpu.index()];
    if (!exec.working) return;
    account_work(cpu);
    exec.working = false;
    m_s.calendar.cancel(m_s.cpu_slot(cpu));
}

// A thread became busy or idle: the threads of its core share the core anew.
void Simulator::update_smt_speed(CpuId cpu) {
    const auto& mask = m_s.sched.domains->smt[cpu.index()];
    std::uint32_t busy = 0;
    for (const auto c : mask) busy += current(c) != kIdleTask ? 1U : 0U;
    const auto speed = busy <= 1 ? kFullSpeed : busy == 2 ? kPairSpeed : kCoreSpeed / busy;
    for (const auto c : mask) {
        auto& exec = m_s.cpus[c.index()];
        if (exec.speed == speed) continue;
        account_work(c);
        exec.speed = speed;
        if (exec.working) arm_work_end(c);
    }
}

// pick_next_task_idle(). A CPU to which a wake-up is on its way does not count as idle.
void Simulator::become_idle(CpuId cpu) {
    auto& s = m_s.sched;
    if (s.rqs[cpu.index()].ttwu_pending == 0) s.idle.set(cpu);
    update_idle_core(s, cpu);
}

// Rows of what balancing did, and the other CPUs that have to react; `cpu` itself is left to the caller.
void Simulator::log_balance(CpuId cpu) {
    for (const auto& pass : m_balance_log.passes) {
        if (pass.reason < BalanceReason::NothingMoved) continue;
        LogRow row;
        row.kind = RowKind::Balance;
        row.cpu = pass.dst;
        row.balance = pass;
        emit(row);
    }
    for (const auto& move : m_balance_log.moves) {
        m_s.sched.idle.clear(move.to);
        LogRow row;
        row.kind = RowKind::Migration;
        row.task = move.task;
        row.from = move.from;
        row.cpu = move.to;
        row.cause = move.cause;
        emit(row);
    }
    // Whoever reacts may balance again and write the log anew.
    const auto stopped = std::exchange(m_balance_log.active, {});
    std::vector<CpuId> others;
    for (const auto& move : m_balance_log.moves)
        if (move.to != cpu) others.push_back(move.to);
    for (const auto other : others) kick(other);
    for (const auto src : stopped) run_stopper(src);
}

} // namespace rqscope
