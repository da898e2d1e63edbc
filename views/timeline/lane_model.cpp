// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/lane_model.h"

#include <algorithm>

namespace rqscope {

Hop hopOf(const LogRow& row) {
    Hop hop;
    hop.begin = to_ns(row.decided_at());
    hop.time = to_ns(row.time);
    hop.row = row.seq.value;
    hop.task = row.task;
    hop.to = row.cpu;
    if (row.kind == RowKind::Migration) {
        hop.kind = HopKind::Migration;
        hop.from = row.from;
        hop.cause = row.cause;
    } else {
        hop.kind = row.kind == RowKind::Fork ? HopKind::Fork : HopKind::Wake;
        hop.other = row.other;
        hop.from = row.kind == RowKind::Fork ? row.from : row.waker_cpu;
        hop.pending = row.pending_ns;
    }
    return hop;
}

void LaneModel::reset(std::uint32_t cpus, std::span<const StartTask> startTasks) {
    *this = LaneModel();
    m_runs.resize(cpus);
    m_queues.resize(cpus);
    m_waiting.resize(cpus);
    ensure(kIdleTask);
    for (const auto& start : startTasks) {
        if (start.cpu.index() >= cpus) continue;
        ensure(start.task);
        enqueue(0, start.cpu, start.task);
    }
}

void LaneModel::add(const LogRow& row) {
    ++m_rows;
    const auto t = to_ns(row.time);
    m_known = std::max(m_known, t);
    if (row.cpu.index() >= m_runs.size()) return;
    ensure(row.task);
    ensure(row.other);
    switch (row.kind) {
    case RowKind::Switch: addSwitch(row); break;
    case RowKind::Wakeup:
    case RowKind::Fork:
        m_decisions.push_back(hopOf(row));
        enqueue(t, row.cpu, row.task);
        break;
    case RowKind::Block:
    case RowKind::Exit:
        dequeue(t, row.cpu, row.task);
        setPhase(t, row.task, row.kind == RowKind::Exit ? TaskPhase::Absent : TaskPhase::Blocked, row.cpu);
        break;
    case RowKind::Migration:
        m_migrations.push_back(hopOf(row));
        dequeue(t, row.from, row.task);
        enqueue(t, row.cpu, row.task);
        break;
    case RowKind::Input: m_flags.push_back({t, row.input}); break;
    case RowKind::Exec: // the move, if any, has a row of its own
    case RowKind::TickResched:
    case RowKind::Balance: break;
    }
}

void LaneModel::addSwitch(const LogRow& row) {
    const auto t = to_ns(row.time);
    auto& lane = m_runs[row.cpu.index()];
    lane.finish(t);
    const auto& prev = m_now[row.other.index()];
    // A Block, Exit, Wakeup or Migration row at this instant has the last word about where the task is.
    if (row.other != kIdleTask && prev.phase == TaskPhase::Running && prev.cpu == row.cpu) {
        if (row.end == SwitchEnd::Preempted) enqueue(t, row.cpu, row.other);
        else setPhase(t, row.other, row.end == SwitchEnd::Exited ? TaskPhase::Absent : TaskPhase::Blocked, row.cpu);
    }
    if (row.task == kIdleTask) return;
    dequeue(t, row.cpu, row.task);
    const auto begin = t + static_cast<Ns>(row.cost_ns);
    lane.start(begin, row.task);
    setPhase(begin, row.task, TaskPhase::Running, row.cpu);
}

void LaneModel::enqueue(Ns t, CpuId cpu, TaskId task) {
    auto& waiting = m_waiting[cpu.index()];
    if (std::find(waiting.begin(), waiting.end(), task.value) == waiting.end()) waiting.push_back(task.value);
    writeQueue(t, cpu);
    setPhase(t, task, TaskPhase::Waiting, cpu);
}

void LaneModel::dequeue(Ns t, CpuId cpu, TaskId task) {
    if (cpu.index() >= m_waiting.size()) return;
    auto& waiting = m_waiting[cpu.index()];
    const auto it = std::find(waiting.begin(), waiting.end(), task.value);
    if (it == waiting.end()) return;
    waiting.erase(it);
    writeQueue(t, cpu);
}

void LaneModel::writeQueue(Ns t, CpuId cpu) {
    const auto& waiting = m_waiting[cpu.index()];
    QueueLane::Step step;
    step.depth = static_cast<std::uint32_t>(waiting.size());
    std::copy_n(waiting.begin(), std::min(waiting.size(), QueueLane::kNamed), step.tasks.begin());
    m_queues[cpu.index()].set(t, step);
}

void LaneModel::setPhase(Ns t, TaskId task, TaskPhase phase, CpuId cpu) {
    m_phases[task.index()].set(t, phase, cpu);
    m_now[task.index()] = {phase, cpu};
}

void LaneModel::ensure(TaskId task) {
    if (task.index() < m_phases.size()) return;
    m_phases.resize(task.index() + 1);
    m_now.resize(task.index() + 1);
}

void LaneModel::setKnownTime(SimTime t) { m_known = std::max(m_known, to_ns(t)); }

std::size_t LaneModel::firstHop(const std::vector<Hop>& hops, Ns t) {
    const auto it = std::lower_bound(hops.begin(), hops.end(), t, [](const Hop& hop, Ns at) { return hop.time < at; });
    return static_cast<std::size_t>(it - hops.begin());
}

} // namespace rqscope
