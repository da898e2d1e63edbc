// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline draws, made from log rows one by one: per CPU what ran and who waited, per task its phases, decisions
// with their arrows, balance migrations, input flags. It only appends; another branch starts it anew. Rows come through
// add(), so that it needs no History.
#pragma once

#include "sim/log_row.h"
#include "timeline/lane_data.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace rqscope {

enum class HopKind : std::uint8_t { Fork, Wake, Migration };

// A task that was sent to a CPU: a decision (fork, wake-up) or a balance migration.
struct Hop {
    Ns begin = 0; // when it was decided
    Ns time = 0;  // when the task was on the queue of `to`
    std::uint32_t row = 0;
    TaskId task{0};
    TaskId other{0}; // parent or waker; idle = a timer, and for migrations
    CpuId from{0};   // CPU of the parent or waker; queue that was left
    CpuId to{0};
    HopKind kind{};
    MoveCause cause{}; // of a migration
    Ns pending = 0;    // ns before `time` in which the task was on its way by message (TTWU_QUEUE)

    [[nodiscard]] Ns sent() const { return time - pending; }
};

[[nodiscard]] Hop hopOf(const LogRow& row); // of a decision or migration row

struct InputFlag {
    Ns time = 0;
    std::uint32_t input = 0; // index into the input log
};

class LaneModel {
public:
    // Tasks that exist at time 0 are no forks (no row): the caller names them with the CPU they wait on.
    struct StartTask {
        TaskId task;
        CpuId cpu;
    };
    void reset(std::uint32_t cpus, std::span<const StartTask> startTasks = {});
    void add(const LogRow& row);
    // The run is known up to here, which may be later than the last row.
    void setKnownTime(SimTime t);

    [[nodiscard]] std::uint32_t cpuCount() const { return static_cast<std::uint32_t>(m_runs.size()); }
    [[nodiscard]] std::uint32_t taskCount() const {
        return static_cast<std::uint32_t>(m_phases.size());
    } // [0] = idle, empty
    [[nodiscard]] const RunLane& runs(CpuId cpu) const { return m_runs[cpu.index()]; }
    [[nodiscard]] const QueueLane& queue(CpuId cpu) const { return m_queues[cpu.index()]; }
    [[nodiscard]] const PhaseLane& phases(TaskId task) const { return m_phases[task.index()]; }
    [[nodiscard]] const std::vector<Hop>& decisions() const { return m_decisions; }   // by time
    [[nodiscard]] const std::vector<Hop>& migrations() const { return m_migrations; } // by time
    [[nodiscard]] const std::vector<InputFlag>& flags() const { return m_flags; }
    [[nodiscard]] Ns knownTime() const { return m_known; }
    [[nodiscard]] std::uint32_t rows() const { return m_rows; }
    // End of run i of a CPU, or the known time while it goes on.
    [[nodiscard]] Ns runEnd(CpuId cpu, std::size_t i) const {
        const auto end = m_runs[cpu.index()].end(i);
        return end == kOpenEnd ? std::max(m_known, m_runs[cpu.index()].begin(i)) : end;
    }
    // First hop of a list with time >= t.
    [[nodiscard]] static std::size_t firstHop(const std::vector<Hop>& hops, Ns t);

private:
    struct Now {
        TaskPhase phase = TaskPhase::Absent;
        CpuId cpu{0};
    };
    void addSwitch(const LogRow& row);
    void enqueue(Ns t, CpuId cpu, TaskId task);
    void dequeue(Ns t, CpuId cpu, TaskId task);
    void writeQueue(Ns t, CpuId cpu);
    void setPhase(Ns t, TaskId task, TaskPhase phase, CpuId cpu);
    void ensure(TaskId task);

    std::vector<RunLane> m_runs;
    std::vector<QueueLane> m_queues;
    std::vector<std::vector<std::uint32_t>> m_waiting; // per CPU, longest waiting first
    std::vector<PhaseLane> m_phases;
    std::vector<Now> m_now;
    std::vector<Hop> m_decisions, m_migrations;
    std::vector<InputFlag> m_flags;
    Ns m_known = 0;
    std::uint32_t m_rows = 0;
};

} // namespace rqscope
