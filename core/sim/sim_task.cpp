// SPDX-License-Identifier: GPL-3.0-or-later
// Interprets the task programs (workloads.md 0). An op either takes no time, or works off a cost and then takes effect,
// or puts the task to sleep. Costs are the model of costs.md; blocking follows the order prepare, sleep path, dequeue.
#include "sim/simulator.h"

#include "base/check.h"

#include <algorithm>

namespace rqscope {

namespace {

constexpr std::int64_t kSpeedScale = 1024;
// An op that takes no time must not spin for ever: a program that never works or sleeps is caught here.
constexpr int kMaxIdleOps = 100'000;

} // namespace

// Runs the current task's program until something takes time. The CPU is in no window.
void Simulator::advance(CpuId cpu) {
    const auto t = current(cpu);
    const auto& program = template_of(t).program;
    for (int i = 0; i < kMaxIdleOps; ++i) {
        auto& task = m_s.tasks[t.index()]; // a fork may move the table
        SCHED_CHECK(task.pc < program.size());
        const auto& op = program[task.pc];
        if (task.stage == 0) {
            if (!begin_op(cpu, t, op)) return;
        } else {
            task.stage = 0;
            ++task.pc;
            finish_op(cpu, t, op);
        }
        // A wake-up, a preemption or the sleep path took the CPU, or there is work to do.
        if (m_s.cpus[cpu.index()].window != Window::None || current(cpu) != t) return;
        if (m_s.tasks[t.index()].stage == 1) return;
        if (m_s.sched.rqs[cpu.index()].need_resched) {
            settle(cpu);
            return;
        }
    }
    SCHED_CHECK(!"a task program neither works nor sleeps");
}

std::int64_t Simulator::jittered(TaskId t, std::int64_t ns) {
    const auto spread = template_of(t).jitter + m_scenario->jitter;
    if (spread.count() <= 0) return ns;
    return ns + static_cast<std::int64_t>(m_s.tasks[t.index()].jitter.uniform(static_cast<std::uint64_t>(spread.count())));
}

// stage 1: the op takes effect in finish_op() when this much work is done.
void Simulator::work_for(CpuId cpu, TaskId t, std::int64_t ns) {
    auto& task = m_s.tasks[t.index()];
    task.stage = 1;
    task.work_left = ns * kSpeedScale;
    start_work(cpu);
}

void Simulator::begin_loop(SimTask& task, const Op& op) {
    if (op.amount == 0) {
        task.pc = op.jump;
        return;
    }
    task.loops[task.depth++] = op.amount;
    ++task.pc;
}

void Simulator::end_loop(SimTask& task, const Op& op) {
    auto& left = task.loops[task.depth - 1U];
    if (left > 0 && --left == 0) {
        --task.depth;
        ++task.pc;
    } else {
        task.pc = op.jump;
    }
}

// ns of work after which the op takes effect; none for ops that take no time, wait or send.
std::optional<std::int64_t> Simulator::op_cost(CpuId cpu, TaskId t, const Op& op) {
    const auto& tun = m_s.sched.tunables;
    const bool thread = m_s.tasks[t.index()].thread;
    switch (op.kind) {
    case OpKind::Run:
        return jittered(t, op.amount);
    case OpKind::FirstRun:
        return jittered(t, thread ? tun.first_run_thread_ns : tun.first_run_process_ns);
    case OpKind::ForkWork:
        return tun.fork_work_ns;
    case OpKind::CpuTime:
        return jittered(t, cputime_cost(cpu, t, op));
    case OpKind::PadTo:
    case OpKind::PadToFork: // ends at a moment, whatever the speed: arm_work_end() knows
        return 0;
    case OpKind::Fork:
    case OpKind::ForkTree:
        return tun.fork_process_ns;
    case OpKind::Thread:
        return tun.fork_thread_ns;
    case OpKind::Wake:
        return tun.futex_wake_ns;
    case OpKind::Exit:
        return thread ? tun.exit_thread_ns : tun.exit_process_ns;
    default:
        return std::nullopt;
    }
}

// False: the task sleeps or another one runs; true: look again.
bool Simulator::begin_op(CpuId cpu, TaskId t, const Op& op) {
    auto& task = m_s.tasks[t.index()];
    if (op.kind == OpKind::ForkTree && !may_fork_tree(t, op)) {
        ++task.pc;
        return true;
    }
    if (const auto cost = op_cost(cpu, t, op)) {
        work_for(cpu, t, *cost);
        return true;
    }
    switch (op.kind) {
    case OpKind::Mark:
        task.mark = m_s.now;
        ++task.pc;
        return true;
    case OpKind::Release:
        m_s.release = m_s.now;
        ++task.pc;
        return true;
    case OpKind::LoopBegin:
        begin_loop(task, op);
        return true;
    case OpKind::LoopEnd:
        end_loop(task, op);
        return true;
    case OpKind::Exec:
        ++task.pc;
        return sched_exec(cpu, t);
    case OpKind::Send:
        return begin_send(cpu, t, op);
    case OpKind::Recv:
        return begin_recv(cpu, t, op);
    default:
        return begin_wait(cpu, t, op);
    }
}

void Simulator::finish_op(CpuId cpu, TaskId t, const Op& op) {
    switch (op.kind) {
    case OpKind::Fork:
    case OpKind::ForkTree:
    case OpKind::Thread:
        fork_child(cpu, t, op);
        break;
    case OpKind::Send:
        finish_send(cpu, t, op);
        break;
    case OpKind::Recv:
        finish_recv(cpu, t, op);
        break;
    case OpKind::Wake: {
        auto& futex = m_s.channels[op.target];
        m_s.cpus[cpu.index()].sync = false;
        if (futex.readers.empty()) futex.flag = true;
        else wake_first(cpu, futex.readers);
        break;
    }
    case OpKind::Barrier:
        arrive_at_barrier(cpu, t, op);
        break;
    case OpKind::Exit:
        exit_task(cpu, t);
        break;
    default:
        break;
    }
}

// The task is on its way to sleep: it stays on the CPU for the sleep path and may be woken before it has left the queue.
void Simulator::block(CpuId cpu, TaskId t) {
    m_s.tasks[t.index()].woken_early = false;
    open_window(cpu, Window::SleepPath, static_cast<std::uint64_t>(m_s.sched.tunables.sleep_path_ns));
}

bool Simulator::begin_wait(CpuId cpu, TaskId t, const Op& op) {
    auto& task = m_s.tasks[t.index()];
    const auto sleep_then_continue = [&] {
        ++task.pc;
        block(cpu, t);
        return false;
    };
    switch (op.kind) {
    case OpKind::Sleep:
        arm_timer(cpu, t, m_s.now + Duration{op.amount});
        return sleep_then_continue();
    case OpKind::Timer: {
        const auto edge = task.timer_edge + Duration{op.amount};
        task.timer_edge = edge;
        if (edge <= m_s.now) {
            ++task.pc;
            return true;
        }
        arm_timer(cpu, t, edge);
        return sleep_then_continue();
    }
    case OpKind::Poll:
        if (readable(m_s.channels[op.target])) {
            ++task.pc;
            return true;
        }
        m_s.channels[op.target].pollers.push_back(t);
        block(cpu, t);
        return false;
    case OpKind::Wait:
        if (m_s.channels[op.target].flag) {
            m_s.channels[op.target].flag = false;
            work_for(cpu, t, m_s.sched.tunables.futex_wait_ns);
            return true;
        }
        m_s.channels[op.target].readers.push_back(t);
        return sleep_then_continue();
    case OpKind::Barrier:
        work_for(cpu, t, m_s.sched.tunables.futex_wait_ns);
        return true;
    case OpKind::Reap:
        if (task.exited_children >= static_cast<std::uint32_t>(op.amount)) {
            task.exited_children -= static_cast<std::uint32_t>(op.amount);
            ++task.pc;
            return true;
        }
        task.reap_wanted = static_cast<std::uint32_t>(op.amount);
        block(cpu, t);
        return false;
    default: // Block
        task.waits_forever = true;
        block(cpu, t);
        return false;
    }
}

void Simulator::arm_timer(CpuId cpu, TaskId t, SimTime at) {
    auto& task = m_s.tasks[t.index()];
    task.expiry = at;
    task.timer_cpu = cpu;
    m_s.calendar.set(m_s.task_slot(t), at, EventClass::Wake);
}

// exit_notify(), then the last schedule(): a parent that waits for enough children is woken by the exiting task first.
void Simulator::exit_task(CpuId cpu, TaskId t) {
    auto& exec = m_s.cpus[cpu.index()];
    exec.exiting = exec.blocking = true;
    const auto parent = m_s.tasks[t.index()].parent;
    if (parent != kIdleTask) {
        auto& p = m_s.tasks[parent.index()];
        ++p.exited_children;
        if (p.reap_wanted > 0 && p.exited_children >= p.reap_wanted) {
            p.reap_wanted = 0;
            exec.sync = false;
            exec.wake_queue.push_back(parent);
        }
    }
    next_wake(cpu);
}

bool Simulator::may_fork_tree(TaskId t, const Op& op) const {
    const auto& task = m_s.tasks[t.index()];
    const std::int64_t node = task.task_template == op.target ? task.number : 0;
    return 2 * node + op.jump <= op.amount;
}

// The moment at which the op under way ends, for the op that is bound to a moment rather than to an amount of work.
std::optional<SimTime> Simulator::pad_end(TaskId t) const {
    const auto& task = m_s.tasks[t.index()];
    const auto& op = template_of(t).program[task.pc];
    if (op.kind == OpKind::PadTo) return task.mark + Duration{op.amount};
    if (op.kind != OpKind::PadToFork) return std::nullopt;
    return task.mark + Duration{std::min<std::int64_t>(std::max(op.amount, m_s.sched.tunables.fork_process_ns), 200'000)};
}

} // namespace rqscope
