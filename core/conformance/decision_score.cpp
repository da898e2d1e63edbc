// SPDX-License-Identifier: GPL-3.0-or-later
// Records are taken in file order, because recent_used_cpu is followed from one wake-up of a task to its next.
#include "conformance/decision_score.h"

#include "conformance/decision_fork_set.h"
#include "conformance/decision_select.h"
#include "conformance/decision_wake_set.h"
#include "topology/build_domains.h"

#include <algorithm>
#include <map>
#include <memory>

namespace rqscope {

namespace {

constexpr std::size_t kShown = 4; // first differences of a file

void keep_first(std::vector<std::string>& list, std::string text) {
    if (list.size() < kShown) list.push_back(std::move(text));
}

class Scorer {
public:
    Scorer(std::shared_ptr<const SchedDomains> domains, Era era) : m_domains(std::move(domains)), m_select(m_domains, era) {}

    void add(const Decision& d) {
        if (d.kind == DecisionKind::Fork) add_fork(d);
        else add_wake(d);
        count_rules(*m_domains, d, d.chosen, m_score.rules);
    }
    DecisionScore take() { return std::move(m_score); }

private:
    void add_fork(const Decision& d) {
        const auto set = fork_set(*m_domains, d);
        m_score.forks.add(set.count(), set.test(d.chosen));
        m_recent[d.pid] = CpuMask::single(d.waker_cpu);
        add_own(d, set, m_select.fork(d), "");
    }
    void add_wake(const Decision& d) {
        auto& recent = m_recent.try_emplace(d.pid, m_domains->map).first->second;
        auto [set, recent_after] = wake_set(*m_domains, d, recent);
        const bool agrees = set.test(d.chosen);
        m_score.wakes.add(set.count(), agrees);
        if (!d.idle.test(d.prev) && d.idle.test(d.chosen)) m_score.hits.add(agrees);
        const auto assumed = recent.first().value_or(d.prev);
        add_own(d, set, m_select.wake(d, assumed, false), "");
        add_own(d, set, m_select.wake(d, assumed, true), " (sync)");
        recent = std::move(recent_after);
    }
    void add_own(const Decision& d, const CpuMask& set, CpuId own, std::string_view how) {
        const auto where = [&] {
            return "line " + std::to_string(d.line) + std::string(how) + ": " + d.comm + " to CPU " +
                   std::to_string(own.value);
        };
        ++m_score.own.calls;
        if (!set.test(own)) {
            ++m_score.own.outside;
            keep_first(m_score.own.first_outside, where() + " which is not in " + set.to_list());
        }
        RuleCounts rules;
        count_rules(*m_domains, d, own, rules);
        for (std::size_t i = 0; i < kHardRules; ++i) {
            auto& count = rules.by_rule[i];
            const auto rule = static_cast<HardRule>(i);
            if (count.kept == count.applies || rule == HardRule::F4) continue;
            if (out_of_reach(*m_domains, d, set, rule)) {
                ++m_score.own.unreachable;
                count = {};
            } else {
                keep_first(m_score.own.first_broken, where() + " which breaks " + std::string(name_of(rule)));
            }
        }
        m_score.own.rules += rules;
    }

    std::shared_ptr<const SchedDomains> m_domains;
    DecisionSelect m_select;
    std::map<std::uint32_t, CpuMask> m_recent; // by pid: possible values of recent_used_cpu
    DecisionScore m_score;
};

} // namespace

void SetFigures::add(std::uint32_t set_size, bool agrees) {
    ++records;
    set_cpus += set_size;
    agreed += agrees ? 1 : 0;
    if (set_size != 1) return;
    ++one_cpu;
    one_cpu_agreed += agrees ? 1 : 0;
}

SetFigures& SetFigures::operator+=(const SetFigures& other) {
    records += other.records;
    agreed += other.agreed;
    set_cpus += other.set_cpus;
    one_cpu += other.one_cpu;
    one_cpu_agreed += other.one_cpu_agreed;
    return *this;
}

OwnChoices& OwnChoices::operator+=(const OwnChoices& other) {
    calls += other.calls;
    outside += other.outside;
    unreachable += other.unreachable;
    rules += other.rules;
    for (const auto& text : other.first_outside) keep_first(first_outside, text);
    for (const auto& text : other.first_broken) keep_first(first_broken, text);
    return *this;
}

DecisionScore& DecisionScore::operator+=(const DecisionScore& other) {
    forks += other.forks;
    wakes += other.wakes;
    hits += other.hits;
    rules += other.rules;
    own += other.own;
    return *this;
}

Result<DecisionScore> score_decisions(std::string_view text, const Machine& machine, Era era) {
    auto domains = build_domains(machine, era_info(era).domains, machine.online, domain_options(era));
    if (!domains) return domains.problems();
    const auto shared = std::make_shared<const SchedDomains>(std::move(domains).value());
    Scorer scorer(shared, era);
    if (auto problems = for_each_decision(text, shared->map, [&scorer](const Decision& d) { scorer.add(d); });
        !problems.empty())
        return problems;
    return scorer.take();
}

} // namespace rqscope
