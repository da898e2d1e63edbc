// SPDX-License-Identifier: GPL-3.0-or-later
#include "domains/mark_painter.h"

#include "domains/cell_painter.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace rqscope {

namespace {

enum class Mark { Chosen, Rejected, Origin };

void paintMark(QPainter& painter, const Theme& theme, Mark mark, QPointF centre, double side) {
    const auto r = side / 2;
    painter.setRenderHint(QPainter::Antialiasing, true);
    const auto halo = theme.colour(Token::Surface);
    switch (mark) {
    case Mark::Chosen: {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.colour(Token::Decision));
        painter.drawEllipse(centre, r, r);
        if (side < 8) break;
        QPainterPath tick(centre + QPointF(-0.42 * r, 0.05 * r));
        tick.lineTo(centre + QPointF(-0.1 * r, 0.38 * r));
        tick.lineTo(centre + QPointF(0.45 * r, -0.32 * r));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(
            QPen(theme.colour(Token::OnDecision), std::max(1.2, side / 9), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPath(tick);
        break;
    }
    case Mark::Rejected: {
        painter.setPen(QPen(theme.colour(Token::Rejected), side < 12 ? 1.2 : 1.5));
        painter.setBrush(halo);
        painter.drawEllipse(centre, r - 1, r - 1);
        const auto d = 0.55 * r;
        painter.drawLine(centre + QPointF(-d, d), centre + QPointF(d, -d));
        break;
    }
    case Mark::Origin: {
        const auto d = 0.85 * r;
        painter.setPen(QPen(halo, 1.5));
        painter.setBrush(theme.colour(Token::Decision));
        painter.drawPolygon(
            QPolygonF{centre + QPointF(0, -d), centre + QPointF(d, 0), centre + QPointF(0, d), centre + QPointF(-d, 0)});
        break;
    }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void outline(QPainter& painter, const QRectF& box, QColor colour, double width, double radius) {
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, width));
    painter.drawRoundedRect(box, radius, radius);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// Centre of a CPU's mark: in the cell's corner, or under a cell that is too narrow.
QPointF markCentre(const Theme& theme, const MachineScene& scene, const CpuAxis::Column& column) {
    const auto cell = scene.layout.cell(column);
    const auto side = markSize(theme, scene);
    if (scene.layout.dense)
        return {cell.center().x() + 0.5,
                scene.layout.rows[static_cast<std::size_t>(column.row)].markTop + scene.layout.markHeight / 2.0};
    if (cell.width() < 2 * side) return {cell.center().x() + 0.5, cell.bottom() - side / 2.0 - 1};
    const auto y = scene.layout.oneLine ? cell.center().y() + 0.5 : cell.top() + side / 2.0 + theme.px(4);
    return {cell.right() - side / 2.0 - theme.px(3), y};
}

void markCpu(QPainter& painter, const Theme& theme, const MachineScene& scene, CpuId cpu, Mark mark) {
    const auto* column = scene.axis.column(cpu);
    if (!column || column->group) return;
    auto side = static_cast<double>(markSize(theme, scene));
    if (!scene.layout.dense) side = std::min(side, column->width - 2.0);
    paintMark(painter, theme, mark, markCentre(theme, scene, *column), side);
}

const MachineScene::Frame* frameOf(const MachineScene& scene, std::optional<std::uint32_t> node) {
    if (!node) return nullptr;
    const auto at = std::find_if(scene.frames.begin(), scene.frames.end(),
                                 [&](const MachineScene::Frame& f) { return f.node == *node; });
    return at == scene.frames.end() ? nullptr : &*at;
}

void markTitle(QPainter& painter, const Theme& theme, const MachineScene& scene, std::optional<std::uint32_t> node,
               Mark mark) {
    const auto* frame = frameOf(scene, node);
    if (!frame) return;
    const auto title = scene.layout.title(frame->extent, frame->depth);
    const auto side = markSize(theme, scene);
    if (title.isEmpty() || title.width() < 3 * side) return;
    paintMark(painter, theme, mark, QPointF(title.right() - side / 2.0 - theme.px(3), title.center().y() + 1), side);
}

// Outline of a node that has no frame of its own: threads of a core, or a box cut into rows.
std::vector<QRect> nodeBoxes(const MachineScene& scene, std::uint32_t node) {
    if (const auto* frame = frameOf(scene, node)) return {scene.layout.frame(frame->extent, frame->depth)};
    std::vector<QRect> boxes;
    if (node >= scene.domains.nrNested()) return boxes;
    const bool threads = !scene.domains.nodes()[node].framed();
    for (const auto& extent : scene.axis.extents(node)) {
        const auto& row = scene.layout.rows[static_cast<std::size_t>(extent.row)];
        const auto left = scene.layout.gutter + extent.left;
        const auto top = threads ? row.cellTop : row.top,
                   bottom = threads ? row.cellTop + scene.layout.cellHeight : row.bottom;
        boxes.emplace_back(QPoint(left - 1, top - 1), QPoint(scene.layout.gutter + extent.right, bottom));
    }
    return boxes;
}

} // namespace

void paintMarks(QPainter& painter, const Theme& theme, const MachineScene& scene) {
    if (!scene.marks) return;
    const auto& marks = *scene.marks;
    const auto decision = theme.colour(Token::Decision);
    auto group = marks.winner && marks.winner->node ? marks.winner->node : scene.domains.box(marks.chosen);
    if (const auto* frame = frameOf(scene, group))
        outline(painter, QRectF(scene.layout.frame(frame->extent, frame->depth)).adjusted(0.5, 0.5, -0.5, -0.5), decision,
                2.5, theme.px(5));
    if (const auto* column = scene.axis.column(marks.chosen); column && !column->group) {
        const auto cell = QRectF(scene.layout.cell(*column));
        const auto inside = scene.layout.dense ? -1.0 : 1.0;
        outline(painter, cell.adjusted(inside, inside, -inside, -inside), decision, scene.layout.dense ? 2 : 2.5,
                scene.layout.dense ? 1 : theme.px(4));
    }
    if (marks.winner) markTitle(painter, theme, scene, marks.winner->node, Mark::Chosen);
    if (marks.rival) {
        markTitle(painter, theme, scene, marks.rival->node, Mark::Rejected);
        if (marks.origin != marks.rival->cpu) markCpu(painter, theme, scene, marks.rival->cpu, Mark::Rejected);
    }
    if (marks.origin && *marks.origin != marks.chosen) markCpu(painter, theme, scene, *marks.origin, Mark::Origin);
    markCpu(painter, theme, scene, marks.chosen, Mark::Chosen);
}

void paintSelection(QPainter& painter, const Theme& theme, const MachineScene& scene) {
    const auto ink = theme.colour(Token::Ink);
    if (scene.selectedNode)
        for (const auto& box : nodeBoxes(scene, *scene.selectedNode))
            outline(painter, QRectF(box).adjusted(0, 0, 0, 0), ink, 2, theme.px(5));
    if (!scene.selectedCpu) return;
    const auto* column = scene.axis.column(*scene.selectedCpu);
    if (!column) return;
    const auto away = scene.layout.dense ? 1.0 : (scene.marks && scene.marks->chosen == *scene.selectedCpu ? 1.5 : 0.0);
    outline(painter, QRectF(scene.layout.cell(*column)).adjusted(-away, -away, away, away), ink, 2,
            scene.layout.dense ? 1 : theme.px(4));
}

void paintFocusRing(QPainter& painter, const Theme& theme, const MachineScene& scene, CpuId cpu,
                    std::optional<std::uint32_t> node) {
    const auto accent = theme.colour(Token::Accent);
    if (node) {
        for (const auto& box : nodeBoxes(scene, *node))
            outline(painter, QRectF(box).adjusted(-1.5, -1.5, 1.5, 1.5), accent, 2, theme.px(6));
        return;
    }
    if (const auto* column = scene.axis.column(cpu))
        outline(painter, QRectF(scene.layout.cell(*column)).adjusted(-2.5, -2.5, 2.5, 2.5), accent, 2,
                theme.px(scene.layout.dense ? 2 : 6));
}

} // namespace rqscope
