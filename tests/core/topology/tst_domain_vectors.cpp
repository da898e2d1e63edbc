// SPDX-License-Identifier: GPL-3.0-or-later
// Domain trees against golden files: expected-domains/1 in three eras, and dumps of booted kernels, both with their machine
// file and with the machine rebuilt from the dump alone. The check itself is checked with a damaged file.
#include "conformance/domain_vectors.h"
#include "conformance/machine_lookup.h"
#include "core/topology/topology_files.h"

#include <QTest>

#include <array>

using namespace rqscope;
using namespace rqscope::test;

namespace {

QString failures(const Result<ConformanceReport>& report) {
    if (!report) return text(report.problems());
    QString out;
    for (const auto& c : report->cases)
        if (!c.passed) {
            out += QString::fromStdString(c.name + "\n");
            for (const auto& d : c.differences) out += QString::fromStdString("  " + d + "\n");
        }
    return out;
}

void addRows(const QStringList& files, const char* prefix) {
    for (const auto& file : files) QTest::newRow((prefix + QFileInfo(file).completeBaseName().toStdString()).c_str()) << file;
}

Result<Machine> machineFor(const QString& file) {
    const std::array folders{topologiesFolder()};
    const auto path = find_machine_file(file.toStdString(), folders);
    if (!path) return Problem{file.toStdString(), "no machine"};
    return load_machine_file(*path);
}

} // namespace

class TestDomainVectors : public QObject {
    Q_OBJECT
private slots:
    void expected_data() {
        QTest::addColumn<QString>("file");
        addRows(filesIn(dataFolder("expected-domains")), "");
        addRows(filesIn(sharedFolder() + "/machines/real", "*.expected.json"), "real-");
    }
    void expected() {
        QFETCH(QString, file);
        const auto content = readAll(file);
        QCOMPARE(domain_file_kind(content), DomainFileKind::Expected);
        const auto machine = machineFor(file);
        QVERIFY2(machine.ok(), qPrintable(text(machine.problems())));
        const auto report = check_expected_domains(content, *machine);
        QVERIFY2(report.ok() && report->ok(), qPrintable(failures(report)));
        QCOMPARE(report->cases.size(), 3U);
        for (const auto& c : report->cases) QVERIFY(!c.not_run);
    }
    void realMachinesPresent() {
        if (filesIn(sharedFolder() + "/machines/real", "*.expected.json").isEmpty())
            QSKIP("machines/real is not in $RQSCOPE_SHARED (default ../shared): expected domains of real machines were not checked");
    }

    void dumps_data() {
        QTest::addColumn<QString>("file");
        addRows(filesIn(dataFolder("domains")), "");
    }
    void dumps() {
        QFETCH(QString, file);
        const auto content = readAll(file);
        QCOMPARE(domain_file_kind(content), DomainFileKind::Dump);
        const auto stated = machineFor(file);
        QVERIFY2(stated.ok(), qPrintable(text(stated.problems())));
        const auto report = check_domain_dump(content, *stated);
        QVERIFY2(report.ok() && report->ok(), qPrintable(failures(report)));
        const auto rebuilt = machine_of_dump(content);
        QVERIFY2(rebuilt.ok(), qPrintable(text(rebuilt.problems())));
        const auto second = check_domain_dump(content, *rebuilt);
        QVERIFY2(second.ok() && second->ok(), qPrintable(failures(second)));
    }

    void damageIsNoticed() {
        auto expected = readAll(dataFolder("expected-domains/zen3-2s-nps4.json"));
        const auto machine = test::machine("zen3-2s-nps4");
        const auto at = expected.find("\"imbalance_pct\": 110");
        expected.replace(at, 20, "\"imbalance_pct\": 111");
        const auto report = check_expected_domains(expected, *machine);
        QVERIFY(report.ok() && !report->ok());
        QVERIFY(report->cases.front().differences.front().find("imbalance_pct: expected 111, got 110") != std::string::npos);
        const auto other = check_domain_dump(readAll(dataFolder("domains/uma4-612.json")), *test::machine("teach-mc8"));
        QVERIFY(other.ok() && !other->ok());
    }
    void brokenFilesAreProblems() {
        const auto machine = test::machine("single-cpu");
        for (const char* content : {"", "{", "[]", "{\"schema\": \"expected-domains/1\"}", "{\"eras\": 3}", "{\"machine\": \"m\", \"eras\": {\"4.7\": {}}}"}) {
            QVERIFY(!check_expected_domains(content, *machine).ok());
            QVERIFY(!check_domain_dump(content, *machine).ok());
            QVERIFY(!machine_of_dump(content).ok());
        }
        QCOMPARE(domain_file_kind("{\"schema\": \"sched-topology/1\"}"), DomainFileKind::None);
        QCOMPARE(domain_file_kind("nonsense"), DomainFileKind::None);
    }
    void truncatedDumps() {
        const auto content = readAll(dataFolder("domains/uma4-612.json"));
        for (std::size_t n = 0; n < content.size() - 2; n += 64) QVERIFY(!machine_of_dump(content.substr(0, n)).ok());
    }
    void lookupOrder() {
        const auto beside = find_machine_file((dataFolder("domains") + "/nps4-61.json").toStdString());
        QVERIFY(beside && beside->filename() == "nps4-61.topology.json");
        const std::array folders{topologiesFolder()};
        QVERIFY(!find_machine_file((dataFolder("expected-domains") + "/box-4cpu.json").toStdString()));
        QVERIFY(find_machine_file((dataFolder("expected-domains") + "/box-4cpu.json").toStdString(), folders));
        QVERIFY(find_machine_file("anywhere/box-4cpu.expected.json", folders));
        QVERIFY(!find_machine_file("", folders));
    }
};

QTEST_APPLESS_MAIN(TestDomainVectors)
#include "tst_domain_vectors.moc"
