// SPDX-License-Identifier: GPL-3.0-or-later
// The search since 5.12 without clusters (select.md 3.d, 3.e): recent_used_cpu, sibling of prev, cores while the hint is lit,
// budgets of SIS_UTIL and SIS_PROP, what is charged and remembered; SCHED_IDLE CPUs count as idle.
#include "core/select/probe.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

constexpr Era kAll[] = {Era::V5_19, Era::V6_1, Era::V6_1_CLUSTER_V7, Era::V6_12};

// All CPUs busy but `idle`; recent_used_cpu is the target 0 unless set.
SchedState all_busy(SchedDomains domains, const char* idle, Era era = Era::V6_1) {
    auto s = busy(std::move(domains), "0-7", era);
    for (const auto cpu : mask(idle)) {
        s.idle.set(cpu);
        s.nr_running[cpu.index()] = 0;
    }
    return s;
}

std::uint64_t& scan_cost(SchedState& s, std::uint32_t cpu) { return s.domain_rt[s.domains->sd_llc[cpu]->index()].avg_scan_cost; }

// Checks of the walk on mc8 from target 0, all busy: the target's own test comes before it.
std::size_t walked(const Found& f) { return f.checks.size() - 1; }

} // namespace

class TestIdleSearchV61 : public QObject {
    Q_OBJECT
private slots:
    // From target + 1, the target last.
    void walkEndsWithTheTarget() {
        for (const auto era : kAll) {
            auto s = all_busy(mc8(), "3", era);
            set_recent(s, 5);
            QCOMPARE(sibling(s, 5, 5), (Found{3, R::IdleCpu, {5, 6, 7, 0, 1, 2, 3}}));
            s.idle.clear(CpuId{3});
            QCOMPARE(sibling(s, 5, 5), (Found{5, R::NoIdleCpu, {5, 6, 7, 0, 1, 2, 3, 4, 5}}));
        }
    }

    void forbiddenCpusAreNotLookedAt() {
        for (const auto era : kAll) {
            auto s = all_busy(mc8(), "2-3", era);
            set_affinity(s, kTask, "0-1,3");
            s.llc_rt[0].nr_idle_scan = 2; // 1 and 3
            turn(s, Feature::SIS_UTIL, 1);
            turn(s, Feature::SIS_PROP, 0);
            QCOMPARE(sibling(s, 0, 0), (Found{3, R::IdleCpu, {0, 1, 3}}));
        }
    }

    void recent() {
        for (const auto era : kAll) {
            auto s = all_busy(mc8(), "2,5", era);
            set_recent(s, 5);
            PlaceEffects effects;
            QCOMPARE(sibling(s, 1, 0, &effects), (Found{5, R::RecentIdle, {0, 1, 5}}));
            QCOMPARE(effects.recent_of_task, std::optional{CpuId{1}});
            // The new value is remembered even if the old one was of no use; not if target or prev did.
            set_recent(s, 6);
            QCOMPARE(sibling(s, 1, 0, &effects), (Found{2, R::IdleCpu, {0, 1, 6, 1, 2}}));
            QCOMPARE(effects.recent_of_task, std::optional{CpuId{1}});
            QCOMPARE(sibling(s, 2, 0, &effects).reason, R::PrevIdle);
            QVERIFY(!effects.recent_of_task);
            QCOMPARE(sibling(s, 0, 2, &effects).reason, R::TargetIdle);
            QVERIFY(!effects.recent_of_task);
            set_recent(s, 5);
            turn(s, Feature::RECENT_CPU, 0);
            QCOMPARE(sibling(s, 1, 0), (Found{2, R::IdleCpu, {0, 1, 1, 2}}));
        }
    }

    void recentForbiddenOrFar() {
        auto s = all_busy(mc8(), "2,5");
        set_recent(s, 5);
        set_affinity(s, kTask, "0-4");
        QCOMPARE(sibling(s, 1, 0), (Found{2, R::IdleCpu, {0, 1, 5, 1, 2}}));
        s = all_busy(two_by_four(), "2,5");
        set_recent(s, 5);
        QCOMPARE(sibling(s, 1, 0), (Found{2, R::IdleCpu, {0, 1, 1, 2}}));
    }

    // The other threads of prev, not of the target, and only while no core is said to be idle.
    void siblingOfPrev() {
        for (const auto era : kAll) {
            auto s = all_busy(smt4(), "4-5,7", era);
            QCOMPARE(sibling(s, 1, 0), (Found{5, R::IdleSmt, {0, 1, 5}}));
            turn(s, Feature::SMT_PREV, 0);
            QCOMPARE(sibling(s, 1, 0), (Found{4, R::IdleCpu, {0, 1, 1, 2, 3, 4}}));
            turn(s, Feature::SMT_PREV, 1);
            set_affinity(s, kTask, "0-4,6-7");
            QCOMPARE(sibling(s, 1, 0), (Found{4, R::IdleCpu, {0, 1, 1, 2, 3, 4}}));
        }
    }

    void siblingOfPrevInAnotherCache() {
        auto s = busy(preset_domains(8, {{.name = "SMT", .spans = masks({"0-1", "2-3", "4-5", "6-7"}), .imbalance_pct = 110, .is_smt = true, .shares_llc = true},
                                         {.name = "MC", .spans = masks({"0-3", "4-7"}), .shares_llc = true},
                                         {.name = "DIE", .spans = masks({"0-7"})}}), "0,4", Era::V6_1);
        QCOMPARE(sibling(s, 4, 0), (Found{1, R::IdleCpu, {0, 1}})); // 5 is idle, too far
    }

    // Hint lit: the walked thread of an idle core, e.g. 6 of {2, 6}.
    void idleCore() {
        for (const auto era : kAll) {
            auto s = all_busy(smt4(), "2,6", era);
            light_hints(s);
            set_affinity(s, kTask, "0,3-7");
            PlaceEffects effects;
            // 3 (first thread busy, no fallback yet: both are looked at), core of 4, core of 5, core of 6.
            QCOMPARE(sibling(s, 0, 0, &effects), (Found{6, R::IdleCore, {0, 3, 7, 0, 4, 1, 5, 2, 6}}));
            QVERIFY(!effects.no_idle_core && !effects.walked);
        }
    }

    // Once an idle thread is known the look at a core ends with its first busy thread.
    void idleThread() {
        for (const auto era : kAll) {
            auto s = all_busy(smt4(), "5-6", era);
            light_hints(s);
            PlaceEffects effects;
            QCOMPARE(sibling(s, 0, 0, &effects), (Found{5, R::IdleThread, {0, 1, 5, 2, 3, 0}}));
            QCOMPARE(effects.no_idle_core, std::optional{LlcId{0}});
            QVERIFY(!effects.walked);
        }
    }

    // The fallback must be allowed and still to be looked at; without one the target keeps the task and the hint goes out.
    void idleThreadMustBeAllowed() {
        auto s = all_busy(smt4(), "5-6");
        light_hints(s);
        set_affinity(s, kTask, "0-4,6-7");
        QCOMPARE(sibling(s, 0, 0), (Found{6, R::IdleThread, {0, 1, 5, 2, 6, 3, 0}}));
        s = all_busy(smt4(), "");
        light_hints(s);
        PlaceEffects effects;
        QCOMPARE(sibling(s, 0, 0, &effects), (Found{0, R::NoIdleCpu, {0, 1, 5, 2, 6, 3, 7, 0, 4}}));
        QCOMPARE(effects.no_idle_core, std::optional{LlcId{0}});
    }

    // nr_idle_scan CPUs are looked at; 0: none, not even for cores.
    void utilBudget() {
        for (const auto era : kAll) {
            auto s = all_busy(mc8(), "", era);
            turn(s, Feature::SIS_UTIL, 1);
            turn(s, Feature::SIS_PROP, 0);
            for (const std::uint32_t nr : {0U, 1U, 3U, 7U, 8U}) {
                s.llc_rt[0].nr_idle_scan = nr;
                PlaceEffects effects;
                const auto f = sibling(s, 0, 0, &effects);
                QCOMPARE(walked(f), std::size_t{nr});
                QCOMPARE(f.reason, nr == 0 ? R::NoBudget : nr == 8 ? R::NoIdleCpu : R::BudgetOut);
                QVERIFY(!effects.walked && !effects.ages_wake_avg_idle); // SIS_UTIL learns nothing from walks
            }
            turn(s, Feature::SIS_UTIL, 0);
            s.llc_rt[0].nr_idle_scan = 0;
            QCOMPARE(walked(sibling(s, 0, 0)), std::size_t{8});
        }
    }

    void utilBudgetAndCores() {
        auto s = all_busy(smt4(), "3,7");
        light_hints(s);
        s.llc_rt[0].nr_idle_scan = 1; // not used up by cores
        QCOMPARE(sibling(s, 0, 0), (Found{3, R::IdleCore, {0, 1, 5, 2, 6, 3, 7}}));
        s.llc_rt[0].nr_idle_scan = 0;
        PlaceEffects effects;
        QCOMPARE(sibling(s, 0, 0, &effects), (Found{0, R::NoBudget, {0}}));
        QVERIFY(!effects.no_idle_core); // nobody looked
    }

    // 8 * wake_avg_idle / (cost + 1), at least 4; one less is walked. No division by 512 any more.
    void propBudget() {
        auto s = all_busy(mc8(), "", Era::V5_19);
        scan_cost(s, 0) = 99;
        for (const auto& [idle, steps] : {std::pair{0U, 3U}, {50U, 3U}, {51U, 3U}, {63U, 4U}, {112U, 7U}, {113U, 8U}}) {
            s.rqs[0].wake_avg_idle = idle;
            s.rqs[0].avg_idle = 0;
            PlaceEffects effects;
            const auto f = sibling(s, 0, 0, &effects);
            QCOMPARE(walked(f), std::size_t{steps});
            QCOMPARE(f.reason, steps == 8 ? R::NoIdleCpu : R::BudgetOut);
            QVERIFY(effects.ages_wake_avg_idle);
            QCOMPARE(effects.spends_wake_avg_idle, steps == 8); // only a whole walk is paid for and learned from
            QCOMPARE(effects.walked.has_value(), steps == 8);
        }
    }

    // Halved for every tick since it was looked at last, then the walk is paid from it.
    void wakeAvgIdleAgesAndPays() {
        auto s = all_busy(mc8(), "3", Era::V5_19);
        auto& rq = s.rqs[0];
        rq.wake_avg_idle = 1001;
        rq.wake_stamp = 10;
        s.jiffies = 13;
        QCOMPARE(aged_wake_avg_idle(s, CpuId{0}), std::uint64_t{125});
        s.tunables.scan_llc_ns = 20;
        PlaceEffects effects;
        QCOMPARE(sibling(s, 0, 0, &effects), (Found{3, R::IdleCpu, {0, 1, 2, 3}}));
        QCOMPARE(effects.walk_ns, std::uint64_t{60});
        apply(s, kTask, kWaker, CpuId{0}, effects);
        QCOMPARE(rq.wake_avg_idle, std::uint64_t{65});
        QCOMPARE(rq.wake_stamp, Jiffies{13});
        QCOMPARE(scan_cost(s, 0), std::uint64_t{7}); // 60 / 8
        apply(s, kTask, kWaker, CpuId{0}, effects);
        apply(s, kTask, kWaker, CpuId{0}, effects);
        QCOMPARE(rq.wake_avg_idle, std::uint64_t{0}); // not below nothing
        rq.wake_avg_idle = 1000;
        rq.wake_stamp = 20; // ahead of the tick: nothing to age
        QCOMPARE(aged_wake_avg_idle(s, CpuId{0}), std::uint64_t{1000});
        rq.wake_stamp = 0;
        s.jiffies = 64;
        QCOMPARE(aged_wake_avg_idle(s, CpuId{0}), std::uint64_t{0});
    }

    // The aged value is what the budget is made of.
    void budgetOfAnAgedValue() {
        auto s = all_busy(mc8(), "", Era::V5_19);
        scan_cost(s, 0) = 99;
        s.rqs[0].wake_avg_idle = 4 * 113;
        QCOMPARE(walked(sibling(s, 0, 0)), std::size_t{8});
        s.jiffies = 2;
        QCOMPARE(walked(sibling(s, 0, 0)), std::size_t{8}); // 113
        s.jiffies = 3;
        QCOMPARE(walked(sibling(s, 0, 0)), std::size_t{3}); // 56: 448 / 100
    }

    void propIsSilentWhileTheHintIsLit() {
        auto s = all_busy(smt4(), "", Era::V5_19);
        light_hints(s);
        s.rqs[0].wake_avg_idle = 0;
        PlaceEffects effects;
        QCOMPARE(sibling(s, 0, 0, &effects).reason, R::NoIdleCpu);
        QVERIFY(!effects.ages_wake_avg_idle && !effects.spends_wake_avg_idle && !effects.walked);
    }

    // Both: SIS_UTIL sets the length, SIS_PROP keeps the accounts.
    void both() {
        auto s = all_busy(mc8(), "3", Era::V5_19);
        turn(s, Feature::SIS_UTIL, 1);
        scan_cost(s, 0) = 99;
        s.rqs[0].wake_avg_idle = 0; // would be 3 CPUs
        s.llc_rt[0].nr_idle_scan = 2;
        QCOMPARE(sibling(s, 0, 0), (Found{0, R::BudgetOut, {0, 1, 2}}));
        s.llc_rt[0].nr_idle_scan = 5;
        s.idle.clear(CpuId{3});
        s.idle.set(CpuId{5});
        PlaceEffects effects;
        QCOMPARE(sibling(s, 0, 0, &effects), (Found{5, R::IdleCpu, {0, 1, 2, 3, 4, 5}}));
        QVERIFY(effects.walked && effects.spends_wake_avg_idle);
        s.llc_rt[0].nr_idle_scan = 0;
        QCOMPARE(sibling(s, 0, 0, &effects), (Found{0, R::NoBudget, {0}}));
        QVERIFY(effects.ages_wake_avg_idle && !effects.walked);
    }

    void schedIdleCountsAsIdle() {
        for (const auto era : kAll) {
            auto s = all_busy(mc8(), "", era);
            make_sched_idle(s, 0);
            QCOMPARE(sibling(s, 3, 0), (Found{0, R::TargetIdle, {0}}));
            s = all_busy(mc8(), "", era);
            make_sched_idle(s, 3);
            QCOMPARE(sibling(s, 3, 0), (Found{3, R::PrevIdle, {0, 3}}));
            QCOMPARE(sibling(s, 1, 0), (Found{3, R::IdleCpu, {0, 1, 1, 2, 3}}));
            set_recent(s, 3);
            QCOMPARE(sibling(s, 1, 0), (Found{3, R::RecentIdle, {0, 1, 3}}));
            s = all_busy(smt4(), "", era);
            make_sched_idle(s, 5);
            QCOMPARE(sibling(s, 1, 0), (Found{5, R::IdleSmt, {0, 1, 5}}));
            light_hints(s); // not an idle core, but a thread to fall back on
            QCOMPARE(sibling(s, 1, 0), (Found{5, R::IdleThread, {0, 1, 1, 5, 2, 3, 0}}));
        }
        auto s = all_busy(mc8(), "", Era::V4_19);
        make_sched_idle(s, 0);
        QCOMPARE(sibling(s, 0, 0).reason, R::NoIdleCpu);
    }

    void cpuWithoutCache() {
        auto domains = mc8();
        domains.sd_llc[2].reset();
        auto s = busy(domains, "2", Era::V6_1);
        set_recent(s, 2);
        QCOMPARE(sibling(s, 2, 2), (Found{2, R::NoIdleCpu, {2}}));
    }

    // SIS_PROP has nobody to charge where the waker's CPU has no cache.
    void wakerWithoutCache() {
        auto domains = mc8();
        domains.sd_llc[7].reset();
        auto s = busy(domains, "0,1", Era::V5_19);
        set_prev(s, 0);
        turn(s, Feature::WAKE_AFFINE, 0);
        QCOMPARE(wake(s, 7), (Found{0, R::NoBudget, {0}}));
        turn(s, Feature::SIS_PROP, 0);
        QCOMPARE(wake(s, 7), (Found{2, R::IdleCpu, {0, 1, 2}}));
    }
};

QTEST_APPLESS_MAIN(TestIdleSearchV61)
#include "tst_idle_search_v6_1.moc"
