// SPDX-License-Identifier: GPL-3.0-or-later
// Properties that every domain tree must have, on every shipped machine, profile and a few hotplug states; then the rules
// that golden files do not reach: options between the eras, partitions, isolation, asymmetric capacity, shortcuts, speed.
#include "base/rng.h"
#include "core/topology/topology_files.h"
#include "topology/build_domains.h"

#include <QElapsedTimer>
#include <QTest>

#include <set>

using namespace rqscope;
using namespace rqscope::test;

namespace {

constexpr DomainProfile kProfiles[] = {DomainProfile::V4_7, DomainProfile::V5_19, DomainProfile::V6_12};

std::string chain(const SchedDomains& all, std::uint32_t cpu) {
    std::string out;
    for (const auto* d = all.lowest(CpuId{cpu}); d != nullptr; d = all.parent(*d)) out += (out.empty() ? "" : " ") + d->name + "(" + std::to_string(d->weight) + ")";
    return out;
}

CpuMask list(const char* text) { return CpuMask::parse_list(text).value(); }

#define REQUIRE(cond) \
    if (!(cond)) return QStringLiteral(#cond " fails in %1 of CPU %2").arg(QString::fromStdString(d.name)).arg(cpu.value)

QString brokenDomain(const SchedDomains& all, const SchedDomain& d, CpuId cpu) {
    REQUIRE(d.owner == cpu);
    REQUIRE(&all[d.id] == &d);
    REQUIRE(d.span.test(cpu));
    REQUIRE(d.span.subset_of(all.map));
    REQUIRE(d.weight == d.span.count());
    REQUIRE(d.ring < all.rings.size() && d.ring_first < all.ring_of(d).size());
    const auto* parent = all.parent(d);
    REQUIRE(parent == nullptr || (d.span.subset_of(parent->span) && d.span != parent->span));
    REQUIRE(parent == nullptr || all.child(*parent) == &d);
    REQUIRE(parent == nullptr || d.level < parent->level);
    REQUIRE(all.group(d, 0).span.test(cpu));
    CpuMask all_groups;
    for (const auto& g : all.ring_of(d)) {
        REQUIRE(d.has(SdFlag::OVERLAP) || !all_groups.intersects(g.span));
        REQUIRE(g.span.subset_of(d.span) && !g.balance_mask.empty() && g.balance_mask.subset_of(g.span));
        REQUIRE(g.weight == g.span.count() && g.cores >= 1 && g.cores <= g.weight);
        Capacity sum = 0;
        for (const auto c : g.span) sum += all.cpu_capacity[c.index()];
        REQUIRE(g.capacity == sum && g.sgc < all.nr_sgc);
        all_groups |= g.span;
    }
    REQUIRE(all_groups == d.span);
    return {};
}

QString brokenTree(const SchedDomains& all) {
    std::size_t seen = 0;
    for (std::uint32_t c = 0; c < all.nr_cpu_ids; ++c) {
        const CpuId cpu{c};
        if (!all.map.test(cpu) && all.base[c]) return QStringLiteral("CPU %1 outside the map has domains").arg(c);
        for (const auto* d = all.lowest(cpu); d != nullptr; d = all.parent(*d), ++seen)
            if (const auto text = brokenDomain(all, *d, cpu); !text.isEmpty()) return text;
        if (all.llc[c].value >= all.nr_llc) return QStringLiteral("CPU %1 has no LLC record").arg(c);
        if (all.sd_llc_id[c] != all.sd_llc_id[all.sd_llc_id[c].index()]) return QStringLiteral("LLC id of CPU %1 is not its lowest CPU").arg(c);
        if (!all.smt[c].test(cpu) || all.core_of[c] != all.smt[c].first()->value) return QStringLiteral("core of CPU %1").arg(c);
    }
    return seen == all.domains.size() ? QString() : QStringLiteral("domains that no chain holds");
}

void allMachines() {
    QTest::addColumn<QString>("file");
    for (const auto& folder : {QStringLiteral(RQSCOPE_SOURCE_DIR "/topologies"), dataFolder("topologies"), sharedFolder() + "/machines/real"})
        for (const auto& file : filesIn(folder))
            if (!file.endsWith(QLatin1String(".expected.json"))) QTest::newRow(qPrintable(QFileInfo(file).completeBaseName())) << file;
}

} // namespace

class TestBuildDomains : public QObject {
    Q_OBJECT
private slots:
    void properties_data() { allMachines(); }
    void properties() {
        QFETCH(QString, file);
        const auto machine = load_machine_file(file.toStdString());
        QVERIFY2(machine.ok(), qPrintable(text(machine.problems())));
        Rng rng(7, 7, 7);
        for (const auto profile : kProfiles)
            for (int round = 0; round < 6; ++round) {
                auto online = machine->online;
                for (const auto cpu : machine->online)
                    if (round > 0 && rng.uniform(9) < static_cast<std::uint64_t>(round)) online.clear(cpu);
                const auto built = build_domains(*machine, profile, online);
                if (!built.ok()) continue; // nobody left
                QVERIFY2(brokenTree(*built).isEmpty(), qPrintable(brokenTree(*built)));
                QVERIFY(built->map.subset_of(online));
            }
    }
    void sameInputSameTree() {
        const auto m = machine("zen3-2s-nps4");
        const auto a = build_domains(*m, DomainProfile::V6_12, m->online);
        const auto b = build_domains(*m, DomainProfile::V6_12, m->online);
        QCOMPARE(a->domains.size(), b->domains.size());
        for (std::size_t i = 0; i < a->domains.size(); ++i) {
            QVERIFY(a->domains[i].span == b->domains[i].span);
            QCOMPARE(a->domains[i].ring, b->domains[i].ring);
        }
    }

    void sdBusyEndsWith48() {
        const auto m = machine("xeon-2s-8cpu");
        const auto old = build_domains(*m, DomainProfile::V4_7, m->online);
        QCOMPARE((*old)[*old->sd_busy[0]].name, std::string("DIE"));
        const auto newer = build_domains(*m, DomainProfile::V4_7, m->online, {.sd_busy = false});
        QVERIFY(!newer->sd_busy[0]);
        const auto one = machine("box-4cpu"); // a single socket has nothing above its cache
        QVERIFY(!build_domains(*one, DomainProfile::V4_7, one->online)->sd_busy[0]);
    }
    void nodeLevelSince414() {
        const auto m = machine("zen3-2s-nps4");
        QCOMPARE(chain(*build_domains(*m, DomainProfile::V4_7, m->online), 0), std::string("SMT(2) MC(16) NUMA(128) NUMA(256)"));
        QCOMPARE(chain(*build_domains(*m, DomainProfile::V4_7, m->online, {.node_level = true}), 0), std::string("SMT(2) MC(16) NODE(32) NUMA(128) NUMA(256)"));
    }
    void clusterToggleIn519() {
        const auto m = machine("teach-cls8");
        const auto plain = build_domains(*m, DomainProfile::V5_19, m->online);
        QCOMPARE(chain(*plain, 5), std::string("CLS(4) MC(8)"));
        QVERIFY(!plain->cluster_active);
        QCOMPARE(plain->sd_share_id[5], CpuId{0});
        const auto seed = build_domains(*m, DomainProfile::V5_19, m->online, {.cluster = true});
        QVERIFY(seed->cluster_active && seed->lowest(CpuId{5})->has(SdFlag::CLUSTER));
        QCOMPARE(seed->sd_share_id[5], CpuId{4});
        QCOMPARE(build_domains(*m, DomainProfile::V6_12, m->online)->sd_share_id[5], CpuId{4});
    }
    void reclaimDistance() {
        auto m = machine("zen3-2s-nps1").value();
        QCOMPARE(effective_reclaim_distance(m, DomainProfile::V4_7), 30U);
        QCOMPARE(effective_reclaim_distance(m, DomainProfile::V6_12), 32U);
        for (const auto& [arch, value] : {std::pair{Arch::X86, 30U}, {Arch::X86Zen, 32U}, {Arch::PowerPC, 10U}, {Arch::Ia64, 15U}, {Arch::Arm64, 30U}}) {
            m.arch = arch;
            m.node_reclaim_distance.reset();
            QCOMPARE(effective_reclaim_distance(m, DomainProfile::V6_12), value);
        }
        for (const auto& [id, open] : {std::pair{"teach-nps4-30", false}, {"teach-nps4-32", true}}) {
            const auto nps4 = machine(id);
            const auto all = build_domains(*nps4, DomainProfile::V5_19, nps4->online);
            const auto* top = all->lowest(CpuId{0});
            while (all->parent(*top) != nullptr) top = all->parent(*top);
            QCOMPARE(top->weight, 32U);
            QCOMPARE(top->has(SdFlag::BALANCE_FORK), open);
            QVERIFY(top->has(SdFlag::BALANCE_NEWIDLE));
        }
    }

    void partitionsAndIsolation() {
        auto m = machine("xeon-2s-8cpu").value();
        m.isolated = list("3");
        m.partitions = {list("0-1,3"), list("4-6")};
        m.partitions_stated = true;
        const auto all = build_domains(m, DomainProfile::V6_12, m.online);
        QCOMPARE(all->map.to_list(), std::string("0-1,4-6"));
        QCOMPARE(chain(*all, 0), std::string("MC(2)"));
        QCOMPARE(chain(*all, 5), std::string("MC(3)"));
        QCOMPARE(chain(*all, 3), std::string());
        QCOMPARE(chain(*all, 7), std::string());
        QCOMPARE(all->lowest(CpuId{0})->min_interval, 4U); // weight before the cut
        QVERIFY(all->common(CpuId{0}, CpuId{1}) != nullptr);
        QVERIFY(all->common(CpuId{0}, CpuId{4}) == nullptr);
        QCOMPARE(all->sd_llc_size[3], 1U);
        QVERIFY(brokenTree(*all).isEmpty());
    }
    void nobodyLeft() {
        const auto m = machine("box-4cpu");
        QVERIFY(!build_domains(*m, DomainProfile::V6_12, {}).ok());
        QVERIFY(!build_domains(*m, DomainProfile::V6_12, list("0-9")).ok());
    }
    void hotplugShrinksLevels() {
        const auto m = machine("teach-smt4");
        auto online = m->online;
        online.clear(CpuId{4}); // sibling of CPU 0
        const auto all = build_domains(*m, DomainProfile::V4_7, online);
        QCOMPARE(chain(*all, 0), std::string("MC(7)"));
        QCOMPARE(chain(*all, 1), std::string("SMT(2) MC(7)"));
        QCOMPARE(all->cpu_capacity[0], 1024U);
        QCOMPARE(all->cpu_capacity[1], 589U);
        QCOMPARE(all->cpu_capacity_orig[1], 1024U);
        // The group of a lone CPU forgets the flags of its vanished SMT level, its neighbours keep theirs.
        QCOMPARE(all->group(*all->lowest(CpuId{0}), 0).flags, 0U);
        QVERIFY((all->group(*all->lowest(CpuId{0}), 1).flags & bit(SdFlag::SHARE_CPUCAPACITY)) != 0);
    }
    void asymmetricCapacity() {
        const auto m = machine("trigear-8cpu");
        const auto all = build_domains(*m, DomainProfile::V6_12, m->online);
        const auto* mc = all->lowest(CpuId{0});
        const auto* pkg = all->parent(*mc);
        QVERIFY(pkg->has(SdFlag::ASYM_CPUCAPACITY) && pkg->has(SdFlag::ASYM_CPUCAPACITY_FULL));
        QVERIFY(!mc->has(SdFlag::PREFER_SIBLING));
        QCOMPARE(all->sd_asym_cpucapacity[0], pkg->id);
        QCOMPARE(all->group(*pkg, 0).capacity, 640U);
    }
    void preferSiblingIsInherited() {
        const auto two_nodes = machine("xeon-2s-48cpu");
        const auto numa = build_domains(*two_nodes, DomainProfile::V4_7, two_nodes->online);
        QVERIFY((*numa)[*numa->sd_llc[0]].has(SdFlag::PREFER_SIBLING)); // from the DIE level that vanished into MC
        const auto hikey = machine("hikey-8cpu");
        QVERIFY(!build_domains(*hikey, DomainProfile::V4_7, hikey->online)->lowest(CpuId{0})->has(SdFlag::PREFER_SIBLING));
    }
    void overlappingGroups() {
        // topology.md 1.4: table 10 12 24 / 12 10 16 / 24 16 10, as kernels 6.1 and 6.12 build it.
        auto m = machine("line-4node").value();
        m.possible = m.online = list("0-5");
        m.nodes.resize(3);
        m.distance = {{10, 12, 24}, {12, 10, 16}, {24, 16, 10}};
        const auto all = build_domains(m, DomainProfile::V6_12, m.online);
        QCOMPARE(chain(*all, 4), std::string("MC(2) NUMA(4) NUMA(6)"));
        const auto& top = *all->parent(*all->parent(*all->lowest(CpuId{4})));
        QCOMPARE(all->group(top, 0).span.to_list(), std::string("2-5"));
        QCOMPARE(all->group(top, 0).balance_mask.to_list(), std::string("4-5"));
        QCOMPARE(all->group(top, 1).span.to_list(), std::string("0-3"));
        QCOMPARE(all->group(top, 1).balance_mask.to_list(), std::string("0-1"));
        // Copies of one group at one level share the capacity record.
        const auto& other = *all->parent(*all->parent(*all->lowest(CpuId{0})));
        QCOMPARE(all->group(other, 1).sgc, all->group(top, 0).sgc);
        QCOMPARE(all->group(other, 0).sgc, all->group(top, 1).sgc);
    }
    void removedLevelsSayWhy() {
        const auto m = machine("zen3-2s-nps4");
        const auto all = build_domains(*m, DomainProfile::V6_12, m->online);
        std::set<std::string> text;
        for (const auto& r : all->removed) text.insert(r.name + ": " + r.reason);
        QVERIFY(text.contains("CLS: same CPUs as SMT, which stays"));
        QVERIFY(std::any_of(text.begin(), text.end(), [](const auto& t) { return t.starts_with("PKG: not in this machine's table"); }));
        const auto box = machine("teach-mc8");
        text.clear();
        const auto boxed = build_domains(*box, DomainProfile::V6_12, box->online);
        for (const auto& r : boxed->removed) text.insert(r.name + ": " + r.reason);
        QVERIFY(text.contains("SMT: one CPU only"));
        QVERIFY(text.contains("PKG: not built: MC already holds all CPUs"));
    }
    void partlyOverlappingLevelIsRefused() {
        auto m = machine("hikey-8cpu").value(); // arm64
        m.tree = {};
        auto& package = m.tree.children.emplace_back();
        package.type = TreeType::Package;
        package.cpus = m.tree.cpus = m.possible;
        auto& llc = package.children.emplace_back(); // CPUs 4-7 have none and take the package
        llc.type = TreeType::Llc;
        llc.cpus = list("0-3");
        const auto all = build_domains(m, DomainProfile::V6_12, m.online);
        QVERIFY(!all.ok());
        QVERIFY(all.problems().front().message.starts_with("MC: CPU "));
    }
    void narrowLevelIsWidened() {
        auto m = machine("teach-mc8").value();
        m.arch = Arch::S390x; // MC is the package and not cut to the node there
        m.online.clear(CpuId{7});
        m.nodes = {{NodeId{0}, list("0-3"), std::nullopt, false}, {NodeId{1}, list("4-7"), std::nullopt, false}};
        m.distance = {{10, 20}, {20, 10}};
        m.partitions = {list("0-6")};
        m.tree.children.front().children.front().type = TreeType::Cluster; // no LLC
        auto& package = m.tree.children.front();
        package.cpus = list("0-4");
        auto& rest = m.tree.children.emplace_back();
        rest.type = TreeType::Package;
        rest.cpus = list("5-7");
        const auto all = build_domains(m, DomainProfile::V6_12, m.online);
        QVERIFY2(all.ok(), qPrintable(text(all.problems())));
        QVERIFY(!all->warnings.empty());
        QVERIFY(all->lowest(CpuId{4})->span.subset_of(all->parent(*all->lowest(CpuId{4}))->span));
    }
    void llcRecordsAreNumberedByCache() {
        const auto m = machine("bench-64");
        const auto all = build_domains(*m, DomainProfile::V4_7, m->online);
        QCOMPARE(all->nr_llc, 4U);
        QCOMPARE(all->llc[0].value, 0U);
        QCOMPARE(all->llc[63].value, 3U);
        QCOMPARE(chain(*all, 0), std::string("MC(16) DIE(64)"));
        QVERIFY(all->share_cache(CpuId{16}, CpuId{31}));
        QVERIFY(!all->share_cache(CpuId{15}, CpuId{16}));
    }
    void flagNames() {
        const auto flags = bit(SdFlag::NUMA) | bit(SdFlag::SHARE_LLC) | bit(SdFlag::CLUSTER) | bit(SdFlag::LOAD_BALANCE);
        QCOMPARE(flag_names(flags, DomainProfile::V4_7), (std::vector<std::string>{"SD_LOAD_BALANCE", "SD_SHARE_PKG_RESOURCES", "SD_NUMA"}));
        QCOMPARE(flag_names(flags, DomainProfile::V6_12), (std::vector<std::string>{"SD_CLUSTER", "SD_SHARE_LLC", "SD_NUMA"}));
    }

    // Far above what a Release build needs (8 ms for 384 CPUs), so that it also holds for builds with sanitizers.
    void largeMachinesAreFast() {
        auto m = machine("zen3-2s-nps4").value();
        const auto uv = load_machine_file((sharedFolder() + "/machines/real/uv-384-24node.topology.json").toStdString());
        if (uv.ok()) m = *uv;
        QElapsedTimer timer;
        timer.start();
        const auto all = build_domains(m, DomainProfile::V6_12, m.online);
        qInfo("%u CPUs: %lld us, %zu domains, %zu rings", m.online.count(), static_cast<long long>(timer.nsecsElapsed() / 1000), all->domains.size(), all->rings.size());
        QVERIFY(timer.elapsed() < 1000);
        QVERIFY(all->rings.size() <= all->domains.size());
    }
};

QTEST_APPLESS_MAIN(TestBuildDomains)
#include "tst_build_domains.moc"
