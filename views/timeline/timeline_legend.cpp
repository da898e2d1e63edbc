// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_legend.h"

#include "timeline/hop_painter.h"

#include <QFontMetrics>
#include <QPainter>

namespace rqscope {

TimelineLegend::TimelineLegend(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void TimelineLegend::setGroups(bool groups) {
    if (m_groups == groups) return;
    m_groups = groups;
    updateGeometry();
    update();
}

std::vector<TimelineLegend::Entry> TimelineLegend::entries() const {
    std::vector<Entry> list;
    if (m_groups) list = {{Mark::Busy, tr("busy CPUs")}, {Mark::Waiters, tr("some CPU has waiters")}};
    list.push_back({Mark::You, tr("you")});
    list.push_back({Mark::Scheduler, tr("scheduler")});
    list.push_back({Mark::Future, tr("already known future")});
    return list;
}

int TimelineLegend::widthOf(const Entry& entry) const {
    return m_theme.px(12) + m_theme.px(5) + QFontMetrics(m_theme.font(TextRole::Small)).horizontalAdvance(entry.text);
}

QSize TimelineLegend::sizeHint() const {
    int width = 0;
    for (const auto& entry : entries()) width += widthOf(entry) + m_theme.px(14);
    return {width, m_theme.px(20)};
}

void TimelineLegend::paintEvent(QPaintEvent*) {
    QPainter p(this);
    p.setFont(m_theme.font(TextRole::Small));
    auto list = entries();
    const auto widthOfAll = [&] {
        int sum = 0;
        for (const auto& entry : list) sum += widthOf(entry) + m_theme.px(14);
        return sum;
    };
    while (!list.empty() && widthOfAll() > width() + m_theme.px(14)) list.pop_back();
    auto x = width() - widthOfAll() + m_theme.px(14);
    for (const auto& entry : list) {
        const auto side = m_theme.px(12);
        paintMark(p, entry.mark, QRect(x, (height() - side) / 2, side, side));
        p.setPen(m_theme.colour(Token::Ink2));
        p.drawText(QRect(x + side + m_theme.px(5), 0, width(), height()), static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
                   entry.text);
        x += widthOf(entry) + m_theme.px(14);
    }
}

void TimelineLegend::paintMark(QPainter& p, Mark mark, const QRect& box) const {
    const auto middle = box.adjusted(0, box.height() / 2 - 2, 0, -(box.height() / 2 - 2));
    switch (mark) {
    case Mark::You:
        p.drawPixmap(box.topLeft(), m_theme.icon(QStringLiteral("flag-solid"), m_theme.colour(Token::Accent), box.width(),
                                                 devicePixelRatioF()));
        break;
    case Mark::Scheduler: paintDiamond(p, QRectF(box).center(), box.width() * 0.42, m_theme.colour(Token::Decision)); break;
    case Mark::Future: {
        // The same wash as in the lanes: ink at the strength of the known future.
        auto pale = m_theme.colour(Token::Ink3);
        pale.setAlphaF(0.32F);
        p.fillRect(box.adjusted(0, 2, 0, -2), pale);
        break;
    }
    case Mark::Busy: p.fillRect(box.adjusted(0, box.height() / 3, 0, 0), m_theme.ramp(2)); break;
    case Mark::Waiters: p.fillRect(middle, m_theme.colour(Token::StateWaiting)); break;
    }
}

} // namespace rqscope
