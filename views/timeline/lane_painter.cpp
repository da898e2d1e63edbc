// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/lane_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace rqscope {

namespace {

constexpr int kMiddleRamp = 3;
constexpr double kGapFrom = 3, kLabelFrom = 22, kCornerFrom = 6; // logical pixels, as the tokens say

} // namespace

QRectF deviceSpan(const TimelineScene& scene, const QRect& lane, double x0, double x1) {
    return {lane.left() + x0 / scene.ratio, static_cast<double>(lane.top()), (x1 - x0) / scene.ratio,
            static_cast<double>(lane.height())};
}

void paintBarText(QPainter& p, const TimelineScene& scene, const QRectF& rect, const TaskPaint& paint, const QColor& ink) {
    if (rect.width() < kLabelFrom || rect.height() < scene.theme.px(9)) return;
    const auto& label = scene.labelOf(paint, rect.height());
    const auto room = rect.width() - (paint.stripe ? 9 : 5);
    // A name that only just fits would alternate with numbers along a row of equal bars.
    const auto whole = label.nameWidth <= (paint.number.isEmpty() ? room : rect.width() - 20);
    if (!whole && (paint.number.isEmpty() || label.numberWidth > room)) return;
    const auto& text = whole ? label.name : label.number;
    const auto width = whole ? label.nameWidth : label.numberWidth;
    const auto leftAligned = whole && rect.width() > 3 * width;
    const auto x = leftAligned ? rect.left() + 8 : rect.center().x() - width / 2;
    p.setFont(scene.barFont(rect.height()));
    p.setPen(ink);
    p.drawStaticText(QPointF(std::round(x), std::round(rect.center().y() - text.size().height() / 2)), text);
}

void paintBar(QPainter& p, const TimelineScene& scene, const QRectF& rect, const TaskPaint& paint, bool text) {
    const auto one = 1 / scene.ratio;
    if (rect.width() >= kCornerFrom && rect.height() >= kCornerFrom) {
        p.fillRect(rect.adjusted(0, one, 0, -one), paint.fill);
        p.fillRect(rect.adjusted(one, 0, -one, 0), paint.fill);
    } else {
        p.fillRect(rect, paint.fill);
    }
    if (paint.stripe && rect.width() >= 14 && rect.height() >= 7) {
        const double line = rect.height() >= 18 ? 2 : 1;
        const auto frame = rect.adjusted(2, 2, -2, -2);
        if (rect.height() >= scene.theme.px(16)) { // in a lower bar these two would strike the name through
            p.fillRect(QRectF(frame.left(), frame.top(), frame.width(), line), paint.ink);
            p.fillRect(QRectF(frame.left(), frame.bottom() - line, frame.width(), line), paint.ink);
        }
        p.fillRect(QRectF(frame.left(), frame.top(), line, frame.height()), paint.ink);
        p.fillRect(QRectF(frame.right() - line, frame.top(), line, frame.height()), paint.ink);
    }
    if (text) paintBarText(p, scene, rect, paint, paint.ink);
}

void LanePainter::paint(QPainter& p) {
    m_stripUsed = false;
    const auto& s = m_scene;
    if (s.lanes.width() < 1 || s.lanes.height() < 1 || s.model.knownTime() <= 0) return;
    p.save();
    p.setClipRect(s.lanes);
    const auto [first, last] = s.visibleRows();
    for (auto i = first; i < last; ++i) {
        const auto& row = s.layout.rows()[i];
        switch (row.kind) {
        case LaneRow::Kind::Cpu: paintCpu(p, row); break;
        case LaneRow::Kind::Group: paintGroup(row); break;
        case LaneRow::Kind::Task: paintTask(p, row); break;
        }
    }
    if (m_stripUsed) p.drawImage(s.lanes.topLeft(), m_strip);
    p.restore();
}

void LanePainter::paintCpu(QPainter& p, const LaneRow& row) {
    const CpuId cpu{row.id};
    const auto width = m_scene.deviceWidth();
    const auto range = runsInView(m_scene.model.runs(cpu), m_scene.model.knownTime(), m_scene.deviceScale(), width);
    if (range.count() > static_cast<std::size_t>(width) / 2) paintRunsDense(m_scene.runRect(row), cpu);
    else if (range.count() > 0) paintRuns(p, m_scene.runRect(row), cpu);
    paintQueue(p, m_scene.queueRect(row), cpu);
}

void LanePainter::cut(CpuId cpu) {
    const auto& s = m_scene;
    const auto block = static_cast<int>(std::lround(kColourBlock * s.ratio));
    cutPieces(s.model.runs(cpu), s.model.knownTime(), s.deviceScale(), s.deviceWidth(), block, m_pieces);
}

int LanePainter::endOf(std::size_t index) const {
    const auto& piece = m_pieces[index];
    const auto touches = index + 1 < m_pieces.size() && m_pieces[index + 1].x0 == piece.x1;
    const auto wide = piece.x1 - piece.x0 >= kGapFrom * m_scene.ratio;
    return !piece.column && touches && wide ? piece.x1 - std::max(1, static_cast<int>(std::lround(m_scene.ratio)))
                                            : piece.x1;
}

void LanePainter::paintRuns(QPainter& p, const QRect& bar, CpuId cpu) {
    cut(cpu);
    const auto mixed = m_scene.theme.ramp(kMiddleRamp);
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
        const auto& piece = m_pieces[i];
        auto rect = deviceSpan(m_scene, bar, piece.x0, endOf(i));
        if (piece.column) {
            rect.setTop(rect.bottom() - std::max(1.0, std::round(rect.height() * static_cast<double>(piece.share))));
            p.fillRect(rect, piece.task == kIdleTask ? mixed : m_scene.paintOf(piece.task).fill);
        } else {
            paintBar(p, m_scene, rect, m_scene.paintOf(piece.task), true);
        }
    }
}

void LanePainter::paintRunsDense(const QRect& bar, CpuId cpu) {
    cut(cpu);
    const auto band = bandOf(bar);
    const auto mixed = m_scene.theme.ramp(kMiddleRamp).rgb();
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
        const auto& piece = m_pieces[i];
        const auto filled = std::max(1, band.of(static_cast<double>(piece.share))); // a busy pixel never vanishes
        const auto colour = piece.task == kIdleTask ? mixed : m_scene.paintOf(piece.task).rgb;
        fillBand(band, piece.x0, endOf(i), band.height - filled, band.height, colour);
    }
}

LanePainter::Band LanePainter::bandOf(const QRect& lane) {
    if (!m_stripUsed) {
        const QSize size(m_scene.deviceWidth(),
                         std::max(1, static_cast<int>(std::lround(m_scene.lanes.height() * m_scene.ratio))));
        if (m_strip.size() != size) m_strip = QImage(size, QImage::Format_ARGB32_Premultiplied);
        m_strip.setDevicePixelRatio(m_scene.ratio);
        m_strip.fill(Qt::transparent);
        m_bits = reinterpret_cast<QRgb*>(m_strip.bits());
        m_stripUsed = true;
    }
    const auto top = static_cast<int>(std::lround((lane.top() - m_scene.lanes.top()) * m_scene.ratio));
    return {top, std::max(1, static_cast<int>(std::lround(lane.height() * m_scene.ratio)))};
}

void LanePainter::fillBand(Band band, int x0, int x1, int from, int to, QRgb colour) {
    const auto first = std::max(0, band.top + from), last = std::min(m_strip.height(), band.top + to);
    x1 = std::min(x1, m_strip.width());
    const auto stride = m_strip.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    auto* line = m_bits + first * stride;
    for (auto y = first; y < last; ++y, line += stride) {
        if (x1 - x0 == 1) line[x0] = colour;
        else std::fill(line + x0, line + x1, colour);
    }
}

void LanePainter::paintGroup(const LaneRow& row) {
    const auto& s = m_scene;
    const auto& group = s.layout.groups()[row.group];
    const auto width = static_cast<std::size_t>(s.deviceWidth());
    const auto scale = s.deviceScale();
    m_busy.assign(width, 0);
    m_depth.assign(width, 0);
    for (const auto cpu : group.cpus) {
        addBusyShares(s.model.runs(cpu), s.model.knownTime(), scale, m_busy);
        addMeanDepths(s.model.queue(cpu), s.model.knownTime(), scale, m_depth);
    }
    const auto lane = s.rowRect(row);
    const auto waitBar = QRect(lane.left(), lane.top() + 1, lane.width(), s.theme.px(3));
    const auto area = QRect(lane.left(), waitBar.bottom() + 2, lane.width(), lane.bottom() - waitBar.bottom() - 2);
    const auto fill = s.theme.ramp(2).rgb(), edge = s.theme.ramp(4).rgb(),
               waiting = s.theme.colour(Token::StateWaiting).rgb();
    const auto areaBand = bandOf(area), waitBand = bandOf(waitBar);
    const auto cpus = static_cast<double>(group.cpus.size());
    for (std::size_t i = 0; i < width; ++i) {
        const auto x = static_cast<int>(i);
        const auto share = std::min(1.0, static_cast<double>(m_busy[i]) / cpus);
        if (share > 0) {
            const auto top = areaBand.height - std::max(1, areaBand.of(share));
            fillBand(areaBand, x, x + 1, top + 1, areaBand.height, fill);
            fillBand(areaBand, x, x + 1, top, top + 1, edge);
        }
        if (m_depth[i] > 0) fillBand(waitBand, x, x + 1, 0, waitBand.height, waiting);
    }
}

} // namespace rqscope
