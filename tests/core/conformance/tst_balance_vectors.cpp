// SPDX-License-Identifier: GPL-3.0-or-later
// All given balancing cases, one data row each, and the reader's answers to bad files.
#include "conformance/balance_vectors.h"

#include <nlohmann/json.hpp>

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

    // Tables that do not fit the file's own machine are refused, not read past their end.
    void tablesOutOfRange() {
        QFile file(RQSCOPE_TEST_DATA "/golden/balance-given.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto whole = nlohmann::json::parse(file.readAll().toStdString());
        auto small = whole;
        small["cases"] = {whole.at("cases").front()};
        const auto name = whole.at("cases").front().at("topology").get<std::string>();
        QVERIFY(run_balance_vectors(small.dump()).ok());
        for (const char* table : {"capacity_orig", "smt", "llc"})
            for (const auto& bad : {nlohmann::json::array(), nlohmann::json(1'000'000)}) {
                auto j = small;
                for (auto& [key, topology] : j["topologies"].items())
                    if (key.starts_with(name)) topology[table] = bad;
                QVERIFY2(!run_balance_vectors(j.dump()).ok(), table);
            }
    }
};

QTEST_APPLESS_MAIN(TestBalanceVectors)
#include "tst_balance_vectors.moc"
