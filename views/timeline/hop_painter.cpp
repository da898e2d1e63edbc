// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/hop_painter.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace rqscope {

namespace {

constexpr double kCurveFrom = 14; // logical pixels between decision and arrival that allow a curve
constexpr std::array<double, 4> kMoveWidth{1, 1.5, 2, 3};
constexpr double kGapFrom = 3; // logical pixels of a gap that can show a dash and a space

struct Line {
    QPointF from, to;
};

// From the edge of one lane's bar to the near edge of the other's; nothing when both are one row.
std::optional<Line> lineOf(const TimelineScene& s, const Hop& hop) {
    if (hop.kind != HopKind::Migration && hop.other == kIdleTask) return std::nullopt; // a timer has no lane
    const auto from = s.layout.mode() == LaneMode::Task ? s.layout.rowOfTask(hop.other) : s.layout.rowOfCpu(hop.from);
    const auto to = s.rowOf(hop.task, hop.to);
    if (!from || !to || *from == *to) return std::nullopt;
    const auto source = s.runRect(s.layout.rows()[*from]), target = s.runRect(s.layout.rows()[*to]);
    const auto down = *to > *from;
    return Line{{s.scale.x(hop.begin), down ? source.bottom() + 1.0 : source.top()},
                {s.scale.x(hop.sent()), down ? target.top() : target.bottom() + 1.0}};
}

// From the arrival of the message to its being handled, in the row of the task; an arrow that needs no line has it too.
std::optional<Line> gapOf(const TimelineScene& s, const Hop& hop) {
    const auto from = s.scale.x(hop.sent()), to = s.scale.x(hop.time);
    if (hop.pending == 0 || to - from < kGapFrom) return std::nullopt;
    const auto row = s.rowOf(hop.task, hop.to);
    if (!row || s.layout.rows()[*row].kind == LaneRow::Kind::Group) return std::nullopt;
    const auto target = s.runRect(s.layout.rows()[*row]);
    const auto line = lineOf(s, hop);
    const bool fromBelow = line && line->from.y() > line->to.y();
    const auto y = fromBelow ? target.bottom() + 0.5 : target.top() + 0.5;
    return Line{{from, y}, {to, y}};
}

void drawGap(QPainter& p, const Line& gap, const QColor& colour, double width) {
    QPen pen(colour, width, Qt::CustomDashLine, Qt::FlatCap);
    const auto dash = 3 / width; // 3 pixels and 2 between, whatever the width
    pen.setDashPattern({dash, dash * 2 / 3});
    p.setPen(pen);
    p.drawLine(gap.from, gap.to);
}

void drawHead(QPainter& p, QPointF tip, QPointF direction, double size, const QColor& colour) {
    const auto length = std::hypot(direction.x(), direction.y());
    const auto unit = length > 0 ? direction / length : QPointF(0, 1);
    const QPointF normal(-unit.y(), unit.x());
    const auto base = tip - unit * size * 1.3;
    p.setPen(Qt::NoPen);
    p.setBrush(colour);
    p.drawPolygon(QPolygonF{tip, base + normal * size * 0.6, base - normal * size * 0.6});
    p.setBrush(Qt::NoBrush);
}

void drawArrow(QPainter& p, const Line& line, const QColor& colour, double width, double head) {
    const auto dy = line.to.y() - line.from.y();
    p.setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap));
    if (std::abs(line.to.x() - line.from.x()) < kCurveFrom) {
        // Straight up or down on a pixel centre, where a slanted line would look frayed.
        const auto x = std::floor(line.to.x()) + 0.5;
        p.drawLine(QPointF(x, line.from.y()), QPointF(x, line.to.y() - (dy > 0 ? head : -head)));
        drawHead(p, {x, line.to.y()}, {0, dy}, head, colour);
        return;
    }
    QPainterPath path(line.from);
    path.cubicTo({line.from.x(), line.from.y() + dy * 0.5}, {line.to.x(), line.to.y() - dy * 0.5}, line.to);
    p.drawPath(path);
    drawHead(p, line.to, {0, dy}, head, colour);
}

template <class F>
void forHopsInView(const TimelineScene& s, const std::vector<Hop>& hops, F&& f) {
    const auto end = s.viewEnd();
    for (auto i = LaneModel::firstHop(hops, s.viewBegin()); i < hops.size() && hops[i].time <= end; ++i)
        if (!f(hops[i])) return;
}

// Between closed groups nobody could follow an arrow to a CPU; a busy machine would show a bar code.
bool betweenClosed(const TimelineScene& s, const Hop& hop) {
    const auto closed = [&](CpuId cpu) {
        const auto row = s.layout.rowOfCpu(cpu);
        return row && s.layout.rows()[*row].kind == LaneRow::Kind::Group;
    };
    return closed(hop.from) && closed(hop.to);
}

void drawHop(QPainter& p, const TimelineScene& s, const Hop& hop) {
    if (const auto gap = gapOf(s, hop)) drawGap(p, *gap, s.theme.colour(Token::Ink2), 1.5);
    const auto line = lineOf(s, hop);
    if (!line) return;
    if (hop.kind == HopKind::Migration) {
        const auto width = kMoveWidth[static_cast<std::size_t>(s.levelOf(hop.from, hop.to))];
        drawArrow(p, *line, s.theme.colour(Token::Ink), width, 3.5 + width);
    } else {
        drawArrow(p, *line, s.theme.colour(Token::LineStrong), 1.1, 4.5);
    }
}

} // namespace

std::size_t arrowsInView(const TimelineScene& s) {
    std::size_t count = 0, looked = 0;
    const auto add = [&](const Hop& hop) {
        // Timer wake-ups and moves inside a row draw nothing, but looking at all of them would cost more than the picture.
        if (++looked > 20 * TimelineScene::kArrowLimit) count = TimelineScene::kArrowLimit + 1;
        else if (!betweenClosed(s, hop) && lineOf(s, hop)) ++count;
        return count <= TimelineScene::kArrowLimit;
    };
    forHopsInView(s, s.model.decisions(), add);
    if (count <= TimelineScene::kArrowLimit) forHopsInView(s, s.model.migrations(), add);
    return count;
}

void paintArrows(QPainter& p, const TimelineScene& s) {
    if (arrowsInView(s) > TimelineScene::kArrowLimit) return;
    p.save();
    p.setClipRect(s.lanes);
    p.setRenderHint(QPainter::Antialiasing);
    const auto draw = [&](const Hop& hop) {
        if (!betweenClosed(s, hop)) drawHop(p, s, hop);
        return true;
    };
    forHopsInView(s, s.model.decisions(), draw);
    forHopsInView(s, s.model.migrations(), draw);
    p.restore();
}

void paintArrowsOf(QPainter& p, const TimelineScene& s, TaskId task) {
    const auto drawn = arrowsInView(s) <= TimelineScene::kArrowLimit;
    p.save();
    p.setClipRect(s.lanes);
    p.setRenderHint(QPainter::Antialiasing);
    std::size_t left = TimelineScene::kArrowLimit;
    const auto draw = [&](const Hop& hop) {
        if ((hop.task != task && hop.other != task) || (drawn && !betweenClosed(s, hop))) return true;
        drawHop(p, s, hop);
        return --left > 0;
    };
    forHopsInView(s, s.model.decisions(), draw);
    forHopsInView(s, s.model.migrations(), draw);
    p.restore();
}

void paintDiamond(QPainter& p, QPointF centre, double radius, const QColor& colour) {
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(colour);
    p.drawPolygon(QPolygonF{centre + QPointF(0, -radius), centre + QPointF(radius, 0), centre + QPointF(0, radius),
                            centre + QPointF(-radius, 0)});
    p.restore();
}

void paintDecision(QPainter& p, const TimelineScene& s, const Hop& hop) {
    const auto colour = s.theme.colour(Token::Decision);
    p.save();
    p.setClipRect(s.lanes);
    p.setRenderHint(QPainter::Antialiasing);
    if (const auto gap = gapOf(s, hop)) drawGap(p, *gap, colour, 2.5);
    if (const auto line = lineOf(s, hop)) {
        drawArrow(p, *line, colour, 2.5, 6);
        const auto straight = std::abs(line->to.x() - line->from.x()) < kCurveFrom;
        paintDiamond(p, {straight ? std::floor(line->to.x()) + 0.5 : line->from.x(), line->from.y()}, 5, colour);
    } else if (const auto row = s.rowOf(hop.task, hop.to)) {
        paintDiamond(p, {std::floor(s.scale.x(hop.time)) + 0.5, s.runRect(s.layout.rows()[*row]).top() + 1.0}, 5, colour);
    }
    p.restore();
}

} // namespace rqscope
