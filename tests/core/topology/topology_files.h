// SPDX-License-Identifier: GPL-3.0-or-later
// Where the topology tests find their files. Golden files that are not part of the project are looked for in
// $RQSCOPE_SHARED (default: ../shared beside the sources); a test says so when it skips them.
#pragma once

#include "topology/machine_json.h"

#include <QDir>
#include <QFile>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <string>

namespace rqscope::test {

inline QString sharedFolder() {
    return qEnvironmentVariable("RQSCOPE_SHARED", QStringLiteral(RQSCOPE_SOURCE_DIR "/../shared"));
}
inline QString dataFolder(const char* name) { return QStringLiteral(RQSCOPE_TEST_DATA "/") + QLatin1String(name); }
inline std::filesystem::path topologiesFolder() { return std::filesystem::path(RQSCOPE_SOURCE_DIR) / "topologies"; }

inline QStringList filesIn(const QString& folder, const char* pattern = "*.json") {
    QStringList out;
    for (const auto& name : QDir(folder).entryList({QLatin1String(pattern)}, QDir::Files, QDir::Name)) out << folder + QLatin1Char('/') + name;
    return out;
}

inline std::string readAll(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

inline Result<Machine> machine(const char* id) { return load_machine_file(topologiesFolder() / (std::string(id) + ".json")); }

inline QString text(const Problems& problems) {
    QString out;
    for (const auto& p : problems) out += QString::fromStdString(p.where + ": " + p.message + "\n");
    return out;
}

} // namespace rqscope::test
