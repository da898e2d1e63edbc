// SPDX-License-Identifier: GPL-3.0-or-later
// Each rule of check_sched_invariants() is broken once on purpose and must be the one that is reported.
#include "conformance/cfs_driver.h"
#include "sched/invariants.h"

#include <QTest>

#include <functional>

using namespace rqscope;

namespace {

using Damage = std::function<void(CfsDriver&)>;

// CPU 0: task 1 runs, 2 and 3 wait; task 4 sleeps.
CfsDriver sound(Era era = Era::V4_8) {
    CfsDriver d(era);
    d.set_clock(10'000'000'000ULL);
    for (const std::uint32_t id : {1U, 2U, 3U, 4U}) {
        d.create(id, 0, Policy::Normal);
        d.entity(id).vruntime = 1000 + id;
        if (id != 4) d.raw(id);
    }
    d.schedule(false);
    return d;
}

} // namespace

Q_DECLARE_METATYPE(Damage)
Q_DECLARE_METATYPE(Era)

class TestInvariants : public QObject {
    Q_OBJECT
private slots:
    void sound_state_passes();
    void damage_is_found_data();
    void damage_is_found();
};

void TestInvariants::sound_state_passes() {
    for (const Era era : {Era::V4_8, Era::V6_1}) {
        auto d = sound(era);
        QCOMPARE(d.rq().curr, d.task(1));
        const auto problem = check_sched_invariants(d.state());
        QVERIFY2(!problem, problem ? problem->c_str() : "");
    }
}

void TestInvariants::damage_is_found_data() {
    QTest::addColumn<Era>("era");
    QTest::addColumn<Damage>("damage");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* words, Damage damage) { QTest::newRow(words) << Era::V4_8 << damage << QString(words); };
    const auto row61 = [](const char* words, Damage damage) { QTest::addRow("6.1: %s", words) << Era::V6_1 << damage << QString(words); };
    row("not sorted", [](CfsDriver& d) {
        d.cfs().tree.back().vruntime += 50;
        d.entity(2).vruntime += 50;
    });
    row("changed its vruntime", [](CfsDriver& d) { d.entity(3).vruntime += 1; });
    row("runs and is in the tree", [](CfsDriver& d) { d.cfs().tree.push_back({1001, TaskId{1}}); });
    row("twice", [](CfsDriver& d) { d.cfs().tree.push_back(d.cfs().tree.back()); });
    row("queued but not on_rq", [](CfsDriver& d) { d.entity(2).on_rq = false; });
    row("says cpu 5", [](CfsDriver& d) { d.entity(2).cpu = CpuId{5}; });
    row("cannot be queued", [](CfsDriver& d) { d.cfs().tree.back().task = TaskId{99}; });
    row("nr_running is 7", [](CfsDriver& d) { d.cfs().nr_running = 7; });
    row("per-CPU count", [](CfsDriver& d) { d.state().nr_running[0] = 1; });
    row("idle_nr_running is 1", [](CfsDriver& d) { d.cfs().idle_nr_running = 1; });
    row("load_weight", [](CfsDriver& d) { d.cfs().load_weight -= 1024; });
    row("points back wrongly", [](CfsDriver& d) { d.entity(2).list_prev = TaskId{1}; });
    row("not as long", [](CfsDriver& d) { d.entity(2).list_next = kIdleTask; });
    row("ends elsewhere", [](CfsDriver& d) { d.rq().cfs_tasks_tail = TaskId{2}; });
    row("the fair queue says", [](CfsDriver& d) { d.rq().curr = kIdleTask; });
    row("counted as idle", [](CfsDriver& d) { d.state().idle.set(CpuId{0}); });
    row("offline with tasks", [](CfsDriver& d) { d.state().online.clear(CpuId{0}); });
    row("buddy", [](CfsDriver& d) { d.cfs().last = TaskId{4}; });
    row("on no queue", [](CfsDriver& d) { d.entity(4).on_rq = true; });
    row("beyond the period", [](CfsDriver& d) { d.state().cfs_avg[0].period_contrib = 1024; });
    row("exceeds all load", [](CfsDriver& d) { d.state().cfs_avg[0].runnable_load_sum = 2 * d.state().cfs_avg[0].load_sum; });
    row61("beyond the period", [](CfsDriver& d) { d.state().cfs_avg[0].period_contrib = 1024; });
    row61("util_sum is too small", [](CfsDriver& d) { d.state().cfs_avg[0].util_avg = 1; });
    row61("runnable_sum is too small", [](CfsDriver& d) { d.state().cfs_avg[0].runnable_avg = 1; });
    row61("busy for more than all", [](CfsDriver& d) { d.entity(4).avg.util_avg = 1025; });
    row61("busy for more than all", [](CfsDriver& d) { d.entity(4).avg.runnable_avg = 1025; });
    row61("attached to no load", [](CfsDriver& d) { d.entity(2).avg.last_update_time = 0; });
    // What the tasks have is missing on their queue.
    row61("util_sum of the queue", [](CfsDriver& d) {
        d.entity(4).avg.util_sum = 900U * kLoadAvgMax;
        d.entity(2).avg.util_sum = 900U * kLoadAvgMax;
    });
    row61("runnable_sum of the queue", [](CfsDriver& d) {
        d.entity(4).avg.runnable_sum = 900U * kLoadAvgMax;
        d.entity(2).avg.runnable_sum = 900U * kLoadAvgMax;
    });
    row61("util_sum of the queue", [](CfsDriver& d) { d.state().cfs_avg[0].removed_util = 400; });
}

void TestInvariants::damage_is_found() {
    QFETCH(Era, era);
    QFETCH(Damage, damage);
    QFETCH(QString, words);
    auto d = sound(era);
    damage(d);
    const auto problem = check_sched_invariants(d.state());
    QVERIFY(problem);
    QVERIFY2(QString::fromStdString(*problem).contains(words), problem->c_str());
}

QTEST_APPLESS_MAIN(TestInvariants)
#include "tst_invariants.moc"
