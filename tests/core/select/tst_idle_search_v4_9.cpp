// SPDX-License-Identifier: GPL-3.0-or-later
// The searches of 4.9, 4.12 and 4.19 (select.md 3.c, 3.d, 4): idle core, then the walk with its gate or budget, then the sibling;
// order of idle tests, what is learned from a walk, and recent_used_cpu.
#include "core/select/probe.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

constexpr Era kAll[] = {Era::V4_9, Era::V4_12, Era::V4_19};

// The mean cost of walks that begin on `cpu`.
std::uint64_t& scan_cost(SchedState& s, std::uint32_t cpu) { return s.domain_rt[s.domains->sd_llc[cpu]->index()].avg_scan_cost; }

// Everything busy but `idle`, budget unlimited; recent_used_cpu = 0 is the target in these tests.
SchedState all_busy(SchedDomains domains, const char* idle, Era era) {
    auto s = busy(std::move(domains), "0-7", era);
    for (const auto cpu : mask(idle)) {
        s.idle.set(cpu);
        s.nr_running[cpu.index()] = 0;
    }
    return s;
}

} // namespace

class TestIdleSearchV49 : public QObject {
    Q_OBJECT
private slots:
    void targetThenPrev() {
        for (const auto era : kAll) {
            QCOMPARE(sibling(busy(mc8(), "", era), 3, 0), (Found{0, R::TargetIdle, {0}}));
            QCOMPARE(sibling(busy(mc8(), "0", era), 3, 0), (Found{3, R::PrevIdle, {0, 3}}));
            QCOMPARE(sibling(busy(two_by_four(), "0", era), 4, 0), (Found{1, R::IdleCpu, {0, 0, 1}})); // not in reach
        }
    }

    // The walk begins with the target, which is tested again.
    void walkFromTheTarget() {
        for (const auto era : kAll) {
            auto s = all_busy(mc8(), "1", era);
            set_recent(s, 4);
            QCOMPARE(sibling(s, 4, 4), (Found{1, R::IdleCpu, {4, 4, 5, 6, 7, 0, 1}}));
            set_affinity(s, kTask, "0,2-7");
            QCOMPARE(sibling(s, 4, 4), (Found{4, R::NoIdleCpu, {4, 4, 5, 6, 7, 0, 2, 3}}));
        }
    }

    // The hint is lit: every thread of each core is looked at, allowed or not; the walked thread is returned.
    void idleCore() {
        for (const auto era : kAll) {
            auto s = all_busy(smt4(), "1-2,6", era);
            light_hints(s);
            PlaceEffects effects;
            QCOMPARE(sibling(s, 0, 0, &effects), (Found{2, R::IdleCore, {0, 0, 4, 1, 5, 2, 6}}));
            QVERIFY(!effects.no_idle_core && !effects.walked);
            set_affinity(s, kTask, "0-1,5-7");
            QCOMPARE(sibling(s, 0, 0), (Found{6, R::IdleCore, {0, 0, 4, 1, 5, 2, 6}}));
        }
    }

    // No core is idle: the hint goes out, the walk for a single CPU follows.
    void hintGoesOut() {
        for (const auto era : kAll) {
            auto s = all_busy(smt4(), "3", era);
            light_hints(s);
            PlaceEffects effects;
            QCOMPARE(sibling(s, 0, 0, &effects), (Found{3, R::IdleCpu, {0, 0, 4, 1, 5, 2, 6, 3, 7, 0, 1, 2, 3}}));
            QCOMPARE(effects.no_idle_core, std::optional{LlcId{0}});
            apply(s, kTask, kWaker, CpuId{0}, effects);
            QVERIFY(!test_idle_cores(s, CpuId{0}));
            QCOMPARE(sibling(s, 0, 0), (Found{3, R::IdleCpu, {0, 0, 1, 2, 3}}));
        }
    }

    void hintWithoutThreadsIsNotRead() {
        for (const auto era : kAll) {
            auto s = all_busy(mc8(), "5", era);
            light_hints(s);
            PlaceEffects effects;
            QCOMPARE(sibling(s, 0, 0, &effects), (Found{5, R::IdleCpu, {0, 0, 1, 2, 3, 4, 5}}));
            QVERIFY(!effects.no_idle_core);
        }
    }

    // 1 ms / 512 = 1953. 4.9 compares with the cost, 4.12 and 4.19 with one more, and only if told to.
    void gate_data() {
        QTest::addColumn<int>("era");
        QTest::addColumn<bool>("on");
        QTest::addColumn<int>("cost");
        QTest::addColumn<bool>("open");
        for (const auto era : kAll) {
            const bool v4_9 = era == Era::V4_9;
            QTest::addRow("%d cheap", static_cast<int>(era)) << static_cast<int>(era) << true << 1952 << true;
            QTest::addRow("%d at the edge", static_cast<int>(era)) << static_cast<int>(era) << true << 1953 << v4_9;
            QTest::addRow("%d too dear", static_cast<int>(era)) << static_cast<int>(era) << true << 1954 << false;
            QTest::addRow("%d off", static_cast<int>(era)) << static_cast<int>(era) << false << 90'000 << true;
        }
    }
    void gate() {
        QFETCH(int, era);
        QFETCH(bool, on);
        QFETCH(int, cost);
        QFETCH(bool, open);
        auto s = all_busy(smt4(), "1,4", static_cast<Era>(era));
        QCOMPARE(s.features.has(Feature::SIS_AVG_CPU), era == static_cast<int>(Era::V4_9)); // as the era has it
        turn(s, Feature::SIS_AVG_CPU, on ? 1 : 0);
        scan_cost(s, 0) = static_cast<std::uint64_t>(cost);
        PlaceEffects effects;
        // Shut: the sibling of the target is all that is looked at; open: CPU 1 comes first.
        QCOMPARE(sibling(s, 0, 0, &effects), open ? (Found{1, R::IdleCpu, {0, 0, 1}}) : (Found{4, R::IdleSmt, {0, 0, 4}}));
        QCOMPARE(effects.walked.has_value(), open);
    }

    void gateShutAndNoSibling() {
        auto s = all_busy(smt4(), "1", Era::V4_9);
        scan_cost(s, 0) = 1954;
        QCOMPARE(sibling(s, 0, 0), (Found{0, R::NoBudget, {0, 0, 4}}));
        s.rqs[0].avg_idle = 1'000'448; // 1954 * 512
        QCOMPARE(sibling(s, 0, 0), (Found{1, R::IdleCpu, {0, 0, 1}}));
    }

    // The waker's CPU pays, even if the target is in another cache.
    void wakersCpuPays() {
        auto s = busy(two_by_four(), "0-6", Era::V4_9);
        set_prev(s, 4);
        turn(s, Feature::WAKE_AFFINE, 0);
        scan_cost(s, 4) = 90'000;
        PlaceEffects effects;
        QCOMPARE(wake(s, 0, false, &effects), (Found{7, R::IdleCpu, {4, 4, 5, 6, 7}}));
        QCOMPARE(effects.walked, s.domains->sd_llc[0]);
        scan_cost(s, 4) = 0;
        scan_cost(s, 0) = 90'000;
        QCOMPARE(wake(s, 0), (Found{4, R::NoBudget, {4}}));
    }

    // Eight CPUs: 8 * (avg_idle / 512) / (cost + 1), at least 4; one less is walked.
    void budget_data() {
        QTest::addColumn<int>("idle");
        QTest::addColumn<int>("cost");
        QTest::addColumn<int>("walked");
        QTest::newRow("least") << 0 << 99 << 3;
        QTest::newRow("4 * cost is not more") << 50 << 99 << 3;  // 400 against 400
        QTest::newRow("rounded down to 4") << 51 << 99 << 3;     // 408 / 100
        QTest::newRow("5") << 63 << 99 << 4;                     // 504 / 100
        QTest::newRow("8") << 100 << 99 << 7;
        QTest::newRow("9") << 113 << 99 << 8;                    // 904 / 100: all of them
        QTest::newRow("first walk") << 1953 << 0 << 8;
    }
    void budget() {
        QFETCH(int, idle);
        QFETCH(int, cost);
        QFETCH(int, walked);
        for (const auto era : {Era::V4_12, Era::V4_19}) {
            auto s = all_busy(mc8(), "", era);
            s.rqs[0].avg_idle = static_cast<std::uint64_t>(idle) * 512 + 511;
            scan_cost(s, 0) = static_cast<std::uint64_t>(cost);
            const auto ask = [&](PlaceEffects* effects) { return sibling(s, 0, 0, effects); };
            PlaceEffects effects;
            auto result = ask(&effects);
            QCOMPARE(static_cast<int>(result.checks.size()) - 1, walked);
            QCOMPARE(result.reason, walked == 8 ? R::NoIdleCpu : R::BudgetOut);
            QCOMPARE(effects.walked.has_value(), walked == 8); // a walk cut short teaches nothing
            turn(s, Feature::SIS_PROP, 0);
            QCOMPARE(ask(nullptr).checks.size(), std::size_t{9});
        }
    }

    // Forbidden CPUs use up the budget too, and 4.9 has none.
    void budgetAndMask() {
        for (const auto era : kAll) {
            auto s = all_busy(mc8(), "3", era);
            s.rqs[0].avg_idle = 0;
            set_affinity(s, kTask, "0,3-7");
            QCOMPARE(sibling(s, 0, 0), era == Era::V4_9 ? (Found{3, R::IdleCpu, {0, 0, 3}}) : (Found{0, R::BudgetOut, {0, 0}}));
        }
    }

    // cost 40, walk 600: 40 + 560 / 8; cost 400, walk 700; cost 0, walk 400; downwards it truncates to zero as well.
    void meanCost_data() {
        QTest::addColumn<quint64>("cost");
        QTest::addColumn<quint64>("walk");
        QTest::addColumn<quint64>("mean");
        QTest::newRow("up") << quint64{40} << quint64{600} << quint64{110};
        QTest::newRow("up, truncated") << quint64{400} << quint64{700} << quint64{437};
        QTest::newRow("from nothing") << quint64{0} << quint64{400} << quint64{50};
        QTest::newRow("down") << quint64{800} << quint64{0} << quint64{700};
        QTest::newRow("down, truncated") << quint64{15} << quint64{0} << quint64{14};
        QTest::newRow("too near") << quint64{107} << quint64{100} << quint64{107};
    }
    void meanCost() {
        QFETCH(quint64, cost);
        QFETCH(quint64, walk);
        auto s = idle_state(mc8(), Era::V4_9);
        scan_cost(s, 3) = cost;
        PlaceEffects effects;
        effects.walked = s.domains->sd_llc[3];
        effects.walk_ns = walk;
        apply(s, kTask, kWaker, CpuId{3}, effects);
        QTEST(static_cast<quint64>(scan_cost(s, 3)), "mean");
        QCOMPARE(scan_cost(s, 2), std::uint64_t{0}); // each CPU has its own
    }

    // Of all tests only those of the walk are measured, and the waker's own CPU is free.
    void onlyTheWalkIsMeasured() {
        auto s = all_busy(smt4(), "7", Era::V4_9);
        s.tunables.scan_smt_ns = 10;
        s.tunables.scan_llc_ns = 100;
        light_hints(s);
        PlaceEffects effects;
        QCOMPARE(sibling(s, 0, 0, &effects).reason, R::IdleCpu);
        QCOMPARE(effects.walk_ns, std::uint64_t{610}); // 0, 1, 2, 3, 4, 5, 6, 7: six in the cache, one thread of this core
        s.idle.clear(CpuId{7});
        QCOMPARE(sibling(s, 0, 0, &effects).reason, R::NoIdleCpu);
        QCOMPARE(effects.walk_ns, std::uint64_t{610});
    }

    void recentOf419() {
        for (const auto era : kAll) {
            auto s = all_busy(mc8(), "2,5", era);
            set_recent(s, 5);
            PlaceEffects effects;
            const bool reads = era == Era::V4_19;
            QCOMPARE(sibling(s, 1, 0, &effects), reads ? (Found{5, R::RecentIdle, {0, 1, 5}}) : (Found{2, R::IdleCpu, {0, 1, 0, 1, 2}}));
            QCOMPARE(effects.recent_of_task, reads ? std::optional{CpuId{1}} : std::nullopt);
            if (!reads) continue;
            set_affinity(s, kTask, "0-4");
            QCOMPARE(sibling(s, 1, 0, &effects), (Found{2, R::IdleCpu, {0, 1, 5, 0, 1, 2}}));
            QVERIFY(!effects.recent_of_task);
            turn(s, Feature::RECENT_CPU, 0);
            QCOMPARE(sibling(s, 1, 0), (Found{2, R::IdleCpu, {0, 1, 0, 1, 2}}));
        }
    }

    // In another cache, or one that was tested already, it is not looked at.
    void recentOutOfReach() {
        auto s = busy(two_by_four(), "0-1", Era::V4_19);
        for (const std::uint32_t recent : {0U, 1U, 6U}) {
            set_recent(s, recent);
            QCOMPARE(sibling(s, 1, 0), (Found{2, R::IdleCpu, {0, 1, 0, 1, 2}}));
        }
    }

    void cpuWithoutCache() {
        for (const auto era : kAll) {
            auto domains = mc8();
            domains.sd_llc[2].reset();
            auto s = busy(std::move(domains), "2", era);
            set_recent(s, 2);
            QCOMPARE(sibling(s, 2, 2), (Found{2, R::NoIdleCpu, {2}}));
        }
    }
};

QTEST_APPLESS_MAIN(TestIdleSearchV49)
#include "tst_idle_search_v4_9.moc"
