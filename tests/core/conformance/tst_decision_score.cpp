// SPDX-License-Identifier: GPL-3.0-or-later
// Scoring: two small recordings whose figures are known, random states in which our own selection must stay in the set and
// keep the hard rules, and the limits on both sides of their edge.
#include "conformance/decision_gzip.h"
#include "conformance/decision_report.h"

#include "base/rng.h"
#include "conformance/decision_fork_set.h"
#include "conformance/decision_select.h"
#include "conformance/decision_wake_set.h"
#include "core/conformance/decision_cases.h"

#include <algorithm>

using namespace rqscope;
using namespace rqscope::test;

namespace {

ScoredRecording recording(const std::string& run, const std::string& workload, const SetFigures& forks,
                          const SetFigures& wakes) {
    ScoredRecording r{{run, workload, "", Era::V6_1}, {}};
    r.score.forks = forks;
    r.score.wakes = wakes;
    return r;
}

const DecisionSummary* find(const std::vector<DecisionSummary>& all, const std::string& name) {
    const auto it = std::find_if(all.begin(), all.end(), [&](const DecisionSummary& s) { return s.name == name; });
    return it == all.end() ? nullptr : &*it;
}

// The four files of a run, all figures in the first.
std::vector<ScoredRecording> run_of_four(const SetFigures& forks, const SetFigures& wakes) {
    return {recording("A-8-61", "hb-P-g1", forks, wakes), recording("A-8-61", "fs-fill", {}, {}),
            recording("A-8-61", "fs-wake", {}, {}), recording("A-8-61", "hb-T-g1", {}, {})};
}

QString failed(const DecisionSummary* summary) {
    if (summary == nullptr) return "no summary";
    QStringList names;
    for (const auto& c : summary->cases)
        if (!c.passed) names << QString::fromStdString(c.name);
    return names.join(", ");
}

// Busy CPUs with one to three tasks, idle ones with a known age or none.
Decision random_state(Rng& rng, std::uint32_t cpus, DecisionKind kind) {
    const auto busy = rng.uniform(5);
    std::vector<std::uint32_t> nr;
    for (std::uint32_t c = 0; c < cpus; ++c)
        nr.push_back(rng.uniform(4) < busy ? static_cast<std::uint32_t>(1 + rng.uniform(2)) : 0);
    const auto waker = static_cast<std::uint32_t>(rng.uniform(cpus - 1));
    if (kind == DecisionKind::Fork) nr[waker] = std::max(nr[waker], 1U);
    Record d(kind, waker, kind == DecisionKind::Fork ? waker : static_cast<std::uint32_t>(rng.uniform(cpus - 1)), nr);
    for (std::uint32_t c = 0; c < cpus; ++c)
        if (nr[c] == 0 && rng.uniform(3) > 0) d.age(c, static_cast<std::int64_t>(rng.uniform(5000)));
    return d;
}

} // namespace

class TestDecisionScore : public QObject {
    Q_OBJECT

private slots:
    void recordedFile() {
        const auto text = gunzip(read_all(RQSCOPE_TEST_DATA "/decisions/A-8-61.fs-wake.jsonl.gz"), 1U << 24U);
        QVERIFY(text.ok());
        const auto score = score_decisions(*text, machine_of("2s4c-numa-61"), Era::V6_1);
        QVERIFY(score.ok());
        QCOMPARE(score->rules[HardRule::F1].applies, score->forks.records);
        QCOMPARE(score->rules[HardRule::W1].kept, score->wakes.records);
        QCOMPARE(score->own.calls, score->forks.records + 2 * score->wakes.records);
        QCOMPARE(score->own.outside, 0U);
        QVERIFY(score->forks.agreed * 100 >= score->forks.records * 95);
        QVERIFY(score->forks.set_cpus < 3 * score->forks.records); // of 8 CPUs
        for (const auto& c : cases_of(*score)) QVERIFY2(c.passed, c.name.c_str());
    }

    // The same text on a machine without the second node: the first record names CPUs that it does not have.
    void otherMachine() {
        const auto text = gunzip(read_all(RQSCOPE_TEST_DATA "/decisions/A-8-61.fs-fill.jsonl.gz"), 1U << 24U);
        QVERIFY(text.ok());
        const auto score = score_decisions(*text, machine_of("uma4-61"), Era::V6_1);
        QVERIFY(!score.ok());
        QVERIFY(score.problems()[0].where.starts_with("line 1."));
    }

    // recent_used_cpu is followed: a fork fixes it, so that the set of the child's first wake-up shrinks.
    void recentIsFollowed() {
        const std::string tail =
            R"(, "pid": 7, "comm": "x", "waker_cpu": 0, "waker_pid": 5, "nr": [2, 1, 0, 0], "idle_us": [-1, -1, 9, 9]})"
            "\n";
        const std::string fork = R"({"t_us": 50, "kind": "fork", "prev": 0, "chosen": 2)" + tail;
        const std::string wake = R"({"t_us": 60, "kind": "wake", "prev": 1, "chosen": 2)" + tail;
        const auto size = [](const std::string& text) {
            return score_decisions(text, machine_of("uma4-61"), Era::V6_1)->wakes.set_cpus;
        };
        QCOMPARE(size(wake), 4U);
        QCOMPARE(size(fork + wake), 3U);
        QCOMPARE(size(wake + wake), 4U + 3U); // 2 was recent_used_cpu or found, then prev = 1 is
    }

    void missesAreShown() {
        DecisionScore score;
        score.rules[HardRule::W1].add(false);
        score.own.outside = 1;
        score.own.first_outside = {"line 3: x to CPU 1 which is not in 2"};
        const auto cases = cases_of(score);
        QCOMPARE(cases.size(), std::size_t{3});
        QVERIFY(!cases[0].passed && !cases[0].differences.empty());
        QCOMPARE(cases[1].differences, score.own.first_outside);
        QVERIFY(!cases[1].passed && cases[2].passed);
    }

    void ownChoices_data() {
        QTest::addColumn<QString>("machine");
        for (const char* id :
             {"uma4-61", "1s4c2t-61", "2s4c-numa-612", "64-2x16x2-61", "clu-1s2m4c-612", "clu-2s2m2c2t-numa-61",
              "clu-2s2m2c2t-numa-612", "nps4-2t-61", "naples64-amd-61", "ring4-4c-61", "1s2d4c2t-612"})
            QTest::newRow(id) << QString(id);
    }
    void ownChoices() {
        QFETCH(QString, machine);
        const auto domains = domains_of(machine.toStdString());
        DecisionSelect select(domains, machine.endsWith("-612") ? Era::V6_12 : Era::V6_1);
        Rng rng(17, 4, domains->nr_cpu_ids);
        const auto check = [&](const Decision& d, const CpuMask& set, CpuId own) {
            QVERIFY2(set.test(own), qPrintable(QString("%1 is not in %2").arg(own.value).arg(text(set))));
            RuleCounts rules;
            count_rules(*domains, d, own, rules);
            // Without F3: such states leave whole cores idle beside doubly used CPUs, and a group is judged by its idle
            // CPUs.
            for (const auto rule : {HardRule::F1, HardRule::F2, HardRule::W1, HardRule::W2, HardRule::W3, HardRule::W4})
                QVERIFY2(rules[rule].kept == rules[rule].applies || out_of_reach(*domains, d, set, rule),
                         name_of(rule).data());
        };
        for (int i = 0; i < 2'000; ++i) {
            const auto fork = random_state(rng, domains->nr_cpu_ids, DecisionKind::Fork);
            check(fork, fork_set(*domains, fork), select.fork(fork));
            const auto wake = random_state(rng, domains->nr_cpu_ids, DecisionKind::Wake);
            const CpuId recent{static_cast<std::uint32_t>(rng.uniform(domains->nr_cpu_ids - 1))};
            const auto set = wake_set(*domains, wake, CpuMask::single(recent)).cpus;
            for (const bool sync : {false, true}) check(wake, set, select.wake(wake, recent, sync));
            if (QTest::currentTestFailed()) return;
        }
    }

    void limitsOfARun() {
        const SetFigures forks{1000, 986, 1680, 0, 0}, wakes{1000, 988, 1953, 0, 0};
        QCOMPARE(failed(find(summaries_of(run_of_four(forks, wakes)), "A-8-61")), "");
        const SetFigures worse_forks{1000, 985, 1680, 0, 0}, larger_wakes{1000, 988, 1954, 0, 0};
        QCOMPARE(failed(find(summaries_of(run_of_four(worse_forks, larger_wakes)), "A-8-61")),
                 "forks: agreement, wake-ups: mean set size");
    }
    void incompleteRunIsNotJudged() {
        auto three = run_of_four({1000, 0, 9000, 0, 0}, {1000, 0, 9000, 0, 0});
        three.pop_back();
        const auto all = summaries_of(three);
        QCOMPARE(all.size(), std::size_t{1});
        QVERIFY(all[0].name == "all recordings" && !all[0].judged && all[0].cases.empty());
        QCOMPARE(all[0].score.forks.records, 1000U);
        QVERIFY(summaries_of({three[0]}).empty());
    }
    void limitsOfTheTotal() {
        const auto total = [](std::uint64_t agreed, std::uint64_t cpus) {
            const std::vector<ScoredRecording> two{
                recording("x-61", "a", {kTotalForks, agreed, cpus, 0, 0}, {}),
                recording("x-61", "b", {}, {kTotalWakes, kTotalWakes, kTotalWakes, 0, 0})};
            const auto all = summaries_of(two);
            return failed(find(all, "all recordings"));
        };
        QCOMPARE(total(2658, 16'703), "");
        QCOMPARE(total(2657, 16'703), "forks: agreement");
        QCOMPARE(total(2658, 16'704), "forks: mean set size");
    }

    void figuresInWords() {
        DecisionScore score;
        score.forks = {2710, 2666, 15'914, 980, 961};
        score.rules[HardRule::F1] = {2710, 2710};
        const auto lines = figures_of(score);
        QCOMPARE(lines.front(),
                 std::string("forks 2666 of 2710 = 98.38 % in the set, mean set 5.87 CPUs; one-CPU sets 961 of 980"));
        QCOMPARE(lines[1], std::string("recorded choices: F1 2710 of 2710"));
    }
};

QTEST_APPLESS_MAIN(TestDecisionScore)
#include "tst_decision_score.moc"
