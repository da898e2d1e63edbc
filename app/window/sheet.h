// SPDX-License-Identifier: GPL-3.0-or-later
// A card over the window with a title and Close, not a dialog: keys, About, and the features in the projector. Esc or a click
// beside it closes it.
#pragma once

#include "theme/theme.h"

#include <QPointer>
#include <QWidget>

class QFrame;
class QLabel;
class QVBoxLayout;

namespace rqscope {

class Sheet : public QWidget {
    Q_OBJECT
public:
    enum class Side { Centre, RightHalf };
    Sheet(const Theme& theme, QWidget* window);
    // Shows the content until it is closed; closed() then hands it back without a parent.
    void open(const QString& title, QWidget* content, Side side);
    void close();
    [[nodiscard]] bool isOpen() const { return isVisible(); }

signals:
    void closed(QWidget* content);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void place();
    const Theme& m_theme;
    Side m_side = Side::Centre;
    QFrame* m_card;
    QVBoxLayout* m_body;
    QLabel* m_title;
    QWidget* m_content = nullptr;
    QPointer<QWidget> m_focusBefore;
};

} // namespace rqscope
