// SPDX-License-Identifier: GPL-3.0-or-later
// The storm the project begins with: nine children that block at once, on eight CPUs of one cache. What 4.8 did, what the
// repaired clock does, what the load_avg series does. Source: select.md, golden seq-01 and seq-04; load.md e5.
#include "support/scenarios.h"

#include <set>

using namespace rqscope;
using namespace rqscope::test;

using Cpus = std::vector<std::uint32_t>;

class TestForkStorm : public QObject {
    Q_OBJECT
private slots:
    void stale_clock_sends_all_to_one_cpu() {
        auto h = history(scenario("teach-mc8", kStorm));
        h.run_to_end();
        QCOMPARE(fork_targets(h), Cpus(9, 1));
    }

    void updated_clock_spreads_by_the_rest_of_runnable_load() {
        auto h = history(scenario("teach-mc8", kStorm, "4.8", {"NO_BUG_STALE_CLOCK_AT_FORK"}));
        h.run_to_end();
        const auto cpus = fork_targets(h);
        QCOMPARE(cpus, (Cpus{1, 1, 2, 3, 4, 4, 5, 6, 7}));
        // The third child avoids CPU 1 because of what the second left there; the log says how much.
        const auto third = h.log().row(h.decisions()[2]);
        QCOMPARE(third.placement.rival.value, 1U);
        QCOMPARE(third.placement.chosen_runnable, 0U);
        QCOMPARE(third.placement.rival_runnable, 18U);
    }

    void load_avg_fills_the_columns_in_turn_data() {
        QTest::addColumn<QString>("era");
        QTest::addColumn<QString>("feature");
        QTest::newRow("the series") << "4.8-load_avg" << "FORK_LOAD_AVG";
        QTest::newRow("only its rule") << "4.8" << "FORK_LOAD_AVG";
        QTest::newRow("rule and clock") << "4.8-load_avg" << "NO_BUG_STALE_CLOCK_AT_FORK";
    }
    void load_avg_fills_the_columns_in_turn() {
        QFETCH(QString, era);
        QFETCH(QString, feature);
        auto h = history(scenario("teach-mc8", kStorm, era.toStdString(), {feature.toStdString()}));
        h.run_to_end();
        QCOMPARE(fork_targets(h), (Cpus{1, 2, 3, 4, 5, 6, 7, 1, 2}));
    }

    // First fork at any of 64 phases of the load period: one or two CPUs with the stale clock, seven without.
    void phases_of_the_load_period() {
        int all_on_one = 0;
        for (int phase = 0; phase < 64; ++phase) {
            auto s = scenario("teach-mc8", kStorm);
            s.start_clock = std::chrono::seconds{10} + Duration{phase * 16'384};
            auto stale = history(s);
            stale.run_to_end();
            const auto a = fork_targets(stale);
            all_on_one += a == Cpus(9, 1);
            QVERIFY(std::set(a.begin(), a.end()).size() <= 2);
            s.features.push_back({Feature::BUG_STALE_CLOCK_AT_FORK, 0});
            auto fixed = history(s);
            fixed.run_to_end();
            const auto b = fork_targets(fixed);
            QVERIFY2(std::set(b.begin(), b.end()).size() >= 5, qPrintable(QString::number(phase)));
        }
        QVERIFY2(all_on_one >= 45, qPrintable(QString::number(all_on_one)));
    }
};

QTEST_APPLESS_MAIN(TestForkStorm)
#include "tst_fork_storm.moc"
