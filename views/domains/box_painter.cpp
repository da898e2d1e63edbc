// SPDX-License-Identifier: GPL-3.0-or-later
#include "domains/box_painter.h"

#include "domains/cell_painter.h"
#include "domains/machine_text.h"
#include "theme/format.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <map>

namespace rqscope {

namespace {

// Where a title's words go, and how much room its name takes.
struct TitleBox {
    QRect box;
    QFont nameFont, listFont;
    int nameWidth = 0;

    TitleBox(const Theme& theme, const MachineScene& scene, const MachineScene::Frame& frame)
        : box(scene.layout.title(frame.extent, frame.depth)), nameFont(theme.kernelFont(titleRole(scene), true)),
          listFont(theme.font(titleRole(scene))) {
        const auto side = scene.layout.dense ? theme.px(4) : theme.px(8);
        box.adjust(side, 0, -side, 0);
        const auto& node = scene.domains.nodes()[frame.node];
        // The fill level is painted with each step; here only its room is kept.
        const auto fill = QStringLiteral("%1/%1").arg(node.span.count());
        const bool keeps = frame.closed ? !countInColumn(theme, scene, frame) : scene.layout.dense;
        if (keeps) box.setRight(box.right() - QFontMetrics(listFont).horizontalAdvance(fill) - theme.px(6));
        box.setRight(box.right() - lampRoom(theme, scene, frame));
        nameWidth = QFontMetrics(nameFont).horizontalAdvance(node.name) + (scene.layout.dense ? theme.px(5) : theme.px(8));
    }
    // Boxes of one level spell their spans alike, in the first form that fits all of them.
    [[nodiscard]] int form(const QStringList& spellings) const {
        const QFontMetrics metrics(listFont);
        for (int form = 0; form < kForms; ++form) {
            const auto list = metrics.horizontalAdvance(spellings[spellingOf(form)]);
            if ((isNamed(form) ? nameWidth : 0) + list <= box.width()) return form;
        }
        return kForms;
    }

    // The level's name goes before the span is cut down to its beginning.
    static constexpr int kNamed = 3, kForms = kNamed + 4;
    [[nodiscard]] static bool isNamed(int form) { return form < kNamed; }
    [[nodiscard]] static int spellingOf(int form) { return isNamed(form) ? form : form - kNamed; }
};

void paintTitle(QPainter& painter, const Theme& theme, const MachineScene& scene, const MachineScene::Frame& frame,
                int form) {
    if (form >= TitleBox::kForms || scene.layout.title(frame.extent, frame.depth).isEmpty()) return;
    const TitleBox title(theme, scene, frame);
    auto box = title.box;
    if (TitleBox::isNamed(form)) {
        painter.setFont(title.nameFont);
        painter.setPen(theme.colour(Token::Ink));
        painter.drawText(box, Qt::AlignVCenter | Qt::AlignLeft, scene.domains.nodes()[frame.node].name);
        box.setLeft(box.left() + title.nameWidth);
    }
    painter.setFont(title.listFont);
    painter.setPen(theme.colour(TitleBox::isNamed(form) ? Token::Ink2 : Token::Ink));
    painter.drawText(box, Qt::AlignVCenter | Qt::AlignLeft, titleSpellings(scene, frame.node)[TitleBox::spellingOf(form)]);
}

void paintFrames(QPainter& painter, const Theme& theme, const MachineScene& scene) {
    std::map<std::pair<std::uint32_t, bool>, int> forms; // closed boxes are narrow and stand for themselves
    const auto levelOf = [&](const MachineScene::Frame& frame) -> int& {
        return forms[{scene.domains.nodes()[frame.node].level, frame.closed}];
    };
    for (const auto& frame : scene.frames) {
        const auto spellings = titleSpellings(scene, frame.node);
        levelOf(frame) = std::max(levelOf(frame), TitleBox(theme, scene, frame).form(spellings));
    }
    for (const auto& frame : scene.frames) {
        const auto box = scene.layout.frame(frame.extent, frame.depth);
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(theme.colour(Token::LineStrong), 1));
        painter.setBrush(theme.colour(frame.innermost ? Token::Surface : Token::Sunken));
        const auto radius = frame.innermost ? theme.px(5) : theme.px(7);
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
        painter.setRenderHint(QPainter::Antialiasing, false);
        paintTitle(painter, theme, scene, frame, levelOf(frame));
    }
}

void paintEmptyCell(QPainter& painter, const Theme& theme, const MachineScene& scene, CpuId cpu,
                    const CpuAxis::Column& column) {
    const auto box = scene.layout.cell(column);
    const bool online = scene.cells[cpu.index()].online;
    if (scene.layout.dense) {
        if (column.width < 3) return;
        painter.setPen(theme.colour(column.width < 12 ? Token::Line : Token::LineStrong));
        painter.setBrush(online ? Qt::NoBrush : QBrush(theme.colour(Token::Hover)));
        painter.drawRect(box.adjusted(0, 0, -1, -1));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    QPen pen(theme.colour(Token::LineStrong), 1);
    if (!online) pen.setStyle(Qt::DotLine);
    painter.setPen(pen);
    painter.setBrush(theme.colour(online ? Token::Surface : Token::Hover));
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), theme.px(4), theme.px(4));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// One thin line per overlapping level, solid where the span is, dotted where it is not.
void paintBrackets(QPainter& painter, const Theme& theme, const MachineScene& scene) {
    const auto from = scene.viewpoint();
    if (!from) return;
    auto levels = scene.domains.brackets(*from);
    std::reverse(levels.begin(), levels.end());
    painter.setFont(theme.font(TextRole::Tiny));
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const auto& node = scene.domains.nodes()[levels[i]];
        std::vector<int> ends(scene.layout.rows.size(), -1);
        for (const auto cpu : scene.axis.order()) {
            const auto& column = *scene.axis.column(cpu);
            const auto& row = scene.layout.rows[static_cast<std::size_t>(column.row)];
            if (i >= row.brackets.size()) return;
            auto& end = ends[static_cast<std::size_t>(column.row)];
            const auto left = scene.layout.gutter + column.x, right = left + column.width - 1, y = row.brackets[i];
            if (!node.span.test(cpu)) continue;
            painter.setPen(QPen(theme.colour(Token::Ink2), 1));
            const bool joins = end >= 0 && left - end <= theme.px(40) && scene.domains.position(cpu) > 0 &&
                               node.span.test(scene.domains.order()[scene.domains.position(cpu) - 1]);
            if (!joins) {
                painter.drawLine(left, y, left, y + theme.px(4));
                if (end >= 0) {
                    painter.drawLine(end, y, end, y + theme.px(4));
                    QPen dots(theme.colour(Token::Ink3), 1);
                    dots.setDashPattern({1, 3});
                    painter.setPen(dots);
                    painter.drawLine(end + 2, y, left - 2, y);
                    painter.setPen(QPen(theme.colour(Token::Ink2), 1));
                }
            }
            painter.drawLine(joins ? end : left, y, right, y);
            end = right;
        }
        for (std::size_t row = 0; row < ends.size(); ++row)
            if (ends[row] >= 0)
                painter.drawLine(ends[row], scene.layout.rows[row].brackets[i], ends[row],
                                 scene.layout.rows[row].brackets[i] + theme.px(4));
        painter.setPen(theme.colour(Token::Ink3));
        const auto width = scene.layout.gutter - theme.px(8);
        const auto count = QStringLiteral("(%1)").arg(node.span.count());
        const auto whole = node.name + count; // the level below names it too
        const auto text = painter.fontMetrics().horizontalAdvance(whole) <= width ? whole : count;
        for (const auto& row : scene.layout.rows)
            painter.drawText(QRect(0, row.brackets[i] - theme.px(6), width, theme.px(14)), Qt::AlignRight | Qt::AlignVCenter, text);
    }
}

void paintGutter(QPainter& painter, const Theme& theme, const MachineScene& scene) {
    const auto font = theme.font(TextRole::Tiny);
    painter.setFont(font);
    painter.setPen(theme.colour(Token::Ink3));
    const auto width = scene.layout.gutter - theme.px(8);
    const auto write = [&](int y, int height, const QString& text) {
        if (height >= QFontMetrics(font).ascent() && QFontMetrics(font).horizontalAdvance(text) <= width)
            painter.drawText(QRect(0, y, width, height), Qt::AlignRight | Qt::AlignVCenter, text);
    };
    std::vector<std::vector<bool>> named(scene.layout.rows.size());
    for (const auto& frame : scene.frames) {
        const auto title = scene.layout.title(frame.extent, frame.depth);
        auto& done = named[static_cast<std::size_t>(frame.extent.row)];
        done.resize(std::max(done.size(), static_cast<std::size_t>(frame.depth) + 1));
        if (title.isEmpty() || done[static_cast<std::size_t>(frame.depth)]) continue;
        done[static_cast<std::size_t>(frame.depth)] = true;
        write(title.top(), title.height(), scene.domains.nodes()[frame.node].name);
    }
    for (const auto& row : scene.layout.rows) {
        write(row.cellTop, scene.layout.cellHeight, QStringLiteral("CPU"));
        if (scene.loadPlot().counts)
            write(row.countTop, QFontMetrics(theme.font(TextRole::Small)).height(), QStringLiteral("landed"));
    }
}

} // namespace

void paintBoxes(QPainter& painter, const Theme& theme, const MachineScene& scene) {
    paintFrames(painter, theme, scene);
    for (const auto cpu : scene.axis.order()) {
        const auto& column = *scene.axis.column(cpu);
        if (!column.group) paintEmptyCell(painter, theme, scene, cpu, column);
    }
    paintBrackets(painter, theme, scene);
    paintGutter(painter, theme, scene);
}

} // namespace rqscope
