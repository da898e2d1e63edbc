// SPDX-License-Identifier: GPL-3.0-or-later
// The scenarios resources/scenarios/toggle-*.json: each flips one toggle half-way; taken apart here into the run without the
// flip and the run flipped from the start.
#pragma once

#include "metrics/run_metrics.h"
#include "sim/sim_state.h"
#include "support/scenarios.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace rqscope::test {

inline std::vector<std::filesystem::path> toggle_files() {
    std::vector<std::filesystem::path> out;
    for (const auto& entry : std::filesystem::directory_iterator(RQSCOPE_SOURCE_DIR "/resources/scenarios"))
        if (entry.path().filename().string().starts_with("toggle-")) out.push_back(entry.path());
    std::sort(out.begin(), out.end());
    return out;
}

inline Scenario load_scenario(const std::filesystem::path& path) {
    auto s = read_scenario_file(path, machine_dirs());
    if (!s) qFatal("%s", text_of(s.problems()).c_str());
    return std::move(s).value();
}

inline FeatureSetting flip_of(const Scenario& s) { return std::get<FeatureSetting>(s.actions.front().change); }

// The toggle stays as it is at the start.
inline Scenario unflipped(Scenario s) {
    s.actions.clear();
    return s;
}

// The toggle is flipped from the start.
inline Scenario flipped(Scenario s) {
    s.features.push_back(flip_of(s));
    s.actions.clear();
    return s;
}

struct CountedRun {
    History history;
    RunSummary summary;
};

// With a window only what happens inside it is counted.
inline CountedRun run_and_count(Scenario s, std::optional<CountedSpan> window = std::nullopt) {
    auto h = history(std::move(s));
    RunMetrics metrics(h.snapshot(), window);
    h.run_to_end();
    if (h.fault()) qFatal("%s", h.fault()->what.c_str());
    h.log().for_each(0, h.known_rows(), [&](const LogRow& row) { metrics.row(row); });
    auto summary = metrics.summary(h.scenario(), h.state().sched, run_end(h.state(), h.time()));
    return {std::move(h), std::move(summary)};
}

} // namespace rqscope::test
