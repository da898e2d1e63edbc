// SPDX-License-Identifier: GPL-3.0-or-later
// What is remembered for the user: sizes, theme, text scale, pace, and the last run as a run file. Nothing of it is needed:
// a missing or damaged entry means the default.
#include "transport/transport_bar.h"
#include "window/documents.h"
#include "window/dock_host.h"
#include "window/main_window.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QSplitter>
#include <QStandardPaths>

namespace rqscope {

namespace {

QString lastRunFile() { return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/last.rqrun"); }

std::optional<bool> choice(const QSettings& settings, const QString& key) {
    if (!settings.contains(key)) return std::nullopt;
    return settings.value(key).toBool();
}

void setChoice(QSettings& settings, const QString& key, std::optional<bool> value) {
    if (value) settings.setValue(key, *value);
    else settings.remove(key);
}

} // namespace

void MainWindow::restoreState() {
    resize(1600, 1000);
    if (m_memory == Memory::None) return;
    const QSettings settings;
    m_theme.setDark(settings.value(QStringLiteral("dark"), m_theme.dark()).toBool());
    m_theme.setScale(settings.value(QStringLiteral("scale"), m_theme.scale()).toDouble());
    m_theme.setReducedMotion(settings.value(QStringLiteral("reducedMotion"), false).toBool());
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    m_leftWanted = choice(settings, QStringLiteral("left"));
    m_rightWanted = choice(settings, QStringLiteral("right"));
    Pace pace = paceOf(static_cast<Pace::Kind>(qBound(0, settings.value(QStringLiteral("pace"), 1).toInt(), 3)));
    pace.realTime = realTimeAt(positionOf(settings.value(QStringLiteral("realTime"), pace.realTime).toDouble()));
    m_transport->setPace(pace);
    m_session->setPace(pace);
    m_sized = m_host->restoreState(settings.value(QStringLiteral("docks")).toByteArray()) &&
              m_centre->restoreState(settings.value(QStringLiteral("centre")).toByteArray());
}

void MainWindow::saveState() {
    if (m_memory == Memory::None) return;
    setProjector(false);
    QSettings settings;
    settings.setValue(QStringLiteral("dark"), m_theme.dark());
    settings.setValue(QStringLiteral("scale"), m_theme.scale());
    settings.setValue(QStringLiteral("reducedMotion"), m_theme.reducedMotion());
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    settings.setValue(QStringLiteral("docks"), m_host->saveState());
    settings.setValue(QStringLiteral("centre"), m_centre->saveState());
    settings.setValue(QStringLiteral("pace"), static_cast<int>(m_transport->pace().kind));
    settings.setValue(QStringLiteral("realTime"), m_transport->pace().realTime);
    setChoice(settings, QStringLiteral("left"), m_leftWanted);
    setChoice(settings, QStringLiteral("right"), m_rightWanted);
    if (!m_session->history() || m_session->history()->fault()) return;
    QDir().mkpath(QFileInfo(lastRunFile()).absolutePath());
    // Losing the last session is no reason to keep a window from closing.
    if (const auto problem = saveRun(*m_session->history(), lastRunFile())) qWarning("%s", problem->message.c_str());
}

void MainWindow::openLastOrFirst() {
    if (m_memory == Memory::Keep && QFileInfo(lastRunFile()).isFile()) {
        // An older version's run may not replay any more: then the first start is shown instead.
        if (auto history = openDocument(lastRunFile())) {
            m_session->adopt(std::move(history).value());
            return;
        }
    }
    startFirst(true);
}

} // namespace rqscope
