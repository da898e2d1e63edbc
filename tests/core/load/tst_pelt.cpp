// SPDX-License-Identifier: GPL-3.0-or-later
// Load tracking 4.7/4.8: recorded sequences, the published check values, and the invariants of attach and remove.
#include "base/rng.h"
#include "conformance/pelt_vectors.h"
#include "load/pelt.h"

#include <QFile>
#include <QTest>

using namespace rqscope;

namespace {

constexpr RqClock kPeriodNs = 1'048'576;
constexpr RqClock kMs = 1'000'000;

EntityAvg entity_with(Load load, Util util, RqClock last) {
    EntityAvg e;
    e.last_update_time = last;
    e.load_avg = load;
    e.load_sum = load * kLoadAvgMax;
    e.util_avg = util;
    e.util_sum = static_cast<std::uint32_t>(util * kLoadAvgMax);
    return e;
}

CfsAvg queue_with(Load load, Util util, RqClock last) {
    CfsAvg q;
    q.last_update_time = last;
    q.load_avg = load;
    q.load_sum = load * kLoadAvgMax;
    q.util_avg = util;
    q.util_sum = static_cast<std::uint32_t>(util * kLoadAvgMax);
    return q;
}

QByteArray golden() {
    QFile file(RQSCOPE_TEST_DATA "/golden/pelt-given.json");
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestPelt : public QObject {
    Q_OBJECT
private slots:
    void sequences_data();
    void sequences();
    void malformed();
    void always_running_data();
    void always_running();
    void idle_decay_data();
    void idle_decay();
    void worked_example();
    void sub_unit_time_is_lost();
    void clock_going_back_only_resyncs();
    void first_util();
    void series_of_forks();
    void attach_to_stale_queue();
    void attach_ages_a_sleeper();
    void detach_and_remove_clamp();
    void attached_load_is_conserved();
};

void TestPelt::sequences_data() {
    QTest::addColumn<bool>("passed");
    QTest::addColumn<QString>("difference");
    const auto text = golden();
    const auto report = run_pelt_vectors({text.constData(), static_cast<std::size_t>(text.size())});
    QVERIFY(report.ok());
    QCOMPARE(report->cases.size(), 56U);
    for (const auto& c : report->cases)
        QTest::addRow("%s", c.name.c_str()) << (c.passed && !c.not_run)
                                            << QString::fromStdString(c.differences.empty() ? std::string() : c.differences.front());
}

void TestPelt::sequences() {
    QFETCH(bool, passed);
    QFETCH(QString, difference);
    QVERIFY2(passed, qPrintable(difference));
}

void TestPelt::malformed() {
    QVERIFY(!run_pelt_vectors("").ok());
    QVERIFY(!run_pelt_vectors("[1,2").ok());
    QVERIFY(!run_pelt_vectors("{}").ok());
    QVERIFY(!run_pelt_vectors(R"({"sequences":[{"name":3}]})").ok());
    const auto short_row = run_pelt_vectors(R"({"sequences":[{"name":"a","model":"4.7","kind":"se","steps":[[1]],"after":[[1]],"out_columns":["decayed"],
        "initial":{"last_update_time":0,"period_contrib":0,"load_sum":0,"util_sum":0,"load_avg":0,"util_avg":0}}]})");
    QVERIFY(short_row.ok());
    QVERIFY(!short_row->cases.front().passed);
    const auto unknown = run_pelt_vectors(R"({"sequences":[{"name":"a","model":"9.9","kind":"se"}]})");
    QVERIFY(unknown.ok() && unknown->cases.front().not_run);
}

void TestPelt::always_running_data() {
    QTest::addColumn<int>("periods");
    QTest::addColumn<int>("average");
    const int rows[][2] = {{1, 21}, {4, 83}, {8, 159}, {16, 293}, {32, 501}, {64, 751}, {128, 939}, {345, 1001}};
    for (const auto& r : rows) QTest::addRow("%d periods", r[0]) << r[0] << r[1];
}

void TestPelt::always_running() {
    QFETCH(int, periods);
    QFETCH(int, average);
    EntityAvg e;
    QVERIFY(update47(e, static_cast<RqClock>(periods) * kPeriodNs, 1024, true));
    QCOMPARE(e.load_avg, static_cast<Load>(average));
    QCOMPARE(e.util_avg, static_cast<Util>(average));
}

void TestPelt::idle_decay_data() {
    QTest::addColumn<int>("periods");
    QTest::addColumn<int>("left");
    const int rows[][2] = {{0, 1024}, {1, 1002}, {8, 861}, {16, 724}, {32, 511}, {64, 255}, {128, 63}, {256, 3}, {320, 0}};
    for (const auto& r : rows) QTest::addRow("%d periods", r[0]) << r[0] << r[1];
}

void TestPelt::idle_decay() {
    QFETCH(int, periods);
    QFETCH(int, left);
    QCOMPARE(decay_load(1024, static_cast<std::uint64_t>(periods)), static_cast<std::uint64_t>(left));
}

void TestPelt::worked_example() {
    EntityAvg e;
    update47(e, 1'500'000, 1024, true);
    QCOMPARE(e.last_update_time, RqClock{1'500'000});
    QCOMPARE(e.period_contrib, 440U);
    QCOMPARE(e.load_sum, std::uint64_t{1'476'667});
    QCOMPARE(e.util_avg, Util{30});
    update47(e, 3'700'000, 1024, true);
    QCOMPARE(e.load_sum, std::uint64_t{3'565'731});
    QCOMPARE(e.util_avg, Util{74});
    QCOMPARE(e.period_contrib, 540U);
}

void TestPelt::sub_unit_time_is_lost() {
    EntityAvg often;
    for (RqClock now = 1500; now <= 64 * kPeriodNs; now += 1500) update47(often, now, 1024, true);
    QCOMPARE(often.util_avg, Util{607});
    EntityAvg still;
    update47(still, 1023, 1024, true);
    QCOMPARE(still, EntityAvg{}); // below one unit nothing moves, not even the clock
}

void TestPelt::clock_going_back_only_resyncs() {
    auto e = entity_with(500, 300, 10 * kMs);
    auto expected = e;
    expected.last_update_time = 9 * kMs;
    QVERIFY(!update47(e, 9 * kMs, 1024, true));
    QCOMPARE(e, expected);
}

void TestPelt::first_util() {
    const auto q = queue_with(1512, 300, kMs);
    EntityAvg e;
    init47(e, 1024);
    QCOMPARE(e.load_avg, Load{1024});
    QCOMPARE(e.load_sum, std::uint64_t{1024} * 47742);
    QCOMPARE(e.period_contrib, 1023U);
    post_init_util47(e, q, 1024 << 10, true);
    QCOMPARE(e.util_avg, Util{362});
    post_init_util47(e, q, 1024 << 10, false);
    QCOMPARE(e.util_avg, Util{203});
    init47(e, 1024);
    post_init_util47(e, queue_with(0, 1100, kMs), 1024 << 10, true); // nothing left to give
    QCOMPARE(e.util_avg, Util{0});
}

void TestPelt::series_of_forks() {
    CfsAvg q;
    q.last_update_time = 10'000 * kMs;
    const Util task_util[] = {512, 256, 128, 64, 32, 16, 8, 4};
    const Util queue_util[] = {512, 768, 896, 960, 992, 1008, 1016, 1020};
    for (std::size_t i = 0; i < std::size(task_util); ++i) {
        EntityAvg e;
        init47(e, 1024);
        post_init_util47(e, q, 1024 << 10, true);
        QCOMPARE(e.util_avg, task_util[i]);
        attach47(q, e, true);
        QCOMPARE(e.last_update_time, q.last_update_time);
        QCOMPARE(q.util_avg, queue_util[i]);
        QCOMPARE(q.load_avg, Load{1024} * (i + 1));
    }
}

// A queue of load 400 untouched for 50 ms gets a sleeper of load 800.
void TestPelt::attach_to_stale_queue() {
    const RqClock now = 10'050 * kMs;
    auto q = queue_with(400, 0, now - 50 * kMs);
    auto e = entity_with(800, 0, 0);
    attach47(q, e, true);
    QCOMPARE(q.load_avg, Load{1200});
    update_queue47(q, {.now = now + 1'100'000});
    update47(e, now + 1'100'000, 0, false);
    QCOMPARE(q.load_avg, Load{424});
    QCOMPARE(e.load_avg, Load{282});

    q = queue_with(400, 0, now - 50 * kMs);
    e = entity_with(800, 0, 0);
    update_queue47(q, {.now = now});
    attach47(q, e, true);
    QCOMPARE(q.load_avg, Load{944});
    update_queue47(q, {.now = now + 1'100'000});
    update47(e, now + 1'100'000, 0, false);
    QCOMPARE(q.load_avg, Load{924});
    QCOMPARE(e.load_avg, Load{782});
}

void TestPelt::attach_ages_a_sleeper() {
    for (const bool age : {true, false}) {
        auto q = queue_with(0, 0, 32 * kPeriodNs + kMs);
        auto e = entity_with(1024, 512, kMs);
        attach47(q, e, age);
        QCOMPARE(q.load_avg, age ? Load{511} : Load{1024});
        QCOMPARE(e.last_update_time, q.last_update_time);
    }
}

void TestPelt::detach_and_remove_clamp() {
    auto q = queue_with(100, 50, kMs);
    auto e = entity_with(800, 400, kMs);
    detach47(q, e, 0, false);
    QCOMPARE(q, queue_with(0, 0, kMs));

    q = queue_with(1000, 500, kMs);
    remove47(q, e);
    QCOMPARE(e.last_update_time, RqClock{0});
    QCOMPARE(q.load_avg, Load{1000}); // only noted
    QVERIFY(update_queue47(q, {.now = kMs}));
    QCOMPARE(q, queue_with(200, 100, kMs));
    remove47(q, e); // never attached since: nothing to take
    QVERIFY(!update_queue47(q, {.now = kMs}));
    QCOMPARE(q.load_avg, Load{200});
}

// The queue's load stays near the sum of its entities' loads over random runs and sleeps.
void TestPelt::attached_load_is_conserved() {
    constexpr std::size_t kEntities = 5;
    Rng rng(1, 2, 3);
    CfsAvg q;
    EntityAvg e[kEntities];
    bool queued[kEntities] = {};
    RqClock now = 10'000 * kMs;
    std::uint64_t weight = 0;
    q.last_update_time = now;
    for (auto& avg : e) {
        init47(avg, 1024);
        attach47(q, avg, true);
    }
    for (int step = 0; step < 3000; ++step) {
        now += rng.uniform(3 * kMs);
        const auto i = static_cast<std::size_t>(rng.uniform(kEntities - 1));
        const PeltNow entity{.now = now, .weight = queued[i] ? 1024U : 0U};
        const PeltNow queue{.now = now, .weight = weight};
        if (queued[i]) {
            dequeue47(q, e[i], entity, queue);
            weight -= 1024;
        } else {
            enqueue47(q, e[i], entity, queue);
            weight += 1024;
        }
        queued[i] = !queued[i];
        Load sum = 0;
        for (std::size_t k = 0; k < kEntities; ++k) {
            auto copy = e[k];
            update47(copy, q.last_update_time, queued[k] ? 1024 : 0, false);
            sum += copy.load_avg;
        }
        const auto gap = sum > q.load_avg ? sum - q.load_avg : q.load_avg - sum;
        QVERIFY2(gap <= std::max<Load>(1024, sum) * 3 / 100 + kEntities, qPrintable(QString("step %1: %2 against %3").arg(step).arg(q.load_avg).arg(sum)));
    }
}

QTEST_APPLESS_MAIN(TestPelt)
#include "tst_pelt.moc"
