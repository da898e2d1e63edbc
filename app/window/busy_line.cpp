// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/busy_line.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace rqscope {

BusyLine::BusyLine(const Theme& theme, QWidget* pane) : QWidget(pane), m_theme(theme), m_cancel(new QPushButton(QStringLiteral("Cancel"))) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 4, 8, 0);
    row->addStretch(1);
    row->addWidget(m_cancel);
    m_cancel->setObjectName(QStringLiteral("cancelSeek"));
    connect(m_cancel, &QPushButton::clicked, this, &BusyLine::cancelled);
    pane->installEventFilter(this);
    hide();
}

void BusyLine::setProgress(double part) {
    m_part = part;
    setVisible(part >= 0);
    if (part < 0) return;
    place();
    raise();
    update();
}

void BusyLine::place() { setGeometry(0, 0, parentWidget()->width(), m_theme.px(40)); }

void BusyLine::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(QRectF(0, 0, width() * m_part, 2), m_theme.colour(Token::Accent));
}

bool BusyLine::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible()) place();
    return QWidget::eventFilter(object, event);
}

} // namespace rqscope
