// SPDX-License-Identifier: GPL-3.0-or-later
// `rqsim conformance` on recorded decisions: the machine by the file's name, figures per file and together, limits only
// where they belong, and answers to files that are damaged or misnamed. The whole published set is read from $RQSCOPE_SHARED
// (default ../shared) when it is there.
#include "rqsim/run_rqsim.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace rqscope::test;

namespace {

const QString kData = QStringLiteral(RQSCOPE_TEST_DATA "/decisions/");

QString lastLine(const QByteArray& out) { return QString::fromUtf8(out).trimmed().section('\n', -1); }

QStringList recordings(const QString& folder, const QString& pattern) {
    QStringList files;
    for (const auto& name : QDir(folder).entryList({pattern}, QDir::Files, QDir::Name)) files << folder + name;
    return files;
}

// The last report: all files together.
QJsonObject together(const QByteArray& json) { return QJsonDocument::fromJson(json)["files"].toArray().last().toObject(); }

} // namespace

class TestConformanceDecisions : public QObject {
    Q_OBJECT

private slots:
    void oneFile() {
        const auto r = rqsim({"conformance", kData + "A-8-61.hb-P-g1.jsonl.gz"});
        QVERIFY2(r.code == 0, qPrintable(r.err + QString::fromUtf8(r.out)));
        QVERIFY(r.out.contains("% in the set, mean set"));
        QVERIFY(r.out.contains("F1 40 of 40"));
        QCOMPARE(lastLine(r.out), "4 passed, 0 failed"); // one file is not held to the limits of its run
    }

    void wholeRunIsHeldToItsLimits() {
        const auto r = rqsim(QStringList{"conformance"} + recordings(kData, "A-8-61.*"));
        QVERIFY2(r.code == 0, qPrintable(r.err + QString::fromUtf8(r.out)));
        QVERIFY(r.out.contains("\nA-8-61: decisions, 4 passed"));
        QVERIFY(r.out.contains("forks 91 of 92 = 98.91 % in the set, mean set 1.55 CPUs; one-CPU sets 68 of 68"));
        QVERIFY(r.out.contains(
            "all recordings: decisions, 0 passed, 0 failed, 0 not run\n  not the 2710 forks and 64342 wake-ups"));
    }

    // Recorded choices replaced by others: the figures of the run fall below the limits.
    void worseChoicesFailTheRun() {
        const QTemporaryDir folder;
        for (const auto& file : recordings(kData, "A-8-61.*"))
            if (!file.contains("fs-fill")) QVERIFY(QFile::copy(file, folder.filePath(QFileInfo(file).fileName())));
        write(folder.filePath("A-8-61.fs-fill.jsonl.gz"),
              record("fork", 1).repeated(20)); // text, not packed, is read as well
        const auto r =
            rqsim(QStringList{"conformance", "--topology", RQSCOPE_TEST_DATA "/topologies/2s4c-numa-61.topology.json"} +
                  recordings(folder.path() + '/', "A-8-61.*"));
        QCOMPARE(r.code, 1);
        QVERIFY2(r.out.contains("FAILED forks: agreement"), r.out.right(2000).constData());
        QVERIFY(r.out.contains("expected at most 0.3 points below 989 of 1000"));
    }

    void choiceBeyondEveryCacheFails() {
        const QTemporaryDir folder;
        write(folder.filePath("2s4c-numa-61.own.jsonl"), record("wake", 5));
        const auto r = rqsim({"conformance", "2s4c-numa-61.own.jsonl", "--topology",
                              RQSCOPE_TEST_DATA "/topologies/2s4c-numa-61.topology.json"},
                             folder.path());
        QCOMPARE(r.code, 1);
        QVERIFY(r.out.contains("FAILED recorded wake-ups keep W1"));
    }

    void machineBesideTheFile() {
        const QTemporaryDir folder;
        write(folder.filePath("dom-box-61.x.jsonl"), record("fork", 4));
        const auto none = rqsim({"conformance", "dom-box-61.x.jsonl"}, folder.path());
        QCOMPARE(none.code, 2);
        QVERIFY2(none.err.contains("no machine file box-61.topology.json"), qPrintable(none.err));
        QVERIFY(QFile::copy(RQSCOPE_TEST_DATA "/topologies/2s4c-numa-61.topology.json",
                            folder.filePath("box-61.topology.json")));
        QCOMPARE(rqsim({"conformance", "dom-box-61.x.jsonl"}, folder.path()).code, 0);
    }

    void damaged_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        const auto whole = read(kData + "A-8-61.fs-wake.jsonl.gz");
        QVERIFY(whole.size() > 2000);
        auto wrong = whole;
        wrong[1000] = static_cast<char>(~wrong[1000]);
        QTest::newRow("cut off") << "A-8-61.x.jsonl.gz" << whole.left(whole.size() / 2) << "cut off";
        QTest::newRow("header only") << "A-8-61.x.jsonl.gz" << whole.left(2) << "cut off";
        QTest::newRow("damaged") << "A-8-61.x.jsonl.gz" << wrong << "damaged";
        QTest::newRow("tail") << "A-8-61.x.jsonl.gz" << whole + "tail"
                              << "damaged";
        QTest::newRow("name without a kernel") << "A-8.x.jsonl.gz" << whole << "which kernel";
        QTest::newRow("other machine") << "uma4-61.x.jsonl.gz" << whole << "the machine has";
        QTest::newRow("bad second line") << "A-8-61.x.jsonl" << record("fork", 1) + "{}\n"
                                         << "line 2";
        QTest::newRow("no records") << "A-8-61.x.jsonl" << QByteArray() << "is no JSON";
    }
    void damaged() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("decisions"));
        QVERIFY(QDir(folder.path()).mkdir("topologies"));
        for (const char* machine : {"2s4c-numa-61", "uma4-61"})
            QVERIFY(QFile::copy(QString(RQSCOPE_TEST_DATA "/topologies/%1.topology.json").arg(machine),
                                folder.filePath(QString("topologies/%1.topology.json").arg(machine))));
        write(folder.filePath("decisions/" + name), bytes);
        const auto r = rqsim({"conformance", "decisions/" + name}, folder.path());
        QVERIFY(!r.crashed);
        QCOMPARE(r.code, 2);
        QVERIFY2(r.err.startsWith("rqsim: decisions/" + name) && r.err.contains(says), qPrintable(r.err.left(400)));
        QVERIFY(r.out.isEmpty());
    }

    void wholePublishedSet() {
        const auto folder = qEnvironmentVariable("RQSCOPE_SHARED", QStringLiteral(RQSCOPE_SOURCE_DIR "/../shared")) +
                            "/realkernel/decisions/";
        const auto files = recordings(folder, "*.jsonl.gz");
        if (files.isEmpty())
            QSKIP("realkernel/decisions is not in $RQSCOPE_SHARED (default ../shared): the published set was not checked");
        const auto r = rqsim(QStringList{"conformance", "--json"} + files);
        QVERIFY2(r.code == 0, qPrintable(r.err + QString::fromUtf8(r.out.right(3000))));
        const auto all = together(r.out);
        QCOMPARE(all["passed"].toInt(), 4); // judged, so this was the whole set
        const auto figures = all["figures"].toObject();
        QCOMPARE(figures["own"]["outside"].toInt(), 0);
        QCOMPARE(figures["own"]["calls"].toInt(), 2710 + 2 * 64'342);
        QCOMPARE(figures["recorded_rules"]["W2"].toArray(), (QJsonArray{33'904, 33'907}));
        QCOMPARE(figures["recorded_rules"]["F4"].toArray(), (QJsonArray{1573, 1620}));
    }

private:
    // CPU 0 of 2s4c-numa runs two tasks, everything else is idle since the trace began.
    static QByteArray record(const char* kind, int chosen) {
        return QString(
                   R"({"t_us": 9, "kind": "%1", "pid": 7, "comm": "x", "waker_cpu": 0, "waker_pid": 6, "prev": 0, "chosen": %2, )"
                   R"("nr": [2, 0, 0, 0, 0, 0, 0, 0], "idle_us": [-1, 9, 9, 9, 9, 9, 9, 9]})"
                   "\n")
            .arg(kind)
            .arg(chosen)
            .toUtf8();
    }
};

QTEST_GUILESS_MAIN(TestConformanceDecisions)
#include "tst_conformance_decisions.moc"
