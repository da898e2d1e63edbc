// SPDX-License-Identifier: GPL-3.0-or-later
// Who enqueues a wakee (select.md 5, TTWU_QUEUE), by era, cache and what the target runs.
#include "core/select/probe.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

class TestTtwuQueue : public QObject {
    Q_OBJECT
private slots:
    void queueing_data() {
        QTest::addColumn<int>("target");
        QTest::addColumn<bool>("v4");
        QTest::addColumn<bool>("v6");
        QTest::newRow("another cache, busy") << 5 << true << true;
        QTest::newRow("another cache, idle") << 4 << true << true;
        QTest::newRow("same cache, busy") << 1 << false << false;
        QTest::newRow("same cache, idle") << 2 << false << true;
        QTest::newRow("own CPU, nothing running") << 0 << false << false;
    }
    void queueing() {
        QFETCH(int, target);
        QFETCH(bool, v4);
        QFETCH(bool, v6);
        for (const auto era : {Era::V4_8, Era::V4_8_LOAD_AVG, Era::V4_8_IDLE_WIP, Era::V4_9, Era::V4_12, Era::V4_19, Era::V6_1, Era::V6_1_CLUSTER_V7, Era::V6_12}) {
            auto s = busy(two_by_four(), "1,5", era);
            const CpuId cpu{static_cast<std::uint32_t>(target)};
            QCOMPARE(ttwu_queue_cond(s, CpuId{0}, cpu), era > Era::V4_19 ? v6 : v4);
            turn(s, Feature::TTWU_QUEUE, 0);
            QVERIFY(!ttwu_queue_cond(s, CpuId{0}, cpu));
        }
    }

    // The count of tasks decides, not whether the CPU counts as idle: a pending wake-up is no task yet.
    void queueingCountsTasks() {
        auto s = busy(mc4(), "", Era::V6_1);
        s.idle.clear(CpuId{2});
        s.rqs[2].ttwu_pending = 1;
        QVERIFY(ttwu_queue_cond(s, CpuId{0}, CpuId{2}));
    }
};

QTEST_APPLESS_MAIN(TestTtwuQueue)
#include "tst_ttwu_queue.moc"
