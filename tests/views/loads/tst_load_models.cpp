// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the bars, the axis that only grows, the way in between, and what landed since the last input.
#include "views/domains/fake_run.h"

#include "loads/landed_model.h"
#include "loads/load_model.h"

#include <QtTest>

using namespace rqscope;

class TestLoadModels : public QObject {
    Q_OBJECT
private slots:
    void partsAddUp();
    void axisGrowsOnly();
    void blends();
    void landedCounts();
    void landedBackAndForth();
};

void TestLoadModels::partsAddUp() {
    fake::Run run(fake::domainsOf("xeon-2s-8cpu"));
    const auto a = run.add("a", 0), b = run.add("b", 0);
    run.runs(1, a, 500);
    run.waits(1, b, 200);
    run.blocked(1, 77, 480);
    run.snapshot.cpus[2].runnable_load_avg = 10; // rounding: a part larger than the whole
    run.snapshot.cpus[2].load_avg = 8;
    run.snapshot.cpus[4].runnable_load_avg = run.snapshot.cpus[4].load_avg = 42; // a rest that nobody waits with
    LoadModel loads;
    loads.set(run.snapshot);
    loads.jump();
    const auto& bar = loads.shown(CpuId{1});
    QCOMPARE(bar.running, 500.0);
    QCOMPARE(bar.waiting, 200.0);
    QCOMPARE(bar.blocked, 77.0);
    QCOMPARE(bar.total(), static_cast<double>(run.snapshot.cpus[1].load_avg));
    QCOMPARE(loads.shown(CpuId{2}).total(), 8.0);
    QCOMPARE(loads.shown(CpuId{4}).waiting, 0.0);
    QCOMPARE(loads.shown(CpuId{4}).blocked, 42.0);
    QCOMPARE(loads.meanShown({CpuId{1}, CpuId{3}}).running, 250.0);
}

void TestLoadModels::axisGrowsOnly() {
    fake::Run run(fake::domainsOf("xeon-2s-8cpu"));
    LoadModel loads;
    loads.set(run.snapshot);
    QCOMPARE(loads.axisMax(), Load{1024});
    const auto version = loads.gridVersion();
    run.snapshot.cpus[3].load_avg = 1025;
    loads.set(run.snapshot);
    QCOMPARE(loads.axisMax(), Load{2048});
    QVERIFY(loads.gridVersion() != version);
    run.snapshot.cpus[3].load_avg = 5000;
    loads.set(run.snapshot);
    QCOMPARE(loads.axisMax(), Load{8192});
    run.snapshot.cpus[3].load_avg = 0;
    loads.set(run.snapshot);
    QCOMPARE(loads.axisMax(), Load{8192});
    loads.reset();
    loads.set(run.snapshot);
    QCOMPARE(loads.axisMax(), Load{1024});
}

void TestLoadModels::blends() {
    fake::Run run(fake::domainsOf("xeon-2s-8cpu"));
    LoadModel loads;
    loads.set(run.snapshot);
    loads.jump();
    run.snapshot.cpus[0].load_avg = 400;
    loads.set(run.snapshot);
    QCOMPARE(loads.shown(CpuId{0}).blocked, 0.0);
    QCOMPARE(loads.loadAvg(CpuId{0}), Load{400}); // figures do not wait for the bar
    loads.blend(0.5);
    QCOMPARE(loads.shown(CpuId{0}).blocked, 200.0);
    run.snapshot.cpus[0].load_avg = 0; // turns round where it stands
    loads.set(run.snapshot);
    loads.blend(0.5);
    QCOMPARE(loads.shown(CpuId{0}).blocked, 100.0);
    loads.blend(1.0);
    QCOMPARE(loads.shown(CpuId{0}).blocked, 0.0);
}

void TestLoadModels::landedCounts() {
    auto run = fake::storm(fake::domainsOf("xeon-2s-8cpu"), false);
    LandedModel landed;
    landed.moveTo(run.log, 9);
    QCOMPARE(landed.cpu(CpuId{5}).forks, 9U);
    QCOMPARE(landed.cpu(CpuId{5}).tasks.size(), std::size_t{9});
    QCOMPARE(landed.cpu(CpuId{5}).tasks.front(), TaskId{2});
    landed.moveTo(run.log, run.log.size());
    QCOMPARE(landed.cpu(CpuId{6}).forks, 3U);
    QCOMPARE(landed.cpu(CpuId{4}).forks, 2U);
    QCOMPARE(landed.cpu(CpuId{0}).total(), 0U);
    QCOMPARE(landed.cpu(CpuId{4000}).total(), 0U);
}

void TestLoadModels::landedBackAndForth() {
    auto run = fake::storm(fake::domainsOf("xeon-2s-8cpu"), true);
    LandedModel landed;
    landed.moveTo(run.log, run.log.size());
    QCOMPARE(landed.cpu(CpuId{5}).total(), 0U); // before the input
    QCOMPARE(landed.cpu(CpuId{7}).forks, 2U);
    landed.moveTo(run.log, 5);
    QCOMPARE(landed.cpu(CpuId{5}).forks, 5U);
    QCOMPARE(landed.cpu(CpuId{7}).forks, 0U);
    landed.moveTo(run.log, run.log.size());
    QCOMPARE(landed.cpu(CpuId{5}).total(), 0U);

    // Any position gives the same whether it is reached forward or back, across kept copies too.
    while (run.log.size() < 3 * LandedModel::kCopyEvery / 2)
        run.fork(TaskId{1}, 0, TaskId{2 + run.log.size() % 18}, run.log.size() % 8);
    LandedModel far;
    far.moveTo(run.log, run.log.size());
    for (const auto rows : {LandedModel::kCopyEvery + 17, LandedModel::kCopyEvery, LandedModel::kCopyEvery - 1, 12U}) {
        far.moveTo(run.log, rows);
        LandedModel fresh;
        fresh.moveTo(run.log, rows);
        for (std::uint32_t cpu = 0; cpu < 8; ++cpu) {
            QCOMPARE(far.cpu(CpuId{cpu}).forks, fresh.cpu(CpuId{cpu}).forks);
            QVERIFY(far.cpu(CpuId{cpu}).tasks == fresh.cpu(CpuId{cpu}).tasks);
            QVERIFY(far.cpu(CpuId{cpu}).tasks.size() <= LandedModel::kKept);
        }
    }
}

QTEST_MAIN(TestLoadModels)
#include "tst_load_models.moc"
