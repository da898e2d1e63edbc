// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/frame_painter.h"

#include "timeline/decision_bins.h"
#include "timeline/hop_painter.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace rqscope {

namespace {

constexpr int kGutter = 56, kIcon = 12, kChevron = 16;

int textPixels(const QFont& font, const QString& text) {
    return static_cast<int>(std::ceil(QFontMetricsF(font).horizontalAdvance(text)));
}

QString flagText(const TimelineScene& s, const InputFlag& flag) {
    return flag.input < s.facts.flagTexts.size() ? s.facts.flagTexts[flag.input] : QString();
}

QFont numberFont(const TimelineScene& s, int height) {
    return s.theme.font(height >= s.theme.px(24) ? TextRole::Body : TextRole::Small, true);
}

void paintChevron(QPainter& p, const TimelineScene& s, const char* name, const QRect& cell) {
    const auto size = s.theme.px(kChevron);
    const auto icon = s.theme.icon(QLatin1String(name), s.theme.colour(Token::Ink2), size, s.ratio);
    p.drawPixmap(QPoint(cell.left() + s.theme.px(2), cell.top() + (cell.height() - size) / 2 + 1), icon);
}

void paintGroupTitle(QPainter& p, const TimelineScene& s, const LaneRow& row, const QRect& cell) {
    const auto& group = s.layout.groups()[row.group];
    paintChevron(p, s, "chevron-right", cell);
    p.setFont(s.theme.font(TextRole::Small));
    p.setPen(s.theme.colour(Token::Ink));
    p.drawText(cell.adjusted(s.theme.px(20), 0, -2, 0), static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), group.title);
}

void paintCpuLabel(QPainter& p, const TimelineScene& s, const LaneRow& row, const QRect& cell) {
    const auto number = QString::number(row.id);
    const auto font = numberFont(s, row.height);
    const auto left = cell.left() + s.theme.px(s.layout.anyClosed() ? 20 : 12);
    p.setFont(font);
    p.setPen(s.theme.colour(Token::Ink));
    p.drawText(QRect(left, cell.top(), cell.right() - left, cell.height()),
               static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), number);
    if (!row.first) return;
    if (s.layout.anyClosed()) paintChevron(p, s, "chevron-down", cell); // the way back for a group that was opened
    p.setFont(s.theme.kernelFont(TextRole::Tiny));
    p.setPen(s.theme.colour(Token::Ink3));
    const auto nameLeft = std::max(left + textPixels(font, number) + s.theme.px(5), cell.left() + s.theme.px(30));
    p.drawText(QRect(nameLeft, cell.top(), cell.right() - nameLeft, cell.height()),
               static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), s.layout.groups()[row.group].name);
}

void paintTaskLabel(QPainter& p, const TimelineScene& s, const LaneRow& row, const QRect& cell) {
    const auto font = s.theme.font(TextRole::Small, false);
    const auto room = cell.width() - s.theme.px(12);
    p.setFont(font);
    p.setPen(s.theme.colour(Token::Ink));
    const auto text = QFontMetricsF(font).elidedText(s.nameOf(TaskId{row.id}), Qt::ElideMiddle, room);
    p.drawText(cell.adjusted(s.theme.px(8), 0, 0, 0), static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), text);
}

} // namespace

int gutterWidth(const TimelineScene& s) {
    auto width = s.theme.px(kGutter);
    if (s.layout.mode() == LaneMode::Task) {
        QString longest; // by letters: measuring thousands of names would take longer than the picture
        for (const auto& row : s.layout.rows())
            if (const auto& name = s.paintOf(TaskId{row.id}).name; name.size() > longest.size()) longest = name;
        return std::clamp(textPixels(s.theme.font(TextRole::Small), longest) + s.theme.px(20), width, s.theme.px(140));
    }
    if (!s.layout.anyClosed()) return width;
    const auto font = s.theme.font(TextRole::Small);
    for (const auto& group : s.layout.groups()) width = std::max(width, textPixels(font, group.title) + s.theme.px(28));
    return std::min(width, s.theme.px(160));
}

std::vector<AxisLabel> axisLabels(const TimelineScene& s) {
    std::vector<AxisLabel> labels;
    const auto flags = flagMarks(s);
    const QFontMetricsF metrics(s.theme.font(TextRole::Tiny));
    auto unitWritten = false;
    for (const auto t : tickTimes(s.viewBegin(), s.viewEnd(), s.ticks)) {
        const auto x = s.scale.x(t);
        auto text = tickLabel(t, s.ticks);
        if (!unitWritten) text += QChar(0x00A0) + QLatin1String(unitName(s.ticks.unit));
        const auto half = metrics.horizontalAdvance(text) / 2 + 3;
        const auto hidden =
            std::any_of(flags.begin(), flags.end(), [&](const FlagMark& f) { return std::abs(f.x - x) < half; });
        // Half a label at the right edge reads as another number.
        const auto cut = x + half > s.lanes.left() + s.lanes.width() + s.theme.px(12);
        if (hidden || cut) text.clear();
        else unitWritten = true;
        labels.push_back({t, text});
    }
    return labels;
}

std::vector<FlagMark> flagMarks(const TimelineScene& s) {
    std::vector<FlagMark> marks;
    const auto& flags = s.model.flags();
    const QFontMetricsF metrics(s.theme.kernelFont(TextRole::Tiny, true));
    const double icon = s.theme.px(kIcon), right = s.lanes.left() + s.lanes.width();
    for (std::size_t i = 0; i < flags.size(); ++i) {
        if (flags[i].time < s.viewBegin() || flags[i].time > s.viewEnd()) continue;
        marks.push_back({s.scale.x(flags[i].time), i, flagText(s, flags[i]), {}});
    }
    for (std::size_t i = 0; i < marks.size(); ++i) {
        auto& mark = marks[i];
        const auto next = i + 1 < marks.size() ? marks[i + 1].x : right;
        const auto wide = icon + 4 + metrics.horizontalAdvance(mark.text);
        if (mark.x + wide > next - 2) mark.text.clear();
        mark.box = QRectF(mark.x, 0, mark.text.isEmpty() ? icon : wide, s.flagStrip());
    }
    // Near the right edge the text of the last flag may stand on its left.
    if (!marks.empty() && marks.back().text.isEmpty()) {
        auto& last = marks.back();
        const auto text = flagText(s, flags[last.flag]);
        const auto wide = 4 + metrics.horizontalAdvance(text);
        const double left = marks.size() > 1 ? marks[marks.size() - 2].box.right() + 2 : s.lanes.left();
        if (last.x - wide >= left) {
            last.text = text;
            last.box = QRectF(last.x - wide, 0, wide + icon, s.flagStrip());
        }
    }
    return marks;
}

void paintSeparators(QPainter& p, const TimelineScene& s) {
    const auto [first, last] = s.visibleRows();
    const auto thin = s.theme.colour(Token::Line), strong = s.theme.colour(Token::LineStrong);
    p.save();
    p.setClipRect(QRect(0, s.lanes.top() - 1, s.lanes.right() + 1, s.lanes.height() + 1), Qt::IntersectClip);
    for (auto i = first; i < last; ++i) {
        const auto& row = s.layout.rows()[i];
        const auto rect = s.rowRect(row);
        const auto border = row.first && row.kind == LaneRow::Kind::Cpu && i > 0;
        const auto left = border ? 0 : s.lanes.left();
        p.fillRect(QRect(left, rect.top() - 1, s.lanes.right() + 1 - left, 1), border ? strong : thin);
        if (i + 1 == s.layout.rows().size()) p.fillRect(QRect(s.lanes.left(), rect.bottom(), rect.width(), 1), thin);
    }
    p.restore();
}

void paintGutter(QPainter& p, const TimelineScene& s) {
    const auto [first, last] = s.visibleRows();
    p.save();
    p.setClipRect(QRect(0, s.lanes.top(), s.lanes.left(), s.lanes.height()));
    for (auto i = first; i < last; ++i) {
        const auto& row = s.layout.rows()[i];
        const QRect cell(0, s.rowRect(row).top(), s.lanes.left() - 4, row.height);
        switch (row.kind) {
        case LaneRow::Kind::Cpu: paintCpuLabel(p, s, row, cell); break;
        case LaneRow::Kind::Group: paintGroupTitle(p, s, row, cell); break;
        case LaneRow::Kind::Task: paintTaskLabel(p, s, row, cell); break;
        }
    }
    p.restore();
}

void paintDiamonds(QPainter& p, const TimelineScene& s) {
    const auto marks = binDecisions(s.model.decisions(), s.scale, s.lanes.width());
    const auto strip = s.diamondRect();
    const auto font = s.theme.font(TextRole::Tiny);
    const QFontMetricsF metrics(font);
    const auto colour = s.theme.colour(Token::LineStrong);
    p.save();
    p.setFont(font);
    const auto y = strip.top() + strip.height() / 2.0;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const auto& mark = marks[i];
        paintDiamond(p, {mark.x, y}, s.theme.px(3.5), colour);
        // In a closed row of diamonds a number at its end would seem to count all of them.
        if (mark.count < 2 || (i > 0 && marks[i - 1].count > 1 && mark.x - marks[i - 1].x < 1.5 * kDiamondPitch)) continue;
        const auto text = QString::number(mark.count);
        const auto room = (i + 1 < marks.size() ? marks[i + 1].x : s.lanes.left() + s.lanes.width() + 12.0) - mark.x - 14;
        const auto width = metrics.horizontalAdvance(text);
        if (width > room) continue;
        p.setPen(s.theme.colour(Token::Ink3));
        p.drawText(QRectF(mark.x + 6, strip.top(), width + 2, strip.height()),
                   static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), text);
    }
    p.restore();
}

void paintFlags(QPainter& p, const TimelineScene& s) {
    if (s.model.flags().empty()) return;
    const auto accent = s.theme.colour(Token::Accent);
    const auto size = s.theme.px(kIcon);
    const auto icon = s.theme.icon(QStringLiteral("flag-solid"), accent, size, s.ratio);
    p.save();
    p.setFont(s.theme.kernelFont(TextRole::Tiny, true));
    p.setPen(accent);
    for (const auto& mark : flagMarks(s)) {
        const auto x = static_cast<int>(std::floor(mark.x));
        p.fillRect(QRect(x, s.theme.px(3), 2, s.lanes.bottom() + 1 - s.theme.px(3)), accent);
        p.drawPixmap(QPoint(x, s.theme.px(2)), icon);
        const auto onLeft = mark.box.left() < mark.x;
        const auto text = onLeft ? mark.box.adjusted(0, 0, -size, 0) : mark.box.adjusted(size + 3, 0, 8, 0);
        p.drawText(text, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), mark.text);
    }
    p.restore();
}

} // namespace rqscope
