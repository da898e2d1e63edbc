// SPDX-License-Identifier: GPL-3.0-or-later
#include "loads/load_painter.h"

#include "theme/format.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace rqscope {

namespace {

constexpr Load kFullLoad = 1024; // nice 0, always running

QColor mix(QColor over, QColor ground, double share) {
    const auto blend = [share](int a, int b) { return static_cast<int>(std::lround(a * share + b * (1 - share))); };
    return {blend(over.red(), ground.red()), blend(over.green(), ground.green()), blend(over.blue(), ground.blue())};
}

template <class F>
void forEachColumn(const CpuAxis& axis, F&& f) {
    const auto& order = axis.order();
    for (std::size_t i = 0; i < order.size();) {
        const auto& column = *axis.column(order[i]);
        auto end = i + 1;
        while (column.group && end < order.size() && axis.column(order[end])->group == column.group) ++end;
        f(column, order[i], end - i, &order[i]);
        i = end;
    }
}

int yOf(const LoadBand& band, double load, Load top) {
    return band.baseline - static_cast<int>(std::lround(load * band.height / static_cast<double>(top)));
}

void paintTicks(QPainter& painter, const Theme& theme, const LoadPlot& plot, const LoadBand& band, Load top) {
    const auto font = theme.font(TextRole::Tiny);
    const QFontMetrics metrics(font);
    painter.setFont(font);
    painter.setPen(theme.colour(Token::Ink3));
    std::vector<int> taken;
    const auto write = [&](Load load) {
        const auto y = yOf(band, static_cast<double>(load), top);
        if (std::any_of(taken.begin(), taken.end(), [&](int other) { return std::abs(other - y) < metrics.height(); }))
            return;
        taken.push_back(y);
        const QRect box(0, y - metrics.height() / 2, plot.left - theme.px(8), metrics.height());
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, grouped(static_cast<qint64>(load)));
    };
    write(0);
    if (!plot.tickLabels) return;
    write(top);
    write(kFullLoad);
    if (band.height > 4 * metrics.height()) write(top / 2);
}

// Stretches of a row that one still line may cross: all of it, or what lies between wide gaps. f(row, left, right, first
// CPU).
template <class F>
void forEachStretch(const LoadPlot& plot, const LoadModel& loads, bool byCapacity, F&& f) {
    constexpr auto kWideGap = 6;
    const CpuAxis::Column* last = nullptr;
    CpuId start;
    auto from = 0;
    forEachColumn(plot.axis, [&](const CpuAxis::Column& column, CpuId first, std::size_t, const CpuId*) {
        const bool ends =
            last && (last->row != column.row || (byCapacity && loads.capacity(first) != loads.capacity(start)) ||
                     (plot.split && column.x - last->x - last->width > kWideGap));
        if (ends) f(last->row, from, last->x + last->width, start);
        if (ends || !last) {
            from = column.x;
            start = first;
        }
        last = &column;
    });
    if (last) f(last->row, from, last->x + last->width, start);
}

void paintCapacity(QPainter& painter, const Theme& theme, const LoadPlot& plot, const LoadModel& loads) {
    QPen pen(theme.colour(Token::LineStrong), 1);
    pen.setDashPattern({3, 3});
    painter.setPen(pen);
    // One line per run of equal capacities, so that the dashes do not restart at each CPU.
    forEachStretch(plot, loads, true, [&](int row, int from, int to, CpuId first) {
        const auto y = yOf(plot.bands[static_cast<std::size_t>(row)], loads.capacity(first), loads.axisMax());
        painter.drawLine(plot.left + from, y, plot.left + to - 1, y);
    });
}

void paintFigure(QPainter& painter, const Theme& theme, const LoadBand& band, const QRect& bar, Load load, bool solid) {
    const QFontMetrics metrics(painter.font());
    const auto text = grouped(static_cast<qint64>(load));
    const auto width = metrics.horizontalAdvance(text);
    if (load == 0 || width > bar.width() + 2 * barInset(bar.width()) + 4) return;
    const auto above = bar.top() - (band.baseline - band.height - band.headroom);
    QRect box(bar.center().x() - width / 2, bar.top() - metrics.height(), width, metrics.height());
    if (above >= metrics.height()) {
        painter.fillRect(box.adjusted(-2, 2, 2, -2), theme.colour(Token::Surface));
        painter.setPen(theme.colour(Token::Ink));
    } else {
        if (bar.height() < metrics.height() + 4) return;
        box.moveTop(bar.top() + 2);
        painter.setPen(theme.colour(solid ? Token::Surface : Token::Ink));
    }
    painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace

int barInset(int columnWidth) { return columnWidth < CpuAxis::kLabel ? 0 : columnWidth / 8; }

LoadBrushes::LoadBrushes(const Theme& theme, qreal devicePixelRatio) {
    const auto surface = theme.colour(Token::Surface);
    const auto wait = theme.colour(Token::StateWaiting);
    running = theme.colour(Token::StateRunning);
    waiting = theme.pattern(Pattern::Waiting, mix(wait, surface, 0.2), wait, devicePixelRatio);
    blocked = mix(theme.colour(Token::StateBlocked), surface, 0.2);
}

void paintLoadGrid(QPainter& painter, const Theme& theme, const LoadPlot& plot, const LoadModel& loads) {
    for (const auto& band : plot.bands) paintTicks(painter, theme, plot, band, loads.axisMax());
    forEachStretch(plot, loads, false, [&](int row, int from, int to, CpuId) {
        const auto& band = plot.bands[static_cast<std::size_t>(row)];
        if (plot.tickLabels && band.height > 4 * QFontMetrics(theme.font(TextRole::Tiny)).height()) {
            painter.setPen(theme.colour(Token::Line));
            const auto middle = yOf(band, static_cast<double>(loads.axisMax()) / 2, loads.axisMax());
            painter.drawLine(plot.left + from, middle, plot.left + to - 1, middle);
        }
        painter.setPen(theme.colour(Token::LineStrong));
        painter.drawLine(plot.left + from, band.baseline, plot.left + to - 1, band.baseline);
    });
    paintCapacity(painter, theme, plot, loads);
}

void paintLoadBars(QPainter& painter, const Theme& theme, const LoadBrushes& brushes, const LoadPlot& plot,
                   const LoadModel& loads) {
    painter.setBrushOrigin(0, 0);
    painter.setFont(theme.font(TextRole::Small, true));
    QPen dotted(theme.colour(Token::StateBlocked), 1);
    dotted.setDashPattern({1, 2});
    const auto ink = theme.colour(Token::Ink);
    const auto top = loads.axisMax();
    const bool figures = plot.figures && QFontMetrics(painter.font()).horizontalAdvance(grouped(static_cast<qint64>(top))) <=
                                             plot.axis.columnWidth();
    forEachColumn(plot.axis, [&](const CpuAxis::Column& column, CpuId first, std::size_t n, const CpuId* cpus) {
        const auto& band = plot.bands[static_cast<std::size_t>(column.row)];
        const auto bar = column.group ? loads.meanShown(std::vector<CpuId>(cpus, cpus + n)) : loads.shown(first);
        const auto inset = barInset(column.width);
        const auto x = plot.left + column.x + inset, width = column.width - 2 * inset;
        const auto y1 = yOf(band, bar.running, top), y2 = yOf(band, bar.running + bar.waiting, top),
                   y3 = yOf(band, bar.total(), top);
        if (y1 < band.baseline) painter.fillRect(x, y1, width, band.baseline - y1, brushes.running);
        if (y2 < y1) painter.fillRect(x, y2, width, y1 - y2, brushes.waiting);
        if (y3 < y2) {
            painter.fillRect(x, y3, width, y2 - y3, brushes.blocked);
            if (width >= 8) {
                painter.setPen(dotted);
                painter.drawRect(x, y3, width - 1, y2 - y3 - 1);
            }
        }
        if (plot.utilLine && bar.util > 0.5) {
            const auto wider = std::min(theme.px(4), std::max(1, inset));
            painter.fillRect(x - wider, yOf(band, bar.util, top) - 1, width + 2 * wider, 2, ink);
        }
        if (figures && !column.group)
            paintFigure(painter, theme, band, QRect(x, y3, width, band.baseline - y3), loads.loadAvg(first), y3 == y1);
    });
}

void paintLanded(QPainter& painter, const Theme& theme, const LoadPlot& plot, const LandedModel& landed,
                 const std::function<QColor(TaskId)>& colourOf) {
    const auto font = theme.font(TextRole::Small);
    const QFontMetrics metrics(font);
    painter.setFont(font);
    forEachColumn(plot.axis, [&](const CpuAxis::Column& column, CpuId first, std::size_t n, const CpuId* cpus) {
        const auto& band = plot.bands[static_cast<std::size_t>(column.row)];
        const auto left = plot.left + column.x;
        const auto& here = landed.cpu(first);
        if (!column.group && !here.tasks.empty()) {
            // Squares shrink before any is left out; the count below names them all.
            const auto count = static_cast<int>(here.tasks.size());
            const bool narrow = column.width < theme.px(14);
            const auto side =
                narrow ? column.width : std::min(theme.px(8), std::max(theme.px(4), (column.width + 2) / count - 2));
            const auto fits = std::max(1, (column.width + 2) / (side + 2));
            auto x = left;
            for (auto i = std::max(0, count - fits); i < count; ++i, x += side + 2)
                painter.fillRect(x, band.landedTop, side, std::min(side, theme.px(plot.split ? 4 : 8)),
                                 colourOf(here.tasks[static_cast<std::size_t>(i)]));
        }
        if (!plot.counts) return;
        std::uint32_t forks = 0, total = 0;
        for (std::size_t i = 0; i < n; ++i) {
            forks += landed.cpu(cpus[i]).forks;
            total += landed.cpu(cpus[i]).total();
        }
        const auto* word = forks == total ? (total == 1 ? " fork" : " forks")
                                          : (forks == 0 ? (total == 1 ? " wake-up" : " wake-ups") : " landed");
        auto text = QString::number(total);
        const auto longer = text + QLatin1String(word);
        const bool plain = total == 0 && landed.hasWakeups(); // nothing of either kind
        if (!plain && metrics.horizontalAdvance(longer) <= column.width) text = longer;
        else if ((total == 0 && !plain) || metrics.horizontalAdvance(text) > column.width + 2) return;
        painter.setPen(theme.colour(total == 0 ? Token::Ink3 : Token::Ink2));
        painter.drawText(left, band.countTop + metrics.ascent(), text);
    });
}

} // namespace rqscope
