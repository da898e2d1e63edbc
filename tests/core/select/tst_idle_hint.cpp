// SPDX-License-Identifier: GPL-3.0-or-later
// The hint that a core is wholly idle (select.md 3.b, 3.c): who lights it, who reads it, where it is kept.
#include "core/select/probe.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

bool lit_after(SchedState s, std::uint32_t cpu) {
    update_idle_core(s, CpuId{cpu});
    return test_idle_cores(s, CpuId{cpu});
}

// Two caches of two cores with two threads, siblings i and i + 1.
SchedDomains two_smt_caches() {
    return preset_domains(8, {{.name = "SMT", .spans = masks({"0-1", "2-3", "4-5", "6-7"}), .imbalance_pct = 110, .is_smt = true, .shares_llc = true},
                              {.name = "MC", .spans = masks({"0-3", "4-7"}), .shares_llc = true},
                              {.name = "DIE", .spans = masks({"0-7"})}});
}

} // namespace

class TestIdleHint : public QObject {
    Q_OBJECT
private slots:
    void everyThreadMustBeIdle() {
        for (const auto era : {Era::V4_8_IDLE_WIP, Era::V4_9, Era::V4_12, Era::V4_19, Era::V6_1, Era::V6_12}) {
            QVERIFY(!lit_after(busy(smt4(), "4", era), 0));
            QVERIFY(lit_after(busy(smt4(), "1", era), 0));
            QVERIFY(lit_after(busy(smt4(), "0", era), 0)); // the CPU itself is going idle
        }
    }

    void notBefore49() {
        QVERIFY(!lit_after(busy(smt4(), "", Era::V4_8), 0));
        QVERIFY(!lit_after(busy(smt4(), "", Era::V4_8_LOAD_AVG), 0));
    }

    void notWithoutThreads() { QVERIFY(!lit_after(busy(mc8(), "", Era::V4_9), 0)); }

    void stillLitWhenBusy() {
        auto s = busy(smt4(), "0,4", Era::V6_1);
        light_hints(s);
        QVERIFY(lit_after(s, 0)); // only a failed search puts it out
    }

    void oneForEachCache() {
        auto s = busy(two_smt_caches(), "", Era::V6_1);
        update_idle_core(s, CpuId{5});
        QVERIFY(test_idle_cores(s, CpuId{6}));
        QVERIFY(!test_idle_cores(s, CpuId{0}));
    }

    void cpuWithoutCache() {
        auto domains = smt4();
        domains.sd_llc[0].reset();
        QVERIFY(!lit_after(busy(std::move(domains), "", Era::V4_9), 0));
    }

    // Kept on the level above the cache: there is none on a machine with one cache.
    void viaSdBusy() {
        for (const bool two : {false, true}) {
            auto s = busy(two ? two_smt_caches() : smt4(), "", Era::V4_8_IDLE_WIP);
            turn(s, Feature::HINT_VIA_SD_BUSY, 1);
            QCOMPARE(lit_after(s, 0), two);
            light_hints(s);
            QCOMPARE(test_idle_cores(s, CpuId{0}), two);
            turn(s, Feature::HINT_VIA_SD_BUSY, 0);
            QVERIFY(test_idle_cores(s, CpuId{0}));
        }
    }
};

QTEST_APPLESS_MAIN(TestIdleHint)
#include "tst_idle_hint.moc"
