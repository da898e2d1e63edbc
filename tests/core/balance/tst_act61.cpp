// SPDX-License-Identifier: GPL-3.0-or-later
// Which tasks 5.19 and 6.12 move (topology.md 2.3): order, limits by migration type, hot and pinned ones, the push of a
// running task.
#include "core/balance/queues61.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

using M = MigrationType;

// Moves from CPU 1 to CPU 0.
struct Mover {
    SchedState s = state61("box-4cpu");
    BalanceLog log;
    CpuIdleType idle = CpuIdleType::Idle;
    bool all_pinned = false, some_pinned = false;
    std::optional<CpuId> new_dst;
    std::int64_t left = 0;

    std::uint32_t move(M type, std::int64_t imbalance) {
        const auto cause = idle == CpuIdleType::NewlyIdle ? MoveCause::NewIdle : MoveCause::Periodic;
        LbEnv61 env(s, log, level(s, 0, "MC"), idle, cause, CpuId{0});
        env.src = CpuId{1};
        env.migration_type = type;
        env.imbalance = imbalance;
        env.all_pinned = true;
        env.loop_max = static_cast<std::uint32_t>(std::min<std::int64_t>(s.tunables.nr_migrate, nr_running_of(s, CpuId{1})));
        const auto n = move_tasks(env);
        all_pinned = env.all_pinned;
        some_pinned = env.some_pinned;
        if (env.dst_pinned) new_dst = env.new_dst;
        left = env.imbalance;
        return n;
    }
    std::uint32_t& failed() { return runtime(s, 0, "MC").nr_balance_failed; }
};

} // namespace

class TestAct61 : public QObject {
    Q_OBJECT
private slots:
    void leastRecentlyRunFirstAndNeverTheRunningOne() {
        Mover m;
        const auto running = add61(m.s, 1), second = add61(m.s, 1), third = add61(m.s, 1);
        QCOMPARE(list_of(m.s, 1), (std::vector<std::uint32_t>{third.value, second.value, running.value}));
        QCOMPARE(m.move(M::MigrateTask, 1), 1U);
        QCOMPARE(m.log.moves[0].task, second); // the running one stood at the tail and was passed over
        QCOMPARE(list_of(m.s, 1), (std::vector<std::uint32_t>{running.value, third.value}));
        QCOMPARE(m.s.se[second.index()].cpu, CpuId{0});
        QVERIFY(!m.s.idle.test(CpuId{0}) && m.s.rqs[0].need_resched);
    }

    void listsStayWhole() { // passing over from the tail, the middle and a list of one
        Mover m;
        const auto a = add61(m.s, 1), b = add61(m.s, 1), c = add61(m.s, 1);
        for (const auto p : {b, c}) set_affinity(m.s, p, "1-3");
        QCOMPARE(m.move(M::MigrateTask, 3), 0U);
        QCOMPARE(list_of(m.s, 1), (std::vector<std::uint32_t>{c.value, b.value, a.value})); // each went to the head once
        QCOMPARE(m.s.rqs[1].cfs_tasks_tail, a);
        QVERIFY(!m.all_pinned && m.some_pinned); // the running one may run here
    }

    void anIdleCpuLeavesTheLastOne() {
        Mover m;
        for (int i = 0; i < 3; ++i) add61(m.s, 1, 10);
        put_prev_entity(m.s, CpuId{1}, m.s.rqs[1].curr);
        m.s.rqs[1].curr = kIdleTask; // nobody counts as running
        for (const auto p : list_of(m.s, 1)) m.s.se[p].exec_start = 0;
        QCOMPARE(m.move(M::MigrateTask, 9), 2U);
        QCOMPARE(m.move(M::MigrateTask, 9), 0U);
        QVERIFY(!m.all_pinned); // nothing was looked at
        m.s.rqs[1].nr_other = 1; // the queue keeps something
        QCOMPARE(m.move(M::MigrateTask, 9), 1U);
    }

    void loadFitsMoreAfterFailures() {
        Mover m;
        add61(m.s, 1);
        add61(m.s, 1, 2000);
        QCOMPARE(m.move(M::MigrateLoad, 1999), 0U);
        QCOMPARE(m.move(M::MigrateLoad, 2000), 1U);
        QCOMPARE(m.left, std::int64_t{0});
        add61(m.s, 1, 2000);
        m.failed() = 1;
        QCOMPARE(m.move(M::MigrateLoad, 999), 0U);
        QCOMPARE(m.move(M::MigrateLoad, 1000), 1U);
        QCOMPARE(m.left, std::int64_t{-1000}); // the whole load counts
        add61(m.s, 1, 2000);
        m.failed() = 1000;
        QCOMPARE(m.move(M::MigrateLoad, 1), 1U);
    }

    void aTaskWithoutLoadCountsAsOne() {
        Mover m;
        add61(m.s, 1);
        for (int i = 0; i < 5; ++i) add61(m.s, 1, 0);
        QCOMPARE(m.move(M::MigrateLoad, 3), 3U);
        QCOMPARE(m.left, std::int64_t{0});
    }

    void smallTasksWithLbMin() {
        Mover m;
        add61(m.s, 1);
        add61(m.s, 1, 15);
        m.s.features.set({Feature::LB_MIN, 1});
        QCOMPARE(m.move(M::MigrateLoad, 1000), 0U);
        QCOMPARE(m.move(M::MigrateUtil, 5000), 1U); // of load only
    }

    void utilByTheEstimate() {
        Mover m;
        add61(m.s, 1);
        const auto p = add61(m.s, 1, 1024, 100);
        m.s.se[p.index()].util_est = 400;
        QCOMPARE(m.move(M::MigrateUtil, 399), 0U);
        QCOMPARE(m.move(M::MigrateUtil, 1000), 1U);
        QCOMPARE(m.left, std::int64_t{600});
    }

    void misfitsOnly() {
        Mover m;
        add61(m.s, 1);
        add61(m.s, 1, 1024, 819); // 819 * 1280 < 1024 * 1024
        QCOMPARE(m.move(M::MigrateMisfit, 1), 0U);
        add61(m.s, 1, 1024, 820);
        QCOMPARE(m.move(M::MigrateMisfit, 1), 1U);
        QCOMPARE(m.left, std::int64_t{0});
    }

    void hot_data() {
        QTest::addColumn<int>("migrationCost");
        QTest::addColumn<bool>("buddy");
        QTest::addColumn<int>("others"); // of other classes on the destination
        QTest::addColumn<int>("failed");
        QTest::addColumn<int>("moved");
        QTest::newRow("ran 400 us ago") << 500'000 << false << 0 << 0 << 0;
        QTest::newRow("long enough ago") << 400'000 << false << 0 << 0 << 1;
        QTest::newRow("-1: always hot") << -1 << false << 0 << 0 << 0;
        QTest::newRow("0: never hot") << 0 << false << 0 << 0 << 1;
        QTest::newRow("cache_nice_tries 1 are not enough") << -1 << false << 0 << 1 << 0;
        QTest::newRow("failed often enough") << -1 << false << 0 << 2 << 1;
        QTest::newRow("buddy, puller busy with anything") << 0 << true << 1 << 0 << 0;
        QTest::newRow("buddy, puller empty") << 0 << true << 0 << 0 << 1;
    }
    void hot() {
        QFETCH(int, migrationCost);
        QFETCH(bool, buddy);
        QFETCH(int, others);
        QFETCH(int, failed);
        Mover m;
        add61(m.s, 1);
        const auto p = add61(m.s, 1);
        m.s.se[p.index()].exec_start = kStart - 400'000;
        m.s.tunables.migration_cost_ns = migrationCost;
        if (buddy) m.s.rqs[1].cfs.next = p;
        m.s.rqs[0].nr_other = static_cast<std::uint32_t>(others);
        m.failed() = static_cast<std::uint32_t>(failed);
        QTEST(static_cast<int>(m.move(M::MigrateTask, 1)), "moved");
    }

    void siblingsShareTheirCaches() {
        auto s = state61("teach-smt4");
        add61(s, 4);
        add61(s, 4);
        s.tunables.migration_cost_ns = -1;
        BalanceLog log;
        LbEnv61 env(s, log, level(s, 0, "SMT"), CpuIdleType::Idle, MoveCause::Periodic, CpuId{0});
        env.src = CpuId{4};
        env.migration_type = M::MigrateTask;
        env.imbalance = 1;
        env.loop_max = 2;
        QCOMPARE(move_tasks(env), 1U);
    }

    void kernelThreadsOfACpuStay() {
        Mover m;
        add61(m.s, 1);
        set_affinity(m.s, m.s.rqs[1].curr, "1");
        m.s.se[add61(m.s, 1).index()].per_cpu_kthread = true; // its mask would allow the move
        QCOMPARE(m.move(M::MigrateTask, 1), 0U);
        QVERIFY(m.all_pinned);
    }

    void pinnedTasksNameAnotherCpuOfTheGroup() {
        auto s = state61("hikey-8cpu");
        for (int i = 0; i < 2; ++i) set_affinity(s, add61(s, 0), "0-3,6-7");
        BalanceLog log;
        for (const auto idle : {CpuIdleType::Idle, CpuIdleType::NewlyIdle}) {
            const bool newly = idle == CpuIdleType::NewlyIdle;
            LbEnv61 env(s, log, level(s, 4, "PKG"), idle, newly ? MoveCause::NewIdle : MoveCause::Periodic, CpuId{4});
            env.src = CpuId{0};
            env.migration_type = M::MigrateTask;
            env.imbalance = 1;
            env.loop_max = 2;
            env.all_pinned = true;
            QCOMPARE(move_tasks(env), 0U);
            QVERIFY(env.some_pinned && env.all_pinned);
            QCOMPARE(env.dst_pinned, !newly); // a newly idle CPU looks for itself only
            if (!newly) QCOMPARE(env.new_dst, CpuId{6});
        }
    }

    void limitsOfThePass() {
        Mover m;
        for (int i = 0; i < 10; ++i) add61(m.s, 1, 10);
        m.s.tunables.nr_migrate = 3;
        QCOMPARE(m.move(M::MigrateTask, 100), 2U); // one of the three looks hit the running task
        m.s.tunables.nr_migrate = 32;
        m.idle = CpuIdleType::NewlyIdle;
        m.s.preemptible = true;
        QCOMPARE(m.move(M::MigrateTask, 100), 1U);
        m.s.preemptible = false;
        QCOMPARE(m.move(M::MigrateTask, 2), 2U);
        QCOMPARE(m.move(M::MigrateTask, 0), 0U);
        QVERIFY(m.all_pinned); // nothing was looked at, as in the kernel
    }

    void pushTakesTheTailEvenIfHot() {
        auto s = state61("hikey-8cpu");
        const auto running = add61(s, 0), waiting = add61(s, 0);
        s.tunables.migration_cost_ns = -1;
        s.rqs[0].active_balance = true;
        s.rqs[0].push_cpu = CpuId{4};
        runtime(s, 4, "PKG").nr_balance_failed = 1;
        BalanceLog log;
        active_load_balance(s, CpuId{0}, log);
        QCOMPARE(log.moves.size(), std::size_t{1});
        QCOMPARE(log.moves[0].task, running);
        QCOMPARE(s.se[running.index()].cpu, CpuId{4});
        QCOMPARE(list_of(s, 0), (std::vector<std::uint32_t>{waiting.value}));
        QCOMPARE(runtime(s, 4, "PKG").nr_balance_failed, 0U);
        QVERIFY(!s.rqs[0].active_balance && s.rqs[0].need_resched);
    }

    void pushWithoutAnAllowedTask() {
        auto s = state61("hikey-8cpu");
        set_affinity(s, add61(s, 0), "0-3");
        s.rqs[0].active_balance = true;
        s.rqs[0].push_cpu = CpuId{4};
        runtime(s, 4, "PKG").nr_balance_failed = 1;
        BalanceLog log;
        active_load_balance(s, CpuId{0}, log);
        QVERIFY(log.moves.empty() && !s.rqs[0].active_balance);
        QCOMPARE(runtime(s, 4, "PKG").nr_balance_failed, 1U);
    }
};

QTEST_APPLESS_MAIN(TestAct61)
#include "tst_act61.moc"
