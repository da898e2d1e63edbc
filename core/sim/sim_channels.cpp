// SPDX-License-Identifier: GPL-3.0-or-later
// Sending, receiving and meeting: what the ops on channels cost, when they block and whom they wake (workloads.md 0). The
// side that copies pays, before its wake-up; a woken writer or reader looks again and may block at the tail.
#include "sim/simulator.h"

#include <utility>

namespace rqscope {

std::int64_t Simulator::copy_cost(const Channel& c, std::int64_t bytes, bool send) const {
    const auto& tun = m_s.sched.tunables;
    switch (c.kind) {
    case ChannelKind::Unix:
        return send ? tun.send_unix_ns + bytes * 9 / 100 : tun.recv_unix_ns + bytes * 9 / 100;
    case ChannelKind::Tcp: // 0.25 ns per byte, 70 % of it on the sender's CPU
        return send ? tun.send_tcp_ns + bytes * 175 / 1000 : tun.recv_tcp_ns + bytes * 75 / 1000;
    default:
        return send ? tun.send_pipe_ns + bytes * 8 / 100 : tun.recv_pipe_ns + bytes * 8 / 100;
    }
}

Channel& Simulator::channel_of(TaskId t, const Op& op) {
    return m_s.channels[op.target + (m_s.tasks[t.index()].number - 1) * op.jump];
}

bool Simulator::begin_send(CpuId cpu, TaskId t, const Op& op) {
    auto& c = channel_of(t, op);
    const auto bytes = static_cast<std::uint64_t>(op.amount);
    if (!has_room(c, bytes)) {
        c.writers.push_back(t);
        m_s.tasks[t.index()].waited_to_write = true;
        block(cpu, t);
        return false;
    }
    reserve(c, bytes);
    work_for(cpu, t, copy_cost(c, op.amount, true));
    return true;
}

void Simulator::finish_send(CpuId cpu, TaskId t, const Op& op) {
    auto& c = channel_of(t, op);
    const bool waited = std::exchange(m_s.tasks[t.index()].waited_to_write, false);
    const bool wake_reader = commit(c, static_cast<std::uint64_t>(op.amount));
    auto& exec = m_s.cpus[cpu.index()];
    exec.sync = true;
    if (!c.pollers.empty()) wake_all(cpu, c.pollers);
    if (wake_reader && !c.readers.empty()) wake_first(cpu, c.readers);
    // A writer that was woken alone and leaves room hands on to the next one.
    const bool exclusive = c.kind == ChannelKind::Pipe && m_s.sched.features.has(Feature::PIPE_EXCLUSIVE);
    if (exclusive && waited && !c.writers.empty() && has_room(c, static_cast<std::uint64_t>(op.amount))) wake_first(cpu, c.writers);
}

bool Simulator::begin_recv(CpuId cpu, TaskId t, const Op& op) {
    auto& c = channel_of(t, op);
    if (!readable(c)) {
        c.readers.push_back(t);
        block(cpu, t);
        return false;
    }
    m_s.tasks[t.index()].wakes_writers = take(c);
    work_for(cpu, t, copy_cost(c, op.amount, false));
    return true;
}

void Simulator::finish_recv(CpuId cpu, TaskId t, const Op& op) {
    if (!std::exchange(m_s.tasks[t.index()].wakes_writers, false)) return;
    auto& c = channel_of(t, op);
    if (c.writers.empty()) return;
    m_s.cpus[cpu.index()].sync = true;
    const bool exclusive = c.kind == ChannelKind::Pipe && m_s.sched.features.has(Feature::PIPE_EXCLUSIVE);
    if (exclusive) wake_first(cpu, c.writers);
    else wake_all(cpu, c.writers);
}

// The last of N wakes the others, who slept as futex waiters; each continues behind the barrier.
void Simulator::arrive_at_barrier(CpuId cpu, TaskId t, const Op& op) {
    auto& b = m_s.channels[op.target];
    if (++b.arrived < static_cast<std::uint32_t>(op.amount)) {
        b.readers.push_back(t);
        block(cpu, t);
        return;
    }
    b.arrived = 0;
    m_s.cpus[cpu.index()].sync = false;
    wake_all(cpu, b.readers);
}

void Simulator::wake_first(CpuId cpu, std::vector<TaskId>& waiters) {
    const auto t = waiters.front();
    waiters.erase(waiters.begin());
    m_s.cpus[cpu.index()].wake_queue.push_back(t);
    next_wake(cpu);
}

void Simulator::wake_all(CpuId cpu, std::vector<TaskId>& waiters) {
    auto& queue = m_s.cpus[cpu.index()].wake_queue;
    queue.insert(queue.end(), waiters.begin(), waiters.end());
    waiters.clear();
    next_wake(cpu);
}

} // namespace rqscope
