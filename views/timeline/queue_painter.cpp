// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the lane painter that show waiting: the queue stripe under a run bar, and the lanes of single tasks.
#include "timeline/lane_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace rqscope {

namespace {
constexpr double kHatchFrom = 4;   // logical pixels; narrower hatch is noise
constexpr double kDenseLayers = 4; // mean queue length that fills the stripe when single steps cannot be seen
} // namespace

void LanePainter::paintQueue(QPainter& p, const QRect& stripe, CpuId cpu) {
    const auto& s = m_scene;
    const auto& queue = s.model.queue(cpu);
    if (queue.size() == 0 || stripe.height() < 1) return;
    auto first = queue.stepsUntil(s.viewBegin());
    first -= first > 0 ? 1 : 0;
    const auto last = queue.stepsUntil(s.viewEnd(), first);
    if (last - first > static_cast<std::size_t>(s.deviceWidth()) / 2) paintQueueDense(stripe, queue);
    else paintQueueSteps(p, stripe, queue, first, last);
}

void LanePainter::paintQueueSteps(QPainter& p, const QRect& stripe, const QueueLane& queue, std::size_t first,
                                  std::size_t last) {
    const auto& s = m_scene;
    const auto scale = s.deviceScale();
    const auto width = static_cast<double>(s.deviceWidth());
    const auto gap = std::max(1.0, std::round(s.ratio));
    for (auto i = first; i < last; ++i) {
        const auto& step = queue.step(i);
        if (step.depth == 0) continue;
        const auto end = i + 1 < queue.size() ? queue.time(i + 1) : s.model.knownTime();
        const auto x0 = std::clamp(std::floor(scale.x(queue.time(i))), 0.0, width);
        auto x1 = std::clamp(std::floor(scale.x(std::min(end, s.model.knownTime()))), 0.0, width);
        if (x1 - x0 >= 3 * s.ratio) x1 -= gap;
        if (x1 <= x0) x1 = std::min(width, x0 + 1);
        if (x1 > x0) paintQueueStep(p, stripe, deviceSpan(s, stripe, x0, x1), step);
    }
}

void LanePainter::paintQueueStep(QPainter& p, const QRect& stripe, const QRectF& span, const QueueLane::Step& step) {
    const auto& s = m_scene;
    if (step.depth <= QueueLane::kNamed) {
        const auto gap = stripe.height() >= 10 ? 1 : 0;
        const auto layer = std::max(1, (stripe.height() - 2 * gap) / 3);
        for (std::uint32_t i = 0; i < step.depth; ++i) {
            const auto y = stripe.top() + static_cast<int>(i) * (layer + gap);
            if (y + layer > stripe.bottom() + 1) break;
            p.fillRect(QRectF(span.left(), y, span.width(), layer), s.paintOf(TaskId{step.tasks[i]}).fill);
        }
        return;
    }
    const auto ground = s.theme.colour(Token::StateWaiting);
    p.fillRect(span, ground);
    if (stripe.height() < 7) return;
    auto font = s.theme.font(TextRole::Tiny, true);
    font.setPixelSize(std::min(font.pixelSize(), stripe.height() + 2));
    const auto text = QString::number(step.depth);
    const QFontMetricsF metrics(font);
    if (metrics.horizontalAdvance(text) + 4 > span.width()) return;
    p.setFont(font);
    p.setPen(s.inkOn(ground));
    // Digits have no descenders: centring their height uses the stripe better than centring the line.
    const auto baseline = span.center().y() + metrics.capHeight() / 2;
    p.drawText(QPointF(span.left() + 3, std::round(baseline)), text);
}

void LanePainter::paintQueueDense(const QRect& stripe, const QueueLane& queue) {
    const auto& s = m_scene;
    m_depth.assign(static_cast<std::size_t>(s.deviceWidth()), 0);
    addMeanDepths(queue, s.model.knownTime(), s.deviceScale(), m_depth);
    const auto colour = s.theme.colour(Token::StateWaiting).rgb();
    const auto band = bandOf(stripe);
    for (std::size_t i = 0; i < m_depth.size(); ++i) {
        if (m_depth[i] <= 0) continue;
        const auto share = std::min(1.0, static_cast<double>(m_depth[i]) / kDenseLayers);
        fillBand(band, static_cast<int>(i), static_cast<int>(i) + 1, 0, std::max(1, band.of(share)), colour);
    }
}

void LanePainter::paintTask(QPainter& p, const LaneRow& row) {
    const auto& s = m_scene;
    const TaskId task{row.id};
    const auto& phases = s.model.phases(task);
    const auto bar = s.runRect(row).adjusted(0, 0, 0, row.height / 8);
    auto first = phases.stepsUntil(s.viewBegin());
    first -= first > 0 ? 1 : 0;
    const auto last = phases.stepsUntil(std::min(s.viewEnd(), s.model.knownTime()), first);
    if (last - first > static_cast<std::size_t>(s.deviceWidth()) / 2) {
        paintTaskDense(bar, task);
        return;
    }
    const auto& paint = s.paintOf(task);
    const auto scale = s.deviceScale();
    const auto width = static_cast<double>(s.deviceWidth());
    const auto hatch =
        s.theme.pattern(Pattern::Waiting, s.theme.colour(Token::Surface), s.theme.colour(Token::StateWaiting), s.ratio);
    p.setBrushOrigin(0, 0);
    for (auto i = first; i < last; ++i) {
        const auto x0 = std::clamp(std::floor(scale.x(phases.time(i))), 0.0, width);
        const auto x1 = std::clamp(std::floor(scale.x(std::min(phases.end(i), s.model.knownTime()))), 0.0, width);
        if (x1 <= x0 && phases.phase(i) != TaskPhase::Running) continue;
        const auto rect = deviceSpan(s, bar, x0, std::max(x1, std::min(width, x0 + 1)));
        switch (phases.phase(i)) {
        case TaskPhase::Running: paintBar(p, s, rect, paint, true); break;
        case TaskPhase::Waiting:
            if (rect.width() >= kHatchFrom) p.fillRect(rect, hatch);
            else p.fillRect(rect.adjusted(0, rect.height() / 2, 0, 0), s.theme.colour(Token::StateWaiting));
            break;
        case TaskPhase::Blocked:
            p.fillRect(QRectF(rect.left(), rect.center().y(), rect.width(), 1), s.theme.colour(Token::StateBlocked));
            break;
        case TaskPhase::Absent: break;
        }
    }
}

void LanePainter::paintTaskDense(const QRect& bar, TaskId task) {
    const auto& s = m_scene;
    const auto& phases = s.model.phases(task);
    const auto scale = s.deviceScale();
    const auto known = s.model.knownTime();
    const auto colour = s.paintOf(task).rgb;
    const auto band = bandOf(bar);
    auto t = std::min(known, scale.time(0));
    auto at = phases.stepsUntil(t);
    auto before = phases.ranBefore(t, at);
    for (int x = 0; x < s.deviceWidth() && t < known; ++x) {
        t = std::min(known, scale.time(x + 1));
        at = phases.stepsUntil(t, at);
        const auto upTo = phases.ranBefore(t, at);
        if (upTo > before) {
            const auto share = std::min(1.0, static_cast<double>(upTo - before) / std::max(1.0, scale.nsPerPx));
            fillBand(band, x, x + 1, band.height - std::max(1, band.of(share)), band.height, colour);
        }
        before = upTo;
    }
}

} // namespace rqscope
