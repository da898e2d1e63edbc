// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of the timeline and what hands do to it. Rows go into model(), facts into setFacts(); everything the user
// picks goes to the shared Selection, so that this widget knows no run source. Mouse in timeline_mouse.cpp, keys in
// timeline_keys.cpp.
#pragma once

#include "timeline/hit_test.h"
#include "timeline/lane_painter.h"
#include "timeline/overlay_painter.h"
#include "timeline/timeline_scene.h"
#include "timeline/window_control.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QVariantAnimation>
#include <QWidget>

#include <optional>

class QScrollBar;

namespace rqscope {

class LanePlot;

class TimelineCanvas : public QWidget {
    Q_OBJECT
public:
    TimelineCanvas(const Theme& theme, Selection& selection, QWidget* parent = nullptr);

    [[nodiscard]] LaneModel& model() { return m_scene.model; }
    [[nodiscard]] const TimelineScene& scene() const { return m_scene; }
    [[nodiscard]] WindowControl::Follow follow() const { return m_window.follow(); }

    // Another run (model and facts are new); a branch of the shown run keeps the window.
    void restart(RunFacts facts, bool keepWindow);
    // Rows were added; facts as they are now.
    void grow(RunFacts facts);
    void moveCursor(Ns cursor, const std::optional<Hop>& decision);
    void setPlaying(bool playing) { m_scene.facts.playing = playing; }

    void setMode(LaneMode mode);
    void setLaneHeight(int logical); // 0 = automatic
    // Paints everything now, for pictures.
    void renderNow();

    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 80}; }

signals:
    void modeChanged();
    void laidOut(); // lanes may have opened or closed

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    // The run that . , [ ] start from.
    struct RunRef {
        CpuId cpu;
        Ns begin = 0;
        TaskId task{0};
    };
    struct Press {
        QPointF at;
        Qt::MouseButton button = Qt::NoButton;
        Qt::KeyboardModifiers modifiers;
        TimelineHit hit;
        View view;
        int scroll = 0;
    };

    // --- picture
    void relayout();
    void applyScale();
    void updateAll();
    void updateOverlay();
    void paintLanes(QPainter& p);
    void paintEmpty(QPainter& p);
    void themeChanged();

    // --- window
    void windowMoved(bool glide);
    void takeSelectionWindow();
    void setScroll(int scroll);
    void ensureVisible(Ns begin, Ns end);
    void ensureRowVisible(std::size_t row);
    [[nodiscard]] Ns known() const { return m_scene.model.knownTime(); }

    // --- mouse
    void drag(QPointF at);
    void finishDrag(QPointF at);
    void click(const TimelineHit& hit, Qt::KeyboardModifiers modifiers);
    void clickLane(const TimelineHit& hit);
    void toggleGroup(std::uint32_t group);
    void hover(QPointF at);
    void hoverRested();
    void stopHover();

    // --- keys
    [[nodiscard]] static int keyOf(const QKeyEvent& event);
    [[nodiscard]] bool wants(const QKeyEvent& event) const;
    bool handleKey(int key, bool shift);
    void zoomByKey(double factor);
    void panByKey(double share);
    void focusKey();
    [[nodiscard]] std::optional<View> focusTarget() const;
    void stepRun(bool forward);
    void stepTaskRun(TaskId task, bool forward);
    void goToWaker();
    void goToWakee();
    void moveLane(bool down);
    void selectRun(CpuId cpu, std::size_t index);
    [[nodiscard]] std::optional<RunRef> currentRun() const;

    TimelineScene m_scene;
    Selection& m_selection;
    WindowControl m_window;
    View m_shown; // follows m_window.view() in a short glide
    LanePainter m_lanePainter;
    OverlayPainter m_overlayPainter;
    LanePlot* m_plot;
    QScrollBar* m_bar;
    QVariantAnimation m_glide;
    View m_glideFrom;
    QTimer m_hoverTimer;
    QPointF m_hoverAt;
    TimelineHit m_hover;
    bool m_lit = false; // the hovered task of the selection is ours
    std::optional<Press> m_press;
    std::optional<RunRef> m_current;
    QElapsedTimer m_lastFocusKey;
    bool m_settingWindow = false;
};

} // namespace rqscope
