// SPDX-License-Identifier: GPL-3.0-or-later
#include "domains/cell_painter.h"

#include "domains/machine_text.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace rqscope {

namespace {

constexpr double kFaint = 0.25;
constexpr int kLampTitle = 56;  // narrower titles need all their room for words
constexpr int kTextColumn = 40; // from here a cell has room for words

QColor faded(QColor colour, QColor ground) {
    const auto mix = [](int a, int b) { return static_cast<int>(std::lround(a * kFaint + b * (1 - kFaint))); };
    return {mix(colour.red(), ground.red()), mix(colour.green(), ground.green()), mix(colour.blue(), ground.blue())};
}

struct CellFonts {
    QFont number, small, name;
    QFontMetrics numberMetrics, smallMetrics, nameMetrics;
    explicit CellFonts(const Theme& theme)
        : number(theme.font(TextRole::Body, true)), small(theme.font(TextRole::Tiny)), name(theme.font(TextRole::Small)),
          numberMetrics(number), smallMetrics(small), nameMetrics(name) {}
};

bool marked(const MachineScene& scene, CpuId cpu) {
    if (!scene.marks) return false;
    return scene.marks->chosen == cpu || scene.marks->origin == cpu ||
           (scene.marks->rival && scene.marks->rival->cpu == cpu);
}

void paintWords(QPainter& painter, const Theme& theme, const MachineScene& scene, const CellFonts& fonts, CpuId cpu,
                const QRect& box, QColor numberInk, QColor wordInk) {
    const auto number = QString::number(cpu.value);
    painter.setPen(numberInk);
    if (box.width() < kTextColumn) {
        const bool fits = fonts.numberMetrics.horizontalAdvance(number) + 4 <= box.width();
        if (!fits && fonts.smallMetrics.horizontalAdvance(number) > box.width()) return;
        painter.setFont(fits ? fonts.number : fonts.small);
        const Qt::Alignment align = Qt::AlignHCenter | (scene.layout.oneLine ? Qt::AlignVCenter : Qt::AlignTop);
        painter.drawText(scene.layout.oneLine ? box : box.adjusted(0, theme.px(2), 0, 0), static_cast<int>(align), number);
        return;
    }
    const auto& cell = scene.cells[cpu.index()];
    const auto& look = scene.looks[cell.task];
    const bool idle = cell.task == kIdleTask || !cell.online;
    const auto word = !cell.online ? QStringLiteral("offline") : (idle ? QStringLiteral("idle") : look.name);
    const auto side = theme.px(7);
    auto line = box.adjusted(side, theme.px(2), -theme.px(4), -theme.px(2));
    const auto mark = marked(scene, cpu) ? markSize(theme, scene) + theme.px(4) : 0;
    painter.setFont(fonts.number);
    if (scene.layout.oneLine) {
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, number);
        line.adjust(fonts.numberMetrics.horizontalAdvance(number) + side, 0, -mark, 0);
    } else {
        line.setHeight(box.height() / 2);
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, number);
        line.moveTop(box.top() + box.height() / 2 - theme.px(2));
    }
    const auto fit = [&](const QString& text) { return fonts.nameMetrics.horizontalAdvance(text) <= line.width(); };
    auto shown = word;
    if (!fit(word)) {
        // Beside the CPU's number a bare task number would read as part of it.
        if (idle || (scene.layout.oneLine && mark > 0)) return;
        shown = !scene.layout.oneLine && fit(look.brief) ? look.brief
                                                         : fonts.nameMetrics.elidedText(word, Qt::ElideRight, line.width());
        if (shown.size() < 3 && shown != look.brief) return;
    }
    painter.setFont(fonts.name);
    painter.setPen(wordInk);
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, shown);
}

void paintOpenCell(QPainter& painter, const Theme& theme, const MachineScene& scene, const CellFonts& fonts, CpuId cpu,
                   const QRect& box) {
    const auto& cell = scene.cells[cpu.index()];
    if (!cell.online || cell.task == kIdleTask) {
        const auto ink = cell.online ? Token::Ink : Token::Ink3;
        paintWords(painter, theme, scene, fonts, cpu, box, theme.colour(ink), theme.colour(Token::Ink3));
        return;
    }
    auto colour = scene.looks[cell.task].colour;
    if (scene.faint(cell.task) && scene.litCpu != cpu) {
        colour.fill = faded(colour.fill, theme.colour(Token::Surface));
        colour.ink = theme.colour(Token::Ink3);
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour.fill);
    painter.drawRoundedRect(box, theme.px(4), theme.px(4));
    if (colour.stripe) {
        painter.setPen(QPen(colour.ink, box.width() < kTextColumn ? 1 : 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(3, 3, -3, -3), theme.px(2), theme.px(2));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintWords(painter, theme, scene, fonts, cpu, box, colour.ink, colour.ink);
}

void paintDenseCell(QPainter& painter, const Theme& theme, const MachineScene& scene, CpuId cpu, const QRect& box) {
    const auto& cell = scene.cells[cpu.index()];
    if (!cell.online || cell.task == kIdleTask) return;
    const auto& colour = scene.looks[cell.task].colour;
    const bool faint = scene.faint(cell.task) && scene.litCpu != cpu;
    painter.fillRect(box, faint ? faded(colour.fill, theme.colour(Token::Surface)) : colour.fill);
}

int rampStep(std::uint32_t busy, std::uint32_t count) {
    if (busy == 0 || count == 0) return 0;
    return 1 + static_cast<int>(std::min<std::uint32_t>(4, (busy * 100 / count - (busy * 100 % count == 0 ? 1 : 0)) / 20));
}

void paintClosed(QPainter& painter, const Theme& theme, const MachineScene& scene, const MachineScene::Frame& frame) {
    const auto& node = scene.domains.nodes()[frame.node];
    const auto& column = *scene.axis.column(scene.domains.order()[node.first]);
    const auto box = scene.layout.cell(column);
    const auto busy = scene.busy(frame.node);
    const auto fill = theme.ramp(rampStep(busy, node.span.count()));
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(theme.colour(Token::LineStrong), 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), theme.px(4), theme.px(4));
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (!countInColumn(theme, scene, frame)) return;
    const auto text = QStringLiteral("%1/%2").arg(busy).arg(node.span.count());
    const auto font = theme.font(TextRole::Small);
    const auto contrast = [&](Token token) { return std::abs(theme.colour(token).lightness() - fill.lightness()); };
    painter.setFont(font);
    painter.setPen(theme.colour(contrast(Token::Ink) >= contrast(Token::Surface) ? Token::Ink : Token::Surface));
    painter.drawText(box, Qt::AlignCenter, text);
}

int lampSize(const Theme& theme, const MachineScene& scene) { return theme.px(scene.layout.dense ? 5 : 7); }

// Full while the hint is lit, else a ring: searches for a wholly idle core are made or spared.
void paintLamp(QPainter& painter, const Theme& theme, const MachineScene& scene, const QRect& title, bool lit) {
    const auto size = lampSize(theme, scene);
    const QRectF lamp(title.right() + 1 - size + 0.5, title.center().y() - size / 2 + 0.5, size - 1, size - 1);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(theme.colour(lit ? Token::Ink2 : Token::LineStrong), 1));
    painter.setBrush(lit ? QBrush(theme.colour(Token::Ink2)) : QBrush(Qt::NoBrush));
    painter.drawEllipse(lamp);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// Whether the title ends with a tick or a slashed ring, which takes room from the figures.
bool titleMarked(const MachineScene& scene, std::uint32_t node) {
    if (!scene.marks || !scene.marks->rival) return false;
    return scene.marks->winner->node == node || scene.marks->rival->node == node;
}

} // namespace

TextRole titleRole(const MachineScene& scene) { return scene.layout.tinyTitles ? TextRole::Tiny : TextRole::Small; }

bool countInColumn(const Theme& theme, const MachineScene& scene, const MachineScene::Frame& frame) {
    const auto& node = scene.domains.nodes()[frame.node];
    const auto box = scene.layout.cell(*scene.axis.column(scene.domains.order()[node.first]));
    const QFontMetrics metrics(theme.font(TextRole::Small));
    const auto widest = QStringLiteral("%1/%1").arg(node.span.count());
    return metrics.horizontalAdvance(widest) + 4 <= box.width() && metrics.ascent() <= box.height();
}

int lampRoom(const Theme& theme, const MachineScene& scene, const MachineScene::Frame& frame) {
    const auto* llc = frame.closed ? nullptr : scene.llcOf(frame.node);
    if (!llc || !llc->keeps_hint || scene.layout.title(frame.extent, frame.depth).width() < theme.px(kLampTitle)) return 0;
    return lampSize(theme, scene) + theme.px(scene.layout.dense ? 3 : 6);
}

int markSize(const Theme& theme, const MachineScene& scene) { return scene.layout.dense ? theme.px(9) : theme.px(16); }

void paintCells(QPainter& painter, const Theme& theme, const MachineScene& scene) {
    const CellFonts fonts(theme);
    for (const auto cpu : scene.axis.order()) {
        const auto& column = *scene.axis.column(cpu);
        if (column.group) continue;
        const auto box = scene.layout.cell(column);
        if (scene.layout.dense) paintDenseCell(painter, theme, scene, cpu, box);
        else paintOpenCell(painter, theme, scene, fonts, cpu, box);
    }
    for (const auto& frame : scene.frames)
        if (frame.closed) paintClosed(painter, theme, scene, frame);
}

void paintTitleFigures(QPainter& painter, const Theme& theme, const MachineScene& scene) {
    const auto font = theme.font(titleRole(scene));
    const QFontMetrics metrics(font), nameMetrics(theme.kernelFont(titleRole(scene), true));
    painter.setFont(font);
    for (const auto& frame : scene.frames) {
        auto box = scene.layout.title(frame.extent, frame.depth);
        if (box.isEmpty()) continue;
        const auto side = scene.layout.dense ? theme.px(4) : theme.px(8);
        box.adjust(side, 0, -side, 0);
        if (scene.layout.fillHeight > 0 && frame.innermost) {
            const auto& node = scene.domains.nodes()[frame.node];
            const auto busy = scene.busy(frame.node);
            QRect track(box.left(), box.bottom() + 1, box.width() + 1, theme.px(3));
            painter.fillRect(track, theme.colour(Token::Line));
            track.setWidth(track.width() * static_cast<int>(busy) / std::max(1, static_cast<int>(node.span.count())));
            painter.fillRect(track, theme.ramp(std::max(2, rampStep(busy, node.span.count()))));
        }
        if (frame.closed && countInColumn(theme, scene, frame)) continue;
        if (const auto room = lampRoom(theme, scene, frame)) {
            paintLamp(painter, theme, scene, box, scene.llcOf(frame.node)->has_idle_cores);
            box.setRight(box.right() - room);
        }
        if (titleMarked(scene, frame.node)) box.setRight(box.right() - markSize(theme, scene) - theme.px(2));
        // The name and the shortest spelling of its span stand at the left.
        const auto& node = scene.domains.nodes()[frame.node];
        const auto taken = scene.layout.dense ? 0
                                              : nameMetrics.horizontalAdvance(node.name) +
                                                    metrics.horizontalAdvance(node.list()) + theme.px(24);
        for (const auto& text : titleFigures(scene, frame)) {
            if (metrics.horizontalAdvance(text) > box.width() - taken) continue;
            painter.setPen(theme.colour(frame.depth == 0 && !frame.innermost ? Token::Ink3 : Token::Ink2));
            painter.drawText(box, Qt::AlignVCenter | Qt::AlignRight, text);
            break;
        }
    }
}

} // namespace rqscope
