// SPDX-License-Identifier: GPL-3.0-or-later
// The machine's surface: clicks and keys select, titles close and fill, tool tips and the screen reader say the kernel's
// words, no size breaks it, the bars keep their height, and 256 CPUs paint in time.
#include "views/domains/fake_run.h"

#include "domains/machine_canvas.h"
#include "domains/machine_head.h"
#include "domains/machine_text.h"
#include "domains/machine_view.h"

#include <QAccessible>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QtTest>

#include <algorithm>

using namespace rqscope;

namespace {

struct Fixture {
    Theme theme;
    Selection selection;
    fake::Run run;
    MachineCanvas canvas{theme, selection};

    explicit Fixture(fake::Run r, QSize size = {932, 300}) : run(std::move(r)) {
        canvas.resize(size);
        canvas.show();
        take();
    }
    void take(MachineCanvas::Motion motion = MachineCanvas::Motion::Jump) {
        canvas.setSnapshot(run.snapshot, run.tasks, motion);
        canvas.moveLanded(run.log, run.snapshot.rows);
    }
    [[nodiscard]] const MachineScene& scene() const { return canvas.scene(); }
    [[nodiscard]] QPoint cell(std::uint32_t cpu) const {
        return scene().layout.cell(*scene().axis.column(CpuId{cpu})).center();
    }
    [[nodiscard]] QPoint title(std::uint32_t node) const {
        const auto& frames = scene().frames;
        const auto at = std::find_if(frames.begin(), frames.end(), [&](const auto& f) { return f.node == node; });
        return at == frames.end() ? QPoint(-1, -1) : scene().layout.title(at->extent, at->depth).center();
    }
    void click(QPoint at, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(&canvas, Qt::LeftButton, modifiers, at);
    }
    void key(Qt::Key k) { QTest::keyClick(&canvas, k); }
};

Fixture storm() { return Fixture(fake::storm(fake::domainsOf("xeon-2s-8cpu"), false)); }

fake::Run zen(std::uint32_t seed) {
    fake::Run run(fake::domainsOf("zen3-2s-nps1", DomainProfile::V6_12));
    fake::fill(run, seed);
    return run;
}

} // namespace

class TestMachineCanvas : public QObject {
    Q_OBJECT
private slots:
    void emptyState();
    void clickSelects();
    void titleSelectsAndCloses();
    void doubleClickFills();
    void arrowsMove();
    void keysOfNodes();
    void externalSelection();
    void tips();
    void spokenWords();
    void accessibleList();
    void decisionOpensGroup();
    void figuresInTitles();
    void hoverLights();
    void barsKeepHeight_data();
    void barsKeepHeight();
    void anySize_data();
    void anySize();
    void themeAndScale();
    void followsUnlessReduced();
    void paintTime();
};

void TestMachineCanvas::emptyState() {
    Theme theme;
    Selection selection;
    RunSource run;
    MachineView view(theme, run, selection);
    view.resize(852, 300);
    QVERIFY(!view.grab().isNull());
    QTest::keyClick(&view.canvas(), Qt::Key_Right);
    QTest::mouseClick(&view.canvas(), Qt::LeftButton, {}, QPoint(100, 100));
    QVERIFY(!selection.cpu());
    QVERIFY(view.canvas().tipAt({50, 50}).isEmpty());
}

void TestMachineCanvas::clickSelects() {
    auto f = storm();
    f.click(f.cell(5));
    QCOMPARE(f.selection.cpu(), std::optional(CpuId{5}));
    const auto& column = *f.scene().axis.column(CpuId{6});
    f.click(f.scene().layout.reach(column).center()); // the bar belongs to the CPU as well
    QCOMPARE(f.selection.cpu(), std::optional(CpuId{6}));
    f.click({2, 2});
    QCOMPARE(f.selection.cpu(), std::optional(CpuId{6}));
}

void TestMachineCanvas::titleSelectsAndCloses() {
    auto f = storm();
    const auto& model = f.scene().domains;
    f.click(f.title(2));
    QCOMPARE(f.selection.domain(), std::optional(model.nodes()[2].ids.front()));
    QVERIFY(f.scene().axis.closed(2) && !f.scene().axis.closed(1));
    f.click(f.title(2));
    QVERIFY(!f.scene().axis.closed(2));
    f.click(f.title(2), Qt::ShiftModifier);
    QVERIFY(f.scene().axis.closed(1) && f.scene().axis.closed(2));
    const auto hit = f.scene().hit(f.cell(6));
    QVERIFY(hit.kind == MachineHit::Kind::Closed && hit.node == 2);
}

void TestMachineCanvas::doubleClickFills() {
    auto f = storm();
    QSignalSpy head(&f.canvas, &MachineCanvas::headChanged);
    const auto at = f.title(2);
    f.click(at);
    QTest::mouseDClick(&f.canvas, Qt::LeftButton, {}, at);
    QCOMPARE(f.scene().focus, std::optional<std::uint32_t>(2));
    QVERIFY(!f.scene().shows(CpuId{0}) && f.scene().shows(CpuId{7}));
    QVERIFY(head.count() > 0);
    f.canvas.setFocus();
    f.key(Qt::Key_Backspace);
    QCOMPARE(f.scene().focus, std::optional<std::uint32_t>(0));
    QVERIFY(f.scene().shows(CpuId{0}));
    f.canvas.focusNode({});
    QVERIFY(!f.scene().focus);
}

void TestMachineCanvas::arrowsMove() {
    auto f = storm();
    f.click(f.cell(3));
    f.key(Qt::Key_Right);
    QCOMPARE(f.selection.cpu(), std::optional(CpuId{4}));
    f.key(Qt::Key_Left);
    f.key(Qt::Key_Left);
    QCOMPARE(f.selection.cpu(), std::optional(CpuId{2}));
    f.key(Qt::Key_Home);
    f.key(Qt::Key_Left);
    QCOMPARE(f.selection.cpu(), std::optional(CpuId{0}));
    f.key(Qt::Key_End);
    QCOMPARE(f.selection.cpu(), std::optional(CpuId{7}));
    f.key(Qt::Key_Up);
    QCOMPARE(f.canvas.keyNode(), std::optional<std::uint32_t>(2));
    QCOMPARE(f.selection.domain(), std::optional(f.scene().domains.nodes()[2].ids.front()));
    f.key(Qt::Key_Left);
    QCOMPARE(f.canvas.keyNode(), std::optional<std::uint32_t>(1));
    f.key(Qt::Key_Up);
    f.key(Qt::Key_Up);
    QCOMPARE(f.canvas.keyNode(), std::optional<std::uint32_t>(0));
    f.key(Qt::Key_Down);
    f.key(Qt::Key_Down);
    QVERIFY(!f.canvas.keyNode() && !f.selection.domain());
}

void TestMachineCanvas::keysOfNodes() {
    auto f = storm();
    f.click(f.cell(5));
    f.key(Qt::Key_Up);
    f.key(Qt::Key_Space);
    QVERIFY(f.scene().axis.closed(2));
    f.key(Qt::Key_Space);
    QVERIFY(!f.scene().axis.closed(2));
    f.key(Qt::Key_Return);
    QCOMPARE(f.scene().focus, std::optional<std::uint32_t>(2));
    // The window's one-key shortcuts must not take the arrows away.
    QKeyEvent arrow(QEvent::ShortcutOverride, Qt::Key_Right, Qt::NoModifier);
    arrow.ignore();
    QApplication::sendEvent(&f.canvas, &arrow);
    QVERIFY(arrow.isAccepted());
    QKeyEvent decision(QEvent::ShortcutOverride, Qt::Key_Right, Qt::ControlModifier);
    decision.ignore();
    QApplication::sendEvent(&f.canvas, &decision);
    QVERIFY(!decision.isAccepted());
}

void TestMachineCanvas::externalSelection() {
    auto f = storm();
    f.selection.selectCpu(CpuId{6});
    QCOMPARE(f.scene().selectedCpu, std::optional(CpuId{6}));
    QCOMPARE(f.canvas.keyCpu(), std::optional(CpuId{6}));
    f.selection.selectDomain(f.scene().domains.nodes()[1].ids.back());
    QCOMPARE(f.scene().selectedNode, std::optional<std::uint32_t>(1));
    f.selection.clear();
    QVERIFY(!f.scene().selectedCpu && !f.scene().selectedNode);
}

void TestMachineCanvas::tips() {
    auto f = storm();
    const auto cpu = f.canvas.tipAt(f.cell(5));
    for (const auto* word : {"CPU\u00a05", "MC 4–7", "idle", "load_avg", "900", "util_avg", "9 forks"})
        QVERIFY2(cpu.contains(QString::fromUtf8(word)), word);
    QVERIFY(f.canvas.tipAt(f.cell(0)).contains(QStringLiteral("parent")));
    const auto domain = f.canvas.tipAt(f.title(0));
    for (const auto* word : {"DIE", "0–7", "imbalance_pct", "SD_LOAD_BALANCE", "1 of 8 CPUs busy"})
        QVERIFY2(domain.contains(QString::fromUtf8(word)), word);
    QVERIFY(f.canvas.tipAt({1, 1}).isEmpty());
}

void TestMachineCanvas::spokenWords() {
    auto f = storm();
    auto fork = f.run.fork(TaskId{1}, 0, TaskId{18}, 7);
    f.take();
    f.canvas.setDecision(fork, true);
    QCOMPARE(spoken(f.scene(), CpuId{7}), QStringLiteral("CPU 7, idle, load 200, chosen"));
    QCOMPARE(spoken(f.scene(), CpuId{0}), QStringLiteral("CPU 0, parent, load 1024, forks here"));
    QCOMPARE(spokenNode(f.scene(), 1), QStringLiteral("MC 0–3, 1 of 4 CPUs busy"));
    f.run.snapshot.cpus[3].online = false;
    f.take();
    QCOMPARE(spoken(f.scene(), CpuId{3}), QStringLiteral("CPU 3, offline"));
}

void TestMachineCanvas::accessibleList() {
    auto f = storm();
    auto* list = QAccessible::queryAccessibleInterface(&f.canvas);
    QVERIFY(list);
    QCOMPARE(list->role(), QAccessible::List);
    QCOMPARE(list->childCount(), 8);
    auto* item = list->child(5);
    QCOMPARE(item->role(), QAccessible::ListItem);
    QCOMPARE(item->text(QAccessible::Name), QStringLiteral("CPU 5, idle, load 900"));
    QCOMPARE(list->indexOfChild(item), 5);
    QVERIFY(item->rect().isValid());
    f.click(f.cell(5));
    QVERIFY(item->state().selected);
    QCOMPARE(list->child(9), nullptr);
    f.canvas.clearRun();
    QCOMPARE(list->childCount(), 0);
    QVERIFY(!item->isValid());
}

void TestMachineCanvas::decisionOpensGroup() {
    auto f = storm();
    f.canvas.toggleFold(2, false);
    QVERIFY(f.scene().axis.closed(2));
    const auto fork = f.run.fork(TaskId{1}, 0, TaskId{18}, 7);
    f.canvas.setDecision(fork, true);
    QVERIFY(!f.scene().axis.closed(2));
    f.canvas.setDecision({}, true);
    QVERIFY(f.scene().axis.closed(2));
    f.canvas.setDecision(fork, false); // while playing nothing jumps
    QVERIFY(f.scene().axis.closed(2));
    QVERIFY(!f.canvas.grab().isNull());
}

void TestMachineCanvas::figuresInTitles() {
    auto f = storm();
    auto fork = f.run.fork(TaskId{1}, 0, TaskId{18}, 7);
    fork.placement.has_figures = true;
    fork.placement.rival = CpuId{0};
    fork.placement.chosen_load = 400;
    fork.placement.rival_runnable = fork.placement.rival_load = 256;
    f.canvas.setDecision(fork, true);
    const auto figures = [&](std::uint32_t node) {
        const auto& frames = f.scene().frames;
        return titleFigures(f.scene(), *std::find_if(frames.begin(), frames.end(),
                                                     [&](const auto& frame) { return frame.node == node; }))
            .value(0);
    };
    QCOMPARE(figures(1), QStringLiteral("runnable 256 · load_avg 256"));
    QCOMPARE(figures(2), QStringLiteral("runnable 0 · load_avg 400"));
    f.canvas.setDecision({}, true);
    QVERIFY(figures(1).isEmpty()); // quiet again
    QVERIFY(figures(0).contains(QStringLiteral("imbalance_pct")));
}

void TestMachineCanvas::hoverLights() {
    auto f = storm();
    QTest::mouseMove(&f.canvas, f.cell(0));
    QCOMPARE(f.selection.hoveredTask(), std::optional(TaskId{1}));
    QCOMPARE(f.scene().lit, std::optional(TaskId{1}));
    QVERIFY(f.scene().faint(TaskId{2}) && !f.scene().faint(TaskId{1}));
    QTest::mouseMove(&f.canvas, f.cell(3));
    QVERIFY(!f.selection.hoveredTask() && !f.scene().faint(TaskId{2}));
}

void TestMachineCanvas::barsKeepHeight_data() {
    QTest::addColumn<bool>("many");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    QTest::addColumn<int>("least");
    QTest::addRow("8 at 1600x1000") << false << QSize(930, 360) << 1.0 << 72;
    QTest::addRow("8 at 1280x800") << false << QSize(656, 250) << 1.0 << 60;
    QTest::addRow("8 at scale 2") << false << QSize(1252, 420) << 2.0 << 64;
    QTest::addRow("256 at 1600x1000") << true << QSize(930, 360) << 1.0 << 28;
    QTest::addRow("256 at 1280x800") << true << QSize(952, 250) << 1.0 << 24;
    QTest::addRow("256 at 1920x1080") << true << QSize(1252, 420) << 1.0 << 40;
}

void TestMachineCanvas::barsKeepHeight() {
    QFETCH(bool, many);
    QFETCH(QSize, size);
    QFETCH(double, scale);
    QFETCH(int, least);
    Fixture f(many ? zen(3) : fake::storm(fake::domainsOf("xeon-2s-8cpu"), false), size);
    f.theme.setScale(scale);
    for (const auto& row : f.scene().layout.rows) {
        QVERIFY2(row.barHeight >= least, qPrintable(QString::number(row.barHeight)));
        QVERIFY(row.baseline < row.bottom && row.cellTop > row.top);
        QVERIFY(row.bottom <= size.height());
    }
}

void TestMachineCanvas::anySize_data() {
    QTest::addColumn<bool>("many");
    for (const bool many : {false, true}) QTest::addRow("%s", many ? "256" : "8") << many;
}

void TestMachineCanvas::anySize() {
    QFETCH(bool, many);
    Fixture f(many ? zen(3) : fake::storm(fake::domainsOf("xeon-2s-8cpu"), false));
    f.selection.selectCpu(CpuId{3});
    f.canvas.setDecision(f.run.fork(TaskId{1}, 0, TaskId{18}, 7), true);
    for (const auto& size :
         {QSize(1, 1), QSize(40, 20), QSize(200, 82), QSize(200, 120), QSize(300, 900), QSize(852, 60), QSize(4000, 2200)})
        for (const double scale : {0.8, 1.0, 2.0}) {
            f.theme.setScale(scale);
            f.canvas.resize(size);
            QVERIFY(!f.canvas.grab().isNull());
            for (int x = 0; x < size.width(); x += 13)
                for (int y = 0; y < size.height(); y += 17) (void)f.canvas.tipAt({x, y});
        }
}

void TestMachineCanvas::themeAndScale() {
    auto f = storm();
    const auto light = f.canvas.grab().toImage();
    f.theme.setDark(true);
    const auto dark = f.canvas.grab().toImage();
    QVERIFY(light != dark);
    QCOMPARE(dark.pixelColor(1, 1), f.theme.colour(Token::Surface));
    f.theme.setDark(false);
    QCOMPARE(f.canvas.grab().toImage(), light);
}

void TestMachineCanvas::followsUnlessReduced() {
    auto f = storm();
    f.run.snapshot.cpus[4].load_avg = 1000;
    f.take(MachineCanvas::Motion::Follow);
    QVERIFY(f.scene().loads.shown(CpuId{4}).total() < 1000);
    QTRY_COMPARE(f.scene().loads.shown(CpuId{4}).total(), 1000.0);
    f.theme.setReducedMotion(true);
    f.run.snapshot.cpus[4].load_avg = 10;
    f.take(MachineCanvas::Motion::Follow);
    QCOMPARE(f.scene().loads.shown(CpuId{4}).total(), 10.0);
}

void TestMachineCanvas::paintTime() {
    Fixture f(zen(1), {1252, 420});
    QImage target(f.canvas.size(), QImage::Format_RGB32);
    f.canvas.render(&target);
    constexpr int kRounds = 60;
    qint64 take = 0, paint = 0;
    QElapsedTimer timer;
    for (std::uint32_t i = 0; i < kRounds; ++i) {
        fake::fill(f.run, i);
        timer.restart();
        f.take();
        take += timer.nsecsElapsed();
        timer.restart();
        f.canvas.render(&target);
        paint += timer.nsecsElapsed();
    }
    const auto us = [](qint64 ns) { return static_cast<double>(ns) / 1e3 / kRounds; };
    qInfo("256 CPUs, all values new: models %.0f us, paint %.0f us", us(take), us(paint));
    QVERIFY(us(paint) < 20000); // loose: machines under load and sanitizers; the goal is 2000
}

QTEST_MAIN(TestMachineCanvas)
#include "tst_machine_canvas.moc"
