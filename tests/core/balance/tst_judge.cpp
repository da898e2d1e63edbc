// SPDX-License-Identifier: GPL-3.0-or-later
// Worth pulling, how much, from where: check value 2.7-4 and the ways to be balanced (topology.md 2.4a).
#include "core/balance/queues.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

struct Judged {
    bool busy = false;
    std::int64_t imbalance = 0;
    std::optional<CpuId> src;
};

Judged judge(SchedState& s, std::uint32_t dst, const char* name, CpuIdleType idle) {
    BalanceLog log;
    LbEnv env(s, log, level(s, dst, name), idle, MoveCause::Periodic, CpuId{dst});
    const auto* group = find_busiest_group(env);
    return {group != nullptr, env.imbalance, group != nullptr ? find_busiest_queue(env, *group) : std::nullopt};
}

} // namespace

class TestJudge : public QObject {
    Q_OBJECT
private slots:
    void twoBusyCpusAgainstAnEmptyPackage() { // topology.md 2.7-4
        auto s = balance_state(two_by_four());
        add_task(s, 0);
        add_task(s, 1);
        const auto j = judge(s, 4, "DIE", CpuIdleType::Idle);
        QVERIFY(j.busy);
        QCOMPARE(j.imbalance, std::int64_t{1024}); // 256 * 4096 / 1024
        QCOMPARE(*j.src, CpuId{0});
    }

    void nobodyRuns() {
        auto s = balance_state(two_by_four());
        QVERIFY(!judge(s, 4, "DIE", CpuIdleType::Idle).busy);
        s.cfs_avg[0].runnable_load_avg = 100; // load without a task
        QVERIFY(!judge(s, 4, "DIE", CpuIdleType::Idle).busy);
    }

    void idleNeedsMoreIdleCpusHere() {
        auto s = balance_state(mc4());
        add_task(s, 1);
        QVERIFY(!judge(s, 0, "MC", CpuIdleType::Idle).busy); // 1 <= 0 + 1
    }

    void busyNeedsTheMargin() {
        auto s = balance_state(mc4()); // imbalance_pct 117
        add_task(s, 0, 1000);
        add_task(s, 1, 1170);
        add_task(s, 2, 1100);
        add_task(s, 3, 1100);
        QVERIFY(!judge(s, 0, "MC", CpuIdleType::NotIdle).busy);
        add_task(s, 1, 1);
        QVERIFY(judge(s, 0, "MC", CpuIdleType::NotIdle).busy);
    }

    // New-idle: a full group is worth it whatever the averages say.
    void newlyIdleTrumpsAverages() {
        auto s = balance_state(two_by_four());
        for (const auto cpu : {0U, 0U, 1U, 1U, 2U}) add_task(s, cpu, 10);
        for (const auto cpu : {0U, 1U, 2U, 3U}) s.cfs_avg[cpu].util_avg = 1024;
        add_task(s, 5, 4000);
        make_leaving(s, 4);
        QVERIFY(judge(s, 4, "DIE", CpuIdleType::NewlyIdle).busy);
        QVERIFY(!judge(s, 4, "DIE", CpuIdleType::NotIdle).busy);
    }

    void singleTaskAboveTheImbalanceIsLeftAlone() {
        auto s = balance_state(mc4());
        add_task(s, 1, 3000);
        add_task(s, 2, 700);
        add_task(s, 2, 700);
        BalanceLog log;
        LbEnv env(s, log, level(s, 0, "MC"), CpuIdleType::Idle, MoveCause::Periodic, CpuId{0});
        env.imbalance = 2000;
        SchedGroup group;
        group.span = mask("1-3");
        QCOMPARE(*find_busiest_queue(env, group), CpuId{2});
        env.imbalance = 3000;
        QCOMPARE(*find_busiest_queue(env, group), CpuId{1});
        env.imbalance = 2000;
        s.rqs[1].capacity_taken = 200; // reduced capacity: may be taken all the same
        QCOMPARE(*find_busiest_queue(env, group), CpuId{1});
        env.remove(CpuId{1});
        env.remove(CpuId{2});
        QVERIFY(!find_busiest_queue(env, group)); // load 0 never wins
    }

    void lowestWinsTiesAndCapacityWeighs() {
        auto s = balance_state(mc4());
        for (const auto cpu : {1U, 1U, 2U, 2U, 3U, 3U}) add_task(s, cpu);
        BalanceLog log;
        LbEnv env(s, log, level(s, 0, "MC"), CpuIdleType::Idle, MoveCause::Periodic, CpuId{0});
        SchedGroup group;
        group.span = mask("1-3");
        QCOMPARE(*find_busiest_queue(env, group), CpuId{1});
        s.rqs[3].capacity_taken = 1;
        QCOMPARE(*find_busiest_queue(env, group), CpuId{3});
    }
};

QTEST_APPLESS_MAIN(TestJudge)
#include "tst_judge.moc"
