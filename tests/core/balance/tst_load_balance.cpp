// SPDX-License-Identifier: GPL-3.0-or-later
// One pass (topology.md 2.2): who balances, failures up to an active balance, pinned tasks, intervals.
#include "core/balance/queues.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

using I = CpuIdleType;

bool balances(SchedState& s, std::uint32_t cpu, const char* name, I idle) {
    BalanceLog log;
    bool go_on = true;
    static_cast<void>(load_balance(s, CpuId{cpu}, level(s, cpu, name), idle, go_on, log));
    return go_on;
}

} // namespace

class TestLoadBalance : public QObject {
    Q_OBJECT
private slots:
    void oneCpuBalancesForItsGroup() {
        auto s = balance_state(two_by_four());
        for (const auto cpu : {0U, 1U, 4U, 5U, 6U, 7U}) add_task(s, cpu);
        QVERIFY(balances(s, 2, "DIE", I::Idle)); // first idle CPU of the group
        QVERIFY(!balances(s, 3, "DIE", I::Idle));
        QVERIFY(!balances(s, 0, "DIE", I::NotIdle));
        QVERIFY(balances(s, 4, "DIE", I::NotIdle)); // none idle: the balance CPU
        QVERIFY(!balances(s, 5, "DIE", I::NotIdle));
        QVERIFY(balances(s, 5, "DIE", I::NewlyIdle)); // always
        QVERIFY(balances(s, 1, "MC", I::NotIdle));    // groups of one
    }

    // topology.md 2.7-4: a lone running task cannot be detached, the fourth failure pushes it.
    void activeBalanceAfterFailures() {
        auto s = balance_state(two_by_four());
        const auto p = add_task(s, 0);
        add_task(s, 1);
        BalanceLog log;
        auto& rt = runtime(s, 4, "DIE");
        for (std::uint32_t attempt = 1; attempt <= 3; ++attempt) {
            QCOMPARE(pull(s, 4, "DIE", I::Idle, log), 0U);
            QCOMPARE(rt.nr_balance_failed, attempt);
            QCOMPARE(log.passes.back().reason, BalanceReason::NothingMoved);
            QCOMPARE(log.passes.back().imbalance, std::uint64_t{1024});
            QCOMPARE(log.passes.back().src, CpuId{0});
            QVERIFY(log.active.empty());
        }
        static_cast<void>(pull(s, 4, "DIE", I::Idle, log));
        QCOMPARE(log.passes.back().reason, BalanceReason::ActiveBalance);
        QCOMPARE(log.active, (std::vector<CpuId>{CpuId{0}}));
        QVERIFY(s.rqs[0].active_balance);
        QCOMPARE(s.rqs[0].push_cpu, CpuId{4});
        QCOMPARE(rt.nr_balance_failed, 2U); // cache_nice_tries + 1
        QCOMPARE(rt.balance_interval, std::uint64_t{16});
        active_load_balance(s, CpuId{0}, log);
        QCOMPARE(s.se[p.index()].cpu, CpuId{4});
    }

    void newIdlePassesDoNotCountFailures() {
        auto s = balance_state(two_by_four());
        add_task(s, 0);
        add_task(s, 1);
        make_leaving(s, 4);
        BalanceLog log;
        static_cast<void>(pull(s, 4, "DIE", I::NewlyIdle, log));
        QCOMPARE(runtime(s, 4, "DIE").nr_balance_failed, 0U);
    }

    void movingResetsTheInterval() {
        auto s = balance_state(mc4());
        for (int i = 0; i < 4; ++i) add_task(s, 1);
        auto& rt = runtime(s, 0, "MC");
        rt.balance_interval = 8;
        rt.nr_balance_failed = 1;
        BalanceLog log;
        QVERIFY(pull(s, 0, "MC", I::Idle, log) > 0);
        QCOMPARE(log.passes.back().reason, BalanceReason::Moved);
        QCOMPARE(log.passes.back().moved, static_cast<std::uint32_t>(log.moves.size()));
        QCOMPARE(rt.balance_interval, std::uint64_t{4});
        QCOMPARE(rt.nr_balance_failed, 0U);
    }

    void balancedDoublesUpToTheMaximum() {
        auto s = balance_state(mc4());
        BalanceLog log;
        auto& rt = runtime(s, 0, "MC");
        static_cast<void>(pull(s, 0, "MC", I::Idle, log));
        QCOMPARE(rt.balance_interval, std::uint64_t{8});
        static_cast<void>(pull(s, 0, "MC", I::Idle, log));
        QCOMPARE(rt.balance_interval, std::uint64_t{8});
        QCOMPARE(log.passes.back().reason, BalanceReason::NoBusiestGroup);
    }

    // All tasks pinned elsewhere: the source is left out, the next one is tried, the interval grows beyond its maximum.
    void pinnedSourcesAreLeftOut() {
        auto s = balance_state(mc4());
        for (int i = 0; i < 6; ++i) set_affinity(s, add_task(s, 1), "1");
        for (int i = 0; i < 4; ++i) add_task(s, 2);
        BalanceLog log;
        QVERIFY(pull(s, 0, "MC", I::Idle, log) > 0);
        QCOMPARE(log.passes.back().src, CpuId{2});

        s = balance_state(mc4());
        for (int i = 0; i < 6; ++i) set_affinity(s, add_task(s, 1), "1");
        auto& rt = runtime(s, 0, "MC");
        for (int i = 0; i < 9; ++i) static_cast<void>(pull(s, 0, "MC", I::Idle, log));
        QCOMPARE(rt.balance_interval, std::uint64_t{512});
        QCOMPARE(rt.nr_balance_failed, 0U);
    }

    // A task that may run beside the destination goes there, and the level above learns about the pinning.
    void anotherDestinationOfTheGroup() {
        auto s = balance_state(two_by_four());
        for (int i = 0; i < 6; ++i) set_affinity(s, add_task(s, 0), "0-3,6");
        add_task(s, 1);
        BalanceLog log;
        QVERIFY(pull(s, 4, "DIE", I::Idle, log) > 0);
        for (const auto& move : log.moves) QCOMPARE(move.to, CpuId{6});
    }

    void pinningIsReportedToTheLevelAbove() {
        auto s = balance_state(two_by_four());
        for (int i = 0; i < 6; ++i) set_affinity(s, add_task(s, 1), "1");
        for (int i = 0; i < 2; ++i) add_task(s, 1, 10);
        BalanceLog log;
        static_cast<void>(pull(s, 0, "MC", I::Idle, log));
        const auto& die = level(s, 0, "DIE");
        const auto own = s.domains->group(die, 0).sgc;
        QVERIFY(s.group_rt[own].imbalance);

        auto balanced = balance_state(two_by_four());
        balanced.group_rt[own].imbalance = true;
        static_cast<void>(pull(balanced, 0, "MC", I::Idle, log));
        QVERIFY(!balanced.group_rt[own].imbalance);
    }

    void runningTaskMayNotFollow() {
        auto s = balance_state(two_by_four());
        set_affinity(s, add_task(s, 0), "0-3");
        add_task(s, 1);
        auto& rt = runtime(s, 4, "DIE");
        rt.nr_balance_failed = 10;
        BalanceLog log;
        static_cast<void>(pull(s, 4, "DIE", I::Idle, log));
        QVERIFY(log.active.empty());
        QCOMPARE(log.passes.back().reason, BalanceReason::AllPinned);
        QCOMPARE(rt.nr_balance_failed, 11U); // kept
    }

    void namesOfReasons() { QCOMPARE(name_of(BalanceReason::Moved), "Moved"); }
};

QTEST_APPLESS_MAIN(TestLoadBalance)
#include "tst_load_balance.moc"
