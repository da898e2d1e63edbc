// SPDX-License-Identifier: GPL-3.0-or-later
// The panel on real runs: marks come and go with the decision, landed tasks follow the cursor in both directions, pressing
// play opens nothing, and the storm of lesson 1 looks like it does in the pictures.
#include "support/scenarios.h"

#include "domains/cell_painter.h"
#include "domains/machine_canvas.h"
#include "domains/machine_head.h"
#include "domains/machine_text.h"
#include "domains/machine_view.h"

#include <QtTest>

#include <algorithm>
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
    void constructedIsSaid();
    void tipsOfEras();
    void lampOfTheHint();
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

void TestMachineView::constructedIsSaid() {
    const auto headOf = [](Fixture& f) { return f.view.findChild<MachineHead*>(); };
    Fixture plain(history(scenario("teach-mc8", kStorm)));
    QVERIFY(headOf(plain)->accessibleDescription().isEmpty());
    auto made = scenario("teach-mc8", kStorm);
    made.initial_llcs.push_back({LlcId{0}, 2, std::nullopt});
    Fixture constructed(history(std::move(made)));
    QCOMPARE(headOf(constructed)->accessibleDescription(), QStringLiteral("constructed start state"));
    QVERIFY(headOf(constructed)->toolTip().contains(QStringLiteral("constructed by the scenario")));
    QVERIFY(headOf(constructed)->grab().toImage() != headOf(plain)->grab().toImage());
    // The next run is another one.
    constructed.run.setHistory(&plain.history);
    QVERIFY(headOf(constructed)->accessibleDescription().isEmpty());
}

void TestMachineView::tipsOfEras() {
    const auto tipsOf = [](const char* machine, const char* era, std::initializer_list<std::string_view> features = {}) {
        Fixture f(history(scenario(machine, "hogs:n=3", era, features, "20ms")));
        f.history.run_to_end();
        f.run.setCursor();
        const auto& scene = f.scene();
        const MachineHit cpu{MachineHit::Kind::Cpu, CpuId{1}, 0};
        // The cache is the innermost box here.
        const MachineHit cache{MachineHit::Kind::Title, CpuId{1}, *scene.domains.box(CpuId{1})};
        return std::pair(tooltip(scene, f.run.snapshot(), cpu), tooltip(scene, f.run.snapshot(), cache));
    };
    const auto [cpu48, llc48] = tipsOf("teach-mc8", "4.8");
    QVERIFY(cpu48.contains("runnable_load_avg"));
    QVERIFY(!cpu48.contains("avg_scan_cost") && !llc48.contains("has_idle_cores") && !llc48.contains("nr_idle_scan"));
    const auto [cpu49, llc49] = tipsOf("teach-mc8", "4.9");
    QVERIFY(cpu49.contains(QString::fromUtf8("1\u00a0953 ns")) || cpu49.contains("1 953 ns"));
    QVERIFY(cpu49.contains("gate open") && !cpu49.contains("+ 1"));
    QVERIFY(!tipsOf("teach-mc8", "4.9", {"NO_SIS_AVG_CPU"}).first.contains("gate")); // nobody looks at it then
    QVERIFY(tipsOf("teach-mc8", "4.12", {"SIS_AVG_CPU"}).first.contains("</code> + 1"));
    const auto [cpu61, llc61] = tipsOf("teach-mc8", "6.1");
    QVERIFY(!cpu61.contains("runnable_load_avg") && cpu61.contains("runnable_avg") && cpu61.contains("by tasks on the queue"));
    // Three hogs of eight CPUs: periodic balancing has shortened the walk. No hint without SMT.
    QVERIFY2(llc61.contains(QRegularExpression("scan [5-7]: ")) && !llc61.contains("has_idle_cores"), qPrintable(llc61));
    QVERIFY(!tipsOf("teach-mc8", "5.19").second.contains("nr_idle_scan")); // SIS_PROP is on there
    QVERIFY(tipsOf("ivb-ep-40cpu", "6.1").second.contains("has_idle_cores</code> 1"));
}

void TestMachineView::lampOfTheHint() {
    auto made = scenario("ivb-ep-40cpu", "hogs:n=1", "6.1", {}, "1ms");
    Fixture lit(history(made));
    made.initial_llcs.push_back({LlcId{0}, std::nullopt, false});
    Fixture dark(history(made));
    made.era = Era::V4_8;
    Fixture none(history(made));
    for (auto* f : {&lit, &dark, &none}) f->view.resize(1400, 360);
    const auto& frames = lit.scene().frames;
    const auto frame = std::find_if(frames.begin(), frames.end(), [&](const auto& f) { return lit.scene().llcOf(f.node) != nullptr; });
    QVERIFY(frame != frames.end());
    QVERIFY(lit.scene().llcOf(frame->node)->has_idle_cores && !dark.scene().llcOf(frame->node)->has_idle_cores);
    QVERIFY(lampRoom(lit.theme, lit.scene(), *frame) > 0);
    QCOMPARE(lampRoom(none.theme, none.scene(), *frame), 0); // 4.8 keeps no hint
    // A full disc in the ink of the captions against a ring in another one; nothing else differs.
    const auto ink = [](Fixture& f) {
        const auto image = f.view.grab().toImage();
        int strong = 0;
        for (int x = 0; x < image.width(); ++x)
            for (int y = 0; y < image.height(); ++y) strong += image.pixelColor(x, y) == f.theme.colour(Token::Ink2);
        return strong;
    };
    QVERIFY2(ink(lit) - ink(dark) > 10, qPrintable(QString("%1, %2").arg(ink(lit)).arg(ink(dark))));
}

QTEST_MAIN(TestMachineView)
#include "tst_machine_view.moc"
