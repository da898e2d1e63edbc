// SPDX-License-Identifier: GPL-3.0-or-later
// Decisions per stretch of the run: none is lost when cells widen, and each stands in the right part.
#include "transport/activity.h"

#include <QTest>

#include <numeric>

using namespace rqscope;

namespace {

LogRow row(RowKind kind, std::int64_t ns) {
    LogRow r;
    r.kind = kind;
    r.time = from_ns(ns);
    return r;
}

int sum(const std::vector<int>& bins) { return std::accumulate(bins.begin(), bins.end(), 0); }

} // namespace

class TestActivity : public QObject {
    Q_OBJECT
private slots:
    void only_decisions_count() {
        Activity a;
        a.add(row(RowKind::Switch, 10));
        a.add(row(RowKind::Fork, 20));
        auto queued = row(RowKind::Wakeup, 30);
        queued.placement.reason = PlaceReason::StillQueued;
        a.add(queued);
        QCOMPARE(a.rows(), 3U);
        QCOMPARE(sum(a.binned(from_ns(100), 4)), 1);
    }
    // One decision each millisecond for 100 s, then one at a day: the cells widen many times.
    void nothing_is_lost() {
        Activity a;
        for (std::int64_t i = 0; i < 100'000; ++i) a.add(row(RowKind::Fork, i * 1'000'000));
        QCOMPARE(sum(a.binned(from_ns(100'000'000'000), 500)), 100'000);
        const auto bins = a.binned(from_ns(100'000'000'000), 10);
        for (const auto n : bins) QVERIFY2(std::abs(n - 10'000) <= 20, qPrintable(QString::number(n))); // a cell is 16 ms at most
        a.add(row(RowKind::Fork, 86'400'000'000'000));
        QCOMPARE(sum(a.binned(from_ns(86'400'000'000'000), 500)), 100'001);
        QCOMPARE(a.binned(from_ns(86'400'000'000'000), 500).back(), 1);
    }
    void clearing_begins_anew() {
        Activity a;
        a.add(row(RowKind::Fork, 86'400'000'000'000));
        a.clear();
        QCOMPARE(a.rows(), 0U);
        a.add(row(RowKind::Fork, 3'500'000));
        QCOMPARE(a.binned(from_ns(4'000'000), 4), (std::vector<int>{0, 0, 0, 1}));
    }
};

QTEST_APPLESS_MAIN(TestActivity)
#include "tst_activity.moc"
