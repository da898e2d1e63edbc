// SPDX-License-Identifier: GPL-3.0-or-later
// The panel on real runs: marks come and go with the decision, landed tasks follow the cursor in both directions, pressing
// play opens nothing, and the storm of lesson 1 looks like it does in the pictures.
#include "support/scenarios.h"

#include "domains/machine_canvas.h"
#include "domains/machine_view.h"

#include <QtTest>

#include <optional>

using namespace rqscope;
using namespace rqscope::test;

namespace {

struct Fixture {
    Theme theme;
    Selection selection;
    RunSource run;
    History history;
    MachineView view{theme, run, selection};

    explicit Fixture(History h) : history(std::move(h)) {
        view.resize(932, 360);
        run.setHistory(&history);
    }
    const MachineScene& scene() { return view.canvas().scene(); }
    bool step(StepUnit unit, bool forward) {
        const bool moved = forward ? history.step_forward(unit) : history.step_back(unit);
        run.setCursor();
        return moved;
    }
};

} // namespace

class TestMachineView : public QObject {
    Q_OBJECT
private slots:
    void decisionsMark();
    void landedFollowsTheCursor();
    void anotherRun();
    void wakeups();
    void picture();
};

void TestMachineView::decisionsMark() {
    Fixture f(history(scenario("teach-mc8", kStorm)));
    QVERIFY(!f.scene().marks);
    QVERIFY(f.step(StepUnit::Decision, true));
    QVERIFY(f.scene().marks);
    QCOMPARE(f.scene().marks->chosen, CpuId{1});
    QCOMPARE(f.scene().marks->origin, std::optional(CpuId{0}));
    // Events after it take the marks away, coming back brings them again.
    int events = 0;
    while (f.scene().marks && events < 50) {
        QVERIFY(f.step(StepUnit::Event, true));
        ++events;
    }
    QVERIFY(!f.scene().marks);
    f.step(StepUnit::Decision, false);
    QVERIFY(f.scene().marks);
}

void TestMachineView::landedFollowsTheCursor() {
    Fixture f(history(scenario("teach-mc8", kStorm)));
    for (std::uint32_t n = 1; n <= 9; ++n) {
        QVERIFY(f.step(StepUnit::Decision, true));
        QCOMPARE(f.scene().landed.cpu(CpuId{1}).forks, n);
    }
    for (std::uint32_t n = 8; n >= 1; --n) {
        QVERIFY(f.step(StepUnit::Decision, false));
        QCOMPARE(f.scene().landed.cpu(CpuId{1}).forks, n);
    }
    f.history.run_to_end();
    f.run.setCursor();
    QCOMPARE(f.scene().landed.cpu(CpuId{1}).forks, 9U);
}

void TestMachineView::anotherRun() {
    Fixture f(history(scenario("teach-mc8", kStorm)));
    f.history.run_to_end();
    f.run.setCursor();
    auto other = history(scenario("zen3-2s-nps1", kStorm));
    f.run.setHistory(&other);
    QCOMPARE(f.scene().cells.size(), std::size_t{256});
    QVERIFY(f.scene().landed.empty());
    QVERIFY(!f.view.grab().isNull());
    f.run.setHistory(nullptr);
    QVERIFY(f.scene().empty());
    QVERIFY(!f.view.grab().isNull());
}

void TestMachineView::wakeups() {
    Fixture f(history(scenario("ivb-ep-40cpu", "periodic:k=6", "4.8", {}, "20ms")));
    bool woke = false;
    for (int i = 0; i < 60 && f.step(StepUnit::Decision, true); ++i) {
        QVERIFY(f.scene().marks);
        woke = woke || !f.scene().marks->fork();
        QVERIFY(!f.view.grab().isNull());
    }
    QVERIFY(woke);
}

void TestMachineView::picture() {
    Fixture f(
        history(scenario("teach-mc8", "forkstorm:n=18,run=200us,gap=250us,block=1", "4.8", {"NO_BUG_STALE_CLOCK_AT_FORK"})));
    for (int i = 0; i < 17; ++i) f.step(StepUnit::Decision, true);
    for (const bool dark : {false, true}) {
        f.theme.setDark(dark);
        QVERIFY(f.view.grab().save(dark ? QStringLiteral("machine-run-dark.png") : QStringLiteral("machine-run-light.png")));
    }
}

QTEST_MAIN(TestMachineView)
#include "tst_machine_view.moc"
