// SPDX-License-Identifier: GPL-3.0-or-later
#include "rqsim/output.h"

#include "rqsim/cli.h"

#include <QFileInfo>
#include <QSaveFile>

#include <cstdio>

namespace rqscope {

namespace {

void put(std::FILE* stream, std::string_view text) { std::fwrite(text.data(), 1, text.size(), stream); }

QString toQt(const std::string& text) { return QString::fromStdString(text); }

} // namespace

void print(std::string_view text) { put(stdout, text); }
void print(const QString& text) { put(stdout, text.toStdString()); }
void printError(const QString& text) { put(stderr, text.toStdString()); }

void complain(const QString& where, const QString& message) { printError("rqsim: " + where + ": " + message + '\n'); }

void warn(const QString& message) { printError("rqsim: warning: " + message + '\n'); }

int fail(const QString& where, const QString& message) {
    complain(where, message);
    return kBadInput;
}

int fail(const Problems& problems) {
    for (const auto& problem : problems) complain(toQt(problem.where), toQt(problem.message));
    return kBadInput;
}

std::optional<int> checkOutput(const QString& path, bool force) {
    const QFileInfo info(path);
    if (info.isDir()) return fail(path, "is a folder, expected the name of a file to write");
    if (info.exists() && !info.isFile()) return fail(path, "is not a regular file and stays as it is");
    if (info.exists() && !force) return fail(path, "exists already; --force overwrites it");
    if (!QFileInfo(info.absolutePath()).isDir()) return fail(path, "the folder to write to does not exist");
    return std::nullopt;
}

bool writeFile(const QString& path, bool force, const Writer& writer) {
    if (checkOutput(path, force)) return false;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        complain(path, "cannot be written: " + file.errorString());
        return false;
    }
    writer([&file](std::string_view text) { file.write(text.data(), static_cast<qint64>(text.size())); });
    if (file.commit()) return true;
    complain(path, "cannot be written: " + file.errorString());
    return false;
}

} // namespace rqscope
