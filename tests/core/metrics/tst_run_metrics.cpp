// SPDX-License-Identifier: GPL-3.0-or-later
// The counters on a run written by hand: counts, levels and causes of migrations, waste, latency, windows, and the text and
// JSON forms of the summary byte for byte.
#include "core/metrics/hand_made_run.h"
#include "metrics/run_metrics.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace rqscope;
using namespace rqscope::test;

namespace {

SchedState stateOf(const HandMadeRun& run) {
    SchedState state;
    state.domains = run.start.domains;
    state.online = CpuMask::first_n(8);
    state.rqs.resize(8);
    state.rqs[0].stat.check_preempt_count = 5;
    state.rqs[0].stat.need_preempt_count = 2;
    state.rqs[4].stat.check_preempt_count = 1;
    return state;
}

RunSummary summaryOf(const HandMadeRun& run, std::optional<CountedSpan> window = {},
                     const std::vector<SchedStat>& before = {}) {
    RunMetrics metrics(run.start, window);
    for (const auto& row : run.rows) metrics.row(row);
    return metrics.summary(run.scenario, stateOf(run),
                           {from_ns(14'000), {}, from_ns(12'000), true, {2048, 1024, 100}, 0xabcULL},
                           before);
}

std::uint64_t at(const RunSummary& s, const std::string& level) {
    for (const auto& [name, count] : s.by_level)
        if (name == level) return count;
    return ~0ULL;
}

std::uint64_t by(const RunSummary& s, MigrationCause cause) { return s.by_cause[static_cast<std::size_t>(cause)]; }

} // namespace

class TestRunMetrics : public QObject {
    Q_OBJECT

private slots:
    void counts() {
        const auto s = summaryOf(handMadeRun());
        QCOMPARE(s.events, 16U);
        QCOMPARE(s.decisions, 3U);
        QCOMPARE(s.switches, 7U);
        QCOMPARE(s.preemptions, 1U);
        QCOMPARE(s.wakeups, 1U);
        QCOMPARE(s.forks, 2U);
        QCOMPARE(s.jobs, 2U);
        QCOMPARE(s.makespan_ns, 12'000);
        QCOMPARE(s.sim_time_ns, 14'000);
        QCOMPARE(to_string(s.throughput), std::string("142857.142857")); // 2 in 14 us
        QCOMPARE(s.check_preempt.count, 6U);
        QCOMPARE(s.check_preempt.need, 2U);
        QCOMPARE(to_string(s.loadavg[0], 2), std::string("1.00"));
        QCOMPARE(to_string(s.loadavg[2], 2), std::string("0.05"));
    }

    void migrations() {
        const auto s = summaryOf(handMadeRun());
        QCOMPARE(s.migrations, 3U);
        QCOMPARE(by(s, MigrationCause::Fork), 1U);    // 0 -> 4
        QCOMPARE(by(s, MigrationCause::Wake), 1U);    // 4 -> 1
        QCOMPARE(by(s, MigrationCause::NewIdle), 1U); // 0 -> 2
        QCOMPARE(at(s, "MC"), 1U);
        QCOMPARE(at(s, "NUMA"), 2U);
        QCOMPARE(s.by_level.size(), std::size_t{2});
    }

    // CPUs without a common domain: counted under a name of its own, which else does not appear.
    void migrationBetweenPartitions() {
        auto run = handMadeRun();
        auto apart = *run.start.domains;
        for (auto& domain : apart.domains) domain.parent.reset();
        run.start.domains = std::make_shared<const SchedDomains>(apart);
        QCOMPARE(at(summaryOf(run), "none"), 2U);
    }

    void forkSpread() {
        const auto s = summaryOf(handMadeRun());
        QCOMPARE(s.fork_per_cpu, (std::vector<std::uint64_t>{1, 0, 0, 0, 1, 0, 0, 0}));
        QCOMPARE(to_string(s.fork_cv), std::string("1.732050")); // sqrt(3): mean 1/4, variance 3/16
    }

    // 1-5 us: child 1 waits on CPU 0, idle are seven CPUs until 3 us, six until 5. 5-10 us: the parent waits; idle are six,
    // seven from 6, six from 8 us.
    void waste() {
        const auto s = summaryOf(handMadeRun());
        QCOMPARE(s.waste.wall, 9'000);
        QCOMPARE(s.waste.per_task, 9'000);
        QCOMPARE(s.waste.per_cpu, 2'000 * 7 + 2'000 * 6 + 1'000 * 6 + 2'000 * 7 + 2'000 * 6);
    }

    // A task queued on an idle CPU is about to run there: no waste.
    void waitingOnAnIdleCpuIsNoWaste() {
        HandMadeRun run;
        run.start.domains = twoNodes();
        run.start.cpus.resize(8);
        run.wake(1'000, 3, 1, 0, 3, 3, 0);
        run.switchTo(9'000, 3, 0, 1, SwitchEnd::WasIdle);
        QCOMPARE(summaryOf(run).waste.wall, 0);
    }

    // The call began 700 ns before the row, the first instruction is 400 ns after the switch.
    void wakeupLatency() {
        const auto s = summaryOf(handMadeRun());
        QCOMPARE(s.wakeup_latency.count, 1U);
        QCOMPARE(s.wakeup_latency.max, 1'100U);
        QCOMPARE(to_string(s.wakeup_latency.mean), std::string("1100.000000"));
        QCOMPARE(s.scan.checks, 3U);
        QCOMPARE(s.scan.ns, 250U);
        QCOMPARE(to_string(s.scan.per_wakeup), std::string("3.000000"));
    }

    // A wake-up of a task that had not left its queue chose nothing and moved nothing.
    void stillQueuedWakeupIsNoDecision() {
        auto run = handMadeRun();
        run.wake(13'000, 1, 3, 1, 2, 1, 500).placement.reason = PlaceReason::StillQueued;
        const auto s = summaryOf(run);
        QCOMPARE(s.wakeups, 2U);
        QCOMPARE(s.decisions, 3U);
        QCOMPARE(s.scan.checks, 3U);
        QCOMPARE(s.waste.wall, 9'000);
    }

    void windowCountsOnlyItsRows() {
        std::vector<SchedStat> before(8);
        before[0].check_preempt_count = 4;
        const auto s = summaryOf(handMadeRun(), CountedSpan{from_ns(4'000), from_ns(8'000)}, before);
        QCOMPARE(s.events, 4U); // the rows at 8 us are outside
        QCOMPARE(s.forks, 0U);
        QCOMPARE(s.switches, 2U);
        QCOMPARE(s.wakeup_latency.count, 0U);
        QCOMPARE(s.waste.wall, 4'000); // who waited before is known
        QCOMPARE(s.check_preempt.count, 2U);
        QCOMPARE(to_string(s.throughput), std::string("250000.000000"));
    }

    void windowsAddUp() {
        const auto run = handMadeRun();
        const auto whole = summaryOf(run);
        const auto first = summaryOf(run, CountedSpan{from_ns(0), from_ns(8'000)});
        const auto second = summaryOf(run, CountedSpan{from_ns(8'000), from_ns(14'000)});
        QCOMPARE(first.events + second.events, whole.events);
        QCOMPARE(first.waste.per_cpu + second.waste.per_cpu, whole.waste.per_cpu);
        QCOMPARE(first.migrations + second.migrations, whole.migrations);
    }

    void featuresAreDifferencesFromTheEra() {
        auto run = handMadeRun();
        run.scenario.features = {*parse_feature("WAKE_AFFINE", Era::V4_8), *parse_feature("NO_START_DEBIT", Era::V4_8)};
        QCOMPARE(summaryOf(run).features, std::vector<std::string>{"NO_START_DEBIT"});
    }

    void jsonByteForByte() {
        const std::string expected = R"({
  "schema": "rqscope-summary/1",
  "era": "4.8",
  "features": [],
  "seed": 1,
  "sim_time_ns": 14000,
  "events": 16,
  "decisions": 3,
  "makespan_ns": 12000,
  "throughput": {"name": "jobs", "value": 142857.142857, "unit": "1/s"},
  "switches": 7,
  "preemptions": 1,
  "wakeups": 1,
  "forks": 2,
  "migrations": {
    "total": 3,
    "by_level": {"MC": 1, "NUMA": 2},
    "by_cause": {"fork": 1, "exec": 0, "wake": 1, "periodic": 0, "newidle": 1, "active": 0, "hotplug": 0}
  },
  "fork_spread": {"per_cpu": [1, 0, 0, 0, 1, 0, 0, 0], "cv": 1.732050},
  "wakeup_latency_ns": {"mean": 1100.000000, "p50": 1100, "p90": 1100, "p95": 1100, "p99": 1100, "max": 1100},
  "waste_ns": {"wall": 9000, "per_cpu": 58000, "per_task": 9000},
  "check_preempt": {"count": 6, "need": 2, "low_gran": 0},
  "loadavg": [1.000000, 0.500000, 0.050000],
  "scan": {"checks": 3, "per_wakeup": 3.000000, "ns": 250},
  "extra": {},
  "state_hash": "0000000000000abc"
}
)";
        QCOMPARE(QString::fromStdString(summary_json(summaryOf(handMadeRun()))), QString::fromStdString(expected));
    }

    void jsonOfAWindowParses() {
        const auto text = summary_json(summaryOf(handMadeRun(), CountedSpan{from_ns(1), from_ns(2)}));
        const auto json = nlohmann::json::parse(text, nullptr, false);
        QVERIFY(!json.is_discarded());
        QCOMPARE(json.at("window_ns").at(1).get<int>(), 2);
    }

    void textNamesEveryFigure() {
        const auto text = QString::fromStdString(summary_text(summaryOf(handMadeRun())));
        QVERIFY(text.contains("migrations        3  by level: MC 1, NUMA 2; by cause: fork 1, wake 1, newidle 1\n"));
        QVERIFY(text.contains("children per CPU  1 0 0 0 1 0 0 0  (cv 1.732)\n"));
        QVERIFY(text.contains("waste             9us wall, 58us CPU time, 9us task time\n"));
        QVERIFY(text.endsWith("state hash        0000000000000abc\n"));
    }
};

QTEST_APPLESS_MAIN(TestRunMetrics)
#include "tst_run_metrics.moc"
