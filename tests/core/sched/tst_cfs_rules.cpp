// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the fair queue one by one, and what each toggle of the run queue and of load tracking changes.
#include "conformance/cfs_driver.h"
#include "sched/clock.h"
#include "sched/invariants.h"

#include <QTest>

using namespace rqscope;

namespace {

constexpr std::uint64_t kMs = 1'000'000;

CfsDriver machine() {
    CfsDriver d(Era::V4_8);
    d.set_clock(10'000 * kMs);
    return d;
}

void set(CfsDriver& d, Feature f, bool on) { d.state().features.set({f, static_cast<FeatureValue>(on ? 1 : 0)}); }

// A blocked task with this vruntime, put into the queue as it is.
void queue(CfsDriver& d, std::uint32_t id, VTime vruntime, Policy policy = Policy::Normal) {
    d.create(id, 0, policy);
    d.entity(id).vruntime = vruntime;
    d.raw(id);
}

} // namespace

class TestCfsRules : public QObject {
    Q_OBJECT
private slots:
    void equal_keys_keep_arrival_order();
    void order_survives_the_wrap();
    void task_list_has_the_newest_first();
    void start_debit();
    void child_runs_first();
    void gentle_fair_sleepers();
    void short_sleep_earns_nothing();
    void move_keeps_the_distance();
    void waking_elsewhere_takes_load_along();
    void preempt_reasons();
    void wakeup_preemption_off();
    void next_buddy();
    void last_buddy();
    void idle_policy_is_no_buddy();
    void yield_hands_over_once();
    void nice_change();
    void tick_ends_the_slice();
    void interrupt_time_is_not_charged();
};

void TestCfsRules::equal_keys_keep_arrival_order() {
    auto d = machine();
    for (const std::uint32_t id : {3U, 1U, 2U}) queue(d, id, 500);
    queue(d, 4, 499);
    for (const std::uint32_t id : {4U, 3U, 1U, 2U}) {
        QCOMPARE(pick_next_entity(d.state(), d.cpu()), d.task(id));
        dequeue_task_fair(d.state(), d.cpu(), d.task(id), {.sleep = true});
    }
    QCOMPARE(pick_next_entity(d.state(), d.cpu()), kIdleTask);
}

void TestCfsRules::order_survives_the_wrap() {
    auto d = machine();
    queue(d, 1, 100);               // after the wrap
    queue(d, 2, ~VTime{0} - 100);   // before it
    QCOMPARE(pick_next_entity(d.state(), d.cpu()), d.task(2));
    QVERIFY(!check_sched_invariants(d.state()));
}

void TestCfsRules::task_list_has_the_newest_first() {
    auto d = machine();
    for (const std::uint32_t id : {1U, 2U, 3U}) queue(d, id, 500);
    QCOMPARE(d.rq().cfs_tasks, d.task(3));
    QCOMPARE(d.rq().cfs_tasks_tail, d.task(1));
    dequeue_task_fair(d.state(), d.cpu(), d.task(2), {});
    enqueue_task_fair(d.state(), d.cpu(), d.task(2), {});
    QCOMPARE(d.rq().cfs_tasks, d.task(2));
    QCOMPARE(d.entity(2).list_next, d.task(3));
    QVERIFY(!check_sched_invariants(d.state()));
}

void TestCfsRules::start_debit() {
    for (const bool on : {true, false}) {
        auto d = machine();
        set(d, Feature::START_DEBIT, on);
        d.set_min_vruntime(1000 * kMs);
        d.fork(1, 0, 0);
        QCOMPARE(d.entity(1).vruntime, 1000 * kMs + (on ? 5'999'998 : 0));
    }
}

void TestCfsRules::child_runs_first() {
    auto d = machine();
    d.set_min_vruntime(1000 * kMs);
    d.fork(1, 0, 0);
    d.resched();
    d.advance(kMs);
    const auto parent = d.entity(1).vruntime + kMs; // once it is charged
    d.state().tunables.child_runs_first = 1;
    d.fork(2, 0, 0);
    QCOMPARE(d.entity(2).vruntime, parent);
    QVERIFY(vtime_before(parent, d.entity(1).vruntime)); // the parent has the debit
    QVERIFY(d.rq().need_resched);
    d.resched();
    QCOMPARE(d.rq().curr, d.task(2));
}

void TestCfsRules::gentle_fair_sleepers() {
    for (const bool gentle : {true, false}) {
        auto d = machine();
        set(d, Feature::GENTLE_FAIR_SLEEPERS, gentle);
        d.set_min_vruntime(1000 * kMs);
        d.create(1, 0, Policy::Normal);
        d.entity(1).vruntime = 1;
        QVERIFY(d.wake(1, 0));
        QCOMPARE(d.entity(1).vruntime, 1000 * kMs - (gentle ? 3 : 6) * kMs);
    }
}

void TestCfsRules::short_sleep_earns_nothing() {
    auto d = machine();
    d.set_min_vruntime(1000 * kMs);
    d.create(1, 0, Policy::Normal);
    d.entity(1).vruntime = 999 * kMs;
    QVERIFY(d.wake(1, 0));
    QCOMPARE(d.entity(1).vruntime, 999 * kMs);
    QVERIFY(!d.wake(1, 0)); // awake already
}

void TestCfsRules::move_keeps_the_distance() {
    auto d = machine();
    d.set_min_vruntime(1000 * kMs);
    d.select_cpu(1);
    d.set_min_vruntime(5 * kMs);
    d.select_cpu(0);
    queue(d, 1, 1000 * kMs);
    queue(d, 2, 1002 * kMs);
    QCOMPARE(d.move(2, 1), 2 * kMs);
    QCOMPARE(d.entity(2).vruntime, 7 * kMs);
    QCOMPARE(d.entity(2).exec_start, RqClock{0}); // cache hotness does not travel
    QCOMPARE(d.state().nr_running[0], 1U);
    QCOMPARE(d.state().nr_running[1], 1U);
    QVERIFY(!check_sched_invariants(d.state()));
}

void TestCfsRules::waking_elsewhere_takes_load_along() {
    auto d = machine();
    auto& s = d.state();
    d.fork(1, 0, 0);
    d.resched();
    d.advance(kMs / 2);
    d.schedule(true);
    const auto load = s.cfs_avg[0].load_avg;
    QVERIFY(load > 900);
    QCOMPARE(s.cfs_avg[0].runnable_load_avg, Load{0}); // asleep: blocked load only
    const auto sleeper = d.entity(1).vruntime - s.rqs[0].cfs.min_vruntime;
    d.select_cpu(1);
    d.set_min_vruntime(0);
    QVERIFY(d.wake(1, 0));
    QCOMPARE(d.entity(1).vruntime, sleeper);
    QVERIFY(s.cfs_avg[1].load_avg > 900);
    QCOMPARE(s.cfs_avg[0].load_avg, load); // until somebody updates the queue it left
    update_blocked_averages(s, CpuId{0});
    QVERIFY(s.cfs_avg[0].load_avg < 5);
}

void TestCfsRules::preempt_reasons() {
    auto d = machine();
    queue(d, 1, 1000 * kMs);
    QCOMPARE(check_preempt_wakeup(d.state(), d.cpu(), d.task(1), false).reason, PreemptReason::CurrIdle);
    QCOMPARE(d.rq().stat.check_preempt_count, 0U);
    d.resched();
    QCOMPARE(check_preempt_wakeup(d.state(), d.cpu(), d.task(1), false).reason, PreemptReason::SameTask);
    queue(d, 2, 999 * kMs);
    queue(d, 3, 1, Policy::Batch);
    const auto close = check_preempt_wakeup(d.state(), d.cpu(), d.task(2), false);
    QCOMPARE(close.reason, PreemptReason::NotFarEnough);
    QCOMPARE(close.vdiff, std::int64_t{1'000'000});
    QCOMPARE(close.gran, std::uint64_t{1'000'000});
    QCOMPARE(check_preempt_wakeup(d.state(), d.cpu(), d.task(3), false).reason, PreemptReason::NotNormal);
    QVERIFY(!d.rq().need_resched);
    queue(d, 4, 999 * kMs - 1);
    const auto far = check_preempt_wakeup(d.state(), d.cpu(), d.task(4), true);
    QVERIFY(far.preempt && d.rq().need_resched);
    QCOMPARE(far.reason, PreemptReason::Granted);
    QCOMPARE(d.cfs().next, d.task(4)); // also for a fork and with NEXT_BUDDY off
    QCOMPARE(check_preempt_wakeup(d.state(), d.cpu(), d.task(2), false).reason, PreemptReason::AlreadyPending);
    QCOMPARE(d.rq().stat.check_preempt_count, 5U);
    QCOMPARE(d.rq().stat.need_preempt_count, 1U);
    QCOMPARE(d.rq().stat.low_gran_preempt_count, 0U);
}

void TestCfsRules::wakeup_preemption_off() {
    auto d = machine();
    set(d, Feature::WAKEUP_PREEMPTION, false);
    queue(d, 1, 1000 * kMs, Policy::Idle);
    d.schedule(false);
    queue(d, 2, 1);
    const auto verdict = check_preempt_wakeup(d.state(), d.cpu(), d.task(2), false);
    QCOMPARE(verdict.reason, PreemptReason::IdlePolicyCurr); // SCHED_IDLE gives way all the same
    QVERIFY(verdict.preempt);
    d.resched();
    queue(d, 3, 0);
    d.advance(50 * kMs);
    QVERIFY(!check_preempt_wakeup(d.state(), d.cpu(), d.task(3), false).preempt);
}

void TestCfsRules::next_buddy() {
    for (const bool on : {true, false}) {
        auto d = machine();
        set(d, Feature::NEXT_BUDDY, on);
        d.state().tunables.nr_latency = 2;
        queue(d, 1, 1000 * kMs);
        d.schedule(false);
        queue(d, 2, 1000 * kMs + 1);
        queue(d, 3, 1000 * kMs + 2);
        (void)check_preempt_wakeup(d.state(), d.cpu(), d.task(3), false);
        QVERIFY(!d.rq().need_resched);
        d.schedule(true);
        QCOMPARE(d.rq().curr, d.task(on ? 3 : 2));
        QCOMPARE(d.cfs().next, kIdleTask);
    }
}

void TestCfsRules::last_buddy() {
    for (const bool on : {true, false}) {
        auto d = machine();
        set(d, Feature::LAST_BUDDY, on);
        d.state().tunables.nr_latency = 2;
        queue(d, 1, 1000 * kMs);
        d.schedule(false);
        queue(d, 2, 1000 * kMs - 1);
        queue(d, 3, 990 * kMs);
        (void)check_preempt_wakeup(d.state(), d.cpu(), d.task(3), false);
        d.resched();
        QCOMPARE(d.rq().curr, d.task(3));
        d.schedule(true);
        QCOMPARE(d.rq().curr, d.task(on ? 1 : 2)); // the preempted one, although not leftmost
    }
}

void TestCfsRules::idle_policy_is_no_buddy() {
    auto d = machine();
    d.state().tunables.nr_latency = 1;
    set(d, Feature::NEXT_BUDDY, true);
    queue(d, 1, 1000 * kMs, Policy::Idle);
    d.schedule(false);
    queue(d, 2, 1000 * kMs, Policy::Idle);
    (void)check_preempt_wakeup(d.state(), d.cpu(), d.task(2), false);
    QCOMPARE(d.cfs().next, kIdleTask);
    queue(d, 3, 1000 * kMs);
    QVERIFY(check_preempt_wakeup(d.state(), d.cpu(), d.task(3), false).preempt);
    QCOMPARE(d.cfs().last, kIdleTask);
}

void TestCfsRules::yield_hands_over_once() {
    auto d = machine();
    queue(d, 1, 1000 * kMs);
    d.schedule(false);
    d.yield();
    QCOMPARE(d.rq().curr, d.task(1)); // alone
    queue(d, 2, 1000 * kMs + 900'000);
    queue(d, 3, 1010 * kMs);
    d.yield();
    QCOMPARE(d.rq().curr, d.task(2));
    QCOMPARE(d.rq().stat.yld_count, 2U);
    dequeue_task_fair(d.state(), d.cpu(), d.task(1), {.sleep = true});
    d.yield();
    QCOMPARE(d.rq().curr, d.task(2)); // the other one is too far behind
}

void TestCfsRules::nice_change() {
    auto d = machine();
    queue(d, 1, 1000 * kMs);
    queue(d, 2, 1001 * kMs);
    d.schedule(false);
    set_user_nice(d.state(), d.task(1), 0);
    QVERIFY(!d.rq().need_resched); // nothing changed
    d.renice(2, 5); // lowered while it waits
    QVERIFY(!d.rq().need_resched);
    QCOMPARE(d.cfs().load_weight, Weight{1024 + 335} << 10);
    d.renice(2, -5); // raised
    QVERIFY(d.rq().need_resched);
    d.rq().need_resched = false;
    d.renice(1, 1); // lowered while it runs
    QVERIFY(d.rq().need_resched);
    QCOMPARE(d.entity(1).vruntime, 1000 * kMs);
    QVERIFY(!check_sched_invariants(d.state()));
    d.create(3, 0, Policy::Normal);
    d.renice(3, 7); // asleep: weight only
    QCOMPARE(d.entity(3).weight, Weight{215} << 10);
}

void TestCfsRules::tick_ends_the_slice() {
    auto d = machine();
    queue(d, 1, 1000 * kMs);
    d.schedule(false);
    d.advance(100 * kMs);
    d.tick();
    QVERIFY(!d.rq().need_resched); // alone: no end
    queue(d, 2, 1100 * kMs);
    d.advance(1);
    d.tick();
    QVERIFY(d.rq().need_resched);
    d.resched();
    QCOMPARE(d.rq().curr, d.task(2));
    d.advance(2'999'998);
    d.tick();
    QVERIFY(!d.rq().need_resched); // exactly its slice
    d.advance(1);
    d.tick();
    QVERIFY(d.rq().need_resched);
}

void TestCfsRules::interrupt_time_is_not_charged() {
    auto d = machine();
    queue(d, 1, 1000 * kMs);
    d.schedule(false);
    d.state().now += kMs;
    begin_irq(d.state(), d.cpu(), 300'000);
    d.state().now += 300'000 + kMs;
    update_rq_clock(d.state(), d.cpu());
    update_curr(d.state(), d.cpu());
    QCOMPARE(d.entity(1).sum_exec_runtime, 2 * kMs);
}

QTEST_APPLESS_MAIN(TestCfsRules)
#include "tst_cfs_rules.moc"
