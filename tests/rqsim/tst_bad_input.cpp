// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are missing, folders, cut off, binary, huge, of the wrong kind: exit 2, a line on stderr that names the file,
// nothing on stdout, nothing written, no crash. Output files that exist are left alone.
#include "rqsim/run_rqsim.h"

using namespace rqscope::test;

class TestBadInput : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void badFiles_data() {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QString>("kind");
        for (const char* verb : {"run", "topology", "domains", "conformance"})
            for (const char* kind :
                 {"missing", "folder", "empty", "cut off", "binary", "huge", "deep", "wrong schema", "number", "not text"})
                QTest::addRow("%s %s", verb, kind) << verb << kind;
    }
    void badFiles() {
        QFETCH(QString, verb);
        QFETCH(QString, kind);
        make(kind);
        const auto before = QDir(m_folder->path()).entryList();
        QStringList line = {verb, "input.json"};
        if (verb == "run") line += {"--trace", "out.txt", "--save", "out.rqrun", "--schedstat", "out.stat"};
        if (verb == "topology") line += {"--save", "out.json"};
        const auto r = rqsim(line, m_folder->path());
        QVERIFY(!r.crashed);
        QCOMPARE(r.code, 2);
        QVERIFY2(r.err.startsWith("rqsim: input.json"), qPrintable(r.err.left(300)));
        QVERIFY(r.err.size() < 20'000);
        QVERIFY(r.out.isEmpty());
        QCOMPARE(QDir(m_folder->path()).entryList(), before);
    }

    void allProblemsAreListed() {
        write(
            path("input.json"),
            R"({"schema": "rqscope-scenario/1", "machine": "teach-mc8", "workload": "hogs:n=1", "era": "4.88", "sede": 3})");
        const auto r = rqsim({"run", "input.json"}, m_folder->path());
        QCOMPARE(r.code, 2);
        QVERIFY(r.err.contains("sede"));
        QVERIFY(r.err.contains("4.88"));
    }

    void outputIsOnlyOverwrittenWithForce() {
        for (const QStringList& option : {QStringList{"--trace", "out.txt"}, QStringList{"--save", "out.rqrun"},
                                          QStringList{"--schedstat", "out.stat"}}) {
            write(path(option[1]), "precious");
            auto r = rqsim(smallRun() + option, m_folder->path());
            QCOMPARE(r.code, 2);
            QVERIFY(r.err.contains(option[1] + ": exists already"));
            QVERIFY(r.out.isEmpty());
            QCOMPARE(read(path(option[1])), QByteArray("precious"));
            r = rqsim(smallRun() + option + QStringList{"--force"}, m_folder->path());
            QCOMPARE(r.code, 0);
            QVERIFY(read(path(option[1])).size() > 100);
        }
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files).size(), 3); // no temporary file is left
    }

    void outputFolderHasToExist() {
        const auto r = rqsim(smallRun() + QStringList{"--trace", "nowhere/out.txt"}, m_folder->path());
        QCOMPARE(r.code, 2);
        QVERIFY(r.err.contains("nowhere/out.txt: the folder"));
        const auto folder = rqsim(smallRun() + QStringList{"--trace", ".txt/../x.txt/", "--force"}, m_folder->path());
        QCOMPARE(folder.code, 2);
    }

    void runFileIsReplayedAsItIs() {
        QCOMPARE(rqsim(smallRun() + QStringList{"--save", "a.rqrun"}, m_folder->path()).code, 0);
        const auto r = rqsim({"run", "a.rqrun", "--seed", "2"}, m_folder->path());
        QCOMPARE(r.code, 2);
        QVERIFY(r.err.startsWith("rqsim: a.rqrun: "));
    }

    void cutOffRunFile() {
        QCOMPARE(rqsim(smallRun() + QStringList{"--save", "a.rqrun"}, m_folder->path()).code, 0);
        const auto whole = read(path("a.rqrun"));
        for (const auto size : {whole.size() / 4, whole.size() / 2, whole.size() - 3}) {
            write(path("cut.rqrun"), whole.left(size));
            const auto r = rqsim({"run", "cut.rqrun", "--verify"}, m_folder->path());
            QVERIFY(!r.crashed);
            QCOMPARE(r.code, 2);
            QVERIFY(r.err.startsWith("rqsim: cut.rqrun"));
        }
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return m_folder->filePath(name); }

    void make(const QString& kind) const {
        const auto file = path("input.json");
        const auto machine = read(RQSCOPE_SOURCE_DIR "/topologies/teach-mc8.json");
        if (kind == "folder") QDir(m_folder->path()).mkdir("input.json");
        if (kind == "empty") write(file, "");
        if (kind == "cut off") write(file, machine.left(machine.size() / 2));
        if (kind == "binary")
            write(file, QByteArray("\x7f"
                                   "ELF\x00\x01\xff\xfe",
                                   8)
                            .repeated(500));
        if (kind == "huge") write(file, QByteArray(70 << 20, ' '));
        if (kind == "deep") write(file, QByteArray(200'000, '['));
        if (kind == "wrong schema") write(file, R"({"schema": "something-else/7", "machine": "teach-mc8"})");
        if (kind == "number") write(file, "17");
        if (kind == "not text") write(file, "{\"schema\": \"\xc3\x28\"}");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestBadInput)
#include "tst_bad_input.moc"
