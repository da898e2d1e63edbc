// SPDX-License-Identifier: GPL-3.0-or-later
// Counts a run row by row: feed it the rows in order, live as an Observer or afterwards from the log, then ask for the
// summary. It only watches; nothing flows back into a decision. Memory: a few words per task and CPU.
#pragma once

#include "metrics/histogram.h"
#include "metrics/run_summary.h"
#include "sim/log_row.h"
#include "sim/scenario.h"
#include "sim/snapshot.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace rqscope {

struct SimState;

// What the rows do not say.
struct RunEnd {
    SimTime time{};                         // up to where the run went
    SimTime release{};                      // from when the workload is timed
    SimTime makespan_end{};                 // last exit or final block of a workload task
    bool all_exited = false;                // every task has run its program to the end
    std::array<std::uint64_t, 3> avenrun{}; // calc_load averages, 2048 = 1.0
    std::uint64_t state_hash = 0;
};

// `shown` is the moment at which the run stands, which may be later than the state's last event.
[[nodiscard]] RunEnd run_end(const SimState& state, SimTime shown);

class RunMetrics : public Observer {
public:
    // `start` is the state before the first row. With a window only rows inside it are counted; the rows before it still
    // have to be fed, since they say who waits and which CPU is idle when the window opens.
    explicit RunMetrics(const Snapshot& start, std::optional<CountedSpan> window = std::nullopt);

    void row(const LogRow& row) override;

    // `before` are the kernel's counters when the window opened, empty without a window.
    [[nodiscard]] RunSummary summary(const Scenario& scenario, const SchedState& state, const RunEnd& end,
                                     const std::vector<SchedStat>& before = {}) const;

private:
    enum class Where : std::uint8_t { Away, Waiting, Running };
    struct Task {
        Where where = Where::Away;
        CpuId cpu{0};
        std::optional<SimTime> woken_at; // of a wake-up that has not run yet
    };
    struct Cpu {
        bool idle = true;
        std::uint32_t waiting = 0;
    };

    Task& task(TaskId id);
    void settle(SimTime now); // adds the time since the last row to the waste
    void set_waiting(TaskId id, CpuId cpu);
    void leave_queue(Task& t);
    void set_idle(CpuId cpu, bool idle);
    void count_waiting(Cpu& cpu, std::uint32_t waiting);
    void track(const LogRow& row, bool counted);
    void track_switch(const LogRow& row, bool counted);
    void count(const LogRow& row);
    void count_placement(const LogRow& row);
    void count_move(CpuId from, CpuId to, MigrationCause cause);
    [[nodiscard]] bool inside(SimTime t) const { return !m_window || (t >= m_window->from && t < m_window->to); }

    std::shared_ptr<const SchedDomains> m_domains;
    std::optional<CountedSpan> m_window;
    std::vector<Task> m_tasks; // by TaskId
    std::vector<Cpu> m_cpus;   // by CpuId
    std::uint32_t m_idle_cpus = 0;
    std::uint32_t m_waiting = 0; // on busy CPUs
    SimTime m_last{};

    RunSummary m_sum; // the plain counters of it
    Histogram m_latency;
    std::vector<std::uint64_t> m_forks_on; // by CpuId
};

// Level names of migrations.by_level in the era's own words, smallest first, NUMA levels once.
[[nodiscard]] std::vector<std::string> level_names(const SchedDomains& domains);

} // namespace rqscope
