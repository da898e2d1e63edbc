// SPDX-License-Identifier: GPL-3.0-or-later
// Scenarios for tests: a machine of topologies/ by id, a workload as typed, an era, toggles. Fails the test on bad input.
#pragma once

#include "base/words.h"
#include "trace/history.h"
#include "trace/scenario_json.h"

#include <QTest>

#include <initializer_list>
#include <string>

namespace rqscope::test {

inline MachineDirs machine_dirs() { return {std::filesystem::path(RQSCOPE_SOURCE_DIR) / "topologies"}; }

inline std::string text_of(const Problems& problems) {
    std::string out;
    for (const auto& p : problems) out += p.where + ": " + p.message + "\n";
    return out;
}

inline Machine machine(std::string_view id) {
    auto m = find_machine(id, {}, machine_dirs());
    if (!m) qFatal("%s", text_of(m.problems()).c_str());
    return std::move(m).value();
}

inline Scenario scenario(std::string_view machine_id, std::string_view workload, std::string_view era = "4.8",
                         std::initializer_list<std::string_view> features = {}, std::string_view until = {}) {
    Scenario s;
    s.machine_ref = machine_id;
    s.machine = machine(machine_id);
    s.era = find_era(era).value();
    const bool json = workload.starts_with("{");
    auto w = json ? read_workload_json(workload, "test") : find_workload(workload, {}, s.machine);
    if (!w) qFatal("%s", text_of(w.problems()).c_str());
    s.workload = std::move(w).value();
    if (json) s.workload_json = workload;
    for (const auto f : features) s.features.push_back(parse_feature(f, s.era).value());
    if (!until.empty()) s.until = parse_duration(until).value();
    return s;
}

inline History history(Scenario s) {
    auto h = History::create(std::move(s));
    if (!h) qFatal("%s", text_of(h.problems()).c_str());
    return std::move(h).value();
}

inline constexpr std::string_view kStorm = "forkstorm:n=9,run=200us,gap=250us,block=1";

// Target CPU of every fork, in order.
inline std::vector<std::uint32_t> fork_targets(const History& h) {
    std::vector<std::uint32_t> out;
    h.log().for_each(0, h.known_rows(), [&](const LogRow& r) {
        if (r.kind == RowKind::Fork) out.push_back(r.cpu.value);
    });
    return out;
}

// A workload of one pinned program, `tasks` being the JSON of rqscope-workload/1's "tasks".
inline std::string workload_json(std::string_view tasks, std::string_view channels = "{}") {
    return R"({"schema": "rqscope-workload/1", "channels": )" + std::string(channels) + R"(, "tasks": )" + std::string(tasks) + "}";
}

} // namespace rqscope::test
