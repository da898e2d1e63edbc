// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/sheet.h"

#include "theme/controls.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace rqscope {

Sheet::Sheet(const Theme& theme, QWidget* window) : QWidget(window), m_theme(theme), m_card(new QFrame(this)), m_body(new QVBoxLayout(m_card)),
      m_title(makeLabel({}, {.text = "title", .strong = true})) {
    m_card->setProperty("fill", "card");
    m_body->setContentsMargins(16, 10, 16, 14);
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    auto* button = new QToolButton;
    button->setProperty("kind", "icon");
    button->setAccessibleName(QStringLiteral("Close"));
    bindIcon(button, theme, QStringLiteral("close"), Token::Ink2);
    connect(button, &QToolButton::clicked, this, &Sheet::close);
    head->addWidget(button);
    m_body->addLayout(head);
    window->installEventFilter(this);
    hide();
}

void Sheet::open(const QString& title, QWidget* content, Side side) {
    if (m_content) close();
    m_title->setText(title);
    m_content = content;
    m_side = side;
    m_body->addWidget(content, 1);
    content->show();
    show();
    place();
    raise();
    m_focusBefore = window()->focusWidget();
    content->setFocus();
}

void Sheet::close() {
    hide();
    if (!m_content) return;
    m_body->removeWidget(m_content);
    m_content->setParent(nullptr);
    m_content->hide();
    if (m_focusBefore) m_focusBefore->setFocus();
    emit closed(std::exchange(m_content, nullptr));
}

void Sheet::place() {
    setGeometry(parentWidget()->rect());
    if (m_side == Side::RightHalf) {
        m_card->setGeometry(width() / 2, 8, width() - width() / 2 - 8, height() - 16);
        return;
    }
    m_card->ensurePolished();
    const auto wanted = m_card->sizeHint();
    QRect card(QPoint(), QSize(std::min(width() - 32, wanted.width()), std::min(height() - 32, wanted.height())));
    card.moveCenter(rect().center());
    m_card->setGeometry(card);
}

void Sheet::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    auto veil = m_theme.colour(Token::Window);
    veil.setAlphaF(0.7F);
    painter.fillRect(rect(), veil);
}

void Sheet::mousePressEvent(QMouseEvent* event) {
    if (!m_card->geometry().contains(event->position().toPoint())) close();
}

bool Sheet::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible()) place();
    return QWidget::eventFilter(object, event);
}

} // namespace rqscope
