// SPDX-License-Identifier: GPL-3.0-or-later
// When passes happen and what they cost (topology.md 2.1, 2.5, 2.7-5; select.md 4).
#include "core/balance/queues.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

SchedDomains mc24() { return preset_domains(24, {{.name = "MC", .spans = masks({"0-23"}), .shares_llc = true}}); }

// CPU 4 of 2x4 is about to go idle, CPU 0 has four tasks.
struct NewIdle {
    SchedState s = balance_state(two_by_four());
    BalanceLog log;

    NewIdle() {
        for (int i = 0; i < 4; ++i) add_task(s, 0);
        make_leaving(s, 4);
    }
    Rq& rq() { return s.rqs[4]; }
    int run() { return newidle_balance(s, CpuId{4}, log); }
};

} // namespace

class TestRebalance : public QObject {
    Q_OBJECT
private slots:
    void intervalOfABusyCpu() { // 2.7-5: 24 * 32 = 768 ticks, then 1536
        auto s = balance_state(mc24());
        for (std::uint32_t cpu = 0; cpu < 24; ++cpu) add_task(s, cpu);
        BalanceLog log;
        const auto start = s.jiffies;
        s.jiffies = start + 767;
        rebalance_domains(s, CpuId{0}, CpuIdleType::NotIdle, log);
        QVERIFY(log.passes.empty());
        QCOMPARE(s.rqs[0].next_balance, start + 768);
        s.jiffies = start + 768;
        rebalance_domains(s, CpuId{0}, CpuIdleType::NotIdle, log);
        QCOMPARE(log.passes.size(), std::size_t{1});
        QCOMPARE(runtime(s, 0, "MC").balance_interval, std::uint64_t{48});
        QCOMPARE(s.rqs[0].next_balance, start + 768 + 1536);
    }

    void intervalsRoundUpAndAreCapped() {
        auto s = balance_state(mc4());
        s.hz = 250;
        BalanceLog log;
        const auto start = s.jiffies;
        runtime(s, 0, "MC").balance_interval = 5; // 1.25 ticks
        rebalance_domains(s, CpuId{0}, CpuIdleType::Idle, log);
        QCOMPARE(s.rqs[0].next_balance, start + 2);
        runtime(s, 0, "MC").balance_interval = 512;
        add_task(s, 0);
        rebalance_domains(s, CpuId{0}, CpuIdleType::NotIdle, log);
        QCOMPARE(s.rqs[0].next_balance, start + 100); // 250 * 4 / 10
    }

    void bottomUpAndOnlyWhereThisCpuIsInCharge() {
        auto s = balance_state(two_by_four());
        s.jiffies += 1000;
        BalanceLog log;
        rebalance_domains(s, CpuId{0}, CpuIdleType::Idle, log);
        QCOMPARE(log.passes.size(), std::size_t{2});
        QCOMPARE((*s.domains)[log.passes[0].domain].name, std::string("MC"));
        log.clear();
        rebalance_domains(s, CpuId{1}, CpuIdleType::Idle, log); // CPU 0 is the first idle one of the group
        QCOMPARE(log.passes.size(), std::size_t{1});
        QCOMPARE(runtime(s, 1, "DIE").last_balance, s.jiffies);
    }

    void costsDecay() {
        auto s = balance_state(two_by_four());
        for (const auto* name : {"MC", "DIE"}) {
            runtime(s, 1, name).max_newidle_lb_cost = 512'000;
            runtime(s, 1, name).decay_stamp = s.jiffies;
        }
        BalanceLog log;
        rebalance_domains(s, CpuId{1}, CpuIdleType::Idle, log);
        QCOMPARE(runtime(s, 1, "MC").max_newidle_lb_cost, std::uint64_t{512'000}); // due only after the stamp
        ++s.jiffies;
        rebalance_domains(s, CpuId{1}, CpuIdleType::Idle, log);
        QCOMPARE(runtime(s, 1, "MC").max_newidle_lb_cost, std::uint64_t{506'000});
        QCOMPARE(runtime(s, 1, "DIE").max_newidle_lb_cost, std::uint64_t{506'000});
        QCOMPARE(runtime(s, 1, "MC").decay_stamp, s.jiffies + 1000);
        QCOMPARE(s.rqs[1].max_idle_balance_cost, std::uint64_t{1'012'000});
    }

    void newIdlePulls() {
        NewIdle n;
        QVERIFY(n.run() > 0);
        QCOMPARE(n.rq().idle_stamp, RqClock{0}); // it does not go idle after all
        QVERIFY(n.s.nr_running[4] > 0);
        QCOMPARE(n.log.moves[0].cause, MoveCause::NewIdle);
    }

    void newIdleGates_data() {
        QTest::addColumn<bool>("overload");
        QTest::addColumn<int>("avgIdle");
        QTest::addColumn<int>("levelCost");
        QTest::addColumn<int>("passes");
        QTest::newRow("open") << true << 1'000'000 << 0 << 2;
        QTest::newRow("nobody has two tasks") << false << 1'000'000 << 0 << 0;
        QTest::newRow("idle too shortly") << true << 499'999 << 0 << 0;
        QTest::newRow("long enough") << true << 500'000 << 0 << 2;
        QTest::newRow("a level that costs too much ends the walk") << true << 600'000 << 600'001 << 0;
        QTest::newRow("what it may cost") << true << 600'000 << 600'000 << 1; // with MC's 540 ns spent DIE is too dear
    }
    void newIdleGates() {
        QFETCH(bool, overload);
        QFETCH(int, avgIdle);
        QFETCH(int, levelCost);
        QFETCH(int, passes);
        NewIdle n;
        n.s.root_overload = overload;
        n.rq().avg_idle = static_cast<std::uint64_t>(avgIdle);
        runtime(n.s, 4, "MC").max_newidle_lb_cost = static_cast<std::uint64_t>(levelCost);
        runtime(n.s, 4, "DIE").max_newidle_lb_cost = static_cast<std::uint64_t>(levelCost);
        static_cast<void>(n.run());
        QCOMPARE(static_cast<int>(n.log.passes.size()), passes);
        if (passes == 0) QCOMPARE(n.rq().idle_stamp, n.s.now);
    }

    void newIdleCosts() {
        NewIdle n;
        n.rq().max_idle_balance_cost = 0;
        const auto pulled = static_cast<std::uint64_t>(n.run());
        QCOMPARE(runtime(n.s, 4, "MC").max_newidle_lb_cost, std::uint64_t{300 + 60 * 4});
        QCOMPARE(runtime(n.s, 4, "DIE").max_newidle_lb_cost, 300 + 60 * 8 + 1500 * pulled);
        QCOMPARE(n.rq().max_idle_balance_cost, 540 + 780 + 1500 * pulled);
    }

    void newIdleMovesTheNextBalanceForward() {
        NewIdle n;
        n.s.root_overload = false;
        static_cast<void>(n.run());
        QCOMPARE(n.rq().next_balance, n.s.jiffies + 4); // lowest level only
    }

    void newIdleWithoutDomains() {
        auto domains = mc4();
        domains.base[0].reset();
        auto s = balance_state(std::move(domains));
        BalanceLog log;
        QCOMPARE(newidle_balance(s, CpuId{0}, log), 0);
        QCOMPARE(s.rqs[0].next_balance, s.jiffies + s.hz);
        rebalance_domains(s, CpuId{0}, CpuIdleType::Idle, log);
        QVERIFY(log.passes.empty());
    }

    void endOfAnIdleSpan() {
        auto s = balance_state(mc4());
        auto& rq = s.rqs[0];
        rq.avg_idle = 1'000'000;
        rq.idle_stamp = s.now - 199'999;
        account_idle_end(s, CpuId{0});
        QCOMPARE(rq.avg_idle, std::uint64_t{899'999}); // -800001 / 8 rounds down
        QCOMPARE(rq.idle_stamp, RqClock{0});
        account_idle_end(s, CpuId{0}); // no stamp: nothing
        QCOMPARE(rq.avg_idle, std::uint64_t{899'999});
        rq.idle_stamp = s.now - 900'000'000;
        account_idle_end(s, CpuId{0});
        QCOMPARE(rq.avg_idle, std::uint64_t{1'000'000}); // twice max_idle_balance_cost
    }
};

QTEST_APPLESS_MAIN(TestRebalance)
#include "tst_rebalance.moc"
