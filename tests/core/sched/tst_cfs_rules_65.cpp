// SPDX-License-Identifier: GPL-3.0-or-later
// What the classic queue of 6.5 does otherwise than that of 4.7, rule by rule, each against the older one on the same state.
#include "conformance/cfs_driver.h"
#include "sched/cfs_internal.h"
#include "sched/invariants.h"

#include <QTest>

using namespace rqscope;

namespace {

constexpr std::uint64_t kMs = 1'000'000;
constexpr Era kBoth[] = {Era::V4_8, Era::V6_5};

CfsDriver machine(Era era) {
    CfsDriver d(era);
    d.set_clock(10'000 * kMs);
    return d;
}

void set(CfsDriver& d, Feature f, bool on) { d.state().features.set({f, static_cast<FeatureValue>(on ? 1 : 0)}); }

// A blocked task with this vruntime, put into the queue as it is.
void queue(CfsDriver& d, std::uint32_t id, VTime vruntime, std::int8_t nice = 0, Policy policy = Policy::Normal) {
    d.create(id, nice, policy);
    d.entity(id).vruntime = vruntime;
    d.raw(id);
}

} // namespace

class TestCfsRules65 : public QObject {
    Q_OBJECT
private slots:
    void eras_choose();
    void weights_have_a_floor();
    void base_slice();
    void base_slice_of_idle_policy();
    void idle_policy_sleeps_for_less_credit();
    void long_sleeper_data();
    void long_sleeper();
    void sleep_time_survives_the_migration();
    void min_vruntime_forgets_a_dequeued_curr();
    void nice_change_leaves_min_vruntime();
    void nice_change_begins_a_new_slice();
    void nice_change_asks_for_preemption();
    void buddies_stay_while_curr_goes_on();
    void picked_task_heads_the_list();
    void latency_clamp();
};

void TestCfsRules65::eras_choose() {
    for (const auto& info : all_eras()) {
        QCOMPARE(load_profile(info.era), info.load);
        QCOMPARE(run_queue_profile(info.era), info.run_queue);
    }
    // 6.1 differs from 6.5 by a toggle only.
    QCOMPARE(run_queue_profile(Era::V6_1), RunQueueProfile::V6_5);
    QCOMPARE(default_value(Feature::LATENCY_CLAMP, Era::V6_1), FeatureValue{0});
    QVERIFY(readable(Feature::LATENCY_CLAMP, Era::V6_1) && readable(Feature::LATENCY_CLAMP, Era::V5_19));
    QCOMPARE(default_value(Feature::LATENCY_CLAMP, Era::V6_5), FeatureValue{1});
    QCOMPARE(default_value(Feature::BASE_SLICE, Era::V5_19), FeatureValue{1});
    QVERIFY(!readable(Feature::BASE_SLICE, Era::V4_19) && !readable(Feature::LATENCY_CLAMP, Era::V4_19));
}

void TestCfsRules65::weights_have_a_floor() {
    LoadWeight one{1024, 0};
    QCOMPARE(calc_delta(100, 2048, one, RunQueueProfile::V6_5), std::uint64_t{99});
    QCOMPARE(one.inv_weight, 0xffffffffU / 2);
    LoadWeight crumb{5, 0};
    (void)calc_delta(100, 2048, crumb, RunQueueProfile::V6_5);
    QCOMPARE(crumb.inv_weight, 0xffffffffU / 2);
    LoadWeight nothing{0, 0};
    (void)calc_delta(100, 2048, nothing, RunQueueProfile::V6_5);
    QCOMPARE(nothing.inv_weight, 0xffffffffU);
    LoadWeight same{3 << 10, 0};
    LoadWeight older = same;
    QCOMPARE(calc_delta(777, 5 << 10, same, RunQueueProfile::V6_5), calc_delta(777, 5 << 10, older, RunQueueProfile::V4_7));
}

void TestCfsRules65::base_slice() {
    for (const bool on : {true, false}) {
        auto d = machine(Era::V6_5);
        set(d, Feature::BASE_SLICE, on);
        queue(d, 1, 1000 * kMs, 0);
        queue(d, 2, 1000 * kMs, 19);
        const std::uint64_t share = 86'621; // 6 ms * 15 / 1039, rounded as the kernel does
        QCOMPARE(sched_slice(d.state(), d.cpu(), d.task(2)), on ? 750'000 : share);
        QVERIFY(sched_slice(d.state(), d.cpu(), d.task(1)) > 5 * kMs);
        d.create(3, 19, Policy::Normal); // a newborn's debit follows
        QCOMPARE(sched_slice(d.state(), d.cpu(), d.task(3)) == 750'000, on);
    }
    auto old = machine(Era::V4_8);
    QVERIFY(!old.state().features.has(Feature::BASE_SLICE));
}

void TestCfsRules65::base_slice_of_idle_policy() {
    auto d = machine(Era::V6_5);
    d.set_cpus(8); // min_granularity 3 ms, idle_min_granularity stays at 0.75 ms
    queue(d, 1, 1000 * kMs, 0, Policy::Idle);
    for (std::uint32_t id = 2; id <= 12; ++id) queue(d, id, 1000 * kMs, 0, Policy::Idle);
    QCOMPARE(d.cfs().idle_nr_running, 12U);
    QCOMPARE(sched_slice(d.state(), d.cpu(), d.task(1)), 3 * kMs); // among its like
    queue(d, 20, 1000 * kMs);
    QCOMPARE(sched_slice(d.state(), d.cpu(), d.task(1)), std::uint64_t{750'000});
    d.state().tunables.idle_min_granularity_ns = 500'000;
    QCOMPARE(sched_slice(d.state(), d.cpu(), d.task(1)), std::uint64_t{500'000});
    QVERIFY(sched_slice(d.state(), d.cpu(), d.task(20)) > 30 * kMs);
    dequeue_task_fair(d.state(), d.cpu(), d.task(20), {.sleep = true});
    QCOMPARE(sched_slice(d.state(), d.cpu(), d.task(1)), 3 * kMs);
    QVERIFY(!check_sched_invariants(d.state()));
}

void TestCfsRules65::idle_policy_sleeps_for_less_credit() {
    for (const Era era : kBoth) {
        auto d = machine(era);
        d.set_min_vruntime(1000 * kMs);
        d.create(1, 0, Policy::Idle);
        d.entity(1).vruntime = 1;
        QVERIFY(d.wake(1, 0));
        QCOMPARE(d.entity(1).vruntime, 1000 * kMs - (era == Era::V6_5 ? 375'000 : 3'000'000));
    }
}

void TestCfsRules65::long_sleeper_data() {
    QTest::addColumn<quint64>("slept");
    QTest::addColumn<bool>("kept");
    constexpr quint64 limit = (1ULL << 63) / 1024; // 104 days
    QTest::newRow("at the limit") << limit << true;
    QTest::newRow("beyond it") << limit + 1 << false;
}

void TestCfsRules65::long_sleeper() {
    QFETCH(quint64, slept);
    QFETCH(bool, kept);
    constexpr VTime own = 5'000 * kMs;
    for (const Era era : kBoth) {
        auto d = machine(era);
        d.set_clock(slept + 1);
        d.set_min_vruntime(1000 * kMs);
        d.create(1, 0, Policy::Normal);
        d.entity(1).vruntime = own;
        d.entity(1).exec_start = 1;
        place_entity(d.state(), d.cpu(), d.task(1), false);
        QCOMPARE(d.entity(1).vruntime, kept || era == Era::V4_8 ? own : 997 * kMs);
        d.entity(1).vruntime = own;
        d.entity(1).exec_start = 0; // unknown: its own vruntime counts
        place_entity(d.state(), d.cpu(), d.task(1), false);
        QCOMPARE(d.entity(1).vruntime, own);
        d.entity(1).exec_start = slept + 2; // came from a CPU whose clock is ahead
        place_entity(d.state(), d.cpu(), d.task(1), false);
        QCOMPARE(d.entity(1).vruntime, own);
    }
}

// A wake-up on another CPU after a long sleep: the placement there must still know when the task ran last.
void TestCfsRules65::sleep_time_survives_the_migration() {
    for (const Era era : kBoth) {
        auto d = machine(era);
        d.set_clock((1ULL << 63) / 1024 + 10);
        d.create(1, 0, Policy::Normal);
        d.entity(1).vruntime = 7000 * kMs;
        d.entity(1).exec_start = 1;
        d.set_min_vruntime(1000 * kMs);
        d.select_cpu(1);
        d.set_min_vruntime(2000 * kMs);
        QVERIFY(d.wake(1, 0));
        QCOMPARE(d.entity(1).vruntime, era == Era::V6_5 ? 1997 * kMs : 8000 * kMs);
        QCOMPARE(d.entity(1).exec_start, RqClock{0});
        const auto travelling = d.move(1, 0);
        QCOMPARE(d.entity(1).vruntime, travelling + d.cfs().min_vruntime);
        QCOMPARE(d.entity(1).exec_start, RqClock{0});
    }
}

// curr blocks: 4.7 still lets it hold min_vruntime back, 6.5 looks at those that stay.
void TestCfsRules65::min_vruntime_forgets_a_dequeued_curr() {
    for (const Era era : kBoth) {
        auto d = machine(era);
        d.set_min_vruntime(900 * kMs);
        queue(d, 1, 1000 * kMs);
        queue(d, 2, 1010 * kMs);
        d.schedule(false);
        QCOMPARE(d.rq().curr, d.task(1));
        dequeue_task_fair(d.state(), d.cpu(), d.task(1), {.sleep = true});
        QCOMPARE(d.cfs().min_vruntime, (era == Era::V6_5 ? 1010 : 1000) * kMs);
    }
}

void TestCfsRules65::nice_change_leaves_min_vruntime() {
    for (const Era era : kBoth) {
        auto d = machine(era);
        d.set_min_vruntime(900 * kMs);
        queue(d, 1, 1000 * kMs);
        d.renice(1, 5);
        QCOMPARE(d.cfs().min_vruntime, 900 * kMs); // the only one left the queue for a moment
        QCOMPARE(d.entity(1).vruntime, 1000 * kMs);
        queue(d, 2, 1100 * kMs);
        d.renice(1, 6);
        QCOMPARE(d.cfs().min_vruntime, (era == Era::V6_5 ? 900 : 1100) * kMs);
        QVERIFY(!check_sched_invariants(d.state()));
    }
}

void TestCfsRules65::nice_change_begins_a_new_slice() {
    for (const Era era : kBoth) {
        auto d = machine(era);
        queue(d, 1, 1000 * kMs);
        queue(d, 2, 1020 * kMs);
        d.schedule(false);
        d.advance(2 * kMs);
        d.renice(1, -1);
        QCOMPARE(d.rq().curr, d.task(1));
        QCOMPARE(d.cfs().curr, d.task(1));
        QCOMPARE(d.entity(1).sum_exec_runtime, 2 * kMs);
        QCOMPARE(d.entity(1).prev_sum_exec_runtime, era == Era::V6_5 ? 2 * kMs : 0);
        QVERIFY(!check_sched_invariants(d.state()));
    }
}

void TestCfsRules65::nice_change_asks_for_preemption() {
    auto d = machine(Era::V6_5);
    queue(d, 1, 1000 * kMs);
    d.schedule(false);
    d.renice(1, 10); // lowered, but alone
    QVERIFY(!d.rq().need_resched);
    queue(d, 2, 1000 * kMs);
    d.renice(1, 11); // lowered beside another
    QVERIFY(d.rq().need_resched);
    d.rq().need_resched = false;
    d.renice(1, 0); // raised while it runs
    QVERIFY(!d.rq().need_resched);
    const auto checks = d.rq().stat.check_preempt_count;
    d.renice(2, -5); // raised while it waits: compared as a wakee, not far enough
    QCOMPARE(d.rq().stat.check_preempt_count, checks + 1);
    QVERIFY(!d.rq().need_resched);
    d.advance(2 * kMs);
    d.renice(2, 5); // lowered, yet far behind by now
    QVERIFY(!d.rq().need_resched); // within what so light a wakee must lead by
    d.renice(2, -5);
    QVERIFY(d.rq().need_resched);
    QVERIFY(!check_sched_invariants(d.state()));
}

// Who yields and is picked again keeps the wish to be skipped; 4.7 forgets it with the pick.
void TestCfsRules65::buddies_stay_while_curr_goes_on() {
    for (const Era era : kBoth) {
        auto d = machine(era);
        queue(d, 1, 1000 * kMs);
        queue(d, 2, 1010 * kMs); // too far to be fair
        d.schedule(false);
        d.yield();
        QCOMPARE(d.rq().curr, d.task(1));
        QCOMPARE(d.cfs().skip, era == Era::V6_5 ? d.task(1) : kIdleTask);
        dequeue_task_fair(d.state(), d.cpu(), d.task(1), {.sleep = true});
        QCOMPARE(d.cfs().skip, kIdleTask);
    }
}

// topology.md: load balancing of 5.19 walks the list from the least recently picked.
void TestCfsRules65::picked_task_heads_the_list() {
    for (const Era era : kBoth) {
        auto d = machine(era);
        for (const std::uint32_t id : {1U, 2U, 3U}) queue(d, id, 1000 * kMs + id);
        d.schedule(false);
        QCOMPARE(d.rq().curr, d.task(1));
        QCOMPARE(d.rq().cfs_tasks, d.task(era == Era::V6_5 ? 1 : 3));
        QCOMPARE(d.rq().cfs_tasks_tail, d.task(era == Era::V6_5 ? 2 : 1));
        d.schedule(false);
        QVERIFY(!check_sched_invariants(d.state()));
    }
}

// One heavy task among nine light ones: its share of the stretched period is far longer than the latency.
void TestCfsRules65::latency_clamp() {
    struct Row {
        Era era;
        bool clamped;
    };
    for (const auto& [era, clamped] : {Row{Era::V6_5, true}, Row{Era::V6_1, false}, Row{Era::V5_19, false}}) {
        auto d = machine(era);
        queue(d, 1, 1000 * kMs, -20);
        for (std::uint32_t id = 2; id <= 10; ++id) queue(d, id, 1100 * kMs, 19);
        d.schedule(false);
        QVERIFY(sched_slice(d.state(), d.cpu(), d.task(1)) > 7 * kMs);
        d.advance(6 * kMs);
        d.tick();
        QVERIFY(!d.rq().need_resched); // exactly the latency
        d.advance(1);
        d.tick();
        QCOMPARE(d.rq().need_resched, clamped);
        set(d, Feature::LATENCY_CLAMP, true);
        d.tick();
        QVERIFY(d.rq().need_resched);
    }
}

QTEST_APPLESS_MAIN(TestCfsRules65)
#include "tst_cfs_rules_65.moc"
