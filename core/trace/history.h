// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded run with a cursor: step and seek in both directions, change toggles, branch, explain, snapshot. Going back
// restores the nearest keyframe and replays; rows beyond the cursor stay known until a change makes them another branch.
#pragma once

#include "base/result.h"
#include "sim/log_row.h"
#include "sim/scenario.h"
#include "sim/snapshot.h"
#include "trace/event_log.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rqscope {

class Simulator;
struct SimState;

// Who a task is; grows as tasks are born, and never changes for a given branch.
struct TaskInfo {
    std::string name; // "child 1", unique
    std::string comm; // "forkstorm"
    std::uint32_t pid = 0;
    TaskId parent{0}; // kIdleTask = existed at time 0
    std::uint32_t number = 0;   // ordinal within its role, 0 = not numbered
    std::uint32_t role = 0;     // template index
};

enum class StepUnit : std::uint8_t { Event, Decision, Tick };

// What a fault of ours looks like; the run stops there and can be saved as a report.
struct Fault {
    SimTime time{};
    EventSeq seq;
    std::string what;
};

struct Explanation {
    LogRow row;
    std::vector<SelectStep> steps; // of the decision
};

// A user's input and the number of engine steps before it, which is all a replay needs.
struct RecordedInput {
    std::uint64_t steps = 0;
    Input input;
};

class History {
public:
    // Builds domains and the start state. Problems: machine without CPUs, domains refused, era not available.
    // `inputs` are those of a saved run; they take effect when the run gets there.
    static Result<History> create(Scenario scenario, std::vector<RecordedInput> inputs = {});
    ~History();
    History(History&&) noexcept;
    History& operator=(History&&) noexcept;

    [[nodiscard]] const Scenario& scenario() const;
    [[nodiscard]] const SchedDomains& domains() const; // at the cursor
    [[nodiscard]] const EventLog& log() const;         // all known rows, beyond the cursor too
    [[nodiscard]] const std::vector<Input>& inputs() const; // all that have a row, by LogRow::input
    [[nodiscard]] const std::vector<TaskInfo>& tasks() const; // by TaskId; [0] = idle
    // Tasks that exist at time 0 and the CPU each waits on; they are no forks and have no row of their own.
    [[nodiscard]] std::vector<std::pair<TaskId, CpuId>> start_tasks() const;
    // Row numbers of all known decisions, ascending.
    [[nodiscard]] const std::vector<std::uint32_t>& decisions() const;

    // Cursor: the number of rows that have happened, and the time of the last engine step.
    [[nodiscard]] std::uint32_t cursor() const;
    [[nodiscard]] SimTime time() const;
    [[nodiscard]] std::uint32_t known_rows() const;
    [[nodiscard]] SimTime known_time() const; // up to where the run is known
    [[nodiscard]] bool at_frontier() const;   // nothing known beyond the cursor
    [[nodiscard]] bool finished() const;      // the run is known to its end
    [[nodiscard]] bool at_end() const { return finished() && at_frontier(); }
    [[nodiscard]] SimTime end_limit() const;  // `until`, or 1 s for endless runs, or the far future
    [[nodiscard]] const std::optional<Fault>& fault() const;
    // The last decision at or before the cursor, if any.
    [[nodiscard]] std::optional<LogRow> current_decision() const;

    // One unit forward or back; false at the respective end. Decision: lands just after the decision's row.
    bool step_forward(StepUnit unit);
    bool step_back(StepUnit unit);
    void seek_row(std::uint32_t row); // cursor = first step boundary with at least `row` rows; simulates on if needed
    void seek_time(SimTime t);        // all events up to and including t have happened
    // Simulates or replays towards t for at most `max_steps` engine steps; true when t or the end is reached.
    bool advance(SimTime t, std::uint32_t max_steps);
    void run_to_end();
    // To the engine step with that number, inputs recorded there included; false when the run ends before.
    bool advance_steps(std::uint64_t steps);

    // A toggle at the cursor. Only at the frontier (else branch() first): takes effect with the next event.
    void apply(const Input& change);
    // The same run up to the cursor, sharing log and keyframes; known future is dropped.
    [[nodiscard]] History branch() const;

    [[nodiscard]] Snapshot snapshot() const;
    // Replays one decision with an Explainer attached; `seq` must name a decision row.
    [[nodiscard]] Explanation explain(EventSeq seq) const;
    [[nodiscard]] std::uint64_t state_hash() const; // at the cursor
    [[nodiscard]] const SimState& state() const;    // at the cursor; for metrics, invariants and tests
    [[nodiscard]] const SimState& frontier_state() const; // where the known run ends
    [[nodiscard]] const std::vector<RecordedInput>& user_inputs() const;
    // Bytes of packed log and of keyframes.
    [[nodiscard]] std::size_t log_bytes() const;
    [[nodiscard]] std::size_t keyframe_bytes() const;

private:
    [[nodiscard]] std::uint32_t seek_target(std::uint32_t row) const;

    struct Impl;
    explicit History(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m;
};

} // namespace rqscope
