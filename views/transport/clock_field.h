// SPDX-License-Identifier: GPL-3.0-or-later
// The clock of the transport bar: shows the time, a click turns it into a field for "go to time". Nonsense stays in the
// field with the reason beside it.
#pragma once

#include "theme/theme.h"
#include "transport/go_to_time.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace rqscope {

class ClockField : public QWidget {
    Q_OBJECT
public:
    explicit ClockField(const Theme& theme, QWidget* parent = nullptr);
    void setTime(SimTime now);
    void beginEdit();
    [[nodiscard]] QString errorText() const;
    [[nodiscard]] bool editing() const;

signals:
    void goTo(const rqscope::GoTo& target);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void accept();
    void endEdit();

    SimTime m_now{};
    QToolButton* m_clock;
    QLineEdit* m_edit;
    QLabel* m_error;
    QPointer<QWidget> m_focusBefore; // gets the keys back: hiding the field would pass them to its neighbour
};

} // namespace rqscope
