// SPDX-License-Identifier: GPL-3.0-or-later
// CPU sets: list and hex text in both directions, set algebra over sets of different length, iteration.
#include "base/cpu_mask.h"

#include <QTest>

using namespace rqscope;

namespace {
CpuMask list(std::string_view text) { return CpuMask::parse_list(text).value(); }
} // namespace

class TestCpuMask : public QObject {
    Q_OBJECT
private slots:
    void list_round_trip_data();
    void list_round_trip();
    void bad_lists_data();
    void bad_lists();
    void hex();
    void algebra();
    void iteration();
};

void TestCpuMask::list_round_trip_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("canonical");
    QTest::addColumn<int>("count");
    QTest::newRow("empty") << "" << "" << 0;
    QTest::newRow("one") << "5" << "5" << 1;
    QTest::newRow("range") << "0-3,8" << "0-3,8" << 5;
    QTest::newRow("unordered, overlapping") << "8,2-3,0-2" << "0-3,8" << 5;
    QTest::newRow("spaces") << " 1 , 3 " << "1,3" << 2;
    QTest::newRow("word border") << "62-65,127-128" << "62-65,127-128" << 6;
    QTest::newRow("last") << "4095" << "4095" << 1;
}

void TestCpuMask::list_round_trip() {
    QFETCH(QString, text);
    QFETCH(QString, canonical);
    QFETCH(int, count);
    const auto mask = CpuMask::parse_list(text.toStdString());
    QVERIFY(mask.ok());
    QCOMPARE(QString::fromStdString(mask->to_list()), canonical);
    QCOMPARE(mask->count(), static_cast<std::uint32_t>(count));
    QCOMPARE(mask->empty(), count == 0);
}

void TestCpuMask::bad_lists_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"a", "1-", "-1", "3-1", "1,,2", "4096", "0-99999999999", "1;2", "0x3", "1 2", "0-1 2"}) QTest::newRow(text) << QString(text);
}

void TestCpuMask::bad_lists() {
    QFETCH(QString, text);
    const auto mask = CpuMask::parse_list(text.toStdString());
    QVERIFY(!mask.ok());
    QVERIFY(!mask.problems().front().message.empty());
}

void TestCpuMask::hex() {
    QCOMPARE(list("0-3").to_hex(8), std::string("0000000f"));
    QCOMPARE(list("0,32").to_hex(64), std::string("00000001,00000001"));
}

void TestCpuMask::algebra() {
    const auto a = list("0-3,100");
    const auto b = list("2-5");
    QCOMPARE((a & b).to_list(), std::string("2-3"));
    QCOMPARE((a | b).to_list(), std::string("0-5,100"));
    QCOMPARE((a - b).to_list(), std::string("0-1,100"));
    QVERIFY(a.intersects(b) && !a.intersects(list("4-99")));
    QVERIFY(list("2").subset_of(b) && !a.subset_of(b) && CpuMask().subset_of(b));
    auto shrunk = a;
    shrunk.clear(CpuId{100});
    QCOMPARE(shrunk, list("0-3")); // trailing empty words do not count
    QCOMPARE(CpuMask::first_n(130), list("0-129"));
    QCOMPARE(CpuMask::single(CpuId{64}), list("64"));
}

void TestCpuMask::iteration() {
    std::vector<std::uint32_t> seen;
    for (const auto cpu : list("0,63,64,200")) seen.push_back(cpu.value);
    QCOMPARE(seen, (std::vector<std::uint32_t>{0, 63, 64, 200}));
    QCOMPARE(list("5,70").first()->value, 5U);
    QCOMPARE(list("5,70").next(6)->value, 70U);
    QCOMPARE(list("5,70").last()->value, 70U);
    QVERIFY(!list("5,70").next(71) && !CpuMask().first() && !CpuMask().last());
    for (const auto cpu : CpuMask()) QFAIL(qPrintable(QString::number(cpu.value)));
}

QTEST_APPLESS_MAIN(TestCpuMask)
#include "tst_cpu_mask.moc"
