// SPDX-License-Identifier: GPL-3.0-or-later
// Level of detail: bars and pixel columns against brute force at many zooms; thinned decisions; ticks of the axis.
#include "rows.h"
#include "timeline/decision_bins.h"
#include "timeline/lane_pieces.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace rqscope;
using namespace rqscope::test;

namespace {

Ns busyIn(const LaneModel& model, CpuId cpu, Ns from, Ns to) {
    Ns busy = 0;
    const auto& lane = model.runs(cpu);
    for (std::size_t r = 0; r < lane.size(); ++r)
        busy += std::max<Ns>(0, std::min(model.runEnd(cpu, r), to) - std::max(lane.begin(r), from));
    return busy;
}

} // namespace

class TestLanePieces : public QObject {
    Q_OBJECT
private slots:
    void piecesAgainstBruteForce_data() {
        QTest::addColumn<double>("part"); // of the run that is in view
        QTest::addColumn<double>("offset");
        for (const double part : {1.0, 0.3, 0.05, 0.004})
            for (const double offset : {0.0, 0.37, 0.9}) QTest::addRow("%g at %g", part, offset) << part << offset;
    }
    void piecesAgainstBruteForce() {
        QFETCH(double, part);
        QFETCH(double, offset);
        LaneModel model;
        denseRows(model, 2, 6000, 9, 4000);
        const auto known = static_cast<double>(model.knownTime());
        const int width = 640;
        const TimeScale scale{known * offset, known * part / width, 0};
        std::vector<Piece> pieces;
        for (const auto cpu : {CpuId{0}, CpuId{1}}) {
            cutPieces(model.runs(cpu), model.knownTime(), scale, width, 8, pieces);
            auto next = 0;
            std::vector<bool> covered(width, false);
            for (const auto& piece : pieces) {
                QVERIFY(piece.x0 >= next && piece.x1 > piece.x0 && piece.x1 <= width);
                next = piece.x1;
                for (int x = piece.x0; x < piece.x1; ++x) covered[static_cast<std::size_t>(x)] = true;
                if (!piece.column) {
                    QCOMPARE(piece.task, model.runs(cpu).task(piece.first));
                    QCOMPARE(piece.x1,
                             static_cast<int>(std::min<double>(width, std::floor(scale.x(model.runEnd(cpu, piece.first))))));
                    continue;
                }
                QCOMPARE(piece.x1, piece.x0 + 1);
                const auto from = std::min(model.knownTime(), scale.time(piece.x0));
                const auto to = std::min(model.knownTime(), std::max(from + 1, scale.time(piece.x0 + 1)));
                const auto share = static_cast<double>(busyIn(model, cpu, from, to)) / std::max(1.0, scale.nsPerPx);
                QVERIFY(std::abs(static_cast<double>(piece.share) - std::min(1.0, share)) < 1e-4);
                if (piece.task != kIdleTask) {
                    const auto phase = static_cast<int>(wholeBelow(scale.begin / scale.nsPerPx) % 8);
                    const auto block = (piece.x0 + phase) / 8;
                    const auto blockFrom = scale.time(block * 8 - phase),
                               blockTo = std::min(model.knownTime(), scale.time((block + 1) * 8 - phase));
                    QCOMPARE(piece.task, model.runs(cpu).dominant(blockFrom, blockTo, kColourShare));
                }
            }
            // A pixel that is busy for at least half of its time is never left empty.
            for (int x = 0; x < width; ++x) {
                const auto from = scale.time(x), to = scale.time(x + 1);
                if (to > from + 1 && to <= model.knownTime() && busyIn(model, cpu, from, to) * 2 > (to - from) + 2 &&
                    !covered[static_cast<std::size_t>(x)]) {
                    // Only the tail of a bar may end inside a pixel without filling it.
                    const auto i = model.runs(cpu).endingAfter(from);
                    QVERIFY(static_cast<double>(model.runEnd(cpu, i) - model.runs(cpu).begin(i)) >= scale.nsPerPx);
                }
            }
        }
    }

    void sharesAgainstBruteForce() {
        LaneModel model;
        denseRows(model, 2, 3000, 9, 4000);
        const TimeScale scale{1000, static_cast<double>(model.knownTime()) / 300.0, 0};
        std::vector<float> busy(320, 0), depth(320, 0);
        addBusyShares(model.runs(CpuId{0}), model.knownTime(), scale, busy);
        addMeanDepths(model.queue(CpuId{0}), model.knownTime(), scale, depth);
        const auto& queue = model.queue(CpuId{0});
        for (std::size_t x = 0; x < busy.size(); ++x) {
            const auto from = std::min(model.knownTime(), scale.time(static_cast<double>(x)));
            const auto to = std::min(model.knownTime(), scale.time(static_cast<double>(x + 1)));
            QVERIFY(std::abs(static_cast<double>(busy[x]) -
                             static_cast<double>(busyIn(model, CpuId{0}, from, to)) / scale.nsPerPx) < 1e-3);
            Ns waited = 0;
            for (std::size_t q = 0; q < queue.size(); ++q) {
                const auto end = q + 1 < queue.size() ? queue.time(q + 1) : model.knownTime();
                waited += std::max<Ns>(0, std::min(end, to) - std::max(queue.time(q), from)) *
                          static_cast<Ns>(queue.step(q).depth);
            }
            QVERIFY(std::abs(static_cast<double>(depth[x]) - static_cast<double>(waited) / scale.nsPerPx) < 1e-3);
        }
    }

    void nothingBeyondTheKnownTime() {
        LaneModel model;
        model.reset(1);
        RowMaker rows(model);
        rows.switchTo(0, 0, 0, 1, SwitchEnd::WasIdle);
        model.setKnownTime(from_ns(1000));
        std::vector<Piece> pieces;
        cutPieces(model.runs(CpuId{0}), model.knownTime(), {0, 10, 0}, 400, 8, pieces);
        QCOMPARE(pieces.size(), std::size_t{1});
        QCOMPARE(pieces[0].x1, 100);
        cutPieces(model.runs(CpuId{0}), model.knownTime(), {2000, 10, 0}, 400, 8, pieces);
        QVERIFY(pieces.empty());
    }

    void decisionsAreThinned() {
        std::vector<Hop> hops;
        Random random;
        for (Ns t = 0; t < 1000000;) {
            Hop hop;
            hop.time = t += 1 + random.next(random.next(10) == 0 ? 40000 : 900);
            hops.push_back(hop);
        }
        for (const double nsPerPx : {10.0, 300.0, 2000.0}) {
            const TimeScale scale{static_cast<double>(hops[20].time) - 3, nsPerPx, 56};
            const auto marks = binDecisions(hops, scale, 400);
            QVERIFY(!marks.empty());
            for (std::size_t i = 0; i < marks.size(); ++i) {
                QVERIFY(marks[i].x >= 56 && marks[i].x < 456);
                if (i == 0) continue;
                QVERIFY(marks[i].x - marks[i - 1].x >= 7.9);
                QCOMPARE(marks[i].first, marks[i - 1].first + marks[i - 1].count);
            }
        }
        // Zoomed in far enough each stands for itself, at its time.
        const auto near = binDecisions(hops, {static_cast<double>(hops[5].time) - 100, 1, 0}, 200);
        QCOMPARE(near.front().count, 1U);
    }

    void ticks_data() {
        QTest::addColumn<double>("least");
        QTest::addColumn<qint64>("last");
        QTest::addColumn<qint64>("step");
        QTest::addColumn<QString>("labels"); // the first three from 0, then the unit
        QTest::newRow("storm") << 400e3 << qint64{4750000} << qint64{500000} << "0 0.5 1 ms";
        QTest::newRow("second") << 0.11e9 << qint64{2000000000} << qint64{200000000} << "0 0.2 0.4 s";
        QTest::newRow("exact") << 1000.0 << qint64{900000} << qint64{1000} << "0 1 2 us";
        QTest::newRow("ns") << 3.0 << qint64{90} << qint64{5} << "0 5 10 ns";
        QTest::newRow("deep") << 15.0 << qint64{5000000} << qint64{20} << "0 0.02 0.04 us";
        QTest::newRow("tiny") << 0.01 << qint64{100} << qint64{1} << "0 1 2 ns";
    }
    void ticks() {
        QFETCH(double, least);
        QFETCH(qint64, last);
        QFETCH(qint64, step);
        QFETCH(QString, labels);
        const auto ticks = chooseTicks(least, last);
        QCOMPARE(ticks.step, step);
        QStringList texts;
        for (const auto t : tickTimes(0, 2 * ticks.step, ticks)) texts += tickLabel(t, ticks);
        texts += QLatin1String(unitName(ticks.unit));
        QCOMPARE(texts.join(QLatin1Char(' ')), labels);
    }
    void tickStepsAreOneTwoFive() {
        for (double least = 0.5; least < 1e12; least *= 1.37) {
            const auto ticks = chooseTicks(least, 1000000000);
            QVERIFY(static_cast<double>(ticks.step) >= least);
            QVERIFY(ticks.step == 1 || static_cast<double>(ticks.step) < least * 2.5 + 1);
            auto lead = ticks.step;
            while (lead % 10 == 0) lead /= 10;
            QVERIFY(lead == 1 || lead == 2 || lead == 5);
        }
        QCOMPARE(tickTimes(-50, 10, {5, 1, 0}).front(), Ns{0}); // the axis begins at 0
        QCOMPARE(tickLabel(1204000, {1000, 1000, 0}), QStringLiteral("1\u00A0204"));
    }
};

QTEST_APPLESS_MAIN(TestLanePieces)
#include "tst_lane_pieces.moc"
