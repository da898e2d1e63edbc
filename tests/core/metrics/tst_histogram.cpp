// SPDX-License-Identifier: GPL-3.0-or-later
// Decimals and the histogram: rounding, exact small values, bin width, nearest-rank percentiles, extremes.
#include "metrics/histogram.h"

#include <QTest>

#include <limits>
#include <vector>

using namespace rqscope;

class TestHistogram : public QObject {
    Q_OBJECT

private slots:
    void decimalsRoundHalfUp() {
        QCOMPARE(to_string(ratio(1, 3)), std::string("0.333333"));
        QCOMPARE(to_string(ratio(2, 3)), std::string("0.666667"));
        QCOMPARE(to_string(ratio(1, 2'000'000)), std::string("0.000001"));
        QCOMPARE(to_string(ratio(7, 0)), std::string("0.000000"));
        QCOMPARE(to_string(Decimal{-1'500'000}, 0), std::string("-2"));
        QCOMPARE(to_string(Decimal{-400'000}, 0), std::string("0"));
        QCOMPARE(to_string(Decimal{999'999}, 2), std::string("1.00"));
        QCOMPARE(to_string(per_second(3, 2'000'000'000)), std::string("1.500000"));
        QCOMPARE(to_string(per_second(3, 0)), std::string("0.000000"));
    }

    void coefficientOfVariation() {
        const std::vector<std::uint64_t> even = {4, 4, 4}, none = {0, 0}, uneven = {1, 3};
        QCOMPARE(coefficient_of_variation(even).millionths, 0);
        QCOMPARE(coefficient_of_variation(none).millionths, 0);
        QCOMPARE(coefficient_of_variation({}).millionths, 0);
        QCOMPARE(coefficient_of_variation(uneven).millionths, 500'000);
        const std::vector<std::uint64_t> many(4096, 1'000'000'000);
        QCOMPARE(coefficient_of_variation(many).millionths, 0);
    }

    // /proc/loadavg adds half a hundredth and truncates.
    void loadAverageAsTheKernelShowsIt() {
        QCOMPARE(to_string(shown_loadavg(0), 2), std::string("0.00"));
        QCOMPARE(to_string(shown_loadavg(2048), 2), std::string("1.00"));
        QCOMPARE(to_string(shown_loadavg(2037), 2), std::string("0.99"));
        QCOMPARE(to_string(shown_loadavg(2038), 2), std::string("1.00"));
        QCOMPARE(to_string(shown_loadavg(33 * 2048 + 1024), 2), std::string("33.50"));
    }

    void emptyHistogram() {
        const Histogram h;
        QCOMPARE(h.percentile(50), 0U);
        QCOMPARE(h.max(), 0U);
        QCOMPARE(h.mean().millionths, 0);
    }

    void nearestRank() {
        Histogram h;
        for (std::uint64_t v = 1; v <= 100; ++v) h.add(v);
        QCOMPARE(h.percentile(50), 50U);
        QCOMPARE(h.percentile(99), 99U);
        QCOMPARE(h.percentile(100), 100U);
        QCOMPARE(to_string(h.mean()), std::string("50.500000"));
        Histogram two;
        two.add(10);
        two.add(20);
        QCOMPARE(two.percentile(50), 10U);
        QCOMPARE(two.percentile(51), 20U);
    }

    void everyBinIsWithinOnePercent() {
        for (std::uint64_t v = 1; v < (1ULL << 62U); v += v / 5 + 1) {
            Histogram h;
            h.add(v);
            h.add(~0ULL >> 1U); // so that the maximum does not cut the answer
            const auto answer = h.percentile(50);
            const auto error = answer > v ? answer - v : v - answer;
            QVERIFY2(error * 100 <= v, qPrintable(QString("%1 gives %2").arg(v).arg(answer)));
        }
    }

    void percentileNeverAboveMaximum() {
        Histogram h;
        h.add(1'000'001);
        QCOMPARE(h.percentile(99), 1'000'001U);
        h.add(std::numeric_limits<std::int64_t>::max());
        QVERIFY(h.percentile(100) <= h.max());
    }
};

QTEST_APPLESS_MAIN(TestHistogram)
#include "tst_histogram.moc"
