// SPDX-License-Identifier: GPL-3.0-or-later
// What 5.19 and 6.12 make of the facts: one row per pair of group types and way out (topology.md 2.4b), the choice of the
// queue (2.3), and that judging changes nothing. The facts are written down, no queue exists.
#include "core/balance/queues61.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

using I = CpuIdleType;
using T = GroupType;
using M = MigrationType;
using R = BalanceReason;

SgLbStats61 group(T type, std::uint32_t nr, std::uint32_t idle, Load avg = 0, Load misfit = 0, Util util = 0) {
    return {.group_load = avg * 4, .group_util = util, .avg_load = type == T::Overloaded ? avg : 0, .group_misfit_task_load = misfit,
            .group_capacity = 4096, .sum_nr_running = nr, .sum_h_nr_running = nr, .idle_cpus = idle, .group_weight = 4, .group_type = type};
}

struct Case {
    const char* name;
    SgLbStats61 local, busiest;
    std::int64_t imbalance; // 0 = balanced, then `reason` says why
    M migration = M::MigrateLoad;
    R reason = R::NoBusiestGroup;
    I idle = I::Idle;
    Era era = Era::V6_12;
    bool prefer_sibling = false;
    const char* machine = "hikey-8cpu"; // two groups of four CPUs in each
    const char* level = "PKG";
};

// Average load of the domain: (local.group_load + busiest.group_load) / 8.
const Case kCases[] = {
    // local has_spare
    {"spare, spare: even idle CPUs", group(T::HasSpare, 2, 2), group(T::HasSpare, 3, 1), 0, M::MigrateLoad, R::IdleCpusEven},
    {"spare, spare: two idle CPUs more", group(T::HasSpare, 1, 3), group(T::HasSpare, 3, 1), 1, M::MigrateTask},
    {"spare, spare: half of three", group(T::HasSpare, 0, 4), group(T::HasSpare, 3, 1), 1, M::MigrateTask},
    {"spare, spare: one task stays", group(T::HasSpare, 0, 4), group(T::HasSpare, 1, 2), 0, M::MigrateLoad, R::BusiestHasOneTask},
    {"spare, spare: busy CPUs do not pull", group(T::HasSpare, 1, 3), group(T::HasSpare, 3, 1), 0, M::MigrateLoad, R::DstNotIdle, I::NotIdle},
    {"spare, spare: newly idle as idle", group(T::HasSpare, 1, 3), group(T::HasSpare, 3, 1), 1, M::MigrateTask, R{}, I::NewlyIdle},
    {"spare, spare: siblings", group(T::HasSpare, 0, 4), group(T::HasSpare, 4, 1), 2, M::MigrateTask, R{}, I::Idle, Era::V6_12, true},
    {"spare, spare: siblings, one task more is even", group(T::HasSpare, 2, 2), group(T::HasSpare, 3, 1), 0, M::MigrateLoad, R::IdleCpusEven, I::Idle, Era::V6_12, true},
    {"spare, spare: siblings, busy CPU of 5.19", group(T::HasSpare, 1, 3), group(T::HasSpare, 3, 1), 1, M::MigrateTask, R{}, I::NotIdle, Era::V6_1, true, "hikey-8cpu", "DIE"},
    {"spare, spare: siblings, busy CPU of 6.12", group(T::HasSpare, 1, 3), group(T::HasSpare, 3, 1), 0, M::MigrateLoad, R::DstNotIdle, I::NotIdle, Era::V6_12, true},
    {"spare, full: idle CPUs are evened", group(T::HasSpare, 0, 4), group(T::FullyBusy, 4, 0), 2, M::MigrateTask},
    {"spare, full: nothing to halve", group(T::HasSpare, 3, 3), group(T::FullyBusy, 3, 1), 1, M::MigrateTask},
    {"spare, smt: one task", group(T::HasSpare, 0, 4), group(T::SmtBalance, 2, 2), 1, M::MigrateTask},
    {"spare, smt: even idle CPUs", group(T::HasSpare, 2, 2), group(T::SmtBalance, 2, 2), 0, M::MigrateLoad, R::IdleCpusEven},
    {"spare, misfit: load of the task", group(T::HasSpare, 0, 4), group(T::MisfitTask, 1, 3, 0, 700), 700, M::MigrateLoad},
    {"spare, misfit: even for a busy CPU", group(T::HasSpare, 1, 3), group(T::MisfitTask, 1, 3, 0, 700), 700, M::MigrateLoad, R{}, I::NotIdle},
    {"spare, imbalanced: one task", group(T::HasSpare, 0, 4), group(T::Imbalanced, 4, 0), 1, M::MigrateTask},
    {"spare, overloaded: fill the room", group(T::HasSpare, 1, 3, 0, 0, 96), group(T::Overloaded, 6, 0, 1536), 4000, M::MigrateUtil},
    {"spare, overloaded: no room by util", group(T::HasSpare, 1, 3, 0, 0, 4096), group(T::Overloaded, 6, 0, 1536), 1, M::MigrateTask},
    {"spare, overloaded: no room, busy", group(T::HasSpare, 1, 3, 0, 0, 4096), group(T::Overloaded, 6, 0, 1536), 0, M::MigrateUtil, R::ImbalanceZero, I::NotIdle},
    {"spare, overloaded: busy CPUs pull", group(T::HasSpare, 1, 3, 0, 0, 96), group(T::Overloaded, 6, 0, 1536), 4000, M::MigrateUtil, R{}, I::NotIdle},
    {"spare, overloaded with more idle CPUs", group(T::HasSpare, 6, 0), group(T::Overloaded, 6, 1, 1536), 0, M::MigrateTask, R::ImbalanceZero, I::NewlyIdle, Era::V6_1, false, "teach-mc8", "MC"},
    {"spare, spare: a single CPU with two", {.group_capacity = 1024, .idle_cpus = 1, .group_weight = 1, .group_type = T::HasSpare},
     {.group_capacity = 1024, .sum_nr_running = 2, .sum_h_nr_running = 2, .group_weight = 1, .group_type = T::HasSpare}, 1, M::MigrateTask, R{}, I::Idle, Era::V6_12, false, "teach-mc8", "MC"},
    // local fully_busy
    {"full, spare", group(T::FullyBusy, 4, 0), group(T::HasSpare, 3, 1), 0, M::MigrateLoad, R::LocalGroupBusier},
    {"full, full: no averages, no pull", group(T::FullyBusy, 4, 2, 1000), group(T::FullyBusy, 4, 0, 1000), 0, M::MigrateLoad, R::LocalAboveBusiest},
    {"full, smt: one task", group(T::FullyBusy, 4, 2, 1000), group(T::SmtBalance, 5, 0, 1000), 1, M::MigrateTask},
    {"full, misfit", group(T::FullyBusy, 4, 0), group(T::MisfitTask, 1, 3, 0, 700), 700, M::MigrateLoad},
    {"full, overloaded: to the average", group(T::FullyBusy, 4, 0, 1000), group(T::Overloaded, 8, 0, 2000), 2000, M::MigrateLoad, R{}, I::NotIdle},
    {"full, overloaded: local is heavier", group(T::FullyBusy, 4, 0, 2500), group(T::Overloaded, 8, 0, 2000), 0, M::MigrateLoad, R::LocalAboveBusiest},
    // local misfit, smt, imbalanced
    {"misfit, spare", group(T::MisfitTask, 1, 3), group(T::HasSpare, 3, 1), 0, M::MigrateLoad, R::LocalGroupBusier},
    {"misfit, misfit", group(T::MisfitTask, 1, 3), group(T::MisfitTask, 1, 3, 0, 700), 700, M::MigrateLoad},
    {"imbalanced, overloaded", group(T::Imbalanced, 4, 0, 1000), group(T::Overloaded, 8, 0, 2000), 2000, M::MigrateLoad},
    {"imbalanced, full", group(T::Imbalanced, 4, 0), group(T::FullyBusy, 4, 0), 0, M::MigrateLoad, R::LocalGroupBusier},
    {"imbalanced, imbalanced", group(T::Imbalanced, 4, 0), group(T::Imbalanced, 4, 0), 1, M::MigrateTask},
    // local overloaded
    {"overloaded, full", group(T::Overloaded, 8, 0, 1000), group(T::FullyBusy, 4, 0), 0, M::MigrateLoad, R::LocalGroupBusier},
    {"overloaded, misfit", group(T::Overloaded, 8, 0, 1000), group(T::MisfitTask, 1, 3, 0, 700), 700, M::MigrateLoad},
    {"overloaded, overloaded: equal", group(T::Overloaded, 8, 0, 2000), group(T::Overloaded, 8, 0, 2000), 0, M::MigrateLoad, R::LocalAboveBusiest},
    {"overloaded, overloaded: at 117 %", group(T::Overloaded, 8, 0, 1000), group(T::Overloaded, 8, 0, 1170), 0, M::MigrateLoad, R::WithinImbalancePct},
    {"overloaded, overloaded: beyond", group(T::Overloaded, 8, 0, 1000), group(T::Overloaded, 8, 0, 1172), 344, M::MigrateLoad}, // 86 * 4096 / 1024
    // NUMA: imb_numa_nr is 1
    {"NUMA: a pair may stay beside an empty node", group(T::HasSpare, 0, 4), group(T::HasSpare, 2, 2), 0, M::MigrateTask, R::NumaImbalanceAllowed, I::Idle, Era::V6_12, false, "teach-2x4-numa", "NUMA"},
    {"NUMA: three are too many", group(T::HasSpare, 0, 4), group(T::HasSpare, 3, 1), 1, M::MigrateTask, R{}, I::Idle, Era::V6_12, false, "teach-2x4-numa", "NUMA"},
    {"NUMA: not with a task here", group(T::HasSpare, 1, 4), group(T::HasSpare, 2, 2), 1, M::MigrateTask, R{}, I::Idle, Era::V6_12, false, "teach-2x4-numa", "NUMA"},
};

struct Bench {
    SchedState s;
    BalanceLog log;
    LbEnv61 env;

    Bench(const char* machine, Era era, std::uint32_t dst, const char* name, I idle)
        : s(state61(machine, era)), env(s, log, level(s, dst, name), idle, MoveCause::Periodic, CpuId{dst}) {}
    void facts(const SgLbStats61& local, const SgLbStats61& busiest) {
        env.sds.local = &s.domains->group(env.sd, 0);
        env.sds.busiest = &s.domains->group(env.sd, 1);
        env.sds.local_stat = local;
        env.sds.busiest_stat = busiest;
        env.sds.total_load = local.group_load + busiest.group_load;
        env.sds.total_capacity = local.group_capacity + busiest.group_capacity;
    }
};

} // namespace

class TestJudge61 : public QObject {
    Q_OBJECT
private slots:
    void groupTypePairs_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < std::size(kCases); ++i) QTest::newRow(kCases[i].name) << static_cast<int>(i);
    }
    void groupTypePairs() {
        QFETCH(int, index);
        const auto& c = kCases[index];
        Bench b(c.machine, c.era, 4, c.level, c.idle);
        b.facts(c.local, c.busiest);
        b.env.sds.prefer_sibling = c.prefer_sibling;
        const auto j = find_busiest_group(b.env);
        QCOMPARE(j.busiest != nullptr, c.imbalance != 0);
        QCOMPARE(j.imbalance, c.imbalance);
        QCOMPARE(j.migration_type, c.migration);
        if (c.imbalance == 0) QCOMPARE(j.reason, c.reason);
    }

    void nobodyHasATask() {
        Bench b("hikey-8cpu", Era::V6_12, 4, "PKG", I::Idle);
        QCOMPARE(find_busiest_group(b.env).reason, R::NoBusiestGroup);
    }

    void misfitOfMixedCapacitiesMovesOneTask() {
        Bench b("trigear-8cpu", Era::V6_12, 6, "PKG", I::Idle);
        b.facts(group(T::HasSpare, 0, 2), group(T::MisfitTask, 1, 3, 0, 700));
        QCOMPARE(find_busiest_group(b.env).migration_type, M::MigrateMisfit);
        QCOMPARE(find_busiest_group(b.env).imbalance, std::int64_t{1});
    }

    // A heavy task on a group with room lifts the average above the busiest group: it does not limit.
    void busiestBelowTheAverage() {
        Bench b("hikey-8cpu", Era::V6_12, 4, "PKG", I::Idle);
        b.facts(group(T::FullyBusy, 4, 0, 1000), group(T::Overloaded, 8, 0, 2000));
        b.env.sds.total_load = 8 * 3000;
        QCOMPARE(find_busiest_group(b.env).imbalance, std::int64_t{2000 * 4096 / 1024});
    }

    void localAboveTheAverageOfManyGroups() {
        Bench b("hikey-8cpu", Era::V6_12, 4, "PKG", I::Idle);
        b.facts(group(T::FullyBusy, 4, 0, 1000), group(T::Overloaded, 8, 0, 2000));
        b.env.sds.total_load = 8 * 1000;
        QVERIFY(find_busiest_group(b.env).busiest == nullptr);
        QCOMPARE(find_busiest_group(b.env).reason, R::LocalAboveAverage);
        b.facts(group(T::Overloaded, 8, 0, 1000), group(T::Overloaded, 8, 0, 2000));
        b.env.sds.total_load = 8 * 1000;
        QCOMPARE(find_busiest_group(b.env).reason, R::LocalAboveAverage);
    }

    // Groups of different size: tasks per core are compared (6.12).
    void siblingsPerCore_data() {
        QTest::addColumn<int>("local");
        QTest::addColumn<int>("busiest");
        QTest::addColumn<int>("imbalance");
        QTest::newRow("2 cores hold 2, 4 hold 4: even") << 2 << 4 << 0;
        QTest::newRow("(2 * 8 + 6) / 6 = 3") << 0 << 4 << 1;
        QTest::newRow("an empty group takes one of two") << 0 << 2 << 1;
        QTest::newRow("(2 * 16 + 6) / 6 = 6") << 2 << 12 << 3;
    }
    void siblingsPerCore() {
        QFETCH(int, local);
        QFETCH(int, busiest);
        QFETCH(int, imbalance);
        Bench b("trigear-8cpu", Era::V6_12, 4, "PKG", I::Idle); // groups 4-5 | 6-7 | 0-3
        b.facts(group(T::HasSpare, static_cast<std::uint32_t>(local), 0), group(T::HasSpare, static_cast<std::uint32_t>(busiest), 0));
        b.env.sds.busiest = &b.s.domains->group(b.env.sd, 2);
        b.env.sds.prefer_sibling = true;
        QCOMPARE(find_busiest_group(b.env).imbalance, std::int64_t{imbalance});
    }

    void anEmptyCoreTakesOneOfALargeGroup() { // (2 * 2 + 9) / 9 = 1 would be too little
        Bench b("hikey-8cpu", Era::V6_12, 4, "PKG", I::Idle);
        b.facts(group(T::HasSpare, 0, 1), group(T::HasSpare, 2, 6));
        SchedGroup small, large;
        small.cores = 1;
        large.cores = 8;
        b.env.sds.local = &small;
        b.env.sds.busiest = &large;
        b.env.sds.prefer_sibling = true;
        QCOMPARE(find_busiest_group(b.env).imbalance, std::int64_t{1});
        b.env.sds.local_stat.sum_nr_running = 1;
        QCOMPARE(find_busiest_group(b.env).reason, R::IdleCpusEven);
    }

    void judgingReadsOnly() {
        Bench b("hikey-8cpu", Era::V6_12, 4, "PKG", I::Idle);
        add61(b.s, {0, 0, 1, 1, 2, 3});
        update_sd_lb_stats(b.env);
        const auto once = find_busiest_group(b.env), twice = find_busiest_group(b.env);
        QVERIFY(once.busiest != nullptr && once.busiest == twice.busiest && once.imbalance == twice.imbalance);
        QCOMPARE(gather_sd_lb_stats(b.env).busiest_stat.group_load, b.env.sds.busiest_stat.group_load);
    }

    void queueByMigrationType() {
        Bench b("teach-mc8", Era::V6_12, 0, "MC", I::Idle);
        auto& s = b.s;
        add61(s, 1, 3000, 900);
        for (int i = 0; i < 2; ++i) add61(s, 2, 700, 400);
        for (int i = 0; i < 3; ++i) add61(s, 3, 10, 30);
        s.cfs_avg[3].runnable_avg = 90;
        s.rqs[5].nr_other = 9; // no fair task: never
        SchedGroup all;
        all.span = mask("1-7");
        const auto queue = [&](M type, std::int64_t imbalance) {
            b.env.migration_type = type;
            b.env.imbalance = imbalance;
            return find_busiest_queue(b.env, all);
        };
        QCOMPARE(*queue(M::MigrateLoad, 2999), CpuId{2}); // the only task of CPU 1 is too heavy
        QCOMPARE(*queue(M::MigrateLoad, 3000), CpuId{1});
        QCOMPARE(*queue(M::MigrateUtil, 1), CpuId{2}); // the only task of CPU 1 could not be detached
        QCOMPARE(*queue(M::MigrateTask, 1), CpuId{3});
        QVERIFY(!queue(M::MigrateMisfit, 1));
        s.rqs[1].misfit_task_load = 5;
        QCOMPARE(*queue(M::MigrateMisfit, 1), CpuId{1});
        b.env.remove(CpuId{3});
        QCOMPARE(*queue(M::MigrateTask, 1), CpuId{2});
        s.rqs[1].capacity_taken = 200; // its only task may be taken now, whatever it weighs
        QCOMPARE(*queue(M::MigrateLoad, 1), CpuId{1});
    }

    // 6.12 looks at runnable time too, cut at the capacity, so that loaded CPUs tie and the lowest wins.
    void utilOrRunnable() {
        for (const auto era : {Era::V6_1, Era::V6_12}) {
            Bench b("teach-mc8", era, 0, "MC", I::Idle);
            for (int i = 0; i < 2; ++i) {
                add61(b.s, 1, 1024, 100);
                add61(b.s, 2, 1024, 300);
            }
            SchedGroup all;
            all.span = mask("1-7");
            b.env.migration_type = M::MigrateUtil;
            QCOMPARE(*find_busiest_queue(b.env, all), CpuId{era == Era::V6_1 ? 2U : 1U});
        }
    }

    void onlyTasksGoToLargerCpus() {
        Bench b("trigear-8cpu", Era::V6_12, 4, "PKG", I::Idle);
        add61(b.s, 6);
        SchedGroup all;
        all.span = mask("0-3,6-7");
        b.env.migration_type = M::MigrateTask;
        QVERIFY(!find_busiest_queue(b.env, all));
        add61(b.s, 6);
        QCOMPARE(*find_busiest_queue(b.env, all), CpuId{6});
    }

    void pushesOfRunningTasks() {
        Bench b("box-4cpu", Era::V6_12, 0, "MC", I::Idle);
        b.env.src = CpuId{1};
        add61(b.s, 1);
        b.env.rt.nr_balance_failed = 4; // cache_nice_tries + 3
        QVERIFY(!need_active_balance(b.env)); // load says nothing of waiting tasks
        b.env.migration_type = M::MigrateTask;
        QVERIFY(need_active_balance(b.env));
        b.env.rt.nr_balance_failed = 3;
        QVERIFY(!need_active_balance(b.env));
        b.s.rqs[1].capacity_taken = 200;
        QVERIFY(need_active_balance(b.env));
        b.s.rqs[0].capacity_taken = 200;
        QVERIFY(!need_active_balance(b.env)); // no better here
        b.env.migration_type = M::MigrateMisfit;
        QVERIFY(need_active_balance(b.env));
    }

    void whoBalances() {
        Bench b("teach-smt4", Era::V6_12, 5, "MC", I::Idle); // CPU 5 beside CPU 1
        add61(b.s, 1);
        QVERIFY(should_we_balance(b.env)); // the first idle CPU of its core
        b.s.online.clear(CpuId{5});
        QVERIFY(!should_we_balance(b.env));

        Bench node("hikey-8cpu", Era::V6_12, 6, "PKG", I::Idle);
        add61(node.s, {4, 5});
        QVERIFY(should_we_balance(node.env));
        node.env.dst = CpuId{7};
        QVERIFY(!should_we_balance(node.env));
        add61(node.s, {6, 7});
        QVERIFY(!should_we_balance(node.env));
        node.env.dst = CpuId{4}; // none is idle: the lowest
        QVERIFY(should_we_balance(node.env));
    }

    // 6.12 prefers an idle core to the idle thread of a busy one.
    void idleCoresBalanceFirst() {
        for (const auto era : {Era::V6_1, Era::V6_12}) {
            Bench b("xeon-2s-48cpu", era, 24, "NUMA", I::Idle); // CPUs 0-11 and 24-35, siblings 24 apart
            for (std::uint32_t cpu = 0; cpu < 11; ++cpu) add61(b.s, cpu);
            const bool new_rule = era == Era::V6_12;
            b.env.dst = CpuId{11};
            QVERIFY(should_we_balance(b.env)); // lowest idle CPU, and its core is idle
            add61(b.s, 11);
            b.env.dst = CpuId{24};
            QVERIFY(should_we_balance(b.env)); // only idle threads are left
            b.s.idle.set(CpuId{5}); // core 5 is idle as a whole
            b.env.dst = CpuId{5};
            QVERIFY(should_we_balance(b.env));
            b.s.idle.clear(CpuId{5});
            b.s.idle.set(CpuId{3});
            b.s.idle.clear(CpuId{27}); // thread 3 of a busy core, core 8 is idle
            b.s.idle.set(CpuId{8});
            b.env.dst = CpuId{8};
            QCOMPARE(should_we_balance(b.env), new_rule);
            b.env.dst = CpuId{3};
            QCOMPARE(should_we_balance(b.env), !new_rule);
        }
    }

    void newlyIdleUnlessWorkIsComing() {
        Bench b("box-4cpu", Era::V6_12, 1, "MC", I::NewlyIdle);
        make_leaving(b.s, 1);
        QVERIFY(should_we_balance(b.env));
        b.s.rqs[1].ttwu_pending = 1;
        QVERIFY(!should_we_balance(b.env));
        b.s.rqs[1].ttwu_pending = 0;
        b.s.rqs[1].nr_other = 1;
        QVERIFY(!should_we_balance(b.env));
    }
};

QTEST_APPLESS_MAIN(TestJudge61)
#include "tst_judge61.moc"
