// SPDX-License-Identifier: GPL-3.0-or-later
// rqscope: the window. Help and version work without a display, pictures with the offscreen platform.
#include "theme/theme.h"
#include "window/command_line.h"
#include "window/main_window.h"
#include "window/picture.h"

#include <QApplication>

#include <cstdio>

namespace {

QStringList argumentsOf(int argc, char* argv[]) {
    QStringList arguments;
    for (int i = 1; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
    return arguments;
}

} // namespace

int main(int argc, char* argv[]) {
    using namespace rqscope;
    const auto line = parseCommandLine(argumentsOf(argc, argv));
    if (!line) {
        for (const auto& problem : line.problems())
            std::fprintf(stderr, "rqscope: %s%s%s\n", problem.where.c_str(), problem.where.empty() ? "" : ": ", problem.message.c_str());
        return 2;
    }
    if (!line->answer.isEmpty()) {
        std::fputs(qPrintable(line->answer), stdout);
        return 0;
    }
    // A picture needs no display; somebody who names a platform gets it.
    if (line->headless || (line->picture() && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))) qputenv("QT_QPA_PLATFORM", "offscreen");

    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("rqscope"));
    QApplication::setApplicationName(QStringLiteral("rqscope"));
    QApplication::setDesktopFileName(QStringLiteral("rqscope"));
    Theme theme;
    if (line->dark) theme.setDark(*line->dark);
    if (line->scale) theme.setScale(*line->scale);
    if (line->picture()) return renderPicture(*line, theme);

    MainWindow window(theme, MainWindow::Memory::Keep);
    // What was typed wins over what was remembered.
    if (line->dark) theme.setDark(*line->dark);
    if (line->scale) theme.setScale(*line->scale);
    window.show();
    if (line->file.isEmpty()) window.openLastOrFirst();
    else if (!window.openFile(line->file)) window.startFirst(false);
    return QApplication::exec();
}
