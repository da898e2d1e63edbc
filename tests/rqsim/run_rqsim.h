// SPDX-License-Identifier: GPL-3.0-or-later
// Starts the built rqsim and keeps what it said.
#pragma once

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <QTest>

namespace rqscope::test {

struct Outcome {
    int code = -1;
    bool crashed = true; // or did not end
    QByteArray out;
    QString err;
};

inline Outcome rqsim(const QStringList& arguments, const QString& folder = QDir::currentPath()) {
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(RQSIM, arguments);
    Outcome outcome;
    if (!process.waitForFinished(60'000)) {
        process.kill();
        process.waitForFinished();
        return outcome;
    }
    outcome.crashed = process.exitStatus() != QProcess::NormalExit;
    outcome.code = process.exitCode();
    outcome.out = process.readAllStandardOutput();
    outcome.err = QString::fromUtf8(process.readAllStandardError());
    return outcome;
}

inline void write(const QString& path, const QByteArray& text) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write %s", qPrintable(path));
}

inline QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline const QStringList& smallRun() {
    static const QStringList arguments = {"run", "--topology", "teach-mc8", "--workload",
                                          "forkstorm:n=6,run=200us,gap=250us,block=0"};
    return arguments;
}

} // namespace rqscope::test
