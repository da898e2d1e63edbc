// SPDX-License-Identifier: GPL-3.0-or-later
// Which tasks move (topology.md 2.3): hot ones, pinned ones, the limits of a pass, list order, and what a move leaves behind.
#include "base/rng.h"
#include "core/balance/queues.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

// Moves from CPU 1 to CPU 0 of mc4.
struct Mover {
    SchedState s = balance_state(mc4());
    BalanceLog log;
    CpuIdleType idle = CpuIdleType::Idle;

    std::uint32_t move(std::int64_t imbalance) {
        LbEnv env(s, log, level(s, 0, "MC"), idle, MoveCause::Periodic, CpuId{0});
        env.src = CpuId{1};
        env.imbalance = imbalance;
        env.loop_max = static_cast<std::uint32_t>(std::min<std::int64_t>(s.tunables.nr_migrate, s.nr_running[1]));
        return move_tasks(env);
    }
};

} // namespace

class TestAct : public QObject {
    Q_OBJECT
private slots:
    void newestFirstAndNeverTheRunningOne() {
        Mover m;
        const auto running = add_task(m.s, 1), second = add_task(m.s, 1), third = add_task(m.s, 1);
        QCOMPARE(m.move(1024), 1U);
        QCOMPARE(m.log.moves.size(), std::size_t{1});
        QCOMPARE(m.log.moves[0].task, third); // head of the list
        QCOMPARE(m.s.se[third.index()].cpu, CpuId{0});
        QCOMPARE(m.s.se[third.index()].nr_migrations, 1U);
        QCOMPARE(m.s.nr_running[0], 1U);
        QVERIFY(!m.s.idle.test(CpuId{0}));
        QVERIFY(m.s.rqs[0].need_resched);
        QCOMPARE(list_of(m.s, 1), (std::vector<std::uint32_t>{second.value, running.value}));
    }

    void theLastOneIsNotStolenByAnIdleCpu() {
        Mover m;
        const auto p = add_task(m.s, 1, 10);
        add_task(m.s, 1, 10);
        put_prev_entity(m.s, CpuId{1}, p);
        m.s.se[p.index()].exec_start = 0;
        m.s.rqs[1].curr = kIdleTask; // nobody counts as running
        QCOMPARE(m.move(5000), 1U);
        m.idle = CpuIdleType::NotIdle;
        QCOMPARE(m.move(5000), 1U);
        QCOMPARE(m.s.nr_running[1], 0U);
    }

    void hotTasksStayUntilAttemptsFailed() {
        Mover m;
        add_task(m.s, 1);
        const auto p = add_task(m.s, 1);
        m.s.se[p.index()].exec_start = kStart - 499'999;
        QCOMPARE(m.move(5000), 0U);
        m.s.se[p.index()].exec_start = kStart - 500'000;
        QCOMPARE(m.move(5000), 1U);
    }

    void hotByTunableOrBuddy_data() {
        QTest::addColumn<int>("migrationCost");
        QTest::addColumn<bool>("buddy");
        QTest::addColumn<bool>("dstBusy");
        QTest::addColumn<int>("failed");
        QTest::addColumn<int>("moved");
        QTest::newRow("-1: always hot") << -1 << false << false << 0 << 0;
        QTest::newRow("cache_nice_tries 1 are not enough") << -1 << false << false << 1 << 0;
        QTest::newRow("failed often enough") << -1 << false << false << 2 << 1;
        QTest::newRow("0: never hot") << 0 << false << false << 0 << 1;
        QTest::newRow("buddy, puller busy") << 0 << true << true << 0 << 0;
        QTest::newRow("buddy, puller empty") << 0 << true << false << 0 << 1;
    }
    void hotByTunableOrBuddy() {
        QFETCH(int, migrationCost);
        QFETCH(bool, buddy);
        QFETCH(bool, dstBusy);
        QFETCH(int, failed);
        Mover m;
        add_task(m.s, 1);
        const auto p = add_task(m.s, 1);
        if (buddy) m.s.rqs[1].cfs.next = p;
        if (dstBusy) add_task(m.s, 0);
        m.s.tunables.migration_cost_ns = migrationCost;
        runtime(m.s, 0, "MC").nr_balance_failed = static_cast<std::uint32_t>(failed);
        QTEST(static_cast<int>(m.move(5000)), "moved");
    }

    void idlePolicyIsNeverHot() {
        Mover m;
        add_task(m.s, 1);
        const auto p = add_task(m.s, 1);
        m.s.se[p.index()].policy = Policy::Idle;
        m.s.tunables.migration_cost_ns = -1;
        QCOMPARE(m.move(5000), 1U);
    }

    void masksAreRespected() {
        Mover m;
        add_task(m.s, 1);
        const auto free = add_task(m.s, 1), pinned = add_task(m.s, 1);
        set_affinity(m.s, pinned, "1-3");
        QCOMPARE(m.move(1024), 1U);
        QCOMPARE(m.log.moves[0].task, free);
        QCOMPARE(list_of(m.s, 1).back(), pinned.value); // skipped: goes to the other end
    }

    void halfTheLoadMayExceedTheImbalance() {
        Mover m;
        add_task(m.s, 1);
        add_task(m.s, 1, 2001);
        QCOMPARE(m.move(999), 0U);
        QCOMPARE(m.move(1000), 1U);
    }

    void smallTasksWithLbMin() {
        Mover m;
        add_task(m.s, 1);
        add_task(m.s, 1, 15);
        m.s.features.set({Feature::LB_MIN, 1});
        QCOMPARE(m.move(1000), 0U);
        runtime(m.s, 0, "MC").nr_balance_failed = 1;
        QCOMPARE(m.move(1000), 1U);
    }

    void nrMigrateLimitsTheLoop() {
        Mover m;
        for (int i = 0; i < 10; ++i) add_task(m.s, 1, 10);
        m.s.tunables.nr_migrate = 3;
        QCOMPARE(m.move(1'000'000), 3U);
    }

    void oneTaskOnAPreemptibleKernel() {
        Mover m;
        for (int i = 0; i < 5; ++i) add_task(m.s, 1, 10);
        m.idle = CpuIdleType::NewlyIdle;
        m.s.preemptible = true;
        QCOMPARE(m.move(1'000'000), 1U);
        m.s.preemptible = false;
        QCOMPARE(m.move(1'000'000), 3U);
    }

    void loadFollowsTheTask() {
        Mover m;
        add_task(m.s, 1, 500);
        add_task(m.s, 1, 300);
        QCOMPARE(m.move(1000), 1U);
        QCOMPARE(m.s.cfs_avg[0].runnable_load_avg, Load{300});
        QCOMPARE(m.s.cfs_avg[0].load_avg, Load{300});
        QCOMPARE(m.s.cfs_avg[1].runnable_load_avg, Load{500});
        update_blocked_averages(m.s, CpuId{1}); // what left is taken off with the next update
        QCOMPARE(m.s.cfs_avg[1].load_avg, Load{500});
    }

    void activeBalancePushesTheRunningTask() {
        auto s = balance_state(two_by_four());
        const auto p = add_task(s, 0);
        s.rqs[0].active_balance = true;
        s.rqs[0].push_cpu = CpuId{4};
        runtime(s, 4, "DIE").nr_balance_failed = 2;
        BalanceLog log;
        active_load_balance(s, CpuId{0}, log);
        QCOMPARE(log.moves.size(), std::size_t{1});
        QCOMPARE(log.moves[0].cause, MoveCause::Active);
        QCOMPARE(s.se[p.index()].cpu, CpuId{4});
        QCOMPARE(s.nr_running[0], 0U);
        QCOMPARE(runtime(s, 4, "DIE").nr_balance_failed, 0U);
        QVERIFY(!s.rqs[0].active_balance && s.rqs[0].need_resched);
        active_load_balance(s, CpuId{0}, log); // not asked for: nothing
        QCOMPARE(log.moves.size(), std::size_t{1});
    }

    void activeBalanceWithoutAnAllowedTask() {
        auto s = balance_state(two_by_four());
        set_affinity(s, add_task(s, 0), "0-3");
        s.rqs[0].active_balance = true;
        s.rqs[0].push_cpu = CpuId{4};
        BalanceLog log;
        active_load_balance(s, CpuId{0}, log);
        QVERIFY(log.moves.empty() && !s.rqs[0].active_balance);
        QCOMPARE(s.nr_running[0], 1U);
    }

    // Whatever the state: no task is lost or doubled, masks hold, counters and lists agree.
    void tasksAreConserved() {
        Rng rng(11, 0, 0);
        for (int round = 0; round < 400; ++round) {
            auto s = balance_state(rng.uniform(1) != 0 ? two_by_four() : smt4());
            const auto tasks = 1 + static_cast<std::uint32_t>(rng.uniform(30));
            for (std::uint32_t i = 0; i < tasks; ++i) {
                const auto cpu = static_cast<std::uint32_t>(rng.uniform(7));
                const auto p = add_task(s, cpu, 1 + rng.uniform(2000), rng.uniform(512));
                s.se[p.index()].exec_start = kStart - rng.uniform(1'000'000);
                if (rng.uniform(3) == 0) {
                    set_affinity(s, p, rng.uniform(1) != 0 ? "0-3" : "2-5");
                    s.affinity.back().set(CpuId{cpu});
                }
            }
            BalanceLog log;
            for (int pass = 0; pass < 40; ++pass) {
                s.now += 1'000'000;
                s.jiffies += 1 + rng.uniform(20);
                const CpuId cpu{static_cast<std::uint32_t>(rng.uniform(7))};
                rebalance_domains(s, cpu, s.rqs[cpu.index()].curr == kIdleTask ? CpuIdleType::Idle : CpuIdleType::NotIdle, log);
                for (const auto src : log.active) active_load_balance(s, src, log);
                log.active.clear();
            }
            std::uint32_t found = 0;
            for (std::uint32_t cpu = 0; cpu < 8; ++cpu) {
                const auto list = list_of(s, cpu);
                QCOMPARE(std::uint32_t{s.nr_running[cpu]}, static_cast<std::uint32_t>(list.size()));
                QCOMPARE(s.rqs[cpu].cfs.nr_running, s.nr_running[cpu]);
                QVERIFY(list.empty() || !s.idle.test(CpuId{cpu}));
                for (const auto p : list) {
                    QCOMPARE(s.se[p].cpu, CpuId{cpu});
                    QVERIFY(s.se[p].on_rq && s.allowed(TaskId{p}, CpuId{cpu}));
                }
                found += s.nr_running[cpu];
            }
            QCOMPARE(found, tasks);
            for (const auto& move : log.moves) QVERIFY(s.allowed(move.task, move.to) && move.from != move.to);
        }
    }
};

QTEST_APPLESS_MAIN(TestAct)
#include "tst_act.moc"
