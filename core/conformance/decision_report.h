// SPDX-License-Identifier: GPL-3.0-or-later
// What a score of recorded decisions says: figures in words, and which checks it passed. Single misses of the recorded
// choices are not failures (the real rates are below 100 %); the figures are held to limits where the format page gives
// some. Source: decisions-format.md.
#pragma once

#include "conformance/conformance.h"
#include "conformance/decision_score.h"
#include "conformance/decision_source.h"

#include <string>
#include <vector>

namespace rqscope {

struct ScoredRecording {
    DecisionSource source;
    DecisionScore score;
};

// Lines for people: agreement, mean set size, one-CPU sets of forks and of wake-ups, hits, hard rules of the recorded
// choices and of our own.
[[nodiscard]] std::vector<std::string> figures_of(const DecisionScore& score);

// Checks that hold for any recording: recorded forks keep F1 and recorded wake-ups W1; our own choices are in their sets and
// keep every hard rule but F4. Only those with records.
[[nodiscard]] std::vector<CaseResult> cases_of(const DecisionScore& score);

// Several recordings added up.
struct DecisionSummary {
    std::string name; // "A-8-61", "all recordings"
    DecisionScore score;
    bool judged = false; // the format page has limits for just this
    std::vector<CaseResult> cases;
};

// One summary for each run of which every workload that the page lists is there, and one for all recordings together, which
// is judged when they hold the page's numbers of forks and wake-ups. Limits: agreement at most 0.3 points below, mean set
// size at most 5 % above the page's.
[[nodiscard]] std::vector<DecisionSummary> summaries_of(const std::vector<ScoredRecording>& recordings);

// The number of forks and wake-ups of the recordings that the page's totals are of.
inline constexpr std::uint64_t kTotalForks = 2710, kTotalWakes = 64'342;

} // namespace rqscope
