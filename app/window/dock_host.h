// SPDX-License-Identifier: GPL-3.0-or-later
// The inner QMainWindow: panels are dock widgets drawn as rounded cards that can float, close and come back. The host paints
// the cards; the docks themselves are transparent while they are docked.
#pragma once

#include "theme/theme.h"

#include <QDockWidget>
#include <QFrame>
#include <QMainWindow>

namespace rqscope {

class CardDock : public QDockWidget {
    Q_OBJECT
public:
    CardDock(const Theme& theme, const QString& title, QWidget* content, QWidget* parent);

signals:
    void closed(); // by the user

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void setFloatingLook(bool floating);
    QWidget* m_head; // stands in for the title bar while docked
    QFrame* m_ground;
};

class DockHost : public QMainWindow {
    Q_OBJECT
public:
    explicit DockHost(const Theme& theme, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
};

} // namespace rqscope
