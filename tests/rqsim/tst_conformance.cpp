// SPDX-License-Identifier: GPL-3.0-or-later
// `rqsim conformance`: kinds are seen from the content, machines are found beside the file, differences and values that
// cannot be run fail the command, the last line counts.
#include "rqsim/run_rqsim.h"

#include <QRegularExpression>

using namespace rqscope::test;

namespace {

QString lastLine(const QByteArray& out) { return QString::fromUtf8(out).trimmed().section('\n', -1); }

} // namespace

class TestConformance : public QObject {
    Q_OBJECT

private slots:
    void passing_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("pelt") << "golden/pelt-given.json";
        QTest::newRow("expected domains") << "expected-domains/zen3-2s-nps4.json";
        QTest::newRow("kernel dump") << "domains/nps4-61.json";
    }
    void passing() {
        QFETCH(QString, file);
        const auto r = rqsim({"conformance", RQSCOPE_TEST_DATA "/" + file});
        QVERIFY2(r.code == 0, qPrintable(r.err + QString::fromUtf8(r.out)));
        static const QRegularExpression counts("^[1-9][0-9]* passed, 0 failed$");
        QVERIFY2(counts.match(lastLine(r.out)).hasMatch(), qPrintable(lastLine(r.out)));
    }

    // Vectors of eras that are not built: nothing failed, but the command does.
    void notRunFailsTheCommand() {
        const QString text = QString::fromUtf8(read(RQSCOPE_TEST_DATA "/golden/cfs-given.json")).replace("v4.7.4", "v1.2.3");
        const QTemporaryDir folder;
        write(folder.filePath("old.json"), text.toUtf8());
        const auto r = rqsim({"conformance", "old.json"}, folder.path());
        QCOMPARE(r.code, 1);
        QVERIFY(r.out.contains("not run"));
        QVERIFY(lastLine(r.out).endsWith(" passed, 0 failed"));
    }

    void differencesAreShown() {
        const auto text = read(RQSCOPE_TEST_DATA "/expected-domains/single-cpu.json");
        QVERIFY(!text.isEmpty());
        const QTemporaryDir folder;
        auto other = read(RQSCOPE_TEST_DATA "/expected-domains/zen3-2s-nps4.json");
        write(folder.filePath("zen3-2s-nps4.json"), other.replace("\"imbalance_pct\": 117", "\"imbalance_pct\": 118")
                                                        .replace("\"imbalance_pct\":117", "\"imbalance_pct\":118"));
        const auto r = rqsim({"conformance", "zen3-2s-nps4.json"}, folder.path());
        QCOMPARE(r.code, 1);
        QVERIFY(r.out.contains("FAILED"));
        QVERIFY(r.out.contains("118"));
        QVERIFY(!lastLine(r.out).endsWith(" 0 failed"));
    }

    void machineMayBeNamed() {
        const QTemporaryDir folder;
        write(folder.filePath("renamed.json"), read(RQSCOPE_TEST_DATA "/expected-domains/box-4cpu.json"));
        QCOMPARE(rqsim({"conformance", "renamed.json"}, folder.path()).code, 2);
        QCOMPARE(rqsim({"conformance", "renamed.json", "--topology", "box-4cpu"}, folder.path()).code, 0);
    }

    void otherFilesAreRefused() {
        const auto r = rqsim({"conformance", RQSCOPE_SOURCE_DIR "/topologies/teach-mc8.json"});
        QCOMPARE(r.code, 2);
        QVERIFY(r.err.contains("holds no recorded values"));
        QVERIFY(r.out.isEmpty());
    }

    void severalFilesAddUp() {
        const QString one = RQSCOPE_TEST_DATA "/expected-domains/box-4cpu.json";
        const auto single = lastLine(rqsim({"conformance", one}).out).section(' ', 0, 0).toInt();
        const auto both = lastLine(rqsim({"conformance", one, one}).out).section(' ', 0, 0).toInt();
        QVERIFY(single > 0);
        QCOMPARE(both, 2 * single);
    }
};

QTEST_GUILESS_MAIN(TestConformance)
#include "tst_conformance.moc"
