// SPDX-License-Identifier: GPL-3.0-or-later
// Load of newborns (clock stale or not, util scaled or not), the per-tick load history, and queues nobody touches.
#include "conformance/cfs_driver.h"

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

QTEST_APPLESS_MAIN(TestCfsLoad)
#include "tst_cfs_load.moc"
