// SPDX-License-Identifier: GPL-3.0-or-later
// Text helpers: splitting, suggestions, whole numbers, times as people write them.
#include "base/words.h"

#include <QTest>

using namespace rqscope;

class TestWords : public QObject {
    Q_OBJECT
private slots:
    void splitting();
    void suggestions();
    void integers();
    void durations_data();
    void durations();
    void bad_durations_data();
    void bad_durations();
};

void TestWords::splitting() {
    QCOMPARE(split("a,,b", ',').size(), 3U);
    QCOMPARE(split("", ',').size(), 1U);
    QCOMPARE(split_words("  a  bc ").size(), 2U);
    QVERIFY(split_words("   ").empty());
}

void TestWords::suggestions() {
    const std::string_view known[] = {"hackbench", "schbench", "forkstorm"};
    QCOMPARE(did_you_mean("hackbnech", known), std::string(". Did you mean hackbench?"));
    QCOMPARE(did_you_mean("xyz", known), std::string());
    QCOMPARE(did_you_mean(std::string(10'000, 'a'), known), std::string());
}

void TestWords::integers() {
    QCOMPARE(parse_integer("-12").value(), std::int64_t{-12});
    for (const char* bad : {"", " 1", "1 ", "1.0", "0x1", "99999999999999999999", "+"}) QVERIFY2(!parse_integer(bad), bad);
}

void TestWords::durations_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<QString>("canonical");
    QTest::newRow("us") << "200us" << qint64{200'000} << "200us";
    QTest::newRow("decimals") << "1.5ms" << qint64{1'500'000} << "1.5ms";
    QTest::newRow("space") << "3 s" << qint64{3'000'000'000} << "3s";
    QTest::newRow("minutes") << "2min" << qint64{120'000'000'000} << "120s";
    QTest::newRow("zero") << "0" << qint64{0} << "0";
    QTest::newRow("nanoseconds") << "7ns" << qint64{7} << "7ns";
    QTest::newRow("trailing zeros") << "1.500s" << qint64{1'500'000'000} << "1.5s";
    QTest::newRow("exactly one ns") << "0.000000001s" << qint64{1} << "1ns";
    QTest::newRow("longest") << "1000000s" << qint64{1'000'000'000'000'000} << "1000000s";
}

void TestWords::durations() {
    QFETCH(QString, text);
    QFETCH(qint64, ns);
    QFETCH(QString, canonical);
    const auto d = parse_duration(text.toStdString());
    QVERIFY(d.ok());
    QCOMPARE(static_cast<qint64>(d->count()), ns);
    QCOMPARE(QString::fromStdString(format_duration(*d)), canonical);
    QCOMPARE(parse_duration(format_duration(*d))->count(), d->count());
}

void TestWords::bad_durations_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "5", "us", "-1us", "1.2.3ms", "1h", "0.5ns", "1.05ns", "1.00005us", "1000001s", "1e3us", "99999999999999999999s", "1 m s"})
        QTest::newRow(text) << QString(text);
}

void TestWords::bad_durations() {
    QFETCH(QString, text);
    QVERIFY(!parse_duration(text.toStdString()).ok());
}

QTEST_APPLESS_MAIN(TestWords)
#include "tst_words.moc"
