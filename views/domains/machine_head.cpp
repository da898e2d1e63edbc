// SPDX-License-Identifier: GPL-3.0-or-later
#include "domains/machine_head.h"

#include "theme/format.h"

#include <QFontMetrics>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>

namespace rqscope {

MachineHead::MachineHead(const Theme& theme, const MachineScene& scene, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_scene(scene) {
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        refresh();
    });
}

QSize MachineHead::sizeHint() const { return {400, m_theme.px(38)}; }

void MachineHead::refresh() {
    m_crumbs.clear();
    if (m_scene.focus) {
        // Outermost first; the last one is where we are.
        for (auto node = m_scene.focus; node; node = m_scene.domains.nodes()[*node].parent)
            m_crumbs.push_back({m_scene.domains.nodes()[*node].title(), node, {}});
        m_crumbs.push_back({tr("all CPUs"), std::nullopt, {}});
        std::reverse(m_crumbs.begin(), m_crumbs.end());
    }
    auto tip = m_scene.empty() ? QString() : m_scene.domains.chainText();
    if (m_constructed) tip += tr("\nThe start state was constructed by the scenario, not reached by running.");
    setToolTip(tip);
    update();
}

void MachineHead::setConstructed(bool on) {
    m_constructed = on;
    setAccessibleDescription(on ? tr("constructed start state") : QString());
    refresh();
}

QString MachineHead::chipText() const {
    if (m_scene.selectedNode) return tr("selected %1").arg(m_scene.domains.nodes()[*m_scene.selectedNode].title());
    return {};
}

int MachineHead::paintLegend(QPainter& painter, int left, int right) const {
    struct Entry {
        QString word;
        bool kernel;
    };
    const std::array<Entry, 4> entries{
        {{tr("running"), false}, {tr("waiting"), false}, {tr("blocked"), false}, {QStringLiteral("util_avg"), true}}};
    const auto box = m_theme.px(12), gap = m_theme.px(6), between = m_theme.px(14);
    const LoadBrushes brushes(m_theme, devicePixelRatioF());
    auto shown = entries.size();
    if (!m_scene.empty() && !m_scene.loadPlot().utilLine) --shown;
    auto width = 0;
    for (std::size_t i = 0; i < shown; ++i) {
        const QFontMetrics metrics(entries[i].kernel ? m_theme.kernelFont(TextRole::Small) : m_theme.font(TextRole::Small));
        width += box + gap + metrics.horizontalAdvance(entries[i].word) + between;
    }
    if (left + width > right) return right;
    auto x = right - width + between;
    const auto start = x - between, y = (height() - box) / 2;
    for (std::size_t i = 0; i < shown; ++i) {
        const QRect key(x, y, box, box);
        if (i == 0) painter.fillRect(key, brushes.running);
        if (i == 1) painter.fillRect(key, brushes.waiting);
        if (i == 2) {
            painter.fillRect(key, brushes.blocked);
            QPen dotted(m_theme.colour(Token::StateBlocked), 1);
            dotted.setDashPattern({1, 2});
            painter.setPen(dotted);
            painter.drawRect(key.adjusted(0, 0, -1, -1));
        }
        if (i == 3) painter.fillRect(QRect(x, height() / 2 - 1, box, 2), m_theme.colour(Token::Ink));
        const auto font = entries[i].kernel ? m_theme.kernelFont(TextRole::Small) : m_theme.font(TextRole::Small);
        const auto advance = QFontMetrics(font).horizontalAdvance(entries[i].word);
        painter.setFont(font);
        painter.setPen(m_theme.colour(Token::Ink2));
        x += box + gap;
        painter.drawText(QRect(x, 0, advance + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, entries[i].word);
        x += advance + between;
    }
    return start;
}

int MachineHead::paintCrumbs(QPainter& painter, int left, int right) {
    const auto font = m_theme.font(TextRole::Small);
    const QFontMetrics metrics(font);
    painter.setFont(font);
    if (m_crumbs.empty()) {
        auto text = m_scene.domains.chainText();
        if (const auto from = m_scene.viewpoint(); from && m_scene.domains.hasBrackets())
            text += tr(" · brackets as seen from %1").arg(cpuText(from->value));
        const auto shown = metrics.elidedText(text, Qt::ElideRight, right - left);
        painter.setPen(m_theme.colour(Token::Ink3));
        painter.drawText(QRect(left, 0, right - left, height()), Qt::AlignVCenter | Qt::AlignLeft, shown);
        return left + metrics.horizontalAdvance(shown);
    }
    auto x = left;
    for (auto& crumb : m_crumbs) {
        const bool here = &crumb == &m_crumbs.back();
        const auto text = metrics.elidedText(crumb.text, Qt::ElideRight, std::max(0, right - x));
        const auto width = metrics.horizontalAdvance(text);
        crumb.box = QRect(x - 2, 0, width + 4, height());
        painter.setPen(m_theme.colour(here ? Token::Ink : Token::Accent));
        painter.drawText(QRect(x, 0, width + 1, height()), Qt::AlignVCenter | Qt::AlignLeft, text);
        x += width;
        if (here) break;
        painter.setPen(m_theme.colour(Token::Ink3));
        painter.drawText(QRect(x, 0, m_theme.px(18), height()), Qt::AlignCenter, QStringLiteral("›"));
        x += m_theme.px(18);
    }
    return x;
}

void MachineHead::paintChip(QPainter& painter, int left, int right) {
    m_chip = {};
    const auto text = chipText();
    if (text.isEmpty()) return;
    const auto font = m_theme.font(TextRole::Small);
    const QFontMetrics metrics(font);
    const auto cross = m_theme.px(8), side = m_theme.px(10), high = m_theme.px(24);
    const auto width = metrics.horizontalAdvance(text) + 3 * side + cross;
    if (left + width > right) return;
    m_chip = QRect(left, (height() - high) / 2, width, high);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.colour(Token::AccentSoft));
    painter.drawRoundedRect(m_chip, high / 2.0, high / 2.0);
    painter.setFont(font);
    painter.setPen(m_theme.colour(Token::Ink));
    painter.drawText(m_chip.adjusted(side, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
    const QPointF centre(m_chip.right() - side - cross / 2.0, m_chip.center().y() + 0.5);
    const auto half = cross / 2.0 - 0.5;
    painter.setPen(QPen(m_theme.colour(Token::Ink2), 1.5, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(centre + QPointF(-half, -half), centre + QPointF(half, half));
    painter.drawLine(centre + QPointF(-half, half), centre + QPointF(half, -half));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// A word with a thin frame: a property of the run, not a button. Returns where the next text may begin.
int MachineHead::paintConstructed(QPainter& painter, int left) const {
    if (!m_constructed) return left;
    const auto text = tr("constructed");
    const auto font = m_theme.font(TextRole::Small);
    const QFontMetrics metrics(font);
    const auto side = m_theme.px(6), high = metrics.height() + m_theme.px(2);
    const QRect box(left, (height() - high) / 2, metrics.horizontalAdvance(text) + 2 * side, high);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(m_theme.colour(Token::LineStrong), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), m_theme.px(4), m_theme.px(4));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(font);
    painter.setPen(m_theme.colour(Token::Ink2));
    painter.drawText(box, Qt::AlignCenter, text);
    return box.right() + m_theme.px(12);
}

void MachineHead::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto side = m_theme.px(12);
    const auto title = tr("Machine");
    const auto font = m_theme.font(TextRole::Body, true);
    const auto width = QFontMetrics(font).horizontalAdvance(title);
    painter.setFont(font);
    painter.setPen(m_theme.colour(Token::Ink));
    painter.drawText(QRect(side, 0, width + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, title);
    if (m_scene.empty()) return;
    const auto left = paintConstructed(painter, side + width + side);
    const auto legend = paintLegend(painter, left + m_theme.px(80), this->width() - side);
    const auto end = paintCrumbs(painter, left, legend - side);
    paintChip(painter, end + side, legend - side);
}

void MachineHead::mousePressEvent(QMouseEvent* event) {
    const auto at = event->position().toPoint();
    if (m_chip.contains(at)) {
        emit clearRequested();
        return;
    }
    for (const auto& crumb : m_crumbs) {
        if (!crumb.box.contains(at)) continue;
        emit focusRequested(crumb.node);
        return; // the crumbs are other ones now
    }
    QWidget::mousePressEvent(event);
}

void MachineHead::mouseMoveEvent(QMouseEvent* event) {
    const auto at = event->position().toPoint();
    const bool onLink = m_chip.contains(at) ||
                        std::any_of(m_crumbs.begin(), m_crumbs.end(), [at](const Crumb& c) { return c.box.contains(at); });
    setCursor(onLink ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

} // namespace rqscope
