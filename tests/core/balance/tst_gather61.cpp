// SPDX-License-Identifier: GPL-3.0-or-later
// Facts of 5.19 and 6.12: sums, group types, the choice between two groups of one type, what a pass publishes
// (topology.md 2.4b; select.md 3.e for nr_idle_scan).
#include "core/balance/queues61.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

using I = CpuIdleType;

SdLbStats61 gather(SchedState& s, std::uint32_t dst, const char* name, I idle = I::Idle) {
    BalanceLog log;
    LbEnv61 env(s, log, level(s, dst, name), idle, MoveCause::Periodic, CpuId{dst});
    update_sd_lb_stats(env);
    return env.sds;
}

std::uint32_t first(const SchedGroup* g) { return g == nullptr ? 999 : g->span.first()->value; }

} // namespace

class TestGather61 : public QObject {
    Q_OBJECT
private slots:
    void sums() {
        auto s = state61("hikey-8cpu");
        add61(s, 0, 1024, 300);
        add61(s, 0, 512, 300);
        add61(s, 1, 2048, 3000);
        s.rqs[2].util_est = 77;
        s.rqs[1].nr_other = 2;
        const auto sds = gather(s, 4, "PKG");
        const auto& g = sds.busiest_stat;
        QCOMPARE(g.group_load, Load{3584});
        QCOMPARE(g.group_util, Util{600 + 1024 + 77}); // cut at a CPU's capacity; the estimate of CPU 2
        QCOMPARE(g.group_runnable, Load{3072});
        QCOMPARE(g.sum_h_nr_running, 3U);
        QCOMPARE(g.sum_nr_running, 5U);
        QCOMPARE(g.idle_cpus, 2U);
        QCOMPARE(sds.local_stat.idle_cpus, 4U);
        QCOMPARE(sds.total_capacity, std::uint64_t{8192});
    }

    void types_data() {
        QTest::addColumn<int>("tasks"); // per CPU of 0-3
        QTest::addColumn<int>("util");
        QTest::addColumn<bool>("flag");
        QTest::addColumn<QString>("type");
        QTest::newRow("one task each, room left") << 1 << 500 << false << "has_spare";
        QTest::newRow("one task each, full") << 1 << 1024 << false << "fully_busy";
        QTest::newRow("two each, runnable time exceeds capacity") << 2 << 300 << false << "overloaded";
        QTest::newRow("pinned below") << 1 << 500 << true << "imbalanced";
        QTest::newRow("overloaded beats the flag") << 2 << 512 << true << "overloaded";
    }
    void types() {
        QFETCH(int, tasks);
        QFETCH(int, util);
        QFETCH(bool, flag);
        QFETCH(QString, type);
        auto s = state61("hikey-8cpu");
        for (std::uint32_t cpu = 0; cpu < 4; ++cpu)
            for (int i = 0; i < tasks; ++i) add61(s, cpu, 1024, static_cast<Util>(util));
        s.group_rt[s.domains->group(level(s, 4, "PKG"), 1).sgc].imbalance = flag;
        QCOMPARE(QString::fromUtf8(name_of(gather(s, 4, "PKG").busiest_stat.group_type).data()), type);
    }

    // A group whose util leaves room is not overloaded by runnable time below pct, though it has more tasks than CPUs.
    void moreTasksThanCpusMayStillBeSpare() {
        auto s = state61("hikey-8cpu");
        for (std::uint32_t i = 0; i < 5; ++i) {
            const auto p = add61(s, i % 4, 100, 100);
            s.se[p.index()].avg.runnable_avg = 200;
            set_sums(s, i % 4);
        }
        QCOMPARE(gather(s, 4, "PKG").busiest_stat.group_type, GroupType::HasSpare);
    }

    void smtBalanceIsOf612() {
        for (const auto era : {Era::V6_1, Era::V6_6, Era::V6_12}) {
            auto s = state61("teach-smt4", era);
            add61(s, {1, 5});
            const bool knows = era != Era::V6_1;
            QCOMPARE(gather(s, 0, "MC").busiest_stat.group_type, knows ? GroupType::SmtBalance : GroupType::FullyBusy);
            QCOMPARE(gather(s, 0, "MC", I::NotIdle).busiest_stat.group_type, GroupType::FullyBusy); // a busy CPU does not help
        }
    }

    void reducedCapacityIsAMisfit() {
        auto s = state61("box-4cpu");
        add61(s, 1, 700);
        s.rqs[1].capacity_taken = 200; // 824 * 117 < 1024 * 100
        QCOMPARE(gather(s, 0, "MC").busiest_stat.group_type, GroupType::MisfitTask);
        QCOMPARE(gather(s, 0, "MC").busiest_stat.group_misfit_task_load, Load{700});
        QCOMPARE(gather(s, 0, "MC", I::NotIdle).busiest_stat.group_type, GroupType::FullyBusy);
        QVERIFY(!s.root_overload); // such a task calls nobody
        add61(s, 1, 700);
        QVERIFY(gather(s, 0, "MC").busiest_stat.group_type != GroupType::MisfitTask); // only a task that is alone
    }

    void misfitsOfMixedCapacities() {
        auto s = state61("trigear-8cpu");
        const auto p = add61(s, 0, 900, 150);
        update_misfit_status(s, CpuId{0}, p); // 150 * 1280 > 160 * 1024
        QCOMPARE(s.rqs[0].misfit_task_load, Load{900});
        QCOMPARE(gather(s, 4, "PKG").busiest_stat.group_type, GroupType::MisfitTask);
        QVERIFY(s.root_overload);
        QCOMPARE(first(gather(s, 4, "PKG").busiest), 0U);
        add61(s, {4, 5}); // the local group has no room to spare
        QVERIFY(gather(s, 4, "PKG").busiest == nullptr);
    }

    void misfitTies() { // 5.19: a later equal one replaces; 6.12: the first stays
        for (const auto era : {Era::V6_1, Era::V6_12}) {
            auto s = state61("box-4cpu", era);
            add61(s, {0, 1});
            s.rqs[0].capacity_taken = s.rqs[1].capacity_taken = 200;
            QCOMPARE(first(gather(s, 2, "MC").busiest), era == Era::V6_1 ? 1U : 0U);
        }
    }

    void fullyBusyTies() { // 5.19: the first stays; 6.12: a later one replaces
        for (const auto era : {Era::V6_1, Era::V6_12}) {
            auto s = state61("box-4cpu", era);
            add61(s, {1, 2, 3});
            QCOMPARE(first(gather(s, 0, "MC").busiest), era == Era::V6_1 ? 1U : 3U);
        }
    }

    void spareGroupsByIdleCpusThenTasks() {
        auto s = state61("teach-smt4");
        add61(s, 1, 100, 100);
        add61(s, 2, 100, 100);
        add61(s, 2, 100, 100);
        QCOMPARE(first(gather(s, 0, "MC", I::NotIdle).busiest), 2U);
        add61(s, 7, 100, 100);
        add61(s, 3, 100, 100);
        QCOMPARE(first(gather(s, 0, "MC", I::NotIdle).busiest), 3U); // no idle CPU left there
    }

    void runnableTimeTakesTheRoom() { // of sleepers that ran a moment ago, though util is low
        auto s = state61("hikey-8cpu");
        for (std::uint32_t cpu = 0; cpu < 4; ++cpu) add61(s, cpu, 100, 100);
        s.cfs_avg[0].runnable_avg = 1720; // 4792 in all: 4096 * 117 / 100
        QCOMPARE(gather(s, 4, "PKG").busiest_stat.group_type, GroupType::HasSpare);
        s.cfs_avg[0].runnable_avg = 1721;
        QCOMPARE(gather(s, 4, "PKG").busiest_stat.group_type, GroupType::FullyBusy);
    }

    // 6.12 compares a core of two threads with a CPU without siblings by its tasks alone.
    void coresOfTwoThreadsAgainstSingleCpus() {
        for (const auto era : {Era::V6_1, Era::V6_12}) {
            auto s = state61(hybrid_machine(), era);
            add61(s, 5, 100, 100);
            add61(s, 0, 100, 100);
            QCOMPARE(first(gather(s, 4, "MC", I::NotIdle).busiest), 5U); // the core would be left empty
            s.se[add61(s, 0, 100, 100).index()].avg.runnable_avg = 100;
            set_sums(s, 0);
            QCOMPARE(first(gather(s, 4, "MC", I::NotIdle).busiest), era == Era::V6_12 ? 0U : 5U);
        }
    }

    void misfitsGoToIdleCores() {
        auto s = state61(hybrid_machine(446));
        update_misfit_status(s, CpuId{4}, add61(s, 4));
        QCOMPARE(first(gather(s, 0, "MC").busiest), 4U);
        add61(s, 1, 10, 10); // the sibling of CPU 0
        QVERIFY(gather(s, 0, "MC").busiest == nullptr);
        QCOMPARE(first(gather(s, 2, "MC").busiest), 4U);
    }

    void overloadedByAverageLoad() {
        auto s = state61("box-4cpu");
        for (int i = 0; i < 3; ++i) {
            add61(s, 1, 1000);
            add61(s, 3, 1001);
        }
        const auto sds = gather(s, 0, "MC");
        QCOMPARE(first(sds.busiest), 3U);
        QCOMPARE(sds.busiest_stat.avg_load, Load{3003});
        QCOMPARE(sds.local_stat.avg_load, Load{0});
    }

    void smallCpusLeaveLargeOnesAlone() {
        auto s = state61("trigear-8cpu");
        add61(s, 6, 300, 300); // has_spare on CPUs of 1024
        QVERIFY(gather(s, 0, "PKG").busiest == nullptr);
        add61(s, 6, 300, 300);
        add61(s, 7, 300, 600);
        QVERIFY(gather(s, 0, "PKG").busiest != nullptr); // more than one task per CPU
        auto full = state61("trigear-8cpu");
        add61(full, {4, 5, 6, 7});
        QCOMPARE(first(gather(full, 0, "PKG").busiest), 4U); // the later one of equal groups, were it not for its size
    }

    void preferSiblingIsSeenOnTheBusiestGroup() {
        auto s = state61("trigear-8cpu"); // asymmetric: cleared on MC, so no child prefers siblings
        add61(s, {4, 4, 5, 5, 5});
        QVERIFY(!gather(s, 6, "PKG").prefer_sibling);
        auto plain = state61("hikey-8cpu");
        add61(plain, {0, 0});
        QVERIFY(gather(plain, 4, "PKG").prefer_sibling);
        QVERIFY(!gather(plain, 4, "MC").prefer_sibling); // groups of one CPU have no child
        auto old = state61("hikey-8cpu", Era::V6_1);
        QVERIFY(gather(old, 4, "DIE").prefer_sibling); // there the domain's own child says so
    }

    void overloadIsWrittenAtTheTopOnly() {
        auto s = state61("hikey-8cpu");
        add61(s, 0);
        s.root_overload = true;
        static_cast<void>(gather(s, 4, "MC"));
        QVERIFY(s.root_overload);
        static_cast<void>(gather(s, 4, "PKG"));
        QVERIFY(!s.root_overload);
    }

    // The table of select.md 3.e for eight CPUs.
    void idleScanHint_data() {
        QTest::addColumn<int>("util");
        QTest::addColumn<int>("scan");
        const std::pair<int, int> rows[] = {{0, 8}, {256, 7}, {512, 5}, {614, 4}, {716, 2}, {768, 1}, {819, 1}, {870, 0}, {1024, 0}};
        for (const auto& [util, scan] : rows) QTest::addRow("%d", util) << util << scan;
    }
    void idleScanHint() {
        QFETCH(int, util);
        QFETCH(int, scan);
        auto s = state61("teach-mc8");
        for (auto& avg : s.cfs_avg) avg.util_avg = static_cast<Util>(util);
        s.llc_rt[0].nr_idle_scan = 99;
        static_cast<void>(gather(s, 0, "MC", I::NewlyIdle));
        QCOMPARE(s.llc_rt[0].nr_idle_scan, 99U); // only periodic passes
        static_cast<void>(gather(s, 0, "MC"));
        QCOMPARE(s.llc_rt[0].nr_idle_scan, static_cast<std::uint32_t>(scan));
    }

    void idleScanHintIsTheCachesOwn() {
        auto s = state61("hikey-8cpu");
        for (auto& llc : s.llc_rt) llc.nr_idle_scan = 99;
        static_cast<void>(gather(s, 4, "PKG"));
        QCOMPARE(s.llc_rt[1].nr_idle_scan, 99U); // not at this level
        static_cast<void>(gather(s, 4, "MC"));
        QCOMPARE(s.llc_rt[1].nr_idle_scan, 4U);
        QCOMPARE(s.llc_rt[0].nr_idle_scan, 99U);
    }

    void offlineCpusDoNotCount() {
        auto s = state61("box-4cpu");
        add61(s, {1, 1});
        s.online.clear(CpuId{1});
        QVERIFY(gather(s, 0, "MC").busiest == nullptr);
    }
};

QTEST_APPLESS_MAIN(TestGather61)
#include "tst_gather61.moc"
