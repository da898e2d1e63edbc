// SPDX-License-Identifier: GPL-3.0-or-later
// All given selection cases and fork sequences, one data row each, and the reader's answers to bad files.
#include "conformance/select_vectors.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QtTest>

using namespace rqscope;

class TestSelectVectors : public QObject {
    Q_OBJECT
private slots:
    void golden_data() {
        QFile file(RQSCOPE_TEST_DATA "/golden/select-given.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto report = run_select_vectors(file.readAll().toStdString());
        QVERIFY2(report.ok(), report.ok() ? "" : report.problems()[0].message.c_str());
        QTest::addColumn<bool>("passed");
        QTest::addColumn<QString>("differences");
        int run = 0;
        for (const auto& c : report->cases) {
            QVERIFY(!c.not_run);
            ++run;
            QStringList lines;
            for (const auto& d : c.differences) lines << QString::fromStdString(d);
            QTest::newRow(c.name.c_str()) << c.passed << lines.join("; ");
        }
        QCOMPARE(run, 46);
    }
    void golden() {
        QFETCH(bool, passed);
        QFETCH(QString, differences);
        QVERIFY2(passed, qPrintable(differences));
    }

    void badFiles() {
        QVERIFY(!run_select_vectors("no json").ok());
        QVERIFY(!run_select_vectors("[]").ok());
        QVERIFY(!run_select_vectors("{}").ok());
        const auto lacking = run_select_vectors(R"({"topologies":{},"sequences":[],"cases":[{"id":"x","era":"4.8"}]})");
        QVERIFY(!lacking.ok());
        QCOMPARE(lacking.problems()[0].where, std::string("x"));
    }

    // Numbers outside the file's own machine are refused with their place, not read as something else.
    void numbersOutOfRange() {
        QFile file(RQSCOPE_TEST_DATA "/golden/select-given.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto whole = nlohmann::json::parse(file.readAll().toStdString());
        const auto refused = [&](const char* pointer, const nlohmann::json& value) {
            auto j = whole;
            j[nlohmann::json::json_pointer(pointer)] = value;
            return !run_select_vectors(j.dump()).ok();
        };
        QVERIFY(!refused("/cases/0/task/sync", false));
        for (const auto& bad : {nlohmann::json(-1), nlohmann::json(99), nlohmann::json(10'000'000'000'000'000'000U), nlohmann::json("x")}) {
            QVERIFY(refused("/cases/14/task/waker_cpu", bad));
            QVERIFY(refused("/cases/14/task/prev_cpu", bad));
            QVERIFY(refused("/cases/14/cpus/0/cpu", bad));
            QVERIFY(refused("/topologies/mc4@old/domains_bottom_up/0/spans/0/0", bad));
            QVERIFY(refused("/sequences/0/parent_cpu", bad));
        }
        QVERIFY(refused("/topologies/mc4@old/nr_cpus", 1));
        QVERIFY(refused("/sequences/0/forks", -1));
        QVERIFY(refused("/sequences/0/forks", 2'000'000'000));
    }

    void unknownErasAreNotRun() {
        const auto report = run_select_vectors(R"({"topologies":{},"sequences":[],"cases":[{"id":"x","era":"9.8"},{"id":"y","era":"9.9"}]})");
        QVERIFY(report.ok());
        QVERIFY(report->ok());
        for (const auto& c : report->cases) QVERIFY(c.not_run && !c.passed && !c.differences.empty());
    }
};

QTEST_APPLESS_MAIN(TestSelectVectors)
#include "tst_select_vectors.moc"
