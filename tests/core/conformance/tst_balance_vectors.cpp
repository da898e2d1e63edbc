// SPDX-License-Identifier: GPL-3.0-or-later
// All given balancing cases, one data row each, and the reader's answers to bad files.
#include "conformance/balance_vectors.h"

#include <QFile>
#include <QtTest>

using namespace rqscope;

class TestBalanceVectors : public QObject {
    Q_OBJECT
private slots:
    void golden_data() {
        QFile file(RQSCOPE_TEST_DATA "/golden/balance-given.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto report = run_balance_vectors(file.readAll().toStdString());
        QVERIFY2(report.ok(), report.ok() ? "" : report.problems()[0].message.c_str());
        QTest::addColumn<bool>("passed");
        QTest::addColumn<QString>("differences");
        int run = 0;
        for (const auto& c : report->cases) {
            if (c.not_run) continue;
            ++run;
            QStringList lines;
            for (const auto& d : c.differences) lines << QString::fromStdString(d);
            QTest::newRow(c.name.c_str()) << c.passed << lines.join("; ");
        }
        QCOMPARE(run, 122);
    }
    void golden() {
        QFETCH(bool, passed);
        QFETCH(QString, differences);
        QVERIFY2(passed, qPrintable(differences));
    }

    void badFiles() {
        QVERIFY(!run_balance_vectors("no json").ok());
        QVERIFY(!run_balance_vectors("[]").ok());
        QVERIFY(!run_balance_vectors("{}").ok());
        const auto lacking = run_balance_vectors(R"({"topologies":{},"cases":[{"id":"x","era":"4.7"}]})");
        QVERIFY(!lacking.ok());
        QCOMPARE(lacking.problems()[0].where, std::string("x"));
    }
};

QTEST_APPLESS_MAIN(TestBalanceVectors)
#include "tst_balance_vectors.moc"
