// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the machine panel in both themes at the sizes it has in the window and keeps the pictures for looking at. Asserts
// only that something was painted; what it looks like is for eyes.
#include "views/domains/fake_run.h"

#include "domains/machine_canvas.h"
#include "domains/machine_head.h"

#include <QPainter>
#include <QtTest>
#include <QVBoxLayout>

using namespace rqscope;

namespace {

struct Panel {
    Theme theme;
    Selection selection;
    QWidget window;
    MachineCanvas* canvas = new MachineCanvas(theme, selection);
    MachineHead* head = new MachineHead(theme, canvas->scene());

    explicit Panel(bool dark) {
        theme.setDark(dark);
        auto* column = new QVBoxLayout(&window);
        column->setContentsMargins(1, 1, 1, 8);
        column->setSpacing(8);
        column->addWidget(head);
        column->addWidget(canvas, 1);
        QObject::connect(canvas, &MachineCanvas::headChanged, head, &MachineHead::refresh);
        QPalette palette;
        palette.setColor(QPalette::Window, theme.colour(Token::Surface));
        window.setPalette(palette);
    }
    void show(const fake::Run& run) {
        canvas->setSnapshot(run.snapshot, run.tasks, MachineCanvas::Motion::Jump);
        canvas->moveLanded(run.log, run.snapshot.rows);
    }
    QImage grab(QSize size) {
        window.resize(size);
        window.show();
        return window.grab().toImage();
    }
};

} // namespace

class TestMachinePictures : public QObject {
    Q_OBJECT
private slots:
    void pictures_data();
    void pictures();
};

void TestMachinePictures::pictures_data() {
    QTest::addColumn<QString>("machine");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("dark");
    const QList<QSize> sizes{{1252, 420}, {852, 300}, {656, 300}};
    for (const auto* machine :
         {"large", "storm", "cpus", "zen3", "ivb", "ring", "kunpeng", "wake", "smt4", "made384", "box60", "trigear"})
        for (const auto& size : sizes)
            for (const bool dark : {false, true})
                QTest::addRow("%s-%d-%s", machine, size.width(), dark ? "dark" : "light")
                    << QString(QLatin1String(machine)) << size << dark;
}

void TestMachinePictures::pictures() {
    QFETCH(QString, machine);
    QFETCH(QSize, size);
    QFETCH(bool, dark);
    Panel panel(dark);
    if (machine == "storm" || machine == "cpus" || machine == "large") {
        if (machine == "large") panel.theme.setScale(1.6);
        auto run = fake::storm(fake::domainsOf("xeon-2s-8cpu"), false);
        auto fork = run.fork(TaskId{1}, 0, TaskId{18}, 7);
        auto& p = fork.placement;
        p.has_figures = true;
        p.rival = CpuId{machine != "cpus" ? 0U : 6U};
        p.chosen_load = machine != "cpus" ? 400 : 200;
        p.rival_runnable = machine != "cpus" ? 256 : 0;
        p.rival_load = machine != "cpus" ? 256 : 300;
        panel.show(run);
        panel.selection.selectCpu(CpuId{machine == "storm" ? 7U : 2U});
        panel.canvas->setDecision(fork, true);
        QImage image = panel.grab(size);
        QVERIFY(image.save(QStringLiteral("machine-%1.png").arg(QLatin1String(QTest::currentDataTag()))));
        return;
    }
    const auto domains = machine == "zen3"      ? fake::domainsOf("zen3-2s-nps1", DomainProfile::V6_12)
                         : machine == "ivb"     ? fake::domainsOf("ivb-ep-40cpu")
                         : machine == "ring"    ? fake::domainsOf("ring-4node")
                         : machine == "kunpeng" ? fake::domainsOf("kunpeng-mini-8cpu", DomainProfile::V5_19)
                         : machine == "smt4"    ? fake::domainsOf("teach-smt4")
                         : machine == "box60"   ? fake::domainsOf("box-60cpu-smt")
                         : machine == "trigear" ? fake::domainsOf("trigear-8cpu", DomainProfile::V5_19)
                         : machine == "wake"    ? fake::domainsOf("teach-cls8", DomainProfile::V6_12)
                                                : fake::domainsOf(2, 12, 8, 2);
    QVERIFY(domains);
    fake::Run run(domains);
    fake::fill(run, 7);
    if (domains->cpu_capacity.size() == run.snapshot.cpus.size())
        for (std::size_t i = 0; i < run.snapshot.cpus.size(); ++i)
            run.snapshot.cpus[i].capacity = domains->cpu_capacity_orig[i];
    if (machine == "wake") {
        run.snapshot.cpus[4] = {};
        run.snapshot.cpus[1].online = false;
    }
    for (std::uint32_t i = 0; i < run.snapshot.cpus.size(); ++i)
        for (std::uint32_t n = 0; n < i % 5; ++n) run.fork(TaskId{1}, 0, TaskId{1 + (i + n) % 30}, i);
    panel.show(run);
    LogRow wake;
    wake.kind = RowKind::Wakeup;
    wake.seq = EventSeq{run.log.size()};
    wake.task = TaskId{3};
    wake.other = TaskId{1};
    wake.waker_cpu = CpuId{0};
    wake.cpu = wake.placement.cpu = CpuId{static_cast<std::uint32_t>(run.snapshot.cpus.size()) / 2};
    panel.canvas->setDecision(wake, true);
    if (machine == "zen3") panel.selection.selectDomain(domains->lowest(CpuId{26})->parent);
    if (machine == "ivb" || machine == "box60") {
        const auto box = *panel.canvas->scene().domains.box(CpuId{0});
        panel.canvas->toggleFold(box, false);
        if (machine == "box60") panel.canvas->setDecision({}, true);
    }
    const auto image = panel.grab(size);
    QVERIFY(image.save(QStringLiteral("machine-%1.png").arg(QLatin1String(QTest::currentDataTag()))));
}

QTEST_MAIN(TestMachinePictures)
#include "tst_machine_pictures.moc"
