// SPDX-License-Identifier: GPL-3.0-or-later
// Pull or not since 4.14 (select.md 2.1, 2.3): idle CPUs and synchronous wakers first, then the loads, each with its toggle;
// which idle tests are made; small CPUs; what the waker remembers.
#include "core/select/probe.h"

#include <QtTest>

#include <algorithm>

using namespace rqscope;
using namespace rqscope::test;

namespace {

struct Pull {
    bool pulled;
    std::vector<std::uint32_t> checks;
    bool operator==(const Pull&) const = default;
};

[[maybe_unused]] char* toString(const Pull& p) {
    QString text = p.pulled ? "pulled" : "stays";
    for (const auto cpu : p.checks) text += " " + QString::number(cpu);
    return qstrdup(qPrintable(text));
}

// Waker on CPU 0; the task slept on `prev` (other cache: 4).
struct Affine {
    SchedState s;

    Affine(Era era, const char* busy_cpus, std::uint32_t prev = 4) : s(busy(two_by_four(), busy_cpus, era)) { set_prev(s, prev); }

    void loads(Load waker_cpu, Load prev_cpu, Load task, Load waker = 0) {
        const auto prev = s.se[kTask.index()].cpu.index();
        for (const auto& [cpu, load] : {std::pair{std::size_t{0}, waker_cpu}, std::pair{prev, prev_cpu}}) {
            auto& avg = s.cfs_avg[cpu];
            // The eras read one of the two; the other says the opposite.
            const bool v6 = s.era >= Era::V5_19;
            (v6 ? avg.load_avg : avg.runnable_load_avg) = load;
            (v6 ? avg.runnable_load_avg : avg.load_avg) = 100'000 - load;
        }
        s.se[kTask.index()].avg.load_avg = task;
        s.se[kWaker.index()].avg.load_avg = waker;
    }
    [[nodiscard]] Pull ask(bool sync = false) const {
        Explainer explainer;
        const SelectContext ctx{s, &explainer};
        PlacementSearch sel(ctx, kTask, CpuId{0}, true);
        const auto prev = s.se[kTask.index()].cpu;
        const bool pulled = wake_affine(sel, *s.domains->common(CpuId{0}, prev), kWaker, prev, sync);
        return {pulled, found(sel.out, explainer).checks};
    }
    [[nodiscard]] bool pulls(bool sync = false) const { return ask(sync).pulled; }
};

constexpr Era kNew[] = {Era::V4_19, Era::V5_19, Era::V6_1, Era::V6_1_CLUSTER_V7, Era::V6_12};

} // namespace

class TestWakeAffineV414 : public QObject {
    Q_OBJECT
private slots:
    // An interrupt on an idle CPU that shares the cache: idle prev keeps it, else it comes here.
    void interruptInTheSameCache() {
        for (const auto era : kNew) {
            QCOMPARE(Affine(era, "", 1).ask(), (Pull{false, {0, 1}}));
            QCOMPARE(Affine(era, "1", 1).ask(), (Pull{true, {0, 1}}));
        }
    }

    // From another cache an idle waker says nothing, an idle prev only since 6.1 does.
    void interruptInAnotherCache() {
        QCOMPARE(Affine(Era::V4_19, "", 4).ask(), (Pull{false, {0}}));
        QCOMPARE(Affine(Era::V6_1, "", 4).ask(), (Pull{false, {0, 4}}));
    }

    void syncWakerAlone() {
        for (const auto era : kNew) {
            Affine a(era, "0");
            a.loads(1024, 0, 10);
            QCOMPARE(a.ask(true), (Pull{true, {0}}));
            a.s.nr_running[0] = 2;
            const bool v6 = era != Era::V4_19;
            QCOMPARE(a.ask(true), v6 ? (Pull{false, {0, 4}}) : (Pull{false, {0}}));
            QCOMPARE(a.ask(false), v6 ? (Pull{false, {0, 4}}) : (Pull{false, {0}}));
        }
    }

    // An idle prev keeps the task whatever its load since 6.1; 4.19 compares.
    void idlePrevInAnotherCache() {
        for (const auto era : kNew) {
            Affine a(era, "0");
            a.loads(10, 5000, 10);
            QCOMPARE(a.pulls(), era == Era::V4_19);
            turn(a.s, Feature::WA_IDLE, 0);
            QCOMPARE(a.ask(), (Pull{true, {}}));
        }
    }

    void withoutWaIdleSyncIsJustALoad() {
        for (const auto era : kNew) {
            Affine a(era, "0,4");
            turn(a.s, Feature::WA_IDLE, 0);
            a.loads(1024, 10, 10, 1000);
            QVERIFY(!a.pulls(true)); // 24 + 10 against 0
        }
    }

    // imbalance_pct 125: (this + task) * 100 < (prev - task) * 112
    void weightWithBias() {
        for (const auto era : kNew) {
            Affine a(era, "0,4");
            a.loads(1020, 1100, 100); // 112000 against 112000
            QVERIFY(!a.pulls());
            a.loads(1019, 1100, 100);
            QVERIFY(a.pulls());
            a.loads(1020, 1100, 100, 0);
            a.s.nr_running[0] = 2;
            QVERIFY(a.pulls(true)); // a tie goes to a synchronous waker
            turn(a.s, Feature::WA_WEIGHT, 0);
            a.loads(0, 90'000, 100);
            QVERIFY(!a.pulls());
        }
    }

    void weightWithoutBias() {
        for (const auto era : kNew) {
            Affine a(era, "0,4");
            turn(a.s, Feature::WA_BIAS, 0);
            a.loads(900, 1100, 100);
            QVERIFY(!a.pulls()); // 1000 against 1000
            a.loads(899, 1100, 100);
            QVERIFY(a.pulls());
            turn(a.s, Feature::WA_BIAS, 1);
            a.loads(900, 1100, 100);
            QVERIFY(a.pulls());
        }
    }

    // The task can weigh more than what prev has left: the right side is negative then.
    void negativePrev() {
        for (const auto era : kNew) {
            Affine a(era, "0,4");
            a.s.nr_running[0] = 2;
            a.loads(0, 99, 100);
            QVERIFY(!a.pulls());
            QVERIFY(!a.pulls(true));
            a.loads(0, 0, 0);
            QVERIFY(!a.pulls()); // 0 < 0
            QVERIFY(a.pulls(true));
        }
    }

    // What a synchronous waker leaves behind; less than nothing pulls at once.
    void syncTakesTheWakerOff() {
        for (const auto era : kNew) {
            Affine a(era, "0,4");
            a.s.nr_running[0] = 2;
            a.loads(999, 0, 100, 1000);
            QVERIFY(a.pulls(true));
            QVERIFY(!a.pulls(false));
            a.loads(1000, 200, 100, 1000); // 100 * 100 < 100 * 112
            QVERIFY(a.pulls(true));
            a.loads(1000, 188, 100, 1000); // 10000 against 9856 + 1
            QVERIFY(!a.pulls(true));
        }
    }

    void capacitiesWeigh() {
        for (const auto era : kNew) {
            Affine a(era, "0,4");
            a.loads(1019, 1100, 100);
            QVERIFY(a.pulls());
            a.s.rqs[0].capacity_taken = 24; // 111900 * 1024 against 112000 * 1000
            QVERIFY(!a.pulls());
            a.s.rqs[4].capacity_taken = 24;
            QVERIFY(a.pulls());
        }
    }

    // The levels lose their flag: the waker is not asked, but 4.19 remembers where it ran all the same.
    void wakeAffineOff() {
        for (const auto era : kNew) {
            Affine a(era, "0,4");
            a.loads(0, 9000, 100);
            PlaceEffects effects;
            QCOMPARE(wake(a.s, 0, false, &effects).checks.at(2), 0U); // waker, prev, then the target: the waker's CPU
            turn(a.s, Feature::WAKE_AFFINE, 0);
            QCOMPARE(wake(a.s, 0, false, &effects).checks.front(), 4U);
            QCOMPARE(effects.recent_of_waker, era == Era::V4_19 ? std::optional{CpuId{0}} : std::nullopt);
        }
    }

    void wakerRemembersItsCpu() {
        Affine a(Era::V4_19, "0,4", 4);
        PlaceEffects effects;
        static_cast<void>(wake(a.s, 0, false, &effects));
        apply(a.s, kTask, kWaker, CpuId{0}, effects);
        QCOMPARE(effects.recent_of_waker, std::optional{CpuId{0}});
        set_affinity(a.s, kTask, "1-7"); // not wanted here
        static_cast<void>(wake(a.s, 0, false, &effects));
        QVERIFY(!effects.recent_of_waker);
        const auto idle_task = a.s.se[kIdleTask.index()].recent_used_cpu;
        effects.recent_of_waker = CpuId{3};
        apply(a.s, kTask, kIdleTask, CpuId{3}, effects);
        QCOMPARE(a.s.se[kIdleTask.index()].recent_used_cpu, idle_task);
    }

    // 4.9 to 4.19: a task of util 410 does not fit the small CPU, so prev and waker may not be mixed.
    void smallCpusDoNotPull() {
        for (const auto era : {Era::V4_8, Era::V4_9, Era::V4_12, Era::V4_19, Era::V6_1}) {
            auto s = busy(big_little(), "0,4", era);
            set_prev(s, 4);
            s.se[kTask.index()].avg.util_avg = 410;
            const SelectContext ctx{s};
            const PlacementSearch sel(ctx, kTask, CpuId{0}, true);
            const bool reads = era == Era::V4_9 || era == Era::V4_12 || era == Era::V4_19;
            QCOMPARE(wake_cap(sel, CpuId{4}), reads);
            const PlacementSearch large(ctx, kTask, CpuId{5}, true);
            QVERIFY(!wake_cap(large, CpuId{4}));
            s.se[kTask.index()].avg.util_avg = 409;
            QVERIFY(!wake_cap(sel, CpuId{4}));
        }
    }

    // Sizes within an eighth of the largest count as equal.
    void nearlyEqualCpus() {
        auto domains = big_little();
        domains.cpu_capacity[0] = 897; // 1024 - 897 = 127 < 128
        auto s = busy(std::move(domains), "0,4", Era::V4_9);
        s.se[kTask.index()].avg.util_avg = 1000;
        const SelectContext ctx{s};
        const PlacementSearch sel(ctx, kTask, CpuId{0}, true);
        QVERIFY(!wake_cap(sel, CpuId{4}));
        auto lower = *s.domains;
        lower.cpu_capacity[0] = 896;
        s.domains = std::make_shared<const SchedDomains>(lower);
        const PlacementSearch other(ctx, kTask, CpuId{0}, true);
        QVERIFY(wake_cap(other, CpuId{4}));
    }
};

QTEST_APPLESS_MAIN(TestWakeAffineV414)
#include "tst_wake_affine_v4_14.moc"
