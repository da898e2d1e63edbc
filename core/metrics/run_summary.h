// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of one run as commands, window and lessons show them (engine.md 2 says what each word counts). Everything is
// an integer or a Decimal, so that the same run prints the same bytes everywhere. No kernel counterpart.
#pragma once

#include "base/units.h"
#include "metrics/decimal.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rqscope {

// Why a task changed its CPU; names as printed in migrations.by_cause.
enum class MigrationCause : std::uint8_t { Fork, Exec, Wake, Periodic, NewIdle, Active, Hotplug };
inline constexpr std::size_t kMigrationCauses = 7;
[[nodiscard]] std::string_view name_of(MigrationCause c);

// Half-open span of simulated time, [from, to).
struct CountedSpan {
    SimTime from{};
    SimTime to{};
};

struct RunSummary {
    std::string era;
    std::vector<std::string> features; // differences from the era's defaults, as typed
    std::uint64_t seed = 0;
    std::optional<CountedSpan> window; // set when only a part was counted
    std::int64_t sim_time_ns = 0;

    std::uint64_t events = 0, decisions = 0;
    std::int64_t makespan_ns = 0; // from the workload's release to its last exit or final block
    std::uint64_t messages = 0;   // of a messaging benchmark, in its timed part; 0 = it is none
    std::optional<Decimal> ns_per_message; // when the benchmark has come to its end
    std::uint64_t jobs = 0;       // blocks and exits: wake-ups that ran to their end
    Decimal throughput;           // jobs per second
    std::uint64_t switches = 0, preemptions = 0, wakeups = 0, forks = 0;

    std::uint64_t migrations = 0;
    std::vector<std::pair<std::string, std::uint64_t>> by_level; // lowest common domain, smallest level first
    std::array<std::uint64_t, kMigrationCauses> by_cause{};

    std::vector<std::uint64_t> fork_per_cpu; // children by the CPU they were placed on, over the CPUs online at the end
    Decimal fork_cv;

    struct {
        std::uint64_t count = 0;
        Decimal mean;
        std::uint64_t p50 = 0, p90 = 0, p95 = 0, p99 = 0, max = 0;
    } wakeup_latency; // ns

    // Time in which some CPU was idle while a task waited on a busy one: wall clock, summed over the idle CPUs, summed over
    // the waiting tasks. ns.
    struct {
        std::int64_t wall = 0, per_cpu = 0, per_task = 0;
    } waste;

    struct {
        std::uint64_t count = 0, need = 0, low_gran = 0;
    } check_preempt;
    std::array<Decimal, 3> loadavg{};

    struct {
        std::uint64_t checks = 0;
        Decimal per_wakeup;
        std::uint64_t ns = 0;
    } scan; // idle tests of wake-ups

    std::uint64_t state_hash = 0;
};

// One JSON object, keys in a fixed order, final newline.
[[nodiscard]] std::string summary_json(const RunSummary& summary);
// The same for people: about twenty lines, names on the left.
[[nodiscard]] std::string summary_text(const RunSummary& summary);

} // namespace rqscope
