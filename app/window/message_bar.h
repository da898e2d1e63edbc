// SPDX-License-Identifier: GPL-3.0-or-later
// A line under the top bar, never modal: problems of a file with Copy, a fault of ours with Save report, the beginning of a
// branch with Undo, the caption of the first start.
#pragma once

#include "theme/theme.h"

#include <QFrame>
#include <QStringList>

#include <functional>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace rqscope {

class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Problem, Note };
    MessageBar(const Theme& theme, Kind kind, QWidget* parent = nullptr);

    // All lines are shown; beyond eight they scroll.
    void showMessage(const QStringList& lines);
    // Hides; the same message counts as new the next time.
    void forget();
    // A button of this message; cleared by the next one.
    void addAction(const QString& words, std::function<void()> act);
    [[nodiscard]] QStringList lines() const { return m_lines; }

signals:
    void dismissed();

private:
    void resizeEvent(QResizeEvent* event) override;
    void fitLines();
    QStringList m_lines;
    QLabel* m_text;
    QScrollArea* m_scroll;
    QHBoxLayout* m_actions;
    QPushButton* m_copy = nullptr;
};

} // namespace rqscope
