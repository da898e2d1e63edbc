// SPDX-License-Identifier: GPL-3.0-or-later
// A wake-up by message: the dashed gap between the arrow's end and the queue, where it is wide enough to be seen, and what
// the tool tips say about it.
#include "stage.h"
#include "timeline/hit_test.h"
#include "timeline/hop_painter.h"

#include <QTest>
#include <QTextDocumentFragment>

using namespace rqscope;
using namespace rqscope::test;

namespace {

constexpr Ns kWoken = 40000, kPending = 800, kSwitch = 1000;

struct Message : Stage {
    explicit Message(std::uint32_t pending) {
        tasks = makeTasks("", "worker", 2);
        auto& model = canvas->model();
        const LaneModel::StartTask start{TaskId{1}, CpuId{0}};
        model.reset(8, {&start, 1});
        RowMaker rows(model);
        rows.switchTo(0, 0, 0, 1, SwitchEnd::WasIdle, 1000);
        rows.wake(kWoken, 2, 1, 0, 5, 2000, pending);
        rows.switchTo(kWoken, 5, 0, 2, SwitchEnd::WasIdle, kSwitch);
        model.setKnownTime(from_ns(60000));
        canvas->restart(facts(makeDomains(8, 4, "DIE"), 60000), false);
        canvas->resize(900, 400);
        canvas->renderNow();
    }
    void show(Ns begin, Ns end) {
        selection.setWindow({from_ns(begin), from_ns(end)});
        canvas->renderNow();
    }
    [[nodiscard]] QString tip(QPoint at) const {
        const auto html = tooltipText(scene(), hitTest(scene(), at));
        return QTextDocumentFragment::fromHtml(html).toPlainText().replace(QChar(0x00A0), QLatin1Char(' '));
    }
    // Pixels other than the lane's ground between two moments, along the edge where the arrow ends.
    [[nodiscard]] int inkOnEdge(Ns from, Ns to) const {
        const auto image = canvas->grab().toImage();
        const auto row = scene().layout.rows()[*scene().layout.rowOfCpu(CpuId{5})];
        const auto y = scene().runRect(row).top();
        const auto ground = image.pixel(static_cast<int>(scene().scale.x(kWoken - 6000)), y);
        int inked = 0;
        for (auto x = static_cast<int>(scene().scale.x(from)) + 1; x < static_cast<int>(scene().scale.x(to)) - 1; ++x)
            inked += image.pixel(x, y) != ground;
        return inked;
    }
};

} // namespace

class TestPending : public QObject {
    Q_OBJECT
private slots:
    void hopKnowsWhenItWasSent() {
        Message s(kPending);
        const auto& hop = s.canvas->model().decisions().front();
        QCOMPARE(hop.begin, kWoken - 2000);
        QCOMPARE(hop.sent(), kWoken - kPending);
        QCOMPARE(hop.time, kWoken);
    }

    void gapIsDashed() {
        Message s(kPending);
        s.show(kWoken - 8000, kWoken + 4000);
        const auto width = static_cast<int>(s.scene().scale.x(kWoken) - s.scene().scale.x(kWoken - kPending));
        QVERIFY(width > 20);
        // The arrow's head covers the first pixels; behind it dashes and spaces take turns.
        const auto inked = s.inkOnEdge(kWoken - kPending / 2, kWoken);
        QVERIFY2(inked > width / 8 && inked < width / 2 - 3, qPrintable(QStringLiteral("%1 of %2").arg(inked).arg(width)));
        Message direct(0);
        direct.show(kWoken - 8000, kWoken + 4000);
        QCOMPARE(direct.inkOnEdge(kWoken - kPending / 2, kWoken), 0);
    }

    void nothingBelowAPixel() {
        Message far(kPending), direct(0);
        for (auto* s : {&far, &direct}) s->show(0, 2000000);
        // 800 ns are a third of a pixel here: the pictures are the same.
        QCOMPARE(far.canvas->grab().toImage(), direct.canvas->grab().toImage());
        QCOMPARE(hitTest(far.scene(), far.at(5, kWoken - kPending / 2)).kind, hitTest(direct.scene(), direct.at(5, kWoken - kPending / 2)).kind);
    }

    void tips() {
        Message s(kPending);
        s.show(kWoken - 8000, kWoken + 8000);
        const auto gap = hitTest(s.scene(), s.at(5, kWoken - kPending / 2));
        QCOMPARE(gap.kind, TimelineHit::Kind::Pending);
        QCOMPARE(gap.task, TaskId{2});
        QVERIFY(s.tip(s.at(5, kWoken - kPending / 2)).contains(QStringLiteral("pending 800 ns")));
        QVERIFY(s.tip(s.at(5, kWoken + kSwitch + 500)).contains(QStringLiteral("pending 800 ns, woken by message")));
        QVERIFY(s.tip(s.at(5, kWoken - 3000)).isEmpty());
        QVERIFY(s.tip(s.at(4, kWoken - kPending / 2)).isEmpty());
    }
};

QTEST_MAIN(TestPending)
#include "tst_pending.moc"
