// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/overlay_painter.h"

#include "theme/format.h"
#include "timeline/frame_painter.h"
#include "timeline/hop_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace rqscope {

namespace {

constexpr double kFutureAlpha = 0.32, kDimmedAlpha = 0.25;

QColor veil(const QColor& ground, double left) {
    auto colour = ground;
    colour.setAlphaF(static_cast<float>(1 - left));
    return colour;
}

} // namespace

template <class F>
void OverlayPainter::forRunsOf(TaskId task, F&& f) const {
    const auto& s = m_scene;
    if (task.index() >= s.model.taskCount()) return;
    const auto& phases = s.model.phases(task);
    const auto scale = s.deviceScale();
    const auto width = static_cast<double>(s.deviceWidth());
    auto i = phases.stepsUntil(s.viewBegin());
    i -= i > 0 ? 1 : 0;
    for (double next = 0; i < phases.size() && phases.time(i) < std::min(s.viewEnd(), s.model.knownTime());) {
        const auto x0 = std::max(next, std::floor(scale.x(phases.time(i))));
        const auto x1 = std::min(width, std::floor(scale.x(std::min(phases.end(i), s.model.knownTime()))));
        if (phases.phase(i) == TaskPhase::Running) {
            const auto row = s.rowOf(task, phases.cpu(i));
            if (row && s.layout.rows()[*row].kind != LaneRow::Kind::Group)
                f(deviceSpan(s, s.runRect(s.layout.rows()[*row]), x0, std::max(x1, x0 + 1)));
            next = std::max(x1, x0 + 1);
        }
        // Steps that end within a pixel already drawn add nothing to see.
        i = x1 > next ? i + 1 : std::max(i + 1, phases.stepsUntil(scale.time(next), i) - 1);
    }
}

void OverlayPainter::paint(QPainter& p) {
    const auto& s = m_scene;
    if (!s.facts.hasRun || s.lanes.width() < 1 || s.lanes.height() < 1) return;
    p.save();
    p.setClipRect(s.lanes);
    paintFuture(p);
    const auto hovered = s.selection.hoveredTask();
    if (hovered && *hovered != kIdleTask) paintLit(p, *hovered);
    if (const auto task = s.selection.task()) paintSelectedTask(p, *task);
    p.restore();
    if (const auto task = s.selection.task()) paintArrowsOf(p, s, *task);
    paintSelectedRow(p);
    // While playing it would flash by; then only the decision under the head is shown.
    if (s.facts.decision && !s.facts.playing && !s.standsOnDecision()) paintDecision(p, s, *s.facts.decision);
    paintRange(p);
    paintHead(p);
    if (s.focusRing) {
        p.setPen(QPen(s.theme.colour(Token::Accent), 2));
        p.drawRect(QRect(s.lanes.left() - 1, s.lanes.top() - 1, s.lanes.width() + 1, s.lanes.height() + 1));
    }
}

void OverlayPainter::paintFuture(QPainter& p) {
    const auto& s = m_scene;
    if (s.facts.cursor >= s.model.knownTime()) return;
    const auto x0 = std::max<double>(s.lanes.left(), std::floor(s.scale.x(s.facts.cursor)) + 1);
    const auto x1 = std::min<double>(s.lanes.left() + s.lanes.width(), std::ceil(s.scale.x(s.model.knownTime())) + 1);
    if (x1 <= x0) return;
    p.fillRect(QRectF(x0, s.lanes.top(), x1 - x0, s.lanes.height()), veil(s.theme.colour(Token::Surface), kFutureAlpha));
    p.save();
    p.setClipRect(QRectF(x0, s.lanes.top(), x1 - x0, s.lanes.height()), Qt::IntersectClip);
    paintSeparators(p, s);
    p.restore();
    const auto [first, last] = s.visibleRows();
    for (auto i = first; i < last; ++i) {
        const auto& row = s.layout.rows()[i];
        if (row.kind == LaneRow::Kind::Cpu) paintFutureText(p, row);
    }
}

void OverlayPainter::paintFutureText(QPainter& p, const LaneRow& row) {
    // The veil leaves names unreadable, so bars that begin in the future get theirs again.
    const auto& s = m_scene;
    const auto& runs = s.model.runs(CpuId{row.id});
    const auto range = runsInView(runs, s.model.knownTime(), s.deviceScale(), s.deviceWidth());
    if (range.count() > static_cast<std::size_t>(s.deviceWidth()) / 2) return;
    const auto lane = s.runRect(row);
    const double right = s.lanes.left() + s.lanes.width();
    for (auto i = range.first; i < range.last; ++i) {
        if (runs.begin(i) < s.facts.cursor) continue;
        const auto x0 = std::floor(s.scale.x(runs.begin(i)) * s.ratio) / s.ratio;
        const auto x1 = std::min(right, std::floor(s.scale.x(s.model.runEnd(CpuId{row.id}, i)) * s.ratio) / s.ratio);
        paintBarText(p, s, QRectF(x0, lane.top(), x1 - x0, lane.height()), s.paintOf(runs.task(i)),
                     s.theme.colour(Token::Ink));
    }
}

void OverlayPainter::paintLit(QPainter& p, TaskId task) {
    const auto& s = m_scene;
    p.fillRect(s.lanes, veil(s.theme.colour(Token::Surface), kDimmedAlpha));
    const auto& paint = s.paintOf(task);
    forRunsOf(task, [&](const QRectF& rect) {
        if (rect.bottom() >= s.lanes.top() && rect.top() <= s.lanes.bottom()) paintBar(p, s, rect, paint, true);
    });
}

void OverlayPainter::paintSelectedTask(QPainter& p, TaskId task) {
    const auto& s = m_scene;
    const auto ink = s.theme.colour(Token::Ink);
    forRunsOf(task, [&](const QRectF& rect) {
        if (rect.bottom() < s.lanes.top() || rect.top() > s.lanes.bottom()) return;
        if (rect.width() < 4) { // no room for a frame: a line under the bar
            p.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 2), ink);
            return;
        }
        const auto frame = rect.adjusted(-1, -1, 1, 1);
        p.fillRect(QRectF(frame.left(), frame.top(), frame.width(), 2), ink);
        p.fillRect(QRectF(frame.left(), frame.bottom() - 2, frame.width(), 2), ink);
        p.fillRect(QRectF(frame.left(), frame.top(), 2, frame.height()), ink);
        p.fillRect(QRectF(frame.right() - 2, frame.top(), 2, frame.height()), ink);
    });
}

void OverlayPainter::paintSelectedRow(QPainter& p) {
    const auto& s = m_scene;
    if (s.layout.mode() != LaneMode::Cpu || !s.selection.cpu()) return;
    const auto row = s.layout.rowOfCpu(*s.selection.cpu());
    if (!row) return;
    const auto lane = s.rowRect(s.layout.rows()[*row]);
    p.save();
    p.setClipRect(QRect(0, s.lanes.top() - 1, s.lanes.right() + 1, s.lanes.height() + 2));
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(s.theme.colour(Token::Ink), 2));
    p.drawRoundedRect(QRectF(2, lane.top(), s.lanes.right() - 2, lane.height() - 1), 4, 4);
    p.restore();
}

void OverlayPainter::paintRange(QPainter& p) {
    const auto& s = m_scene;
    if (s.rubber) {
        const auto x0 = std::min(s.rubber->x0, s.rubber->x1), x1 = std::max(s.rubber->x0, s.rubber->x1);
        const auto length = durationText(s.scale.time(x1) - s.scale.time(x0));
        paintSpan(p, x0, x1, (s.rubber->zoom ? QStringLiteral("zoom ") : QString(QChar(0x0394)) + QChar(0x00A0)) + length);
    } else if (const auto range = s.selection.range()) {
        paintSpan(p, s.scale.x(to_ns(range->begin)), s.scale.x(to_ns(range->end)),
                  QString(QChar(0x0394)) + QChar(0x00A0) + durationText(to_ns(range->end) - to_ns(range->begin)));
    }
}

void OverlayPainter::paintSpan(QPainter& p, double x0, double x1, const QString& text) {
    const auto& s = m_scene;
    const auto accent = s.theme.colour(Token::Accent);
    const double left = s.lanes.left(), right = s.lanes.left() + s.lanes.width();
    const auto shownLeft = std::clamp(x0, left, right), shownRight = std::clamp(x1, left, right);
    if (x1 < left || x0 > right) return;
    auto wash = accent;
    wash.setAlphaF(0.14F);
    p.fillRect(QRectF(shownLeft, s.lanes.top(), shownRight - shownLeft, s.lanes.height()), wash);
    if (x0 >= left) p.fillRect(QRectF(std::floor(x0), s.lanes.top(), 1, s.lanes.height()), accent);
    if (x1 <= right) p.fillRect(QRectF(std::floor(x1), s.lanes.top(), 1, s.lanes.height()), accent);
    const auto font = s.theme.font(TextRole::Small, true);
    const QFontMetricsF metrics(font);
    const auto width = metrics.horizontalAdvance(text) + 12;
    const auto at = std::clamp((shownLeft + shownRight - width) / 2, left, std::max(left, right - width));
    const QRectF chip(std::round(at), s.lanes.top() + 3.0, width, metrics.height() + 2);
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(accent);
    p.drawRoundedRect(chip, 4, 4);
    p.setFont(font);
    p.setPen(s.theme.colour(Token::OnAccent));
    p.drawText(chip, static_cast<int>(Qt::AlignCenter), text);
    p.restore();
}

void OverlayPainter::paintHead(QPainter& p) {
    const auto& s = m_scene;
    const auto ink = s.theme.colour(Token::Ink);
    const auto x = std::floor(s.scale.x(s.facts.cursor));
    const double left = s.lanes.left(), right = s.lanes.left() + s.lanes.width(), half = s.theme.px(5.5);
    const double top = s.diamondRect().top(), bottom = s.lanes.top();
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(ink);
    if (x < left || x > right) { // out of sight: which way it is
        const auto tip = x < left ? left + 2 : right - 2, base = x < left ? tip + half * 1.4 : tip - half * 1.4;
        const auto middle = (top + bottom) / 2;
        p.drawPolygon(QPolygonF{QPointF(tip, middle), QPointF(base, middle - half), QPointF(base, middle + half)});
        p.restore();
        return;
    }
    const auto shoulder = top + (bottom - top) * 0.55;
    p.drawPolygon(QPolygonF{QPointF(x + 0.5 - half, top), QPointF(x + 0.5 + half, top), QPointF(x + 0.5 + half, shoulder),
                            QPointF(x + 0.5, bottom), QPointF(x + 0.5 - half, shoulder)});
    p.setRenderHint(QPainter::Antialiasing, false);
    if (s.standsOnDecision()) {
        for (double y = bottom; y < s.lanes.bottom(); y += 4) p.fillRect(QRectF(x, y, 1, 2), ink);
        // The arrow is the story; the head must not hide it.
        paintDecision(p, s, *s.facts.decision);
    } else {
        p.fillRect(QRectF(x, bottom, 1, s.lanes.height()), ink);
    }
    p.restore();
}

} // namespace rqscope
