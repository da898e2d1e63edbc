// SPDX-License-Identifier: GPL-3.0-or-later
// The reader's rules, one file per rule in tests/data/machines-bad: "x-expect" lists what the problems must say, "x-warn"
// what the warnings of a file that loads must say. Then the writer: load, save, load gives the same bytes.
#include "core/topology/topology_files.h"
#include "topology/machine_json.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace rqscope;
using namespace rqscope::test;

namespace {
constexpr std::array<std::string_view, 2> kCosts{"scan_llc_ns", "ctx_switch_ns"};

bool mentioned(const std::vector<std::string>& lines, const std::string& wanted) {
    return std::any_of(lines.begin(), lines.end(), [&](const auto& line) { return line.find(wanted) != std::string::npos; });
}
} // namespace

class TestMachineJson : public QObject {
    Q_OBJECT
private slots:
    void rules_data() {
        QTest::addColumn<QString>("file");
        for (const auto& file : filesIn(dataFolder("machines-bad"))) QTest::newRow(qPrintable(QFileInfo(file).baseName())) << file;
    }
    void rules() {
        QFETCH(QString, file);
        const auto content = readAll(file);
        const auto wanted = nlohmann::json::parse(content);
        const auto machine = load_machine_json(content, "", kCosts);
        std::vector<std::string> lines;
        for (const auto& p : machine.problems()) lines.push_back(p.where + ": " + p.message);
        const auto expect = wanted.value("x-expect", std::vector<std::string>{});
        QCOMPARE(machine.ok(), expect.empty());
        for (const auto& text : expect) QVERIFY2(mentioned(lines, text), (text + " is not in\n" + test::text(machine.problems()).toStdString()).c_str());
        if (!machine) return;
        for (const auto& text : wanted.value("x-warn", std::vector<std::string>{}))
            QVERIFY2(mentioned(machine->warnings, text), text.c_str());
    }

    void everyShippedMachineLoads_data() {
        QTest::addColumn<QString>("file");
        for (const auto& file : filesIn(QStringLiteral(RQSCOPE_SOURCE_DIR "/topologies"))) QTest::newRow(qPrintable(QFileInfo(file).baseName())) << file;
        for (const auto& file : filesIn(dataFolder("topologies"))) QTest::newRow(qPrintable(QFileInfo(file).baseName())) << file;
    }
    void everyShippedMachineLoads() {
        QFETCH(QString, file);
        const auto machine = load_machine_file(file.toStdString());
        QVERIFY2(machine.ok(), qPrintable(text(machine.problems())));
        QCOMPARE(QString::fromStdString(machine->id), QFileInfo(file).baseName());
        const auto saved = save_machine_json(*machine);
        const auto again = load_machine_json(saved, "saved");
        QVERIFY2(again.ok(), qPrintable(text(again.problems())));
        QCOMPARE(save_machine_json(*again), saved);
        // Nothing that the file says is lost.
        const auto before = nlohmann::json::parse(readAll(file));
        const auto after = nlohmann::json::parse(saved);
        for (const auto* key : {"schema", "id", "name", "arch", "provenance", "tree", "numa", "capacity", "sched", "costs"})
            QCOMPARE(after.value(key, nlohmann::json()), before.value(key, nlohmann::json()));
    }
    void shippedFilesAreCanonical() {
        for (const auto& file : filesIn(QStringLiteral(RQSCOPE_SOURCE_DIR "/topologies")))
            QCOMPARE(save_machine_json(*load_machine_file(file.toStdString())), readAll(file));
    }
    void provenanceIsHonest() {
        for (const auto& file : filesIn(QStringLiteral(RQSCOPE_SOURCE_DIR "/topologies"), "teach-*.json")) {
            const auto machine = load_machine_file(file.toStdString());
            QVERIFY(!machine->stated.empty());
            QVERIFY(!machine->assumed.empty());
        }
    }

    void aliasesAreWrittenCanonically() {
        const auto machine = load_machine_json(R"({"schema": "sched-topology/1", "id": "a", "name": "A", "arch": "generic", "provenance": {},
            "x-note": 1, "cpus": {"possible": "3, 0-2"}, "tree": {"type": "machine", "children": [
              {"type": "socket", "id": 1, "cpus": "7", "children": [{"type": "ccx", "id": 1, "children": [{"type": "core", "id": 1, "cpus": "2-3"}]}]},
              {"type": "socket", "id": 0, "children": [{"type": "l3", "id": 0, "children": [{"type": "core", "id": 0, "cpus": "1,0"}]}]}]}})", "");
        QVERIFY2(machine.ok(), qPrintable(text(machine.problems())));
        const auto saved = nlohmann::json::parse(save_machine_json(*machine));
        QCOMPARE(saved["cpus"]["possible"].get<std::string>(), std::string("0-3"));
        const auto& first = saved["tree"]["children"][0];
        QCOMPARE(first["type"].get<std::string>(), std::string("package"));
        QCOMPARE(first["id"].get<int>(), 0); // by lowest CPU
        QCOMPARE(first["children"][0]["type"].get<std::string>(), std::string("llc"));
        QCOMPARE(first["children"][0]["children"][0]["cpus"].get<std::string>(), std::string("0-1"));
        QVERIFY(!saved.contains("x-note"));
    }
    void costsAreKept() {
        auto content = readAll(QStringLiteral(RQSCOPE_SOURCE_DIR "/topologies/single-cpu.json"));
        content.insert(content.rfind('}'), R"(, "costs": {"class": "server", "scan_llc_ns": 90, "made_up_ns": 3})");
        const auto free = load_machine_json(content, "");
        QVERIFY2(free.ok(), qPrintable(text(free.problems())));
        QCOMPARE(free->cost_class, std::string("server"));
        QCOMPARE(free->costs.at("scan_llc_ns"), 90);
        QCOMPARE(save_machine_json(*load_machine_json(save_machine_json(*free), "")), save_machine_json(*free));
        QVERIFY(!load_machine_json(content, "", kCosts).ok());
    }
    void originOpensThePath() {
        const auto machine = load_machine_json(R"({"schema": "sched-topology/1"})", "box.json");
        QCOMPARE(machine.problems().front().where, std::string("box.json: id"));
        QCOMPARE(load_machine_file("/nonexistent/x.json").problems().front().where, std::string("/nonexistent/x.json"));
        QVERIFY(!load_machine_file("/").ok());
    }
    void lookups() {
        const auto m = machine("trigear-8cpu");
        QCOMPARE(m->capacity(CpuId{0}), 160U);
        QCOMPARE(m->capacity(CpuId{7}), 1024U);
        QCOMPARE(m->nr_cpu_ids(), 8U);
        const auto box = machine("xeon-2s-8cpu");
        QCOMPARE(box->enclosing(CpuId{5}, TreeType::Llc).to_list(), std::string("4-7"));
        QVERIFY(box->enclosing(CpuId{5}, TreeType::Cluster).empty());
        QVERIFY(box->enclosing(CpuId{50}, TreeType::Llc).empty());
    }
};

QTEST_APPLESS_MAIN(TestMachineJson)
#include "tst_machine_json.moc"
