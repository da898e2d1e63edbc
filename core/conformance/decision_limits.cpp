// SPDX-License-Identifier: GPL-3.0-or-later
// The figures that decisions-format.md says were reached, and the comparison with them. A run's row counts when all its
// workloads are there: a single file of eight forks may miss one.
#include "conformance/decision_report.h"

#include <algorithm>
#include <optional>
#include <span>

namespace rqscope {

namespace {

// agreed of records, and the mean set size in hundredths of a CPU.
struct Reached {
    std::uint64_t agreed, records;
    std::uint64_t mean_set;
};

constexpr Reached kForksReached{2666, kTotalForks, 587};
constexpr Reached kWakesReached{64'094, kTotalWakes, 131};

constexpr std::string_view kRunWorkloads[] = {"fs-fill", "fs-wake", "hb-P-g1", "hb-T-g1"};
constexpr std::string_view kTbenchWorkloads[] = {"tb1.base", "tb16.base", "tb4.base"};

// The rows of the table that stand for one run; agreement is given there in tenths of a percent.
struct Row {
    std::string_view run;
    std::span<const std::string_view> workloads; // sorted
    std::optional<Reached> forks;
    Reached wakes;
};
constexpr Row kRows[] = {
    {"A-8-61", kRunWorkloads, Reached{989, 1000, 160}, {991, 1000, 186}},
    {"A-8-612", kRunWorkloads, Reached{989, 1000, 180}, {994, 1000, 188}},
    {"A-16-61", kRunWorkloads, Reached{990, 1000, 160}, {986, 1000, 195}},
    {"A-16-612", kRunWorkloads, Reached{1000, 1000, 540}, {997, 1000, 143}},
    {"A-40-61", kRunWorkloads, Reached{971, 1000, 640}, {986, 1000, 174}},
    {"A-clu16-61", kRunWorkloads, Reached{990, 1000, 160}, {980, 1000, 189}},
    {"E-16-61", kTbenchWorkloads, std::nullopt, {1000, 1000, 106}},
    {"E-16-612", kTbenchWorkloads, std::nullopt, {1000, 1000, 104}},
};

void judge(const std::string& what, const SetFigures& got, const Reached& reached, std::vector<CaseResult>& out) {
    const auto wanted = std::to_string(reached.agreed) + " of " + std::to_string(reached.records);
    CaseResult agreement{what + ": agreement", false, false, {}};
    // got >= reached - 3/1000, without fractions
    agreement.passed =
        got.agreed * reached.records * 1000 + 3 * got.records * reached.records >= reached.agreed * got.records * 1000;
    if (!agreement.passed)
        agreement.differences.push_back("expected at most 0.3 points below " + wanted + ", got " +
                                        std::to_string(got.agreed) + " of " + std::to_string(got.records));
    CaseResult size{what + ": mean set size", got.set_cpus * 10'000 <= reached.mean_set * 105 * got.records, false, {}};
    if (!size.passed)
        size.differences.push_back("expected at most 105 % of " + std::to_string(reached.mean_set) + "/100 CPUs, got " +
                                   std::to_string(got.set_cpus) + " CPUs in " + std::to_string(got.records) + " sets");
    out.push_back(std::move(agreement));
    out.push_back(std::move(size));
}

std::optional<DecisionSummary> row_summary(const Row& row, const std::vector<ScoredRecording>& recordings) {
    DecisionSummary out;
    out.name = row.run;
    std::vector<std::string_view> workloads;
    for (const auto& r : recordings) {
        if (r.source.run != row.run) continue;
        workloads.push_back(r.source.workload);
        out.score += r.score;
    }
    std::sort(workloads.begin(), workloads.end());
    if (!std::equal(workloads.begin(), workloads.end(), row.workloads.begin(), row.workloads.end())) return std::nullopt;
    out.judged = true;
    if (row.forks) judge("forks", out.score.forks, *row.forks, out.cases);
    judge("wake-ups", out.score.wakes, row.wakes, out.cases);
    return out;
}

} // namespace

std::vector<DecisionSummary> summaries_of(const std::vector<ScoredRecording>& recordings) {
    std::vector<DecisionSummary> out;
    for (const auto& row : kRows)
        if (auto summary = row_summary(row, recordings)) out.push_back(std::move(*summary));
    if (recordings.size() < 2) return out;
    auto& all = out.emplace_back();
    all.name = "all recordings";
    for (const auto& r : recordings) all.score += r.score;
    all.judged = all.score.forks.records == kTotalForks && all.score.wakes.records == kTotalWakes;
    if (all.judged) {
        judge("forks", all.score.forks, kForksReached, all.cases);
        judge("wake-ups", all.score.wakes, kWakesReached, all.cases);
    }
    return out;
}

} // namespace rqscope
