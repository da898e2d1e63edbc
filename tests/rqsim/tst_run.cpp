// SPDX-License-Identifier: GPL-3.0-or-later
// `rqsim run` from outside: JSON alone on stdout, equal bytes for equal input, what toggles, windows and seeds do, the files
// it writes, replay and verification of run files, warnings.
#include "rqsim/run_rqsim.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace rqscope::test;

namespace {

QJsonObject parsed(const QByteArray& text) { return QJsonDocument::fromJson(text).object(); }

} // namespace

class TestRun : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void jsonIsAllThatStdoutHolds_data() {
        QTest::addColumn<QStringList>("line");
        QTest::newRow("run") << smallRun();
        QTest::newRow("eras") << QStringList{"eras"};
        QTest::newRow("features") << QStringList{"features", "--era", "4.8-load_avg"};
        QTest::newRow("topology") << QStringList{"topology", "teach-2x4-numa"};
        QTest::newRow("domains") << QStringList{"domains", "teach-2x4-numa", "--era", "6.12", "--offline", "3"};
        QTest::newRow("conformance") << QStringList{"conformance", RQSCOPE_TEST_DATA "/golden/pelt-given.json"};
        QTest::newRow("bench") << QStringList{"bench", "forkstorm"};
    }
    void jsonIsAllThatStdoutHolds() {
        QFETCH(QStringList, line);
        const auto r = rqsim(line + QStringList{"--json"});
        QCOMPARE(r.code, 0);
        QJsonParseError error;
        QJsonDocument::fromJson(r.out, &error);
        QVERIFY2(error.error == QJsonParseError::NoError, qPrintable(error.errorString()));
        QVERIFY(r.out.endsWith("}\n"));
    }

    void sameInputSameBytes() {
        const auto line =
            QStringList{"run", "--topology", "teach-2x4-numa", "--workload", "periodic:k=2", "--until", "300ms"};
        for (const QStringList& form : {QStringList{"--json"}, QStringList{}})
            QCOMPARE(rqsim(line + form).out, rqsim(line + form).out);
        const QStringList outputs = {"--trace", "a.csv", "--schedstat", "a.stat", "--save", "a.rqrun"};
        QCOMPARE(rqsim(line + outputs, m_folder->path()).code, 0);
        const auto files = QDir(m_folder->path()).entryList(QDir::Files);
        QCOMPARE(files.size(), 3);
        QList<QByteArray> first;
        for (const auto& file : files) first << read(path(file));
        QCOMPARE(rqsim(line + outputs + QStringList{"--force"}, m_folder->path()).code, 0);
        for (int i = 0; i < files.size(); ++i) QCOMPARE(read(path(files[i])), first[i]);
    }

    void summaryHasAllKeys() {
        const auto summary = parsed(rqsim(smallRun() + QStringList{"--json"}).out);
        for (const char* key : {"schema",      "era",           "features",    "seed",
                                "sim_time_ns", "events",        "decisions",   "makespan_ns",
                                "throughput",  "switches",      "preemptions", "wakeups",
                                "forks",       "migrations",    "fork_spread", "wakeup_latency_ns",
                                "waste_ns",    "check_preempt", "loadavg",     "scan",
                                "extra",       "state_hash"})
            QVERIFY2(summary.contains(key), key);
        QCOMPARE(summary["forks"].toInt(), 6);
        QCOMPARE(summary["fork_spread"]["per_cpu"].toArray().size(), 8);
        QCOMPARE(summary["loadavg"].toArray().size(), 3);
    }

    // The first-start scenario: 4.8 as it was piles children up, the load_avg comparison spreads them.
    void toggleChangesTheRun() {
        const QString scenario = RQSCOPE_SOURCE_DIR "/resources/scenarios/first-start.json";
        const auto before = parsed(rqsim({"run", scenario, "--json"}).out);
        const auto after = parsed(rqsim({"run", scenario, "--json", "--feature", "FORK_LOAD_AVG=RFC"}).out);
        QVERIFY(before["fork_spread"]["cv"].toDouble() > after["fork_spread"]["cv"].toDouble());
        QCOMPARE(after["features"].toArray(), QJsonArray{"FORK_LOAD_AVG=RFC"});
        QVERIFY(before["state_hash"] != after["state_hash"]);
    }

    void untilEndsTheRun() {
        const auto r = rqsim(smallRun() + QStringList{"--until", "700us", "--json"});
        QCOMPARE(parsed(r.out)["sim_time_ns"].toInt(), 700'000);
        QVERIFY(r.err.isEmpty());
    }

    void endlessWorkloadIsSaid() {
        const auto r = rqsim({"run", "--topology", "single-cpu", "--workload", "hogs:n=2", "--json"});
        QCOMPARE(r.code, 0);
        QCOMPARE(parsed(r.out)["sim_time_ns"].toInt(), 1'000'000'000);
        QVERIFY(r.err.contains("--until"));
        QCOMPARE(r.err.count('\n'), 1);
    }

    void windowCountsAPart() {
        const auto whole = parsed(rqsim(smallRun() + QStringList{"--json"}).out);
        const auto part = parsed(rqsim(smallRun() + QStringList{"--json", "--window", "500us..1ms"}).out);
        QCOMPARE(part["window_ns"].toArray(), (QJsonArray{500'000, 1'000'000}));
        QVERIFY(part["events"].toInt() < whole["events"].toInt());
        QVERIFY(part["forks"].toInt() > 0);
        QCOMPARE(part["sim_time_ns"].toInt(), 1'000'000);
    }

    void featureThatTheEraDoesNotRead() {
        const auto r = rqsim(smallRun() + QStringList{"--era", "6.12", "--feature", "NO_START_DEBIT"});
        QVERIFY(r.err.startsWith("rqsim: warning: NO_START_DEBIT is not read by era 6.12 and changes nothing\n"));
        QVERIFY(!rqsim(smallRun() + QStringList{"--feature", "NO_START_DEBIT"}).err.contains("warning"));
    }

    void fullDiskIsNoSuccess() {
        if (!QFile::exists("/dev/full")) return;
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(RQSIM, {"eras"});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 2);
    }

    void checkHolds() {
        const auto r = rqsim(
            {"run", "--topology", "teach-2x4-numa", "--workload", "periodic:k=4", "--until", "200ms", "--check", "--json"});
        QCOMPARE(r.code, 0);
        const auto plain =
            rqsim({"run", "--topology", "teach-2x4-numa", "--workload", "periodic:k=4", "--until", "200ms", "--json"});
        QCOMPARE(r.out, plain.out);
    }

    void runFileRoundTrip() {
        const auto summary = rqsim(smallRun() + QStringList{"--save", "a.rqrun", "--seed", "9", "--json"}, m_folder->path());
        QCOMPARE(summary.code, 0);
        const auto verified = rqsim({"run", "a.rqrun", "--verify"}, m_folder->path());
        QCOMPARE(verified.code, 0);
        QVERIFY(verified.out.startsWith("a.rqrun: verified"));
        QVERIFY(parsed(rqsim({"run", "a.rqrun", "--verify", "--json"}, m_folder->path()).out)["verified"].toBool());
        QCOMPARE(rqsim({"run", "a.rqrun", "--json"}, m_folder->path()).out, summary.out);
        QCOMPARE(rqsim({"run", "a.rqrun", "--check", "--json"}, m_folder->path()).out, summary.out);
        QCOMPARE(rqsim({"run", "a.rqrun", "--save", "b.rqrun"}, m_folder->path()).code, 0);
        QCOMPARE(read(path("a.rqrun")), read(path("b.rqrun")));
    }

    void verifyFindsAnotherHash() {
        QCOMPARE(rqsim(smallRun() + QStringList{"--save", "a.rqrun"}, m_folder->path()).code, 0);
        const auto hash =
            parsed(rqsim({"run", "a.rqrun", "--json"}, m_folder->path()).out)["state_hash"].toString().toUtf8();
        auto text = read(path("a.rqrun"));
        QVERIFY(text.contains(hash));
        auto other = hash;
        other[0] = hash[0] == '1' ? '2' : '1';
        write(path("b.rqrun"), text.replace(hash, other));
        const auto r = rqsim({"run", "b.rqrun", "--verify"}, m_folder->path());
        QCOMPARE(r.code, 1);
        QVERIFY(r.err.startsWith("rqsim: b.rqrun: "));
        QVERIFY(r.out.isEmpty());
        QVERIFY(!parsed(rqsim({"run", "b.rqrun", "--verify", "--json"}, m_folder->path()).out)["verified"].toBool());
    }

    void machineByPathAndByName() {
        const QString file = RQSCOPE_SOURCE_DIR "/topologies/teach-mc8.json";
        const auto byPath = rqsim({"topology", file, "--json"});
        QCOMPARE(byPath.code, 0);
        QCOMPARE(byPath.out, rqsim({"topology", "teach-mc8", "--json"}).out);
        QCOMPARE(byPath.out, rqsim({"topology", "teach-mc8.json", "--json"}).out);
        // Saving is canonical: what was saved is read to the same bytes.
        QCOMPARE(rqsim({"topology", "teach-mc8", "--save", "m.json"}, m_folder->path()).code, 0);
        QCOMPARE(rqsim({"topology", "m.json", "--json"}, m_folder->path()).out, byPath.out);
    }

    void offlineCpusLeaveTheDomains() {
        const auto domains = parsed(rqsim({"domains", "teach-mc8", "--offline", "2", "--json"}).out);
        QCOMPARE(domains["cpus"].toInt(), 7);
        QVERIFY(!domains["domains"].toObject().contains("2"));
        QCOMPARE(domains["domains"]["0"][0]["span"].toString(), QString("0-1,3-7"));
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return m_folder->filePath(name); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestRun)
#include "tst_run.moc"
