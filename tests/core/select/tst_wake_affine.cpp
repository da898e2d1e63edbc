// SPDX-License-Identifier: GPL-3.0-or-later
// Pull or not (select.md 2.2, 2.3): flips and their decay, wide masters, the signs of the load comparison.
#include "core/select/small_machine.h"
#include "select/selection.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

// Waker on CPU 0, wakee slept on CPU 4 (the other package of 2x4, imbalance_pct 125), both CPUs busy.
struct Wake {
    SchedState s = idle_state(two_by_four());

    Wake(Load waker_cpu, Load prev_cpu, Load wakee, Load waker = 0) {
        make_busy(s, 0, waker_cpu);
        make_busy(s, 4, prev_cpu);
        s.se[kTask.index()].cpu = CpuId{4};
        s.se[kTask.index()].avg.load_avg = wakee;
        s.se[kWaker.index()].avg.load_avg = waker;
    }
    // True if the search started at the waker's CPU.
    [[nodiscard]] bool pulled(bool sync = false) const {
        Explainer explainer;
        static_cast<void>(select_task_rq_wake({s, &explainer}, kTask, kWaker, CpuId{0}, sync));
        for (const auto& step : explainer.steps)
            if (step.kind == SelectStep::Kind::Check) return step.cpu == CpuId{0};
        return false;
    }
};

bool wide(std::uint32_t waker_flips, std::uint32_t task_flips) {
    auto s = idle_state(mc4()); // LLC of 4
    s.se[kWaker.index()].flips.wakee_flips = waker_flips;
    s.se[kTask.index()].flips.wakee_flips = task_flips;
    const SelectContext ctx{s};
    PlacementSearch sel(ctx, kTask, CpuId{0}, true);
    return wake_wide(sel, kWaker);
}

} // namespace

class TestWakeAffine : public QObject {
    Q_OBJECT
private slots:
    void flipsCountNewPartners() {
        auto s = idle_state(mc4());
        auto& w = s.se[kWaker.index()];
        record_wakee(s, kWaker, kTask, 10);
        record_wakee(s, kWaker, kTask, 20);
        QCOMPARE(w.flips.wakee_flips, 1U);
        record_wakee(s, kWaker, TaskId{3}, 30);
        record_wakee(s, kWaker, kTask, 40);
        QCOMPARE(w.flips.wakee_flips, 3U);
        QCOMPARE(w.flips.last_wakee, kTask);
    }

    void flipsHalveOncePerSecond() {
        auto s = idle_state(mc4());
        auto& w = s.se[kWaker.index()];
        w.flips.wakee_flips = 9;
        w.flips.last_wakee = kTask;
        record_wakee(s, kWaker, kTask, 1'000'000'000); // exactly one second is not beyond it
        QCOMPARE(w.flips.wakee_flips, 9U);
        record_wakee(s, kWaker, kTask, 5'000'000'000);
        QCOMPARE(w.flips.wakee_flips, 4U);
        QCOMPARE(w.flips.wakee_flip_decay_ts, RqClock{5'000'000'000});
        record_wakee(s, kWaker, TaskId{3}, 5'000'000'001);
        QCOMPARE(w.flips.wakee_flips, 5U);
    }

    void wideNeedsBoth() {
        QVERIFY(wide(16, 4));
        QVERIFY(wide(4, 16));
        QVERIFY(!wide(15, 4)); // master below slave * size
        QVERIFY(!wide(100, 3)); // slave below size
    }

    void wideMastersDoNotPull() {
        Wake w(200, 1500, 100);
        QVERIFY(w.pulled());
        w.s.se[kWaker.index()].flips.wakee_flips = 16;
        w.s.se[kTask.index()].flips.wakee_flips = 4;
        QVERIFY(!w.pulled());
        w.s.features.set({Feature::WAKE_WIDE, 0});
        QVERIFY(w.pulled());
    }

    // 100 * (this + wakee) <= 112 * prev
    void boundary() {
        QVERIFY(Wake(1000, 1000, 120).pulled());
        QVERIFY(!Wake(1000, 1000, 121).pulled());
        QVERIFY(!Wake(1, 0, 0).pulled());
    }

    void wakeeCountsOnBothSides() { QVERIFY(Wake(500, 1024, 600).pulled()); } // 1100 against 1146.9: not taken off prev

    void syncAlonePulls() {
        QVERIFY(!Wake(1024, 0, 100, 1024).pulled(false));
        QVERIFY(Wake(1024, 0, 100, 1024).pulled(true)); // waker leaves nothing behind
        QVERIFY(Wake(1024, 0, 100, 2000).pulled(true)); // below zero counts as nothing
        QVERIFY(!Wake(1025, 0, 100, 1024).pulled(true)); // somebody stays
    }

    void capacitiesWeigh() {
        Wake w(1000, 1000, 100); // 1100 * 1024 <= 1120 * 1024
        QVERIFY(w.pulled());
        w.s.rqs[0].capacity_taken = 24; // 1100 * 1024 > 1120 * 1000
        QVERIFY(!w.pulled());
    }

    void featureOff() {
        Wake w(200, 1500, 100);
        w.s.features.set({Feature::WAKE_AFFINE, 0});
        QVERIFY(!w.pulled());
    }

    void wakersCpuMustBeAllowed() {
        Wake w(200, 1500, 100);
        set_affinity(w.s, kTask, "1-7");
        QVERIFY(!w.pulled());
    }

    void levelWithoutTheFlag() {
        auto domains = two_by_four();
        for (auto& sd : domains.domains)
            if (sd.name == "DIE") sd.flags &= ~bit(SdFlag::WAKE_AFFINE);
        Wake w(200, 1500, 100);
        w.s.domains = std::make_shared<const SchedDomains>(std::move(domains));
        QVERIFY(!w.pulled());
    }
};

QTEST_APPLESS_MAIN(TestWakeAffine)
#include "tst_wake_affine.moc"
