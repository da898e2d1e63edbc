// SPDX-License-Identifier: GPL-3.0-or-later
// What the mouse does on the timeline: hover, click, double-click, the three drags and the wheel.
#include "timeline/timeline_canvas.h"

#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace rqscope {

namespace {
constexpr double kDragFrom = 4;     // pixels before a press becomes a drag
constexpr double kFillMargin = 0.1; // room on both sides of a bar that fills the view
constexpr double kWheelZoom = 0.8;  // per notch
constexpr int kNextHoverMs = 80;    // moving on from a lit task needs no second wait
constexpr int kHoverMs = 350;
} // namespace

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
    stopHover();
    if (!m_scene.facts.hasRun || (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)) {
        QWidget::mousePressEvent(event);
        return;
    }
    m_press = Press{event->position(), event->button(), event->modifiers(), hitTest(m_scene, event->position()),
                    m_shown,           m_scene.scroll};
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_press) drag(event->position());
    else hover(event->position());
}

void TimelineCanvas::drag(QPointF at) {
    const auto moved = at - m_press->at;
    if (m_press->button == Qt::MiddleButton) {
        m_window.show(
            {m_press->view.begin - moved.x() * m_scene.scale.nsPerPx, m_press->view.end - moved.x() * m_scene.scale.nsPerPx},
            known());
        m_scene.scroll = m_press->scroll - static_cast<int>(moved.y());
        windowMoved(false);
        return;
    }
    const auto inLanes = m_press->at.x() >= m_scene.lanes.left() && m_press->at.x() <= m_scene.lanes.right();
    if (!inLanes || (!m_scene.rubber && std::abs(moved.x()) < kDragFrom)) return;
    const auto inside = [&](double x) { return std::clamp<double>(x, m_scene.lanes.left(), m_scene.lanes.right() + 1); };
    m_scene.rubber = Rubber{inside(m_press->at.x()), inside(at.x()), (m_press->modifiers & Qt::ControlModifier) != 0};
    updateOverlay();
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_press || event->button() != m_press->button) return;
    if (m_scene.rubber) finishDrag(event->position());
    else if (m_press->button == Qt::LeftButton) click(m_press->hit, m_press->modifiers);
    m_press.reset();
}

void TimelineCanvas::finishDrag(QPointF at) {
    drag(at);
    const auto rubber = *m_scene.rubber;
    m_scene.rubber.reset();
    const auto begin = std::max<Ns>(0, m_scene.scale.time(std::min(rubber.x0, rubber.x1)));
    const auto end = std::max(begin + 1, m_scene.scale.time(std::max(rubber.x0, rubber.x1)));
    if (rubber.zoom) {
        m_window.show({static_cast<double>(begin), static_cast<double>(end)}, known());
        windowMoved(true);
    } else {
        m_selection.selectRange(TimeWindow{from_ns(begin), from_ns(end)});
    }
    updateOverlay();
}

void TimelineCanvas::click(const TimelineHit& hit, Qt::KeyboardModifiers modifiers) {
    using Kind = TimelineHit::Kind;
    const auto onTime =
        hit.kind == Kind::Axis || hit.kind == Kind::Flag || hit.kind == Kind::Diamond || hit.kind >= Kind::Run;
    if (hit.kind == Kind::Axis || ((modifiers & Qt::ShiftModifier) != 0 && onTime)) {
        emit m_selection.seekRequested(from_ns(hit.time));
        return;
    }
    switch (hit.kind) {
    case Kind::Title:
    case Kind::Group: toggleGroup(m_scene.layout.rows()[hit.row].group); break;
    case Kind::Diamond: {
        const auto& hop = m_scene.model.decisions()[hit.index];
        m_selection.selectTask(hop.task);
        m_selection.selectCpu(hop.to);
        break;
    }
    case Kind::Label:
        if (hit.hasTask()) m_selection.selectTask(hit.task);
        else m_selection.selectCpu(hit.cpu);
        break;
    case Kind::None:
    case Kind::Axis:
    case Kind::Flag: break;
    default: clickLane(hit);
    }
}

void TimelineCanvas::clickLane(const TimelineHit& hit) {
    m_selection.selectRange(std::nullopt);
    m_current.reset();
    if (hit.kind == TimelineHit::Kind::Run) m_current = RunRef{hit.cpu, hit.begin, hit.task};
    m_selection.selectTask(hit.hasTask() ? std::optional(hit.task) : std::nullopt);
    if (m_scene.layout.mode() == LaneMode::Cpu || hit.hasTask()) m_selection.selectCpu(hit.cpu);
}

void TimelineCanvas::toggleGroup(std::uint32_t group) {
    m_scene.layout.toggleGroup(group);
    updateAll();
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    using Kind = TimelineHit::Kind;
    const auto hit = hitTest(m_scene, event->position());
    if (hit.kind == Kind::Diamond) {
        emit m_selection.seekRowRequested(m_scene.model.decisions()[hit.index].row + 1);
    } else if (hit.kind == Kind::Merged) {
        m_window.zoom(0.1, static_cast<double>(hit.time), known());
        windowMoved(true);
    } else if (hit.kind == Kind::Run || (hit.kind == Kind::Waiting && hit.hasTask()) || hit.kind == Kind::Blocked) {
        const auto margin = static_cast<double>(hit.end - hit.begin) * kFillMargin;
        m_window.show({static_cast<double>(hit.begin) - margin, static_cast<double>(hit.end) + margin}, known());
        windowMoved(true);
    }
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
    if (!m_scene.facts.hasRun) return;
    stopHover();
    const auto notches = event->angleDelta().y() / 120.0, sideways = event->angleDelta().x() / 120.0;
    if ((event->modifiers() & Qt::ControlModifier) != 0) {
        const auto anchor = m_shown.begin + (event->position().x() - m_scene.lanes.left()) * m_scene.scale.nsPerPx;
        m_window.zoom(std::pow(kWheelZoom, notches), anchor, known());
        windowMoved(false);
    } else {
        if (notches != 0) setScroll(m_scene.scroll - static_cast<int>(std::lround(notches * 3 * m_bar->singleStep())));
        if (sideways != 0) {
            m_window.pan(-sideways * 0.1 * m_window.view().span(), known());
            windowMoved(false);
        }
    }
    event->accept();
}

void TimelineCanvas::hover(QPointF at) {
    m_hoverAt = at;
    const auto hit = hitTest(m_scene, at);
    if (hit.sameAs(m_hover) && hit.kind != TimelineHit::Kind::Axis) return;
    m_hover = hit;
    QToolTip::hideText();
    const auto& lit = m_selection.hoveredTask();
    if (m_lit && lit && *lit == hit.task) {
        m_hoverTimer.start(kNextHoverMs);
        return;
    }
    m_hoverTimer.start(m_lit && hit.hasTask() ? kNextHoverMs : kHoverMs);
    if (m_lit && !hit.hasTask()) {
        m_lit = false;
        m_selection.hoverTask(std::nullopt);
    }
    const auto clickable = hit.kind == TimelineHit::Kind::Title || hit.kind == TimelineHit::Kind::Diamond;
    setCursor(clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void TimelineCanvas::hoverRested() {
    if (m_hover.hasTask()) {
        m_lit = true;
        m_selection.hoverTask(m_hover.task);
    }
    const auto text = tooltipText(m_scene, m_hover);
    if (!text.isEmpty()) QToolTip::showText(mapToGlobal(m_hoverAt.toPoint()) + QPoint(10, 14), text, this);
}

void TimelineCanvas::stopHover() {
    m_hoverTimer.stop();
    m_hover = {};
    QToolTip::hideText();
    if (!m_lit) return;
    m_lit = false;
    m_selection.hoverTask(std::nullopt);
}

void TimelineCanvas::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    stopHover();
}

} // namespace rqscope
