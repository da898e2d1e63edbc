// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/key_guard.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QTabBar>

namespace rqscope {

namespace {

bool isArrow(int key) { return (key >= Qt::Key_Left && key <= Qt::Key_Down) || key == Qt::Key_Home || key == Qt::Key_End; }
bool isPress(int key) { return key == Qt::Key_Space || key == Qt::Key_Return || key == Qt::Key_Enter; }

bool belongsToControl(const QObject* control, const QKeyEvent& event) {
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
    const auto key = event.key();
    if (qobject_cast<const QAbstractButton*>(control)) return isPress(key);
    if (qobject_cast<const QAbstractSlider*>(control) || qobject_cast<const QTabBar*>(control)) return isArrow(key);
    if (qobject_cast<const QAbstractItemView*>(control) || qobject_cast<const QComboBox*>(control) || qobject_cast<const QMenu*>(control))
        return isArrow(key) || isPress(key) || !event.text().isEmpty();
    if (qobject_cast<const QLineEdit*>(control) || qobject_cast<const QAbstractSpinBox*>(control))
        return isPress(key) || isArrow(key) || (!event.text().isEmpty() && key != Qt::Key_Escape);
    return false;
}

} // namespace

bool KeyGuard::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && belongsToControl(object, *static_cast<QKeyEvent*>(event))) event->accept();
    return QObject::eventFilter(object, event);
}

} // namespace rqscope
