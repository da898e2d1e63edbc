// SPDX-License-Identifier: GPL-3.0-or-later
// Group sums, types and the choice of the busiest group (topology.md 2.4a).
#include "core/balance/queues.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

SdLbStats gather(SchedState& s, std::uint32_t dst, const char* name, CpuIdleType idle = CpuIdleType::Idle) {
    BalanceLog log;
    LbEnv env(s, log, level(s, dst, name), idle, MoveCause::Periodic, CpuId{dst});
    update_sd_lb_stats(env);
    return env.sds;
}

std::uint32_t first(const SchedGroup* g) { return g->span.first()->value; }

} // namespace

class TestGather : public QObject {
    Q_OBJECT
private slots:
    void sums() {
        auto s = balance_state(two_by_four());
        for (int i = 0; i < 6; ++i) add_task(s, static_cast<std::uint32_t>(i % 4), 1024, i < 4 ? 1024 : 0);
        const auto sds = gather(s, 4, "DIE");
        QCOMPARE(first(sds.busiest), 0U);
        QCOMPARE(sds.busiest_stat.group_load, Load{6144});
        QCOMPARE(sds.busiest_stat.avg_load, Load{1536});
        QCOMPARE(sds.busiest_stat.load_per_task, Load{1024});
        QCOMPARE(sds.busiest_stat.sum_nr_running, 6U);
        QCOMPARE(sds.busiest_stat.group_util, Util{4096});
        QCOMPARE(sds.busiest_stat.group_type, GroupType::Overloaded); // 6 > 4 and 4096*100 < 4096*125
        QCOMPARE(sds.local_stat.idle_cpus, 4U);
        QCOMPARE(sds.total_capacity, std::uint64_t{8192});
        QVERIFY(s.root_overload);
    }

    void overloadIsWrittenAtTheTopOnly() {
        auto s = balance_state(two_by_four());
        add_task(s, 0);
        static_cast<void>(gather(s, 0, "MC"));
        QVERIFY(s.root_overload);
        static_cast<void>(gather(s, 0, "DIE"));
        QVERIFY(!s.root_overload);
        add_task(s, 0);
        static_cast<void>(gather(s, 4, "DIE"));
        QVERIFY(s.root_overload);
    }

    void utilIsCutAtCapacity() {
        auto s = balance_state(mc4());
        s.cfs_avg[1].util_avg = 3000;
        add_task(s, 1);
        QCOMPARE(gather(s, 0, "MC").busiest_stat.group_util, Util{1024});
    }

    void firstWinsTies() {
        auto s = balance_state(mc4());
        for (const auto cpu : {1U, 2U, 3U}) add_task(s, cpu);
        QCOMPARE(first(gather(s, 0, "MC").busiest), 1U);
        QCOMPARE(first(gather(s, 2, "MC").busiest), 3U); // ring starts at the own group
    }

    // Siblings first: the MC level sees a core with two tasks as full while the own core has room.
    void preferSibling() {
        auto s = balance_state(smt4());
        add_task(s, 1, 300, 0);
        add_task(s, 5, 300, 0);
        add_task(s, 2, 5000, 0);
        const auto sds = gather(s, 0, "MC");
        QCOMPARE(first(sds.busiest), 1U);
        QVERIFY(sds.busiest_stat.group_no_capacity);
        add_task(s, 0, 1, 512);
        add_task(s, 4, 1, 2048);
        s.cfs_avg[0].util_avg = s.cfs_avg[4].util_avg = 1024;
        QCOMPARE(first(gather(s, 0, "MC").busiest), 2U); // own core is full: load decides
    }

    void imbalancedBeatsOther() {
        auto s = balance_state(two_by_four());
        add_task(s, 0);
        const auto& domain = level(s, 4, "DIE");
        s.group_rt[s.domains->group(domain, 1).sgc].imbalance = true;
        QCOMPARE(gather(s, 4, "DIE").busiest_stat.group_type, GroupType::Imbalanced);
    }

    void historyBiases() {
        auto s = balance_state(two_by_four());
        s.features.set({Feature::LB_BIAS, 1});
        add_task(s, 0, 1000);
        add_task(s, 4, 400);
        s.rqs[0].cpu_load[0] = 300; // idle_idx of DIE is 1
        s.rqs[4].cpu_load[0] = 700;
        const auto sds = gather(s, 4, "DIE");
        QCOMPARE(sds.busiest_stat.group_load, Load{300});
        QCOMPARE(sds.busiest_stat.sum_weighted_load, Load{1000});
        QCOMPARE(sds.local_stat.group_load, Load{700});
        QCOMPARE(gather(s, 4, "DIE", CpuIdleType::NewlyIdle).busiest_stat.group_load, Load{1000}); // newidle_idx 0
    }

    void offlineCpusDoNotCount() {
        auto s = balance_state(mc4());
        add_task(s, 1);
        s.online.clear(CpuId{1});
        QVERIFY(gather(s, 0, "MC").busiest == nullptr);
    }
};

QTEST_APPLESS_MAIN(TestGather)
#include "tst_gather.moc"
