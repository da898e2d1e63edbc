// SPDX-License-Identifier: GPL-3.0-or-later
// The recorded vectors of the fair class, one data row each; those of v4.7.4 and v6.5 must be equal in every field.
#include "conformance/cfs_vectors.h"

#include <QFile>
#include <QTest>

using namespace rqscope;

class TestCfsVectors : public QObject {
    Q_OBJECT
private slots:
    void vectors_data();
    void vectors();
    void two_cpus();
    void malformed_data();
    void malformed();
    void bad_vector_fails_alone();
    void difference_is_named();
};

void TestCfsVectors::vectors_data() {
    QTest::addColumn<bool>("passed");
    QTest::addColumn<QString>("difference");
    QFile file(RQSCOPE_TEST_DATA "/golden/cfs-given.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto text = file.readAll();
    const auto report = run_cfs_vectors({text.constData(), static_cast<std::size_t>(text.size())});
    QVERIFY(report.ok());
    int run = 0;
    for (const auto& c : report->cases) {
        if (c.not_run) continue;
        ++run;
        QTest::addRow("%s", c.name.c_str()) << c.passed << QString::fromStdString(c.differences.empty() ? std::string() : c.differences.front());
    }
    QCOMPARE(run, 56);
}

void TestCfsVectors::vectors() {
    QFETCH(bool, passed);
    QFETCH(QString, difference);
    QVERIFY2(passed, qPrintable(difference));
}

// No vector of v4.7.4 has two CPUs. This one of v6.5 (wake-up, move and fork across CPUs) touches no rule that changed.
void TestCfsVectors::two_cpus() {
    QFile file(RQSCOPE_TEST_DATA "/golden/cfs-given.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto text = file.readAll().replace("\"v6.5\"", "\"v4.7.4\"");
    const auto report = run_cfs_vectors({text.constData(), static_cast<std::size_t>(text.size())});
    QVERIFY(report.ok());
    bool found = false;
    for (const auto& c : report->cases) {
        if (c.name != "cfs-scn-070") continue;
        found = true;
        QVERIFY2(c.passed, c.differences.empty() ? "" : c.differences.front().c_str());
    }
    QVERIFY(found);
}

void TestCfsVectors::malformed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("cut off") << QByteArray("{\"vectors\":[");
    QTest::newRow("no vectors") << QByteArray("{}");
    QTest::newRow("array") << QByteArray("[1]");
    QTest::newRow("vector without kernel") << QByteArray(R"({"vectors":[{"id":"a"}]})");
    QTest::newRow("number for a name") << QByteArray(R"({"vectors":[{"id":7,"kernel":"v4.7.4","steps":[]}]})");
}

void TestCfsVectors::malformed() {
    QFETCH(QByteArray, text);
    QVERIFY(!run_cfs_vectors({text.constData(), static_cast<std::size_t>(text.size())}).ok());
}

void TestCfsVectors::bad_vector_fails_alone() {
    const auto report = run_cfs_vectors(R"({"vectors":[
        {"id":"no op","kernel":"v4.7.4","steps":[{}]},
        {"id":"unknown op","kernel":"v4.7.4","steps":[{"op":"jump"}]},
        {"id":"unknown task","kernel":"v4.7.4","steps":[{"op":"wake","id":5}]},
        {"id":"far cpu","kernel":"v4.7.4","steps":[{"op":"cpu","cpu":4000000000}]},
        {"id":"huge id","kernel":"v4.7.4","steps":[{"op":"new","id":4000000000,"nice":0}]},
        {"id":"bad nice","kernel":"v4.7.4","steps":[{"op":"new","id":1,"nice":300}]},
        {"id":"nobody sleeps","kernel":"v4.7.4","steps":[{"op":"sleep"}]},
        {"id":"twice","kernel":"v4.7.4","steps":[{"op":"new","id":1,"nice":0},{"op":"raw","id":1},{"op":"raw","id":1}]},
        {"id":"another kernel","kernel":"v6.12.117","steps":[]},
        {"id":"unheard of","kernel":"v9","steps":[]},
        {"id":"good","kernel":"v4.7.4","steps":[{"op":"new","id":1,"nice":0},{"op":"wake","id":1}]}]})");
    QVERIFY(report.ok());
    QCOMPARE(report->cases.size(), 11U);
    for (std::size_t i = 0; i < 8; ++i) QVERIFY2(!report->cases[i].passed && !report->cases[i].not_run, report->cases[i].name.c_str());
    QVERIFY(report->cases[8].not_run && report->cases[9].not_run);
    QVERIFY(report->cases[10].passed);
}

void TestCfsVectors::difference_is_named() {
    const auto report = run_cfs_vectors(
        R"({"vectors":[{"id":"a","kernel":"v4.7.4","steps":[{"op":"f_sched_period","nr":9,"expect":{"out":5}}]}]})");
    QVERIFY(report.ok());
    QCOMPARE(report->cases.front().differences.front(), std::string("step 0 f_sched_period.out: expected 5, got 6750000"));
}

QTEST_APPLESS_MAIN(TestCfsVectors)
#include "tst_cfs_vectors.moc"
