// SPDX-License-Identifier: GPL-3.0-or-later
// Weights, calc_delta and slices against worked numbers of the kernel's arithmetic.
#include "conformance/cfs_driver.h"
#include "sched/cfs.h"

#include <QTest>

using namespace rqscope;

class TestCfsArith : public QObject {
    Q_OBJECT
private slots:
    void weights();
    void lone_task_slice();
    void two_tasks_slice();
    void nice_0_time_is_wall_time();
    void extremes();
    void period();
    void granularity_is_the_wakees();
    void preempt_entity();
};

void TestCfsArith::weights() {
    SchedEntity se;
    set_weight(se, -20, Policy::Normal);
    QCOMPARE(se.weight, Weight{88761} << 10);
    QCOMPARE(se.inv_weight, 48388U);
    set_weight(se, 19, Policy::Batch);
    QCOMPARE(se.weight, Weight{15} << 10);
    QCOMPARE(se.inv_weight, 286331153U);
    set_weight(se, -20, Policy::Idle);
    QCOMPARE(se.weight, Weight{3} << 10);
    QCOMPARE(se.inv_weight, 1431655765U);
    set_raw_weight(se, 1024);
    QCOMPARE(se.inv_weight, 4194304U); // from the table
    set_raw_weight(se, 1000);
    QCOMPARE(se.inv_weight, 4294967U); // (2^32 - 1) / 1000
    // The inverse of the table is 2^32 / weight, not recomputed but close to it.
    for (int nice = -20; nice <= 19; ++nice) {
        set_weight(se, static_cast<std::int8_t>(nice), Policy::Normal);
        const auto product = (se.weight >> 10) * se.inv_weight;
        const auto one = std::uint64_t{1} << 32;
        const auto gap = product > one ? product - one : one - product;
        QVERIFY(gap < (se.weight >> 10));
    }
}

void TestCfsArith::lone_task_slice() {
    CfsDriver d(Era::V4_8);
    d.create(1, 0, Policy::Normal);
    d.raw(1);
    QCOMPARE(sched_slice(d.state(), d.cpu(), d.task(1)), std::uint64_t{5'999'998});
}

void TestCfsArith::two_tasks_slice() {
    CfsDriver d(Era::V4_8);
    for (const std::uint32_t id : {1U, 2U}) {
        d.create(id, 0, Policy::Normal);
        d.raw(id);
    }
    QCOMPARE(sched_slice(d.state(), d.cpu(), d.task(1)), std::uint64_t{2'999'998});
    QCOMPARE(d.cfs().load_inv_weight, 2097151U); // kept until the load changes
    d.create(3, 0, Policy::Normal);
    QCOMPARE(sched_slice(d.state(), d.cpu(), d.task(3)), std::uint64_t{1'999'999}); // as if it were queued
    QCOMPARE(d.cfs().load_inv_weight, 2097151U);
}

void TestCfsArith::nice_0_time_is_wall_time() {
    SchedEntity se;
    set_weight(se, 0, Policy::Normal);
    QCOMPARE(calc_delta_fair(123'456'789'012'345ULL, se), std::uint64_t{123'456'789'012'345ULL});
    set_weight(se, -20, Policy::Normal);
    QCOMPARE(calc_delta_fair(1'000'000, se), std::uint64_t{11'536});
}

void TestCfsArith::extremes() {
    LoadWeight light{1024, 0}; // 1 when scaled down
    QCOMPARE(calc_delta(100, 2048, light, RunQueueProfile::V4_7), std::uint64_t{199});
    QCOMPARE(light.inv_weight, 0xffffffffU);
    LoadWeight nothing{5, 0}; // scaled down to 0
    (void)calc_delta(100, 2048, nothing, RunQueueProfile::V4_7);
    QCOMPARE(nothing.inv_weight, 0xffffffffU);
    LoadWeight huge{Weight{0xffffffff} << 10, 0};
    (void)calc_delta(100, 2048, huge, RunQueueProfile::V4_7);
    QCOMPARE(huge.inv_weight, 1U);
    LoadWeight own{1024 << 10, 4194304};
    QCOMPARE(calc_delta(~0ULL, 1024 << 10, own, RunQueueProfile::V4_7), ~0ULL);
}

void TestCfsArith::period() {
    const auto t = default_tunables(8);
    QCOMPARE(sched_period(t, 1), std::uint64_t{24'000'000});
    QCOMPARE(sched_period(t, 8), std::uint64_t{24'000'000});
    QCOMPARE(sched_period(t, 9), std::uint64_t{27'000'000});
}

void TestCfsArith::granularity_is_the_wakees() {
    const auto t = default_tunables(1);
    SchedEntity se;
    set_weight(se, -20, Policy::Normal);
    QCOMPARE(wakeup_gran(t, se), std::uint64_t{11'536});
    set_weight(se, 0, Policy::Normal);
    QCOMPARE(wakeup_gran(t, se), std::uint64_t{1'000'000});
    set_weight(se, 19, Policy::Normal);
    QVERIFY(wakeup_gran(t, se) > 68'000'000U);
}

void TestCfsArith::preempt_entity() {
    const auto t = default_tunables(1);
    SchedEntity curr;
    SchedEntity se;
    se.vruntime = ~VTime{0} - 10; // shortly before the wrap
    curr.vruntime = se.vruntime;
    QCOMPARE(wakeup_preempt_entity(t, curr, se), -1);
    curr.vruntime = se.vruntime + 1'000'000;
    QCOMPARE(wakeup_preempt_entity(t, curr, se), 0);
    curr.vruntime = se.vruntime + 1'000'001;
    QCOMPARE(wakeup_preempt_entity(t, curr, se), 1);
}

QTEST_APPLESS_MAIN(TestCfsArith)
#include "tst_cfs_arith.moc"
