// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/resource_paths.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace rqscope {

namespace {

QStringList existing(const QString& folder, const QString& inSource) {
    QStringList found;
    const auto program = QCoreApplication::applicationDirPath();
    for (const auto& path : {program + QStringLiteral("/" RQSCOPE_SHARE_FROM_BIN "/") + folder, QStringLiteral(RQSCOPE_SOURCE_DIR "/") + inSource})
        if (QFileInfo(path).isDir()) found << QDir(path).canonicalPath();
    found.removeDuplicates();
    return found;
}

} // namespace

QStringList topologyFolders() { return existing(QStringLiteral("topologies"), QStringLiteral("topologies")); }

QStringList scenarioFolders() { return existing(QStringLiteral("scenarios"), QStringLiteral("resources/scenarios")); }

} // namespace rqscope
