// SPDX-License-Identifier: GPL-3.0-or-later
// How rqsim is called: help of every verb, versions, misspelt words, verbs of later versions, wrong options.
#include "rqsim/run_rqsim.h"

using namespace rqscope::test;

class TestUsage : public QObject {
    Q_OBJECT

private slots:
    void helpOfEveryVerb_data() {
        QTest::addColumn<QString>("verb");
        for (const char* verb : {"eras", "features", "topology", "domains", "run", "conformance", "bench", "compare",
                                 "explain", "trace", "lesson", "reproduce"})
            QTest::addRow("%s", verb) << verb;
    }
    void helpOfEveryVerb() {
        QFETCH(QString, verb);
        for (const char* option : {"-h", "--help"}) {
            const auto r = rqsim({verb, option});
            QCOMPARE(r.code, 0);
            QVERIFY(r.out.contains("rqsim " + verb.toUtf8()));
            QVERIFY(r.err.isEmpty());
        }
    }

    void overviewAndVersion() {
        QCOMPARE(rqsim({"-h"}).code, 0);
        QVERIFY(rqsim({"--help"}).out.contains("conformance"));
        QVERIFY(rqsim({"-v"}).out.startsWith("rqsim 0."));
        QCOMPARE(rqsim({"run", "--version"}).out, rqsim({"--version"}).out);
    }

    void withoutVerb() {
        const auto r = rqsim({});
        QCOMPARE(r.code, 2);
        QVERIFY(r.out.isEmpty());
        QVERIFY(r.err.contains("Usage: rqsim"));
    }

    void misspeltVerb() {
        const auto r = rqsim({"conformanse", "x.json"});
        QCOMPARE(r.code, 2);
        QVERIFY(r.err.startsWith("rqsim: conformanse: "));
        QVERIFY(r.err.contains("Did you mean conformance?"));
        QVERIFY(r.out.isEmpty());
    }

    void verbsOfLaterVersions() {
        for (const char* verb : {"compare", "explain", "trace", "lesson", "reproduce"}) {
            const auto r = rqsim({verb, "x"});
            QCOMPARE(r.code, 2);
            QVERIFY(r.err.contains("not available in this version"));
        }
        QCOMPARE(rqsim({"topology", "this"}).code, 2);
        QVERIFY(rqsim({"topology", "this"}).err.contains("not available in this version"));
    }

    void wrongLines_data() {
        QTest::addColumn<QStringList>("line");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const QStringList& line, const QString& said) {
            QTest::newRow(name) << line << said;
        };
        row("unknown option", {"run", "--fast"}, "rqsim: run: Unknown option 'fast'");
        row("option without value", {"run", "--era"}, "rqsim: run: Missing value");
        row("nothing to run", {"run"}, "rqsim: run: a scenario file is missing");
        row("no workload", {"run", "--topology", "teach-mc8"}, "rqsim: run: a scenario file is missing");
        row("file and parts", {"run", "a.json", "--topology", "teach-mc8"}, "rqsim: run: either a file or");
        row("two files", {"topology", "a", "b"}, "rqsim: topology: one argument too many: b");
        row("no machine", {"domains"}, "rqsim: domains: something is missing");
        row("no conformance file", {"conformance"}, "rqsim: conformance: something is missing");
        row("era", smallRun() + QStringList{"--era", "4.88"}, "rqsim: --era 4.88: no such era");
        row("era not built", smallRun() + QStringList{"--era", "6.12"}, "not available in this version");
        row("feature", smallRun() + QStringList{"--feature", "WAKE_AFINE"}, "Did you mean WAKE_AFFINE?");
        row("feature value", smallRun() + QStringList{"--feature", "FORK_LOAD_AVG=X"}, "rqsim: --feature FORK_LOAD_AVG=X: ");
        row("tunable", smallRun() + QStringList{"--set", "latency=3"}, "rqsim: --set latency=3: ");
        row("tunable range", smallRun() + QStringList{"--set", "latency_ns=1"}, "rqsim: --set latency_ns=1: ");
        row("seed", smallRun() + QStringList{"--seed", "-1"}, "rqsim: --seed -1: ");
        row("until", smallRun() + QStringList{"--until", "6"}, "rqsim: --until 6: ");
        row("window", smallRun() + QStringList{"--window", "5ms"}, "rqsim: --window 5ms: ");
        row("window reversed", smallRun() + QStringList{"--window", "5ms..1ms"}, "has to be after");
        row("verify without file", smallRun() + QStringList{"--verify"}, "--verify needs a run file");
        row("trace ending", smallRun() + QStringList{"--trace", "x.dat"}, "rqsim: --trace x.dat: ");
        row("workload", {"run", "--topology", "teach-mc8", "--workload", "forkstrom:n=4"}, "Did you mean forkstorm");
        row("machine", {"topology", "teach-mc9"}, "Did you mean teach-");
        row("offline list", {"domains", "teach-mc8", "--offline", "3-1"}, "rqsim: --offline 3-1: ");
        row("offline unknown", {"domains", "teach-mc8", "--offline", "9"}, "it has 0-7");
        row("offline all", {"domains", "teach-mc8", "--offline", "0-7"}, "rqsim: ");
        row("bench name", {"bench", "periodic-9"}, "Did you mean periodic-8?");
    }
    void wrongLines() {
        QFETCH(QStringList, line);
        QFETCH(QString, said);
        const QTemporaryDir folder;
        const auto r = rqsim(line, folder.path());
        QVERIFY(!r.crashed);
        QCOMPARE(r.code, 2);
        QVERIFY2(r.err.contains(said), qPrintable(r.err));
        QVERIFY(r.err.startsWith("rqsim: "));
        QVERIFY(r.out.isEmpty());
        QVERIFY(QDir(folder.path()).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestUsage)
#include "tst_usage.moc"
