// SPDX-License-Identifier: GPL-3.0-or-later
// One pass of 5.19 and 6.12 (topology.md 2.2): the check values of 2.7, pinned tasks, failures, intervals, ways out.
#include "core/balance/queues61.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

using I = CpuIdleType;
using R = BalanceReason;

// Four tasks per CPU of the first four, all pinned to `list`.
SchedState pinned(const char* list) {
    auto s = state61("hikey-8cpu");
    for (std::uint32_t i = 0; i < 8; ++i) set_affinity(s, add61(s, i % 4), list);
    return s;
}

} // namespace

class TestLoadBalance61 : public QObject {
    Q_OBJECT
private slots:
    void sixAlwaysRunningTasksBesideAnIdleCluster() { // 2.7-1
        auto s = state61("hikey-8cpu");
        add61(s, 0, 1024, 512);
        add61(s, 0, 1024, 512);
        add61(s, 1, 1024, 512);
        add61(s, 1, 1024, 512);
        add61(s, {2, 3});
        BalanceLog log;
        QCOMPARE(pull(s, 4, "PKG", I::Idle, log), 1U);
        const auto& v = log.passes.back();
        QCOMPARE(v.reason, R::Moved);
        QCOMPARE(v.local_type, GroupType::HasSpare);
        QCOMPARE(v.busiest_type, GroupType::Overloaded);
        QCOMPARE(v.migration_type, MigrationType::MigrateUtil);
        QCOMPARE(v.imbalance, std::uint64_t{4096});
        QCOMPARE(s.nr_running[0], 1U);
    }

    void fullCoreBesideAnEmptyOne() { // 2.7-2
        for (const auto era : {Era::V6_1, Era::V6_12}) {
            auto s = state61("teach-smt4", era);
            add61(s, {0, 4});
            for (const auto cpu : {2U, 3U, 6U, 7U}) add61(s, cpu); // CPUs 1 and 5 are the empty core
            BalanceLog log;
            auto& rt = runtime(s, 1, "MC");
            for (std::uint32_t attempt = 1; attempt <= 3; ++attempt) {
                QCOMPARE(pull(s, 1, "MC", I::Idle, log), 0U);
                QCOMPARE(log.passes.back().reason, R::NothingMoved);
                QCOMPARE(log.passes.back().imbalance, std::uint64_t{1});
                QCOMPARE(rt.nr_balance_failed, attempt);
            }
            static_cast<void>(pull(s, 1, "MC", I::Idle, log));
            QCOMPARE(log.passes.back().reason, R::ActiveBalance);
            QCOMPARE(rt.nr_balance_failed, 4U); // until the push succeeds
            QCOMPARE(rt.balance_interval, std::uint64_t{level(s, 1, "MC").min_interval});
            const auto src = log.active.back();
            static_cast<void>(pull(s, 1, "MC", I::Idle, log));
            QCOMPARE(log.passes.back().reason, R::ActiveBalancePending);
            QCOMPARE(log.active.size(), std::size_t{1});
            QCOMPARE(src, CpuId{2}); // the first of equal cores, in ring order
            active_load_balance(s, src, log);
            QCOMPARE(log.moves.back().to, CpuId{1});
            QCOMPARE(rt.nr_balance_failed, 0U);
        }
    }

    void numaAllowance() { // 2.7-3 with an allowance of 1
        auto s = state61("teach-2x4-numa");
        add61(s, {0, 1});
        BalanceLog log;
        QCOMPARE(pull(s, 4, "NUMA", I::Idle, log), 0U);
        QCOMPARE(log.passes.back().reason, R::NumaImbalanceAllowed);
        add61(s, {0, 0});
        QVERIFY(pull(s, 4, "NUMA", I::Idle, log) > 0);
    }

    void numaAllowanceOfAWideSocket() { // 2.7-3 as printed: 3
        auto s = state61("xeon-2s-48cpu");
        add61(s, {0, 1});
        BalanceLog log;
        static_cast<void>(pull(s, 12, "NUMA", I::Idle, log));
        QCOMPARE(log.passes.back().reason, R::NumaImbalanceAllowed);
        add61(s, {2, 3});
        static_cast<void>(pull(s, 12, "NUMA", I::Idle, log));
        QCOMPARE(log.passes.back().imbalance, std::uint64_t{2});
    }

    void balancedDoublesTheIntervalUnlessNewlyIdle() {
        auto s = state61("box-4cpu");
        BalanceLog log;
        auto& rt = runtime(s, 0, "MC");
        rt.nr_balance_failed = 5;
        static_cast<void>(pull(s, 0, "MC", I::NewlyIdle, log));
        QCOMPARE(rt.balance_interval, std::uint64_t{4});
        QCOMPARE(rt.nr_balance_failed, 0U);
        static_cast<void>(pull(s, 0, "MC", I::Idle, log));
        QCOMPARE(rt.balance_interval, std::uint64_t{8});
        static_cast<void>(pull(s, 0, "MC", I::Idle, log));
        QCOMPARE(rt.balance_interval, std::uint64_t{8});
        QCOMPARE(log.passes.back().reason, R::NoBusiestGroup);
    }

    void notTheOneInCharge() {
        auto s = state61("hikey-8cpu");
        BalanceLog log;
        bool go_on = true;
        static_cast<void>(load_balance(s, CpuId{5}, level(s, 5, "PKG"), I::Idle, go_on, log));
        QVERIFY(!go_on && log.passes.empty());
        QCOMPARE(runtime(s, 5, "PKG").balance_interval, std::uint64_t{16});
    }

    // Queue by queue is left out, until only CPUs are left that already serve the destination.
    void everythingPinned() {
        auto s = pinned("0-3");
        BalanceLog log;
        auto& rt = runtime(s, 4, "PKG");
        rt.nr_balance_failed = 7;
        for (int i = 0; i < 9; ++i) QCOMPARE(pull(s, 4, "PKG", I::Idle, log), 0U);
        QCOMPARE(log.passes.back().reason, R::AllPinned);
        QCOMPARE(rt.balance_interval, std::uint64_t{512}); // beyond max_interval
        QCOMPARE(rt.nr_balance_failed, 0U);
    }

    void anotherDestinationOfTheGroup() {
        auto s = pinned("0-3,6");
        BalanceLog log;
        QVERIFY(pull(s, 4, "PKG", I::Idle, log) > 0);
        for (const auto& move : log.moves) QCOMPARE(move.to, CpuId{6});
        QVERIFY(s.idle.test(CpuId{4}));
    }

    void pinningIsReportedToTheLevelAbove() {
        auto s = state61("hikey-8cpu");
        for (int i = 0; i < 4; ++i) set_affinity(s, add61(s, 1), "1");
        add61(s, 1, 10, 10);
        for (const auto cpu : {2U, 3U}) add61(s, cpu);
        const auto own = s.domains->group(level(s, 0, "PKG"), 0).sgc;
        BalanceLog log;
        QCOMPARE(pull(s, 0, "MC", I::Idle, log), 1U);
        QVERIFY(s.group_rt[own].imbalance);
    }

    void pinningThatDidNotMatterIsNotReported() {
        auto s = state61("hikey-8cpu");
        set_affinity(s, add61(s, 1), "1");
        add61(s, 1, 10, 10);
        add61(s, {2, 3});
        BalanceLog log;
        QCOMPARE(pull(s, 0, "MC", I::Idle, log), 1U); // one was wanted, one came
        QVERIFY(!s.group_rt[s.domains->group(level(s, 0, "PKG"), 0).sgc].imbalance);
    }

    void theFlagOutlivesPinnedPasses() { // unlike 4.7, which clears it at once
        auto s = state61("hikey-8cpu");
        for (int i = 0; i < 4; ++i) set_affinity(s, add61(s, 1), "1");
        const auto own = s.domains->group(level(s, 0, "PKG"), 0).sgc;
        BalanceLog log;
        QCOMPARE(pull(s, 0, "MC", I::Idle, log), 0U);
        QCOMPARE(log.passes.back().reason, R::NoBusiestGroup); // without CPU 1
        QVERIFY(s.group_rt[own].imbalance);
        auto free = state61("hikey-8cpu");
        free.group_rt[own].imbalance = true;
        static_cast<void>(pull(free, 0, "MC", I::Idle, log));
        QVERIFY(!free.group_rt[own].imbalance);
    }

    void runningTaskMayNotFollow() {
        auto s = state61("teach-smt4");
        set_affinity(s, add61(s, 0), "0,4");
        set_affinity(s, add61(s, 4), "0,4");
        auto& rt = runtime(s, 1, "MC");
        rt.nr_balance_failed = 10;
        BalanceLog log;
        static_cast<void>(pull(s, 1, "MC", I::Idle, log));
        QVERIFY(log.active.empty());
        QCOMPARE(log.passes.back().reason, R::CurrPinned);
        QCOMPARE(rt.nr_balance_failed, 11U); // kept
        QCOMPARE(rt.balance_interval, std::uint64_t{16});
    }

    void misfitIsPushedAtOnce() {
        for (const auto era : {Era::V6_1, Era::V6_12}) {
            auto s = state61("trigear-8cpu", era);
            const auto* top = era == Era::V6_1 ? "DIE" : "PKG";
            const auto p = add61(s, 0, 1024, 160);
            update_misfit_status(s, CpuId{0}, p);
            BalanceLog log;
            static_cast<void>(pull(s, 6, top, I::Idle, log));
            QCOMPARE(log.passes.back().reason, R::ActiveBalance);
            QCOMPARE(log.passes.back().migration_type, MigrationType::MigrateMisfit);
            QCOMPARE(runtime(s, 6, top).nr_balance_failed, era == Era::V6_1 ? 1U : 0U);
            active_load_balance(s, CpuId{0}, log);
            QCOMPARE(s.se[p.index()].cpu, CpuId{6});
        }
    }

    // All tasks of the queue are looked at in breaths of 32.
    void breather() {
        auto s = state61("box-4cpu");
        for (int i = 0; i < 70; ++i) add61(s, 1, 10, 10);
        s.tunables.nr_migrate = 64;
        for (const auto cpu : {2U, 3U}) add61(s, cpu);
        for (const auto p : list_of(s, 1)) set_affinity(s, TaskId{p}, "1");
        const auto last = TaskId{list_of(s, 1).front()}; // of 70 it is the last one looked at: beyond the limit
        s.se[last.index()].allowed = -1;
        BalanceLog log;
        QCOMPARE(pull(s, 0, "MC", I::Idle, log), 0U);
        QCOMPARE(pull(s, 0, "MC", I::Idle, log), 1U); // the list has turned
        QCOMPARE(log.moves.back().task, last);
    }
};

QTEST_APPLESS_MAIN(TestLoadBalance61)
#include "tst_load_balance61.moc"
