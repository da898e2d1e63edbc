// SPDX-License-Identifier: GPL-3.0-or-later
// Merging of chains into nodes, boxes against brackets, order of the CPUs, and what a decision marks.
#include "views/domains/fake_run.h"

#include "domains/decision_marks.h"
#include "domains/domain_model.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace rqscope;

namespace {

DomainModel modelOf(const fake::Domains& domains) { return DomainModel(domains, domains->nr_cpu_ids); }

} // namespace

class TestDomainModel : public QObject {
    Q_OBJECT
private slots:
    void xeon();
    void threadsAreNoBoxes();
    void overlapBecomesBrackets();
    void everyMachine_data();
    void everyMachine();
    void decisionBetweenBoxes();
    void decisionInsideBox();
    void wakeupMarks();
    void currentDecision();
};

void TestDomainModel::xeon() {
    const auto model = modelOf(fake::domainsOf("xeon-2s-8cpu"));
    QCOMPARE(model.chainText(), QStringLiteral("MC(4) › DIE(8), 8 CPUs"));
    QCOMPARE(model.nodes().size(), std::size_t{3});
    QCOMPARE(model.nodes()[0].title(), QStringLiteral("DIE 0–7"));
    QCOMPARE(model.nodes()[2].title(), QStringLiteral("MC 4–7"));
    QCOMPARE(model.nodes()[2].owners.to_list(), std::string("4-7"));
    QCOMPARE(model.nodes()[2].parent, std::optional<std::uint32_t>(0));
    QCOMPARE(model.equals(1), (std::vector<std::uint32_t>{1, 2}));
    QVERIFY(!model.hasBrackets());
    QCOMPARE(model.chain(CpuId{6}), (std::vector<std::uint32_t>{2, 0}));
}

void TestDomainModel::threadsAreNoBoxes() {
    const auto model = modelOf(fake::domainsOf("ivb-ep-40cpu"));
    QCOMPARE(model.order()[0], CpuId{0});
    QCOMPARE(model.order()[1], CpuId{20}); // siblings side by side
    const auto lowest = model.chain(CpuId{0}).front();
    QVERIFY(model.nodes()[lowest].kind == DomainNode::Kind::Threads);
    QVERIFY(model.nodes()[*model.box(CpuId{0})].framed());
}

void TestDomainModel::overlapBecomesBrackets() {
    const auto model = modelOf(fake::domainsOf("kunpeng-mini-8cpu", DomainProfile::V5_19));
    QVERIFY(model.hasBrackets());
    for (const auto cpu : model.order()) {
        const auto brackets = model.brackets(cpu);
        QVERIFY(!brackets.empty());
        for (const auto node : brackets) QVERIFY(model.nodes()[node].span.test(cpu));
    }
    // As seen from CPU 4 one level leaves a node out.
    const auto seen = model.brackets(CpuId{4});
    QVERIFY(std::any_of(seen.begin(), seen.end(),
                        [&](std::uint32_t n) { return model.nodes()[n].list() == QStringLiteral("0–1, 4–7"); }));
}

void TestDomainModel::everyMachine_data() {
    QTest::addColumn<fake::Domains>("domains");
    for (const auto* name :
         {"box-4cpu", "zen3-2s-nps4", "power8-smt8-160cpu", "ring-4node", "line-4node", "kunpeng920-128cpu", "single-cpu",
          "jacobsville-24cpu", "trigear-8cpu", "spr-2s-1online", "trigear-8cpu-flat-part"})
        for (const auto profile : {DomainProfile::V4_7, DomainProfile::V5_19, DomainProfile::V6_12})
            QTest::addRow("%s %s", name, name_of(profile).data()) << fake::domainsOf(name, profile);
}

void TestDomainModel::everyMachine() {
    QFETCH(fake::Domains, domains);
    QVERIFY(domains);
    const auto model = modelOf(domains);
    const std::set<CpuId> all(model.order().begin(), model.order().end());
    QCOMPARE(all.size(), static_cast<std::size_t>(domains->nr_cpu_ids));
    for (std::uint32_t i = 0; i < model.nrNested(); ++i) {
        const auto& node = model.nodes()[i];
        // Each box is one stretch of columns: nobody else's CPU with domains stands inside.
        for (auto at = node.first; at <= node.last; ++at)
            QVERIFY(node.span.test(model.order()[at]) || !domains->base[model.order()[at].index()]);
        if (node.parent) QVERIFY(node.span.subset_of(model.nodes()[*node.parent].span));
        for (const auto id : node.ids) QCOMPARE(model.nodeOf(id), std::optional(i));
    }
    QVERIFY(!model.chainText().isEmpty());
}

void TestDomainModel::decisionBetweenBoxes() {
    const auto model = modelOf(fake::domainsOf("xeon-2s-8cpu"));
    LogRow row;
    row.kind = RowKind::Fork;
    row.from = CpuId{0};
    row.cpu = row.placement.cpu = CpuId{7};
    row.placement.has_figures = true;
    row.placement.rival = CpuId{0};
    row.placement.chosen_load = 400;
    row.placement.rival_runnable = 256;
    const auto marks = DecisionMarks::of(row, model);
    QCOMPARE(marks.winner->node, std::optional<std::uint32_t>(2));
    QCOMPARE(marks.rival->node, std::optional<std::uint32_t>(1));
    QCOMPARE(marks.rival->runnable, 256U);
    QCOMPARE(marks.origin, std::optional(CpuId{0}));
    QVERIFY(marks.involves(1) && marks.involves(2) && marks.involves(0));
}

void TestDomainModel::decisionInsideBox() {
    const auto model = modelOf(fake::domainsOf("xeon-2s-8cpu"));
    LogRow row;
    row.kind = RowKind::Fork;
    row.placement.cpu = CpuId{7};
    row.placement.has_figures = true;
    row.placement.rival = CpuId{6};
    const auto marks = DecisionMarks::of(row, model);
    QVERIFY(!marks.winner->node && !marks.rival->node);
    QCOMPARE(marks.arena, std::optional<std::uint32_t>(2));
    QVERIFY(!marks.involves(1));
}

void TestDomainModel::wakeupMarks() {
    const auto model = modelOf(fake::domainsOf("xeon-2s-8cpu"));
    LogRow row;
    row.kind = RowKind::Wakeup;
    row.placement.cpu = CpuId{3};
    QVERIFY(!DecisionMarks::of(row, model).origin); // a timer
    row.other = TaskId{4};
    row.waker_cpu = CpuId{2};
    const auto marks = DecisionMarks::of(row, model);
    QCOMPARE(marks.origin, std::optional(CpuId{2}));
    QVERIFY(!marks.rival && !marks.winner);
}

void TestDomainModel::currentDecision() {
    auto run = fake::storm(fake::domainsOf("xeon-2s-8cpu"), false);
    run.snapshot.time = from_ns(1000);
    const auto fork = run.fork(TaskId{1}, 0, TaskId{2}, 5);
    QVERIFY(isCurrent(fork, run.log, run.log.size(), from_ns(1000)));
    LogRow rest;
    rest.kind = RowKind::Switch;
    rest.time = from_ns(1500);
    rest.seq = EventSeq{run.log.size()};
    run.log.append(rest); // of the same step
    QVERIFY(isCurrent(fork, run.log, run.log.size(), from_ns(1500)));
    run.row(rest); // a step of its own
    QVERIFY(!isCurrent(fork, run.log, run.log.size(), from_ns(1500)));
    QVERIFY(isCurrent(fork, run.log, run.log.size(), from_ns(1000)));
    QVERIFY(!isCurrent(fork, run.log, fork.seq.value, from_ns(900)));
}

QTEST_MAIN(TestDomainModel)
#include "tst_domain_model.moc"
