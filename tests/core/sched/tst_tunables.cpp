// SPDX-License-Identifier: GPL-3.0-or-later
// Scaling by CPU count, the kernel's rule for nr_latency, and what counts as a valid setting.
#include "sched/tunables.h"

#include <QTest>

using namespace rqscope;

class TestTunables : public QObject {
    Q_OBJECT
private slots:
    void log_scaling_data();
    void log_scaling();
    void modes();
    void hotplug_rescales();
    void nr_latency_follows_writes_only();
    void parsing();
};

void TestTunables::log_scaling_data() {
    QTest::addColumn<int>("cpus");
    QTest::addColumn<int>("factor");
    const int rows[][2] = {{1, 1}, {2, 2}, {3, 2}, {4, 3}, {7, 3}, {8, 4}, {256, 4}};
    for (const auto& r : rows) QTest::addRow("%d CPUs", r[0]) << r[0] << r[1];
}

void TestTunables::log_scaling() {
    QFETCH(int, cpus);
    QFETCH(int, factor);
    const auto t = default_tunables(static_cast<std::uint32_t>(cpus));
    QCOMPARE(t.latency_ns, std::int64_t{6'000'000} * factor);
    QCOMPARE(t.min_granularity_ns, std::int64_t{750'000} * factor);
    QCOMPARE(t.wakeup_granularity_ns, std::int64_t{1'000'000} * factor);
    QCOMPARE(t.migration_cost_ns, std::int64_t{500'000}); // not scaled
    QCOMPARE(t.nr_latency, std::int64_t{8});
}

void TestTunables::modes() {
    QCOMPARE(scaling_factor(0, 64), std::int64_t{1});
    QCOMPARE(scaling_factor(1, 0), std::int64_t{1});
    QCOMPARE(scaling_factor(2, 5), std::int64_t{5});
    QCOMPARE(scaling_factor(2, 64), std::int64_t{8});
    auto t = default_tunables(5);
    apply(t, *check_tunable("tunable_scaling", 2), 5);
    QCOMPARE(t.latency_ns, std::int64_t{30'000'000});
    apply(t, *check_tunable("tunable_scaling", 0), 5);
    QCOMPARE(t.latency_ns, std::int64_t{6'000'000});
}

void TestTunables::hotplug_rescales() {
    auto t = default_tunables(8);
    rescale(t, 8, 3);
    QCOMPARE(t, default_tunables(3));
}

void TestTunables::nr_latency_follows_writes_only() {
    auto t = default_tunables(8);
    apply(t, *check_tunable("latency_ns", 10'000'000), 8);
    QCOMPARE(t.nr_latency, std::int64_t{4}); // ceil(10 / 3)
    rescale(t, 8, 1);
    QCOMPARE(t.nr_latency, std::int64_t{4});
    apply(t, *check_tunable("wakeup_granularity_ns", 0), 8);
    QCOMPARE(t.nr_latency, std::int64_t{4});
}

void TestTunables::parsing() {
    const auto good = parse_tunable("latency_ns=3000000");
    QVERIFY(good.ok());
    QCOMPARE(good->value, std::int64_t{3'000'000});
    QVERIFY(parse_tunable("migration_cost_ns=-1").ok());
    for (const char* bad : {"latency_ns", "latency_ns=", "latency_ns=6ms", "latency_ns=-1", "latency_ns=99999999999999999999", "=5", ""})
        QVERIFY2(!parse_tunable(bad).ok(), bad);
    const auto typo = parse_tunable("latncy_ns=5");
    QVERIFY(QString::fromStdString(typo.problems().front().message).contains("latency_ns"));
    for (const auto& info : all_tunables()) {
        QVERIFY(info.min <= info.normal && info.normal <= info.max);
        QVERIFY(!check_tunable(info.name, info.max + 1).ok());
        QCOMPARE(find_tunable(info.name), &info);
    }
    QVERIFY(!find_tunable("no such"));
}

QTEST_APPLESS_MAIN(TestTunables)
#include "tst_tunables.moc"
