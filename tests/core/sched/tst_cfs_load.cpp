// SPDX-License-Identifier: GPL-3.0-or-later
// Load of newborns (clock stale or not, util scaled or not), the per-tick load history, queues nobody touches, and what load
// tracking 6.1 makes of the same calls.
#include "conformance/cfs_driver.h"
#include "sched/clock.h"
#include "sched/invariants.h"

#include <QTest>

using namespace rqscope;

namespace {

constexpr std::uint64_t kMs = 1'000'000;
constexpr RqClock kStart = 10'000 * kMs;

void set(SchedState& s, Feature f, bool on) { s.features.set({f, static_cast<FeatureValue>(on ? 1 : 0)}); }

// Queue of CPU 0 updated at the start and 50 ms of idleness before a child arrives.
CfsDriver idle_for_50_ms() {
    CfsDriver d(Era::V4_8);
    d.set_clock(kStart);
    update_blocked_averages(d.state(), CpuId{0});
    d.create(1, 0, Policy::Normal);
    d.state().now += 50 * kMs; // the queue has not seen it yet
    return d;
}

} // namespace

class TestCfsLoad : public QObject {
    Q_OBJECT
private slots:
    void stale_clock_at_fork();
    void updated_clock_at_fork();
    void util_of_a_newborn();
    void load_history();
    void blocked_load_decays();
    void newborn_of_6_1_is_attached_at_the_enqueue();
    void newborn_of_4_7_is_attached_at_the_enqueue();
    void no_history_in_6_1();
    void runnable_time_of_6_1();
    void waking_elsewhere_in_6_1();
    void moving_in_6_1();
    void nice_change_in_6_1();
    void slow_cpu_has_a_slow_clock();
    void busy_slow_cpu_never_catches_up();
};

void TestCfsLoad::stale_clock_at_fork() {
    auto d = idle_for_50_ms();
    set(d.state(), Feature::BUG_STALE_CLOCK_AT_FORK, true);
    post_init_entity_load(d.state(), d.task(1));
    QCOMPARE(d.entity(1).avg.last_update_time, kStart);
    QCOMPARE(d.state().cfs_avg[0].load_avg, Load{1024});
    d.set_clock(kStart + 50 * kMs);
    enqueue_task_fair(d.state(), CpuId{0}, d.task(1), {});
    // Aged by the 50 ms it did not live, as not queued.
    QVERIFY(d.entity(1).avg.load_avg < 400);
    QVERIFY(d.state().cfs_avg[0].runnable_load_avg < 400);
}

void TestCfsLoad::updated_clock_at_fork() {
    auto d = idle_for_50_ms();
    set(d.state(), Feature::BUG_STALE_CLOCK_AT_FORK, false);
    post_init_entity_load(d.state(), d.task(1));
    QCOMPARE(d.entity(1).avg.last_update_time, kStart + 50 * kMs);
    enqueue_task_fair(d.state(), CpuId{0}, d.task(1), {});
    QCOMPARE(d.state().cfs_avg[0].load_avg, Load{1024});
    QCOMPARE(d.state().cfs_avg[0].runnable_load_avg, Load{1024});
}

void TestCfsLoad::util_of_a_newborn() {
    for (const bool scaled : {true, false}) {
        CfsDriver d(Era::V4_8);
        d.set_clock(kStart);
        update_blocked_averages(d.state(), CpuId{0});
        set(d.state(), Feature::UTIL_INIT_SCALED, scaled);
        d.state().cfs_avg[0].util_avg = 300;
        d.state().cfs_avg[0].load_avg = 1512;
        d.create(1, 0, Policy::Normal);
        post_init_entity_load(d.state(), d.task(1));
        QCOMPARE(d.entity(1).avg.util_avg, scaled ? Util{362} : Util{203});
    }
}

void TestCfsLoad::load_history() {
    CfsDriver d(Era::V4_8);
    auto& s = d.state();
    s.cfs_avg[0].runnable_load_avg = 1000;
    update_cpu_load(s, CpuId{0});
    const std::uint64_t rising[] = {1000, 500, 250, 125, 63}; // rounded up
    for (std::size_t k = 0; k < 5; ++k) QCOMPARE(s.rqs[0].cpu_load[k], rising[k]);
    for (int i = 0; i < 200; ++i) update_cpu_load(s, CpuId{0});
    for (std::size_t k = 0; k < 5; ++k) QCOMPARE(s.rqs[0].cpu_load[k], std::uint64_t{1000});
    s.cfs_avg[0].runnable_load_avg = 0;
    update_cpu_load(s, CpuId{0});
    const std::uint64_t falling[] = {0, 500, 750, 875, 937}; // truncated
    for (std::size_t k = 0; k < 5; ++k) QCOMPARE(s.rqs[0].cpu_load[k], falling[k]);
}

void TestCfsLoad::blocked_load_decays() {
    CfsDriver d(Era::V4_8);
    d.set_clock(kStart);
    update_blocked_averages(d.state(), CpuId{0});
    d.fork(1, 0, 0);
    d.resched();
    d.advance(10 * kMs);
    d.schedule(true);
    const auto stored = d.state().cfs_avg[0].load_avg;
    QVERIFY(stored > 900);
    d.advance(40 * kMs);
    QCOMPARE(d.state().cfs_avg[0].load_avg, stored); // as last updated
    update_blocked_averages(d.state(), CpuId{0});
    QVERIFY(d.state().cfs_avg[0].load_avg < stored / 2);
}

void TestCfsLoad::newborn_of_6_1_is_attached_at_the_enqueue() {
    CfsDriver d(Era::V6_1);
    auto& s = d.state();
    d.set_clock(kStart);
    update_blocked_averages(s, CpuId{0});
    d.create(1, 0, Policy::Normal);
    s.now += 50 * kMs;
    post_init_entity_load(s, d.task(1));
    QCOMPARE(d.entity(1).avg.last_update_time, RqClock{0});
    QCOMPARE(d.entity(1).avg.util_avg, Util{512});
    QCOMPARE(s.cfs_avg[0].load_avg, Load{0});
    enqueue_task_fair(s, CpuId{0}, d.task(1), {});
    QCOMPARE(s.cfs_avg[0].load_avg, Load{1024});
    QCOMPARE(s.cfs_avg[0].util_avg, Util{512});
    QCOMPARE(s.cfs_avg[0].runnable_avg, Load{512});
    QCOMPARE(s.cfs_avg[0].runnable_load_avg, Load{0});
    QVERIFY(s.cfs_avg[0].last_update_time > kStart + 49 * kMs); // the queue was updated before
    QCOMPARE(d.entity(1).avg.last_update_time, s.cfs_avg[0].last_update_time);
    QCOMPARE(d.entity(1).avg.period_contrib, s.cfs_avg[0].period_contrib);
}

void TestCfsLoad::newborn_of_4_7_is_attached_at_the_enqueue() {
    CfsDriver d(Era::V4_7);
    auto& s = d.state();
    d.set_clock(kStart);
    update_blocked_averages(s, CpuId{0});
    d.create(1, 0, Policy::Normal);
    post_init_entity_load(s, d.task(1));
    QCOMPARE(s.cfs_avg[0].load_avg, Load{0});
    QCOMPARE(d.entity(1).avg.util_sum, 512U * kLoadAvgMax);
    enqueue_task_fair(s, CpuId{0}, d.task(1), {});
    QCOMPARE(s.cfs_avg[0].load_avg, Load{1024});
    QCOMPARE(s.cfs_avg[0].runnable_load_avg, Load{1024});
}

void TestCfsLoad::no_history_in_6_1() {
    CfsDriver d(Era::V6_1);
    auto& s = d.state();
    s.cfs_avg[0].load_avg = s.cfs_avg[0].runnable_load_avg = 1000;
    update_cpu_load(s, CpuId{0});
    for (const auto load : s.rqs[0].cpu_load) QCOMPARE(load, std::uint64_t{0});
}

// load.md 1.5: three tasks always queued; runnable time counts who waits, util only who runs.
void TestCfsLoad::runnable_time_of_6_1() {
    CfsDriver d(Era::V6_5);
    auto& s = d.state();
    d.set_clock(kStart);
    for (const std::uint32_t id : {1U, 2U, 3U}) d.fork(id, 0, 0);
    d.resched();
    for (int i = 0; i < 800; ++i) {
        d.advance(kMs);
        d.tick();
        d.resched();
    }
    QVERIFY(s.cfs_avg[0].load_avg >= 3068 && s.cfs_avg[0].load_avg <= 3076);
    QVERIFY(s.cfs_avg[0].runnable_avg >= 3068 && s.cfs_avg[0].runnable_avg <= 3076);
    QVERIFY(s.cfs_avg[0].util_avg >= 1022 && s.cfs_avg[0].util_avg <= 1024);
    QVERIFY(d.entity(1).avg.util_avg > 280 && d.entity(1).avg.util_avg < 400);
    QVERIFY(d.entity(1).avg.runnable_avg >= 1022);
    d.schedule(true);
    d.advance(32 * 1'048'576);
    update_blocked_averages(s, CpuId{0});
    QVERIFY(s.cfs_avg[0].load_avg > 2548 && s.cfs_avg[0].load_avg < 2572); // two and a half
}

void TestCfsLoad::waking_elsewhere_in_6_1() {
    CfsDriver d(Era::V6_1);
    auto& s = d.state();
    d.set_clock(kStart);
    d.fork(1, 0, 0);
    d.resched();
    d.advance(8 * kMs);
    d.schedule(true);
    const auto load = s.cfs_avg[0].load_avg;
    QVERIFY(load > 1000);
    d.select_cpu(1);
    QVERIFY(d.wake(1, 0));
    QCOMPARE(s.cfs_avg[1].load_avg, load);
    QCOMPARE(s.cfs_avg[0].load_avg, load); // until somebody updates the queue it left
    QCOMPARE(s.cfs_avg[0].removed_nr, 1U);
    update_blocked_averages(s, CpuId{0});
    QCOMPARE(s.cfs_avg[0].load_avg, Load{0});
    QCOMPARE(s.cfs_avg[0].util_avg, Util{0});
    QCOMPARE(s.cfs_avg[0].removed_nr, 0U);
}

void TestCfsLoad::moving_in_6_1() {
    CfsDriver d(Era::V6_1);
    auto& s = d.state();
    d.set_clock(kStart);
    d.fork(1, 0, 0);
    d.resched();
    d.fork(2, -5, 0);
    d.advance(3 * kMs);
    d.tick();
    const auto both = s.cfs_avg[0].load_avg;
    (void)d.move(2, 1);
    const auto moved = d.entity(2).avg.load_avg;
    QVERIFY(moved > 3000);
    QCOMPARE(s.cfs_avg[1].load_avg, moved);
    QVERIFY(s.cfs_avg[0].load_avg <= both - moved + 2 && s.cfs_avg[0].load_avg > 1000); // at once, not at the next update
    QCOMPARE(s.cfs_avg[0].removed_nr, 0U);
}

// 6.1 sets the load to the new weight at once; 4.8 lets it drift there.
void TestCfsLoad::nice_change_in_6_1() {
    for (const Era era : {Era::V4_8, Era::V6_1}) {
        CfsDriver d(era);
        auto& s = d.state();
        d.set_clock(kStart);
        update_blocked_averages(s, CpuId{0});
        d.fork(1, 0, 0);
        d.resched();
        d.renice(1, 5);
        QCOMPARE(s.cfs_avg[0].load_avg, era == Era::V6_1 ? Load{335} : Load{1024});
        d.schedule(true);
        d.renice(1, -5); // asleep: its blocked load too
        QCOMPARE(s.cfs_avg[0].load_avg, era == Era::V6_1 ? Load{3121} : Load{1024});
        QVERIFY(!check_sched_invariants(s));
    }
}

// A CPU of half the capacity: busy time counts half, and idleness lets the clock catch up.
void TestCfsLoad::slow_cpu_has_a_slow_clock() {
    CfsDriver d(Era::V6_1);
    auto& s = d.state();
    s.capacity[0] = 512;
    d.set_clock(kStart);
    d.fork(1, 0, 0);
    QCOMPARE(d.entity(1).avg.util_avg, Util{256}); // half of what the CPU has
    d.resched();
    for (int i = 0; i < 20; ++i) {
        d.advance(kMs);
        d.tick();
    }
    QCOMPARE(rq_clock_pelt(s.rqs[0]), s.rqs[0].clock_task - 10 * kMs);
    QCOMPARE(d.entity(1).sum_exec_runtime, 20 * kMs); // only load tracking sees it
    const auto util = s.cfs_avg[0].util_avg;
    d.schedule(true);
    QCOMPARE(rq_clock_pelt(s.rqs[0]), s.rqs[0].clock_task);
    d.advance(kMs);
    QCOMPARE(rq_clock_pelt(s.rqs[0]), s.rqs[0].clock_task); // idle time passes at full speed
    update_blocked_averages(s, CpuId{0});
    QVERIFY(s.cfs_avg[0].util_avg < util * 82 / 100); // 11 ms of idleness
    s.capacity[0] = 1024;
    QVERIFY(d.wake(1, 0));
    d.resched();
    d.advance(kMs);
    QCOMPARE(rq_clock_pelt(s.rqs[0]), s.rqs[0].clock_task);
}

// A CPU that had no idle time to give back keeps the lag for good.
void TestCfsLoad::busy_slow_cpu_never_catches_up() {
    CfsDriver d(Era::V6_1);
    auto& s = d.state();
    s.capacity[0] = 512;
    d.set_clock(kStart);
    d.fork(1, 0, 0);
    d.resched();
    for (int i = 0; i < 1200; ++i) {
        d.advance(kMs);
        d.tick();
    }
    QVERIFY(s.cfs_avg[0].util_avg >= 1023);
    d.schedule(true);
    QCOMPARE(rq_clock_pelt(s.rqs[0]), s.rqs[0].clock_task - 600 * kMs);
    QCOMPARE(s.rqs[0].lost_idle_time, 600 * kMs);
    QCOMPARE(s.rqs[0].pelt_lag, std::uint64_t{0});
    d.advance(5 * kMs);
    QCOMPARE(rq_clock_pelt(s.rqs[0]), s.rqs[0].clock_task - 600 * kMs);
}

QTEST_APPLESS_MAIN(TestCfsLoad)
#include "tst_cfs_load.moc"
