// SPDX-License-Identifier: GPL-3.0-or-later
// Load tracking 6.1: the update step against published values (the recorded sequences are played by tst_pelt), what
// attaching, leaving and a change of weight do.
#include "load/pelt61.h"

#include <QTest>

using namespace rqscope;

namespace {
constexpr RqClock kPeriodNs = 1'048'576;
constexpr RqClock kMs = 1'000'000;
constexpr RqClock kStart = 10'000 * kMs;
constexpr Activity61 kRunning = entity_activity(1024, 1, true);
constexpr Activity61 kNobody = queue_activity(0, 0, false);

EntityAvg sleeper(Load load, Util util, RqClock last) {
    EntityAvg e;
    e.last_update_time = last;
    e.load_avg = load;
    e.util_avg = e.runnable_avg = util;
    return e;
}

// A queue whose clock stands at `last`, `contrib` units into a period.
CfsAvg empty_queue(RqClock last, std::uint32_t contrib) {
    CfsAvg q;
    q.last_update_time = last;
    q.period_contrib = contrib;
    return q;
}
} // namespace

class TestPelt61 : public QObject {
    Q_OBJECT
private slots:
    void always_running_data();
    void always_running();
    void worked_example();
    void steady_state_does_not_wobble();
    void sub_unit_time_is_kept();
    void three_waiting_tasks();
    void time_without_load_does_not_count();
    void newborn();
    void series_of_forks();
    void attach_takes_over_the_queues_position_data();
    void attach_takes_over_the_queues_position();
    void enqueue_attaches_once();
    void attach_after_the_queue_was_updated();
    void detach_undoes_attach();
    void sums_stay_above_the_averages();
    void removed_at_the_next_update();
    void removing_what_is_not_attached();
    void change_of_weight();
};

void TestPelt61::always_running_data() {
    QTest::addColumn<int>("periods");
    QTest::addColumn<int>("average");
    const int rows[][2] = {{1, 21}, {4, 85}, {8, 162}, {16, 299}, {32, 512}, {64, 768}, {128, 960}, {345, 1023}};
    for (const auto& r : rows) QTest::addRow("%d periods", r[0]) << r[0] << r[1];
}

void TestPelt61::always_running() {
    QFETCH(int, periods);
    QFETCH(int, average);
    EntityAvg a;
    QVERIFY(update61(a, static_cast<RqClock>(periods) * kPeriodNs, kRunning));
    QCOMPARE(a.util_avg, static_cast<Util>(average));
    QCOMPARE(a.load_avg, static_cast<Load>(average));
}

void TestPelt61::worked_example() {
    EntityAvg a;
    update61(a, 1'500'000, kRunning);
    QCOMPARE(a.last_update_time, RqClock{1'499'136});
    QCOMPARE(a.period_contrib, 440U);
    QCOMPARE(a.load_sum, std::uint64_t{1442});
    QCOMPARE(a.util_avg, Util{31});
    update61(a, 3'700'000, kRunning);
    QCOMPARE(a.load_sum, std::uint64_t{3481});
    QCOMPARE(a.util_avg, Util{75});
    QCOMPARE(a.period_contrib, 541U);
}

void TestPelt61::steady_state_does_not_wobble() {
    EntityAvg a;
    RqClock now = 400 * kPeriodNs;
    update61(a, now, kRunning);
    for (int i = 0; i < 2000; ++i) {
        now += 777'777;
        update61(a, now, kRunning);
        QVERIFY(a.util_avg == 1023 || a.util_avg == 1024);
    }
}

void TestPelt61::sub_unit_time_is_kept() {
    EntityAvg a;
    for (RqClock now = 1500; now <= 64 * kPeriodNs + 1500; now += 1500) update61(a, now, kRunning);
    QCOMPARE(a.util_avg, Util{768}); // 4.7: 607
}

void TestPelt61::three_waiting_tasks() {
    CfsAvg queue;
    update61(queue, 200 * kPeriodNs, queue_activity(3 * 1024, 3, true));
    QCOMPARE(queue.load_avg, Load{3031});
    QCOMPARE(queue.runnable_avg, std::uint64_t{3031});
    QCOMPARE(queue.util_avg, Util{1010});
}

void TestPelt61::time_without_load_does_not_count() {
    auto e = sleeper(0, 0, kStart);
    update61(e, kStart + 100 * kPeriodNs, entity_activity(1024, 0, true)); // 4.7 would count it as running
    QCOMPARE(e.util_sum, 0U);
    QCOMPARE(e.util_avg, Util{0});
    QCOMPARE(e.last_update_time, kStart + 100 * kPeriodNs);
}

// load.md 1.8: all zero except the load; first util half of what is left of the CPU's own capacity.
void TestPelt61::newborn() {
    auto e = sleeper(77, 88, kStart);
    init61(e, 335);
    EntityAvg expected;
    expected.load_avg = 335;
    QCOMPARE(e, expected);
    auto q = empty_queue(kStart, 0);
    q.util_avg = 300;
    q.load_avg = 1512;
    post_init_util61(e, q, 1024, 1024 << 10, true);
    QCOMPARE(e.util_avg, Util{362});
    QCOMPARE(e.runnable_avg, Load{362});
    QCOMPARE(e.util_sum, 0U); // sums come with the attachment
    post_init_util61(e, q, 1024, 1024 << 10, false);
    QCOMPARE(e.util_avg, Util{203});
    post_init_util61(e, q, 498, 1024 << 10, true);
    QCOMPARE(e.util_avg, Util{99});
    post_init_util61(e, q, 160, 1024 << 10, true); // busier than the CPU is strong
    QCOMPARE(e.util_avg, Util{0});
    q.util_avg = 0;
    post_init_util61(e, q, 160, 1024 << 10, false);
    QCOMPARE(e.util_avg, Util{80});
}

void TestPelt61::series_of_forks() {
    auto q = empty_queue(kStart, 0);
    const Util task_util[] = {512, 256, 128, 64, 32, 16, 8, 4};
    const Util queue_util[] = {512, 768, 896, 960, 992, 1008, 1016, 1020};
    for (std::size_t i = 0; i < std::size(task_util); ++i) {
        EntityAvg e;
        init61(e, 1024);
        post_init_util61(e, q, 1024, 1024 << 10, true);
        QCOMPARE(e.util_avg, task_util[i]);
        enqueue61(q, e, kStart, entity_activity(1024, 0, false), queue_activity(1024 * i, i, i != 0));
        QCOMPARE(q.util_avg, queue_util[i]);
        QCOMPARE(q.load_avg, Load{1024} * (i + 1));
        QCOMPARE(q.runnable_avg, Load{queue_util[i]});
    }
}

void TestPelt61::attach_takes_over_the_queues_position_data() {
    QTest::addColumn<int>("contrib");
    QTest::addColumn<int>("weight");
    QTest::addColumn<int>("load");
    for (const int contrib : {0, 500, 1023})
        for (const int weight : {3, 15, 1024, 88761})
            for (const int load : {0, 1, 700}) QTest::addRow("contrib %d weight %d load %d", contrib, weight, load) << contrib << weight << load;
}

void TestPelt61::attach_takes_over_the_queues_position() {
    QFETCH(int, contrib);
    QFETCH(int, weight);
    QFETCH(int, load);
    const auto w = static_cast<std::uint64_t>(weight);
    const auto divider = 46718 + static_cast<std::uint64_t>(contrib);
    auto q = empty_queue(kStart, static_cast<std::uint32_t>(contrib));
    auto e = sleeper(static_cast<Load>(load), 200, kStart - 5 * kMs);
    e.period_contrib = 77;
    attach61(q, e, w);
    QCOMPARE(e.last_update_time, kStart);
    QCOMPARE(e.period_contrib, static_cast<std::uint32_t>(contrib));
    QCOMPARE(e.util_sum, static_cast<std::uint32_t>(200 * divider));
    QCOMPARE(e.runnable_sum, 200 * divider);
    const auto exact = static_cast<std::uint64_t>(load) * divider;
    QVERIFY(e.load_sum >= 1); // also for a load that rounds to nothing
    QVERIFY(e.load_sum == 1 || (e.load_sum * w <= exact && exact - e.load_sum * w < w));
    QCOMPARE(q.load_avg, static_cast<Load>(load)); // the average itself arrives whole
    QCOMPARE(q.load_sum, e.load_sum * w);          // with the weight in the queue, without it in the entity
    QCOMPARE(q.util_avg, Util{200});
    QCOMPARE(q.util_sum, e.util_sum);
    QCOMPARE(q.runnable_avg, Load{200});
    QCOMPARE(q.runnable_sum, e.runnable_sum);
}

void TestPelt61::enqueue_attaches_once() {
    auto q = empty_queue(kStart, 100);
    auto e = sleeper(1024, 512, 0);
    enqueue61(q, e, kStart, entity_activity(1024, 0, false), kNobody);
    QCOMPARE(q.load_avg, Load{1024});
    // It blocks for 8 periods and comes back: aged, not attached again.
    enqueue61(q, e, kStart + 8 * kPeriodNs, entity_activity(1024, 0, false), kNobody);
    QCOMPARE(q.load_avg, e.load_avg);
    QCOMPARE(q.load_avg, Load{861});
    QCOMPARE(q.util_avg, e.util_avg);
}

// load.md 2.e1, the right column: a queue of load 400 untouched for 50 ms gets a sleeper of load 800.
void TestPelt61::attach_after_the_queue_was_updated() {
    auto q = empty_queue(kStart - 50 * kMs, 0);
    q.load_avg = 400;
    q.load_sum = 400 * 46718;
    auto e = sleeper(800, 0, 0);
    enqueue61(q, e, kStart, entity_activity(1024, 0, false), kNobody);
    QCOMPARE(q.load_avg, Load{800 + 142}); // 400 * y^47.7
    QCOMPARE(e.load_avg, Load{800});       // the newcomer is not aged by time it did not spend here
}

void TestPelt61::detach_undoes_attach() {
    for (const std::uint64_t weight : {3U, 335U, 1024U, 88761U}) {
        auto q = empty_queue(kStart, 300);
        auto resident = sleeper(5000, 900, 0);
        attach61(q, resident, 9548);
        const auto before = q;
        auto e = sleeper(600, 400, 0);
        attach61(q, e, weight);
        detach61(q, e, weight);
        QCOMPARE(q, before);
    }
}

// An entity whose sums were rounded up leaves: the queue's sums stay large enough for the averages that are left.
void TestPelt61::sums_stay_above_the_averages() {
    auto q = empty_queue(kStart, 0);
    q.load_avg = 100;
    q.util_avg = q.runnable_avg = 50;
    q.load_sum = 100 * 46718;
    q.util_sum = 50 * 46718;
    q.runnable_sum = 50 * 46718;
    EntityAvg e;
    e.load_avg = 40;
    e.util_avg = e.runnable_avg = 20;
    e.load_sum = 90 * 46718;
    e.util_sum = 45 * 46718;
    e.runnable_sum = 50 * 46718;
    detach61(q, e, 1);
    QCOMPARE(q.load_avg, Load{60});
    QCOMPARE(q.load_sum, std::uint64_t{60 * 46718});
    QCOMPARE(q.util_avg, Util{30});
    QCOMPARE(q.util_sum, 30U * 46718U);
    QCOMPARE(q.runnable_sum, std::uint64_t{30 * 46718});
    e.load_avg = e.util_avg = e.runnable_avg = 1000; // more than there is
    detach61(q, e, 1024);
    QCOMPARE(q, empty_queue(kStart, 0));
}

void TestPelt61::removed_at_the_next_update() {
    auto q = empty_queue(kStart, 200);
    auto stays = sleeper(2048, 300, 0);
    auto leaves = sleeper(1024, 500, 0);
    attach61(q, stays, 2048);
    const auto without = q;
    attach61(q, leaves, 1024);
    remove61(q, leaves, 1024);
    QCOMPARE(leaves.last_update_time, RqClock{0});
    QCOMPARE(leaves.load_avg, Load{1024}); // travels along
    QCOMPARE(q.load_avg, Load{3072});      // only noted
    QCOMPARE(q.removed_nr, 1U);
    QVERIFY(update_queue61(q, kStart, kNobody)); // an average changed although no time passed
    QCOMPARE(q, without);
    QVERIFY(!update_queue61(q, kStart, kNobody));

    // It slept for 8 periods that the queue has seen: it leaves with what is left of its load.
    leaves = sleeper(1024, 500, 0);
    attach61(q, leaves, 1024);
    update_queue61(q, kStart + 8 * kPeriodNs, kNobody);
    remove61(q, leaves, 1024);
    QCOMPARE(leaves.load_avg, Load{861});
    update_queue61(q, kStart + 8 * kPeriodNs, kNobody);
    auto copy = stays;
    update61(copy, q.last_update_time, entity_activity(2048, 0, false));
    QVERIFY(q.load_avg >= copy.load_avg && q.load_avg <= copy.load_avg + 2);
}

void TestPelt61::removing_what_is_not_attached() {
    auto q = empty_queue(kStart, 200);
    q.load_avg = 500;
    auto e = sleeper(1024, 500, 0);
    remove61(q, e, 1024);
    QCOMPARE(q.removed_nr, 0U);
    QVERIFY(!update_queue61(q, kStart, kNobody));
    QCOMPARE(q.load_avg, Load{500});
}

void TestPelt61::change_of_weight() {
    auto q = empty_queue(kStart, 512);
    auto other = sleeper(700, 100, 0);
    auto e = sleeper(1024, 512, 0);
    attach61(q, other, 1024);
    attach61(q, e, 1024);
    reweight61(q, e, 1024, 335);
    QCOMPARE(e.load_avg, Load{335});
    QCOMPARE(q.load_avg, Load{700 + 335}); // at once; 4.x lets it drift there
    QCOMPARE(q.util_avg, Util{612});       // weights do not matter
    reweight61(q, e, 335, 88761);
    QCOMPARE(q.load_avg, Load{700 + 88761});
    QCOMPARE(q.load_sum, other.load_sum * 1024 + e.load_sum * 88761);
}

QTEST_APPLESS_MAIN(TestPelt61)
#include "tst_pelt61.moc"
