// SPDX-License-Identifier: GPL-3.0-or-later
// The cluster scan as posted and as merged (select.md 3.f) and the search on CPUs of different capacity (3.g).
#include "core/select/probe.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

constexpr Era kPosted = Era::V6_1_CLUSTER_V7, kMerged = Era::V6_12;

SchedState all_busy(SchedDomains domains, const char* idle, Era era, std::uint32_t nr_idle_scan = 8) {
    auto s = busy(std::move(domains), "0-7", era);
    for (const auto cpu : mask(idle)) {
        s.idle.set(cpu);
        s.nr_running[cpu.index()] = 0;
    }
    for (auto& llc : s.llc_rt) llc.nr_idle_scan = nr_idle_scan;
    return s;
}

// Target 0, everything busy but `idle`; recent_used_cpu as given.
Found ask(Era era, const char* idle, std::uint32_t budget, std::uint32_t prev = 0, std::uint32_t recent = 0) {
    auto s = all_busy(two_clusters(), idle, era, budget);
    set_recent(s, recent);
    return sibling(s, prev, 0);
}

} // namespace

class TestIdleSearchCluster : public QObject {
    Q_OBJECT
private slots:
    void clusterThenTheRest() {
        for (const auto era : {kPosted, kMerged}) {
            QCOMPARE(ask(era, "2,5", 8), (Found{2, R::IdleCpuOfCluster, {0, 1, 2}}));
            QCOMPARE(ask(era, "5", 8), (Found{5, R::IdleCpu, {0, 1, 2, 3, 0, 4, 5}}));
            QCOMPARE(ask(era, "", 8), (Found{0, R::NoIdleCpu, {0, 1, 2, 3, 0, 4, 5, 6, 7}}));
        }
    }

    void oneBudgetForBoth() {
        for (const auto era : {kPosted, kMerged}) {
            QCOMPARE(ask(era, "5", 6), (Found{5, R::IdleCpu, {0, 1, 2, 3, 0, 4, 5}}));
            QCOMPARE(ask(era, "5", 5), (Found{0, R::BudgetOut, {0, 1, 2, 3, 0, 4}}));
            QCOMPARE(ask(era, "5", 4), (Found{0, R::BudgetOut, {0, 1, 2, 3, 0}}));
            QCOMPARE(ask(era, "3", 2), (Found{0, R::BudgetOut, {0, 1, 2}}));
        }
    }

    // An idle prev of another cluster: ignored as posted, kept for the worst as merged.
    void prevOfAnotherCluster() {
        QCOMPARE(ask(kPosted, "5", 3, 5), (Found{0, R::BudgetOut, {0, 1, 2, 3}}));
        QCOMPARE(ask(kMerged, "5", 3, 5), (Found{5, R::FallbackPrev, {0, 5, 1, 2, 3}}));
        QCOMPARE(ask(kPosted, "5", 0, 5), (Found{0, R::NoBudget, {0}}));
        QCOMPARE(ask(kMerged, "5", 0, 5), (Found{5, R::FallbackPrev, {0, 5}}));
        QCOMPARE(ask(kMerged, "2,5", 8, 5), (Found{2, R::IdleCpuOfCluster, {0, 5, 1, 2}}));
        for (const auto era : {kPosted, kMerged}) QCOMPARE(ask(era, "2-3", 8, 3), (Found{3, R::PrevIdle, {0, 3}}));
    }

    void recentOfAnotherCluster() {
        QCOMPARE(ask(kPosted, "6", 2, 1, 6), (Found{0, R::BudgetOut, {0, 1, 1, 2}}));
        QCOMPARE(ask(kMerged, "6", 2, 1, 6), (Found{6, R::FallbackRecent, {0, 1, 6, 1, 2}}));
        QCOMPARE(ask(kMerged, "5-6", 2, 5, 6), (Found{5, R::FallbackPrev, {0, 5, 6, 1, 2}}));
        for (const auto era : {kPosted, kMerged}) QCOMPARE(ask(era, "2-3", 8, 1, 3), (Found{3, R::RecentIdle, {0, 1, 3}}));
    }

    void choices() {
        auto s = all_busy(two_clusters(), "5", kMerged, 3);
        turn(s, Feature::CLUSTER_SCAN, 2);
        QCOMPARE(sibling(s, 5, 0), (Found{0, R::BudgetOut, {0, 1, 2, 3}}));
        turn(s, Feature::CLUSTER_SCAN, 0);
        QCOMPARE(sibling(s, 5, 0), (Found{5, R::PrevIdle, {0, 5}}));
        QCOMPARE(sibling(all_busy(two_clusters(), "2", Era::V6_1), 0, 0), (Found{2, R::IdleCpu, {0, 1, 2}}));
    }

    // The idle thread met in the cluster waits while the rest is searched for a core.
    void threadOfTheClusterIsKept() {
        for (const auto era : {kPosted, kMerged}) {
            auto s = all_busy(two_smt_clusters(), "3,6-7", era);
            light_hints(s);
            QCOMPARE(sibling(s, 0, 0), (Found{6, R::IdleCore, {0, 0, 1, 2, 3, 4, 6, 7}}));
            s.idle.clear(CpuId{6});
            PlaceEffects effects;
            QCOMPARE(sibling(s, 0, 0, &effects), (Found{3, R::IdleThread, {0, 0, 1, 2, 3, 4, 6}}));
            QVERIFY(effects.no_idle_core.has_value());
        }
    }

    // Util 410 does not fit capacity 512, 409 does: every early return asks.
    void earlyReturnsAskForCapacity() {
        auto s = idle_state(big_little(), Era::V6_1);
        auto& util = s.se[kTask.index()].avg.util_avg;
        util = 409;
        QCOMPARE(sibling(s, 0, 0), (Found{0, R::TargetIdle, {0}}));
        util = 410;
        QCOMPARE(sibling(s, 0, 0), (Found{4, R::CapacityFits, {0, 0, 1, 2, 3, 4}}));
        QCOMPARE(sibling(s, 1, 0), (Found{4, R::CapacityFits, {0, 1, 0, 1, 2, 3, 4}}));
        s.era = Era::V4_19;
        s.features = FeatureSet(s.era);
        QCOMPARE(sibling(s, 0, 0), (Found{0, R::TargetIdle, {0}}));
    }

    void largestWhereItFitsNone() {
        auto s = all_busy(big_little(), "2,5-6", Era::V6_1);
        s.se[kTask.index()].avg.util_avg = 1000;
        QCOMPARE(sibling(s, 0, 0), (Found{5, R::CapacityLargest, {0, 0, 1, 2, 3, 4, 5, 6, 7}}));
        s.rqs[5].capacity_taken = 1;
        QCOMPARE(sibling(s, 0, 0).cpu, 6U);
        set_affinity(s, kTask, "0-4");
        QCOMPARE(sibling(s, 0, 0), (Found{2, R::CapacityLargest, {0, 0, 1, 2, 3, 4}}));
        s.idle.clear(CpuId{2});
        QCOMPARE(sibling(s, 0, 0), (Found{0, R::NoIdleCpu, {0, 0, 1, 2, 3, 4}}));
    }
};

QTEST_APPLESS_MAIN(TestIdleSearchCluster)
#include "tst_idle_search_cluster.moc"
