// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dock_host.h"

#include "theme/controls.h"

#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>

namespace rqscope {

namespace {

// Looks like the selected tab of a tab bar, so that a second panel joining the dock changes nothing.
class DockHead : public QWidget {
public:
    DockHead(const Theme& theme, const QString& title, QWidget* parent) : QWidget(parent), m_theme(theme), m_label(makeLabel(title, {.strong = true})) {
        auto* row = new QHBoxLayout(this);
        row->setContentsMargins(14, 9, 14, 9);
        row->addWidget(m_label);
        row->addStretch(1);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(QRect(1, height() - 1, width() - 2, 1), m_theme.colour(Token::Line));
        painter.fillRect(QRect(m_label->x() - 6, height() - 2, m_label->width() + 12, 2), m_theme.colour(Token::Accent));
    }

private:
    const Theme& m_theme;
    QLabel* m_label;
};

} // namespace

CardDock::CardDock(const Theme& theme, const QString& title, QWidget* content, QWidget* parent)
    : QDockWidget(title, parent), m_head(new DockHead(theme, title, this)), m_ground(new QFrame) {
    setObjectName(title + QStringLiteral("Dock"));
    auto* column = new QVBoxLayout(m_ground);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(content);
    setWidget(m_ground);
    setTitleBarWidget(m_head);
    // A floating dock needs the window system's title to be moved, and a ground of its own.
    connect(this, &QDockWidget::topLevelChanged, this, &CardDock::setFloatingLook);
}

void CardDock::setFloatingLook(bool floating) {
    setStyleProperty(m_ground, "fill", floating ? QVariant(QStringLiteral("surface")) : QVariant(QString()));
    m_head->setVisible(!floating);
    setTitleBarWidget(floating ? nullptr : m_head);
}

void CardDock::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu;
    auto* floating = menu.addAction(isFloating() ? QStringLiteral("Dock") : QStringLiteral("Float"));
    auto* closing = menu.addAction(QStringLiteral("Close"));
    const auto* chosen = menu.exec(event->globalPos());
    if (chosen == floating) setFloating(!isFloating());
    if (chosen == closing) close();
}

void CardDock::closeEvent(QCloseEvent* event) {
    QDockWidget::closeEvent(event);
    emit closed();
}

DockHost::DockHost(const Theme& theme, QWidget* parent) : QMainWindow(parent), m_theme(theme) {
    setObjectName(QStringLiteral("host"));
    setWindowFlags(Qt::Widget);
    setContextMenuPolicy(Qt::NoContextMenu);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDocumentMode(true);
}

void DockHost::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.colour(Token::Window));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.colour(Token::Line), 1));
    painter.setBrush(m_theme.colour(Token::Surface));
    for (const auto* dock : findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (!dock->isVisible() || dock->isFloating()) continue;
        painter.drawRoundedRect(QRectF(dock->geometry()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    }
}

} // namespace rqscope
