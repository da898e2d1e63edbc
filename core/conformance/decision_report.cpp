// SPDX-License-Identifier: GPL-3.0-or-later
// Percentages are whole hundredths, rounded half up; every line gives the counts too.
#include "conformance/decision_report.h"

namespace rqscope {

namespace {

// value / per with two decimals.
std::string decimal(std::uint64_t value, std::uint64_t per) {
    const auto hundredths = (value * 100 + per / 2) / per;
    const auto rest = hundredths % 100;
    return std::to_string(hundredths / 100) + (rest < 10 ? ".0" : ".") + std::to_string(rest);
}

std::string of(std::uint64_t part, std::uint64_t whole) { return std::to_string(part) + " of " + std::to_string(whole); }

std::string line_of(const char* what, const SetFigures& f) {
    return std::string(what) + ' ' + of(f.agreed, f.records) + " = " + decimal(f.agreed * 100, f.records) +
           " % in the set, mean set " + decimal(f.set_cpus, f.records) + " CPUs; one-CPU sets " +
           of(f.one_cpu_agreed, f.one_cpu);
}

std::string rules_line(const char* what, const RuleCounts& rules) {
    std::string out;
    for (std::size_t i = 0; i < kHardRules; ++i)
        if (const auto& count = rules.by_rule[i]; count.applies > 0)
            out += (out.empty() ? " " : ", ") + std::string(name_of(static_cast<HardRule>(i))) + ' ' +
                   of(count.kept, count.applies);
    return what + out;
}

CaseResult rule_case(std::string name, const RuleCount& count) {
    CaseResult result{std::move(name), count.kept == count.applies, false, {}};
    if (!result.passed) result.differences.push_back("expected all, got " + of(count.kept, count.applies));
    return result;
}

} // namespace

std::vector<std::string> figures_of(const DecisionScore& score) {
    std::vector<std::string> out;
    if (score.forks.records > 0) out.push_back(line_of("forks", score.forks));
    if (score.wakes.records > 0)
        out.push_back(line_of("wake-ups", score.wakes) + "; hits " + of(score.hits.kept, score.hits.applies));
    out.push_back(rules_line("recorded choices:", score.rules));
    auto own = "own choices: " + of(score.own.calls - score.own.outside, score.own.calls) + " in the set;" +
               rules_line("", score.own.rules);
    if (score.own.unreachable > 0)
        own += "; not counted, because the rules lead elsewhere: " + std::to_string(score.own.unreachable);
    out.push_back(std::move(own));
    return out;
}

std::vector<CaseResult> cases_of(const DecisionScore& score) {
    std::vector<CaseResult> out;
    if (const auto& f1 = score.rules[HardRule::F1]; f1.applies > 0) out.push_back(rule_case("recorded forks keep F1", f1));
    if (const auto& w1 = score.rules[HardRule::W1]; w1.applies > 0)
        out.push_back(rule_case("recorded wake-ups keep W1", w1));
    out.push_back({"own choices are in the sets", score.own.first_outside.empty(), false, score.own.first_outside});
    out.push_back({"own choices keep the hard rules", score.own.first_broken.empty(), false, score.own.first_broken});
    return out;
}

} // namespace rqscope
