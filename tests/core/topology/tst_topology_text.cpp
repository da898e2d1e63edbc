// SPDX-License-Identifier: GPL-3.0-or-later
// Text forms: the JSON of domain trees has the shape that other tools read, and equals dumps of booted kernels field by
// field; the forms for people name what they must name.
#include "core/topology/topology_files.h"
#include "topology/build_domains.h"
#include "topology/topology_text.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace rqscope;
using namespace rqscope::test;

namespace {
nlohmann::json domainsOf(const Machine& m, DomainProfile profile, const char* era, const CpuMask& online) {
    return nlohmann::json::parse(domains_json(*build_domains(m, profile, online), era, online));
}
bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }
} // namespace

class TestTopologyText : public QObject {
    Q_OBJECT
private slots:
    void jsonEqualsKernelDumps_data() {
        QTest::addColumn<QString>("file");
        for (const auto& file : filesIn(dataFolder("domains"))) QTest::newRow(qPrintable(QFileInfo(file).completeBaseName())) << file;
    }
    void jsonEqualsKernelDumps() {
        QFETCH(QString, file);
        const bool recent = file.endsWith(QLatin1String("-612.json"));
        const auto m = load_machine_file((dataFolder("topologies") + '/' + QFileInfo(file).completeBaseName() + ".topology.json").toStdString());
        auto dump = nlohmann::json::parse(readAll(file));
        const auto ours = domainsOf(*m, recent ? DomainProfile::V6_12 : DomainProfile::V5_19, recent ? "6.12" : "6.1", m->online);
        QCOMPARE(ours["cpus"], dump["cpus"]);
        for (auto& [cpu, chain] : dump["domains"].items())
            for (std::size_t i = 0; i < chain.size(); ++i) {
                for (const auto* key : {"name", "span", "flags", "imbalance_pct", "min_interval", "max_interval", "busy_factor", "cache_nice_tries"})
                    QCOMPARE(ours["domains"][cpu][i][key], chain[i][key]);
                if (recent) QCOMPARE(ours["domains"][cpu][i]["topology_level"], chain[i]["topology_level"]);
                for (auto& group : chain[i]["groups"]) {
                    group.erase("cap");
                    group.erase("span_cpus");
                    group.erase("mask_cpus");
                }
                QCOMPARE(ours["domains"][cpu][i]["groups"], chain[i]["groups"]);
            }
    }
    void jsonOfCpusWithoutDomains() {
        const auto m = machine("trigear-8cpu-flat-part");
        const auto json = domainsOf(*m, DomainProfile::V4_7, "4.8", m->online);
        QCOMPARE(json["era"].get<std::string>(), std::string("4.8"));
        QCOMPARE(json["cpus"].get<int>(), 8);
        QCOMPARE(json["domains"].size(), 8U);
        QVERIFY(json["domains"]["2"].empty());
        QVERIFY(!json["domains"]["0"][0].contains("imb_numa_nr"));
        QVERIFY(!json["domains"]["0"][0].contains("topology_level"));
        QVERIFY(domainsOf(*m, DomainProfile::V6_12, "6.12", m->online)["domains"]["0"][0].contains("groups_flags"));
    }
    void domainsForPeople() {
        const auto m = machine("kunpeng-mini-8cpu");
        const auto text = domains_text(*build_domains(*m, DomainProfile::V6_12, m->online), "6.12");
        for (const auto* part : {"era 6.12, 8 CPUs", "CPU 0-7: MC(2) > NUMA(4) > NUMA(6) > NUMA(8)", "SD_SERIALIZE SD_OVERLAP SD_NUMA", "(balanced by 2-3)",
                                 "imb_numa_nr 2", "PKG: same CPUs as MC, which stays (CPU 0-7)"})
            QVERIFY2(holds(text, part), part);
        const auto one = machine("single-cpu");
        QVERIFY(holds(domains_text(*build_domains(*one, DomainProfile::V4_7, one->online), "4.8"), "CPU 0: no domains"));
    }
    void machineForPeople() {
        const auto text = topology_text(*machine("trigear-8cpu-flat-part"));
        for (const auto* part : {"arm64", "8 online: 0-7", "isolated: 2-3,5,7", "160 on CPU 0-3", "Packages      1", "up to 1 per core", "Stated"}) QVERIFY2(holds(text, part), part);
        const auto numa = topology_text(*machine("zen3-2s-nps4"));
        for (const auto* part : {"NUMA nodes    8", "LLCs          16", "up to 2 per core", "Assumed", "Warning"}) QVERIFY2(holds(numa, part), part);
    }
};

QTEST_APPLESS_MAIN(TestTopologyText)
#include "tst_topology_text.moc"
