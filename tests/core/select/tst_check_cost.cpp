// SPDX-License-Identifier: GPL-3.0-or-later
// Price of an idle test by level (costs.md 0) and what a wake-up and a fork are charged.
#include "core/select/small_machine.h"
#include "select/select.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

// 2 packages of 2 clusters of 2 cores of 2 threads.
SchedDomains clustered() {
    return preset_domains(16, {{.name = "SMT", .spans = masks({"0-1", "2-3", "4-5", "6-7", "8-9", "10-11", "12-13", "14-15"}), .imbalance_pct = 110, .is_smt = true, .shares_llc = true},
                               {.name = "CLS", .spans = masks({"0-3", "4-7", "8-11", "12-15"}), .shares_llc = true, .is_cluster = true},
                               {.name = "MC", .spans = masks({"0-7", "8-15"}), .shares_llc = true},
                               {.name = "DIE", .spans = masks({"0-15"}), .imbalance_pct = 125}});
}

std::uint32_t cost(const SchedState& s, std::uint32_t a, std::uint32_t b) { return check_cost(s, CpuId{a}, CpuId{b}); }

} // namespace

class TestCheckCost : public QObject {
    Q_OBJECT
private slots:
    void levels() {
        const auto s = idle_state(clustered());
        QCOMPARE(cost(s, 0, 0), 0U);
        QCOMPARE(cost(s, 0, 1), 20U);
        QCOMPARE(cost(s, 0, 2), 40U);
        QCOMPARE(cost(s, 0, 4), 100U);
        QCOMPARE(cost(s, 0, 8), 250U);
        QCOMPARE(cost(s, 8, 0), 250U);
    }

    void withoutClusters() {
        const auto s = idle_state(smt4());
        QCOMPARE(cost(s, 0, 4), 20U);
        QCOMPARE(cost(s, 0, 1), 100U);
    }

    void tunablesCount() {
        auto s = idle_state(mc4());
        s.tunables.scan_llc_ns = 7;
        QCOMPARE(cost(s, 0, 1), 7U);
    }

    void wakeUpsPayForksDoNot() {
        auto s = idle_state(mc4());
        for (std::uint32_t cpu = 0; cpu < 4; ++cpu) make_busy(s, cpu, 1024);
        const auto wake = select_task_rq_wake({.s = s}, kTask, kWaker, CpuId{0}, false);
        QCOMPARE(wake.nr_checks, std::uint16_t{4}); // own CPU counted, free
        QCOMPARE(wake.check_cost_ns, 300U);
        s = idle_state(mc4());
        make_busy(s, 0, 1024);
        const auto fork = select_task_rq_fork({.s = s}, kTask, CpuId{0});
        QCOMPARE(fork.nr_checks, std::uint16_t{1});
        QCOMPARE(fork.check_cost_ns, 0U);
    }
};

QTEST_APPLESS_MAIN(TestCheckCost)
#include "tst_check_cost.moc"
