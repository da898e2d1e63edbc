// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/first_start.h"

#include "window/session.h"

#include <QApplication>
#include <QKeyEvent>

namespace rqscope {

FirstStart::FirstStart(Session& session, QObject* parent) : QObject(parent), m_session(session) {
    m_flip.setSingleShot(true);
    connect(&m_flip, &QTimer::timeout, this, &FirstStart::flip);
}

void FirstStart::begin(int flipAfterMs) {
    m_running = true;
    m_session.setPace(paceOf(Pace::Kind::Decision));
    m_session.setPlaying(true);
    m_flip.start(flipAfterMs);
    qApp->installEventFilter(this);
    emit captionChanged(QStringLiteral("4.8 puts every child on CPU 1. Space stops."));
}

void FirstStart::flip() {
    m_session.changeFeature(kFlip);
    m_session.setPlaying(true);
    emit captionChanged(QStringLiteral("FORK_LOAD_AVG is on: the columns fill in turn. Space stops."));
}

void FirstStart::end() {
    if (!m_running) return;
    m_running = false;
    m_flip.stop();
    qApp->removeEventFilter(this);
    emit captionChanged({});
}

bool FirstStart::eventFilter(QObject* object, QEvent* event) {
    const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    const bool click = event->type() == QEvent::MouseButtonPress && object->isWidgetType();
    if (!key && !click) return QObject::eventFilter(object, event);
    // Space pauses by itself; everything else finds the run standing still.
    const bool space = key && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space;
    end();
    if (!space) m_session.setPlaying(false);
    return QObject::eventFilter(object, event);
}

} // namespace rqscope
