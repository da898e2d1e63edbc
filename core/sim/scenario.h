// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that determines a run: machine, workload, era, toggles, seed, timed actions. rqscope-scenario/1 of CONTRACT;
// the JSON side is trace/scenario_json.h.
#pragma once

#include "base/units.h"
#include "sched/features.h"
#include "sched/tunables.h"
#include "topology/machine.h"
#include "workload/workload.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace rqscope {

// A user input that changes the run: a toggle or a tunable, with the moment at which it takes effect.
struct Input {
    SimTime at{};
    std::variant<FeatureSetting, TunableSetting> change;
};
// As the flag on the time axis shows it: "NO_ORDER_IDLE", "latency_ns=3000000".
[[nodiscard]] std::string to_string(const Input& input);

// A constructed start state (CONTRACT, `initial`); marked *constructed* on screen.
struct InitialCpu {
    CpuId cpu;
    std::optional<RqClock> idle_stamp;     // absolute rq clock ns
    bool idle_stamp_newest = false;
    std::optional<std::uint64_t> avg_idle; // ns
};

struct InitialLlc {
    LlcId llc;                                  // in the order of the caches' lowest CPUs
    std::optional<std::uint32_t> nr_idle_scan;  // CPUs
    std::optional<bool> has_idle_cores;
};

struct Scenario {
    std::string name; // shown in the window, "" = made from machine and workload
    std::string machine_ref; // path or id the machine came from, "" = inline
    Machine machine;
    Workload workload;
    Era era = Era::V4_8;
    std::vector<FeatureSetting> features; // differences from the era's defaults
    std::vector<TunableSetting> tunables;
    std::uint64_t seed = 1;
    std::optional<Duration> until;
    Duration jitter{0};
    Duration start_clock{std::chrono::seconds{10}};
    std::vector<InitialCpu> initial;
    std::vector<InitialLlc> initial_llcs;
    std::vector<Input> actions; // by time
    std::vector<std::string> notes;
    std::string view_json = "{}";
    std::string workload_json; // canonical text when the workload was inline JSON, else ""

    // The run begins in a state that was made up, which is said wherever it is shown.
    [[nodiscard]] bool constructed() const { return !initial.empty() || !initial_llcs.empty(); }
};

} // namespace rqscope
