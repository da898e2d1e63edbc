// SPDX-License-Identifier: GPL-3.0-or-later
#include "transport/clock_field.h"

#include "theme/controls.h"
#include "theme/format.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>

namespace rqscope {

ClockField::ClockField(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_clock(new QToolButton), m_edit(new QLineEdit), m_error(makeLabel({}, {.text = "small", .ink = "alarm"})) {
    m_clock->setProperty("kind", "clock");
    m_clock->setToolTip(QStringLiteral("Go to time (G): 3.2ms, +200us or #83"));
    m_edit->setPlaceholderText(QStringLiteral("3.2ms  +200us  #83"));
    m_edit->setAccessibleName(QStringLiteral("Go to time"));
    m_edit->setObjectName(QStringLiteral("goToTime"));
    m_edit->setFixedWidth(theme.px(140));
    m_edit->setMaxLength(40);
    m_edit->installEventFilter(this);
    connect(&theme, &Theme::changed, this, [this, &theme] { m_edit->setFixedWidth(theme.px(140)); });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_clock);
    row->addWidget(m_edit);
    row->addWidget(m_error);
    endEdit();
    setTime({});
    connect(m_clock, &QToolButton::clicked, this, &ClockField::beginEdit);
    connect(m_edit, &QLineEdit::returnPressed, this, &ClockField::accept);
    connect(m_edit, &QLineEdit::textEdited, this, [this] {
        m_error->hide();
        setStyleProperty(m_edit, "invalid", false);
    });
}

void ClockField::setTime(SimTime now) {
    m_now = now;
    m_clock->setText(clockText(now));
    m_clock->setMinimumWidth(m_clock->sizeHint().width());
    m_clock->setAccessibleName(QStringLiteral("Time %1, go to time").arg(clockText(now)));
}

QString ClockField::errorText() const { return m_error->isHidden() ? QString() : m_error->text(); }

bool ClockField::editing() const { return !m_edit->isHidden(); }

void ClockField::beginEdit() {
    m_focusBefore = window()->focusWidget();
    m_clock->hide();
    m_edit->clear();
    m_edit->show();
    m_edit->setFocus(Qt::ShortcutFocusReason);
}

void ClockField::endEdit() {
    m_edit->hide();
    m_error->hide();
    setStyleProperty(m_edit, "invalid", false);
    m_clock->show();
}

void ClockField::accept() {
    const auto target = parseGoTo(m_edit->text().toStdString(), m_now);
    if (!target) {
        m_error->setText(fromStd(target.problems().front().message));
        m_error->show();
        setStyleProperty(m_edit, "invalid", true);
        return;
    }
    endEdit();
    if (m_focusBefore) m_focusBefore->setFocus();
    emit goTo(*target);
}

bool ClockField::eventFilter(QObject* object, QEvent* event) {
    const bool escape = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (object == m_edit && event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept(); // Esc closes the field before it clears the selection
        return true;
    }
    if (object == m_edit && escape) {
        endEdit();
        if (m_focusBefore) m_focusBefore->setFocus();
        return true;
    }
    // Leaving an untouched field closes it; one with an error stays, so that the reason can be read.
    if (object == m_edit && event->type() == QEvent::FocusOut && m_error->isHidden()) endEdit();
    return QWidget::eventFilter(object, event);
}

} // namespace rqscope
