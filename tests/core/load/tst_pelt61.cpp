// SPDX-License-Identifier: GPL-3.0-or-later
// The update step of 6.1 against published values; the recorded sequences are played by tst_pelt.
#include "load/pelt61.h"

#include <QTest>

using namespace rqscope;

namespace {
constexpr RqClock kPeriodNs = 1'048'576;
constexpr Activity61 kRunning{.load = 1, .runnable = 1, .running = true, .factor = 1024};
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
    update61(queue, 200 * kPeriodNs, {.load = 3 * 1024, .runnable = 3, .running = true, .factor = 1});
    QCOMPARE(queue.load_avg, Load{3031});
    QCOMPARE(queue.runnable_avg, std::uint64_t{3031});
    QCOMPARE(queue.util_avg, Util{1010});
}

QTEST_APPLESS_MAIN(TestPelt61)
#include "tst_pelt61.moc"
