// SPDX-License-Identifier: GPL-3.0-or-later
// Two pixels on a pane's upper edge while a long seek runs, with Cancel. Lies over the pane, which keeps its last picture.
#pragma once

#include "theme/theme.h"

#include <QWidget>

class QPushButton;

namespace rqscope {

class BusyLine : public QWidget {
    Q_OBJECT
public:
    BusyLine(const Theme& theme, QWidget* pane);
    void setProgress(double part); // below 0 hides

signals:
    void cancelled();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void place();
    const Theme& m_theme;
    double m_part = -1;
    QPushButton* m_cancel;
};

} // namespace rqscope
