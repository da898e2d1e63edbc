// SPDX-License-Identifier: GPL-3.0-or-later
// What hands do to the timeline: hit test, tool tips, clicks, drags, wheel, keys, following; layout of lanes and groups.
#include "stage.h"
#include "timeline/frame_painter.h"
#include "timeline/hop_painter.h"

#include <QSignalSpy>
#include <QTest>
#include <QTextDocumentFragment>
#include <QToolTip>
#include <QWheelEvent>

using namespace rqscope;
using namespace rqscope::test;

namespace {

QString plainTip(const Stage& stage, QPoint at) {
    const auto html = tooltipText(stage.scene(), hitTest(stage.scene(), at));
    return QTextDocumentFragment::fromHtml(html).toPlainText().replace(QChar(0x00A0), QLatin1Char(' '));
}

void wheel(TimelineCanvas& canvas, QPoint at, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(at, canvas.mapToGlobal(at), {}, {0, notches * 120}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas, &event);
}

double spanMs(const Selection& selection) {
    return static_cast<double>(to_ns(selection.window().end) - to_ns(selection.window().begin)) / 1e6;
}

} // namespace

class TestTimelineCanvas : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_stage = std::make_unique<Stage>();
        m_stage->storm();
        m_stage->canvas->resize(900, 400);
        m_stage->canvas->renderNow();
        m_stage->canvas->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_stage->canvas.get()));
    }
    void cleanup() { m_stage.reset(); }

    void hits() {
        auto& s = *m_stage;
        using Kind = TimelineHit::Kind;
        const auto run = hitTest(s.scene(), s.at(5, 300000));
        QCOMPARE(run.kind, Kind::Run);
        QCOMPARE(run.task, TaskId{2});
        QCOMPARE(run.begin, Ns{201500});
        QCOMPARE(run.end, Ns{401500});
        QCOMPARE(hitTest(s.scene(), s.at(2, 300000)).kind, Kind::Lane);
        QCOMPARE(hitTest(s.scene(), s.at(2, 300000)).cpu, CpuId{2});
        QCOMPARE(hitTest(s.scene(), s.onAxis(1000000)).kind, Kind::Axis);
        QCOMPARE(hitTest(s.scene(), QPoint(10, s.at(3, 0).y())).kind, Kind::Label);
        QCOMPARE(hitTest(s.scene(), QPoint(10, s.at(4, 0).y())).kind, Kind::Title); // the first of its group
    }

    void initialWindowFitsTheRun() {
        QCOMPARE(to_ns(m_stage->selection.window().begin), Ns{0});
        QVERIFY(spanMs(m_stage->selection) >= 4.75 && spanMs(m_stage->selection) < 5.2);
    }

    void tooltips() {
        auto& s = *m_stage;
        QCOMPARE(plainTip(s, s.at(5, 300000)),
                 QStringLiteral(
                     "child 1  pid 1001\nCPU 5, running, then exited\nfrom 0.202 ms for 200 us\ndelta_exec 200 000 ns\n"
                     "run_delay 1 500 ns (waiting)\nforked by parent on CPU 0"));
        QVERIFY(plainTip(s, s.at(2, 300000)).isEmpty());
        QVERIFY(plainTip(s, s.onAxis(1000000)).startsWith(QStringLiteral("1.0")));
        const auto strip = s.scene().diamondRect();
        QVERIFY(plainTip(s, {static_cast<int>(s.scene().scale.x(4200000)), strip.center().y()})
                    .startsWith(QStringLiteral("child 17 is forked to CPU 7")));
        QVERIFY(
            plainTip(s, {static_cast<int>(s.scene().scale.x(2380000)) + 4, 6}).startsWith(QStringLiteral("FORK_LOAD_AVG")));
    }

    void mergedRunsAreCounted() {
        Stage s;
        s.dense(2, 2, 40000, 5, 4000);
        s.canvas->resize(500, 200);
        s.canvas->renderNow();
        const auto at = s.at(0, s.canvas->model().knownTime() / 2);
        const auto hit = hitTest(s.scene(), at);
        if (hit.kind == TimelineHit::Kind::Merged)
            QVERIFY(plainTip(s, at).contains(QRegularExpression(QStringLiteral("^\\d+ runs of [1-5] tasks?"))));
        QVERIFY(hit.kind == TimelineHit::Kind::Merged || hit.kind == TimelineHit::Kind::Run);
    }

    void clickSelects() {
        auto& s = *m_stage;
        QTest::mouseClick(s.canvas.get(), Qt::LeftButton, {}, s.at(5, 300000));
        QCOMPARE(s.selection.task(), std::optional(TaskId{2}));
        QCOMPARE(s.selection.cpu(), std::optional(CpuId{5}));
        QTest::mouseClick(s.canvas.get(), Qt::LeftButton, {}, s.at(2, 300000));
        QCOMPARE(s.selection.task(), std::nullopt);
        QCOMPARE(s.selection.cpu(), std::optional(CpuId{2}));
        QTest::keyClick(s.canvas.get(), Qt::Key_Escape);
        QCOMPARE(s.selection.cpu(), std::nullopt);
    }

    void axisAndShiftSeek() {
        auto& s = *m_stage;
        QSignalSpy seeks(&s.selection, &Selection::seekRequested);
        QTest::mouseClick(s.canvas.get(), Qt::LeftButton, {}, s.onAxis(1000000));
        QTest::mouseClick(s.canvas.get(), Qt::LeftButton, Qt::ShiftModifier, s.at(5, 300000));
        QCOMPARE(seeks.size(), 2);
        const auto pixel = s.scene().scale.nsPerPx;
        QVERIFY(std::abs(static_cast<double>(to_ns(seeks[0][0].value<SimTime>())) - 1e6) <= pixel);
        QVERIFY(std::abs(static_cast<double>(to_ns(seeks[1][0].value<SimTime>())) - 3e5) <= pixel);
        QCOMPARE(s.selection.task(), std::nullopt);
    }

    void doubleClicks() {
        auto& s = *m_stage;
        QSignalSpy rows(&s.selection, &Selection::seekRowRequested);
        const QPoint diamond(static_cast<int>(s.scene().scale.x(4200000)), s.scene().diamondRect().center().y());
        QTest::mouseDClick(s.canvas.get(), Qt::LeftButton, {}, diamond);
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0][0].toUInt(), s.scene().model.decisions()[16].row + 1);
        QTest::mouseDClick(s.canvas.get(), Qt::LeftButton, {}, s.at(5, 300000));
        QVERIFY(std::abs(spanMs(s.selection) - 0.24) < 0.01);
        QCOMPARE(s.canvas->follow(), WindowControl::Follow::Hand);
    }

    void dragMakesARange() {
        auto& s = *m_stage;
        const auto from = s.at(2, 1000000), to = s.at(3, 2000000);
        QTest::mousePress(s.canvas.get(), Qt::LeftButton, {}, from);
        QTest::mouseMove(s.canvas.get(), to);
        QVERIFY(s.scene().rubber.has_value());
        QTest::mouseRelease(s.canvas.get(), Qt::LeftButton, {}, to);
        QVERIFY(s.selection.range().has_value());
        const auto pixel = static_cast<Ns>(s.scene().scale.nsPerPx) + 1;
        QVERIFY(std::abs(to_ns(s.selection.range()->begin) - 1000000) <= pixel);
        QVERIFY(std::abs(to_ns(s.selection.range()->end) - 2000000) <= pixel);
        QVERIFY(!s.scene().rubber.has_value());
    }

    void ctrlDragZooms() {
        auto& s = *m_stage;
        QTest::mousePress(s.canvas.get(), Qt::LeftButton, Qt::ControlModifier, s.at(2, 1000000));
        QTest::mouseMove(s.canvas.get(), s.at(3, 2000000));
        QTest::mouseRelease(s.canvas.get(), Qt::LeftButton, Qt::ControlModifier, s.at(3, 2000000));
        QVERIFY(std::abs(spanMs(s.selection) - 1.0) < 0.02);
        QVERIFY(!s.selection.range().has_value());
    }

    void wheelZoomsAtThePointer() {
        auto& s = *m_stage;
        const auto at = s.at(4, 3000000);
        wheel(*s.canvas, at, 5, Qt::ControlModifier);
        QVERIFY(spanMs(s.selection) < 2);
        QVERIFY(std::abs(s.scene().scale.x(3000000) - at.x()) < 1.5);
        wheel(*s.canvas, at, -40, Qt::ControlModifier);
        QVERIFY(spanMs(s.selection) < 6.5); // not beyond a little more than the run
        QCOMPARE(to_ns(s.selection.window().begin), Ns{0});
    }

    void middleDragPans() {
        auto& s = *m_stage;
        s.selection.setWindow({from_ns(1000000), from_ns(2000000)});
        const auto at = s.at(4, 1500000);
        QTest::mousePress(s.canvas.get(), Qt::MiddleButton, {}, at);
        QTest::mouseMove(s.canvas.get(), at + QPoint(-100, 0));
        QTest::mouseRelease(s.canvas.get(), Qt::MiddleButton, {}, at + QPoint(-100, 0));
        QVERIFY(std::abs(s.scene().scale.x(1500000) - (at.x() - 100)) < 1.5);
        QVERIFY(std::abs(spanMs(s.selection) - 1.0) < 0.001);
    }

    void keysZoomAndPan() {
        auto& s = *m_stage;
        const auto before = spanMs(s.selection);
        QTest::keyClick(s.canvas.get(), Qt::Key_W);
        QVERIFY(spanMs(s.selection) < before * 0.7);
        const auto head = static_cast<double>(s.scene().facts.cursor);
        QVERIFY(head >= static_cast<double>(to_ns(s.selection.window().begin)) &&
                head <= static_cast<double>(to_ns(s.selection.window().end)));
        const auto begin = s.selection.window().begin;
        QTest::keyClick(s.canvas.get(), Qt::Key_A);
        QVERIFY(s.selection.window().begin < begin);
        QTest::keyClick(s.canvas.get(), Qt::Key_Right);
        QVERIFY(std::abs(to_ns(s.selection.window().begin) - to_ns(begin)) < 3000);
        QTest::keyClick(s.canvas.get(), Qt::Key_S);
        QVERIFY(spanMs(s.selection) > before * 0.95);
        QTest::keyClick(s.canvas.get(), Qt::Key_T);
        QCOMPARE(s.scene().layout.mode(), LaneMode::Task);
        QCOMPARE(s.scene().layout.rows().size(), std::size_t{19});
    }

    void keysGlideToTheirWindow() {
        auto& s = *m_stage;
        s.theme.setReducedMotion(false);
        const auto before = s.scene().scale.nsPerPx;
        QTest::keyClick(s.canvas.get(), Qt::Key_W);
        QVERIFY(spanMs(s.selection) < 3.5); // the others know at once
        QVERIFY(s.scene().scale.nsPerPx > before / 1.5 + 1e-6);
        QTRY_VERIFY_WITH_TIMEOUT(std::abs(s.scene().scale.nsPerPx - before / 1.5) < 1e-6 * before, 3000);
    }

    void focusAndFill() {
        auto& s = *m_stage;
        s.selection.setWindow({from_ns(100000), from_ns(300000)});
        QCOMPARE(s.canvas->follow(), WindowControl::Follow::Hand);
        QTest::keyClick(s.canvas.get(), Qt::Key_F);
        QCOMPARE(s.canvas->follow(), WindowControl::Follow::Head);
        QVERIFY(s.selection.window().begin < from_ns(4200000) && s.selection.window().end > from_ns(4200000));
        QTest::keyClick(s.canvas.get(), Qt::Key_F);
        QVERIFY(spanMs(s.selection) > 4.7);
        QTest::mouseClick(s.canvas.get(), Qt::LeftButton, {}, s.at(6, 3300000));
        QTest::keyClick(s.canvas.get(), Qt::Key_F);
        QTest::keyClick(s.canvas.get(), Qt::Key_F);
        QVERIFY(std::abs(spanMs(s.selection) - 0.24) < 0.01);
    }

    void windowFollowsUntilAHandMovesIt() {
        auto& s = *m_stage;
        s.canvas->model().setKnownTime(from_ns(9000000));
        s.canvas->grow(s.facts(s.scene().facts.domains, 9000000));
        QVERIFY(s.selection.window().end > from_ns(9000000));
        QTest::keyClick(s.canvas.get(), Qt::Key_W);
        const auto window = s.selection.window();
        s.canvas->model().setKnownTime(from_ns(50000000));
        s.canvas->grow(s.facts(s.scene().facts.domains, 50000000));
        QCOMPARE(s.selection.window(), window);
        s.canvas->moveCursor(1000, std::nullopt);
        QCOMPARE(s.selection.window(), window);
        QTest::keyClick(s.canvas.get(), Qt::Key_F);
        s.canvas->moveCursor(30000000, std::nullopt);
        QVERIFY(s.selection.window().begin < from_ns(30000000) && s.selection.window().end > from_ns(30000000));
    }

    void windowFromOutsideIsObeyed() {
        auto& s = *m_stage;
        s.selection.setWindow({from_ns(500000), from_ns(1500000)});
        QVERIFY(std::abs(s.scene().scale.x(500000) - s.scene().lanes.left()) < 1);
        QVERIFY(std::abs(s.scene().scale.x(1500000) - s.scene().lanes.right() - 1) < 1);
        QCOMPARE(s.selection.window(), (TimeWindow{from_ns(500000), from_ns(1500000)}));
    }

    void periodAndCommaWalkTheLane() {
        auto& s = *m_stage;
        QTest::mouseClick(s.canvas.get(), Qt::LeftButton, {}, s.at(5, 300000));
        QTest::keyClick(s.canvas.get(), Qt::Key_Period);
        QCOMPARE(s.selection.task(), std::optional(TaskId{3}));
        QTest::keyClick(s.canvas.get(), Qt::Key_Period);
        QTest::keyClick(s.canvas.get(), Qt::Key_Comma);
        QCOMPARE(s.selection.task(), std::optional(TaskId{3}));
        QTest::keyClick(s.canvas.get(), Qt::Key_BracketRight);
        QCOMPARE(s.selection.task(), std::optional(TaskId{1})); // its parent
        QCOMPARE(s.selection.cpu(), std::optional(CpuId{0}));
        QTest::keyClick(s.canvas.get(), Qt::Key_BracketLeft);
        QCOMPARE(s.selection.task(), std::optional(TaskId{2})); // the first it made
        QTest::keyClick(s.canvas.get(), Qt::Key_Down);
        QCOMPARE(s.selection.cpu(), std::optional(CpuId{6}));
    }

    void hoverLightsTheTask() {
        auto& s = *m_stage;
        QTest::mouseMove(s.canvas.get(), s.at(5, 300000));
        QCOMPARE(s.selection.hoveredTask(), std::nullopt); // passing over does nothing
        QTRY_COMPARE_WITH_TIMEOUT(s.selection.hoveredTask(), std::optional(TaskId{2}), 2000);
        QTest::mouseMove(s.canvas.get(), s.at(2, 300000));
        QTRY_COMPARE(s.selection.hoveredTask(), std::nullopt);
    }

    void overlayChangesDoNotRepaintLanes() {
        auto& s = *m_stage;
        QCoreApplication::processEvents();
        const auto pixel = s.at(5, 300000);
        const auto before = s.canvas->grab().toImage();
        s.selection.hoverTask(TaskId{1});
        QCoreApplication::processEvents();
        const auto dimmed = s.canvas->grab().toImage();
        QVERIFY(before.pixel(pixel.x(), pixel.y() - 6) != dimmed.pixel(pixel.x(), pixel.y() - 6));
        s.selection.hoverTask(std::nullopt);
        QCoreApplication::processEvents();
        QCOMPARE(s.canvas->grab().toImage(), before);
    }

    void knownFutureIsPale() {
        auto& s = *m_stage;
        QCoreApplication::processEvents();
        const auto image = s.canvas->grab().toImage();
        const auto ratio = image.devicePixelRatio();
        const auto at = s.at(7, 4300000);
        const QColor pale = image.pixelColor((QPointF(at.x() + 12, at.y() - 7) * ratio).toPoint());
        const auto full = s.scene().paintOf(TaskId{18}).fill, ground = s.theme.colour(Token::Surface);
        const auto expected = 0.32 * full.greenF() + 0.68 * ground.greenF();
        QVERIFY2(std::abs(static_cast<double>(pale.greenF()) - expected) < 0.03,
                 qPrintable(pale.name() + ' ' + full.name()));
    }

    void escapeWithNothingSelectedGoesOn() {
        QKeyEvent event(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
        QApplication::sendEvent(m_stage->canvas.get(), &event);
        QVERIFY(!event.isAccepted()); // the window may close a sheet
    }

    void singleKeysBeatTheWindowsShortcuts() {
        for (const auto key : {Qt::Key_W, Qt::Key_F, Qt::Key_Left, Qt::Key_T}) {
            QKeyEvent event(QEvent::ShortcutOverride, key, Qt::NoModifier);
            event.ignore();
            QApplication::sendEvent(m_stage->canvas.get(), &event);
            QVERIFY(event.isAccepted());
        }
        QKeyEvent decision(QEvent::ShortcutOverride, Qt::Key_Right, Qt::ControlModifier);
        decision.ignore();
        QApplication::sendEvent(m_stage->canvas.get(), &decision);
        QVERIFY(!decision.isAccepted());
    }

    void groupsCloseWhenLanesDoNotFit() {
        Stage s;
        s.dense(256, 16, 3000, 40, 30000, true);
        s.canvas->resize(900, 430);
        s.canvas->renderNow();
        const auto& layout = s.scene().layout;
        QCOMPARE(layout.rows().size(), std::size_t{16});
        QCOMPARE(layout.groups()[0].title, QStringLiteral("MC\u00A00–7"));
        QCOMPARE(layout.groups()[0].cpus.size(), std::size_t{16});
        QCOMPARE(layout.groups()[0].cpus[1], CpuId{128}); // threads of a core side by side
        const QPoint title(30, s.scene().rowRect(layout.rows()[1]).center().y());
        QTest::mouseClick(s.canvas.get(), Qt::LeftButton, {}, title);
        QCOMPARE(layout.rows().size(), std::size_t{31});
        QCOMPARE(layout.rows()[1].kind, LaneRow::Kind::Cpu);
        QVERIFY(layout.contentHeight() > s.scene().lanes.height());
        wheel(*s.canvas, {400, 200}, -2);
        QVERIFY(s.scene().scroll > 0);
        wheel(*s.canvas, {400, 200}, 9);
        QCOMPARE(s.scene().scroll, 0);
        QTest::mouseClick(s.canvas.get(), Qt::LeftButton, {}, {8, s.scene().rowRect(layout.rows()[1]).center().y()});
        QCOMPARE(layout.rows().size(), std::size_t{16});
    }

    void laneHeights() {
        auto& s = *m_stage;
        const auto& rows = s.scene().layout.rows();
        QVERIFY(rows[0].height >= 18 && rows[0].height <= 48);
        s.canvas->setLaneHeight(30);
        QCOMPARE(rows[0].height, 30);
        s.theme.setScale(1.6);
        QCOMPARE(rows[0].height, 48);
        s.canvas->setLaneHeight(0);
        QVERIFY(rows[0].height >= 28); // 18 at that scale
    }

    void axisLabelsGiveWayToFlags() {
        auto& s = *m_stage;
        const auto labels = axisLabels(s.scene());
        QCOMPARE(labels.front().text, QStringLiteral("0\u00A0ms"));
        QVERIFY(!labels[1].text.contains(QLatin1String("ms")));
        s.selection.setWindow({from_ns(2000000), from_ns(2800000)});
        for (const auto& label : axisLabels(s.scene()))
            if (std::abs(s.scene().scale.x(label.time) - s.scene().scale.x(2380000)) < 8) QVERIFY(label.text.isEmpty());
    }

    void manyArrowsNeedASelection() {
        Stage s;
        s.dense(8, 4, 20000, 20, 20000);
        s.canvas->resize(900, 400);
        s.canvas->renderNow();
        QVERIFY(arrowsInView(s.scene()) > TimelineScene::kArrowLimit);
        QVERIFY(arrowsInView(m_stage->scene()) < 20);
    }

    void fromOneToManyLanes() {
        for (const std::uint32_t cpus : {1U, 4U, 40U, 384U}) {
            Stage s;
            s.dense(cpus, std::max(1U, cpus / 8), 2000, 30, 20000);
            QVERIFY(!s.picture({852, 320}).isNull());
            QVERIFY(s.scene().layout.rows().size() >= 1);
        }
    }

private:
    std::unique_ptr<Stage> m_stage;
};

QTEST_MAIN(TestTimelineCanvas)
#include "tst_timeline_canvas.moc"
