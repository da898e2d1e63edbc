// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/picture.h"

#include "theme/theme.h"
#include "window/documents.h"
#include "window/first_start.h"
#include "window/main_window.h"
#include "window/summary.h"

#include <QApplication>
#include <QFontInfo>
#include <QPixmap>
#include <QSaveFile>

#include <cstdio>

namespace rqscope {

namespace {

constexpr int kBad = 2;

int complain(const QString& text) {
    std::fprintf(stderr, "rqscope: %s\n", qPrintable(text));
    return kBad;
}

// Layouts settle over several rounds of events, and docks take their sizes only when shown.
void settle() {
    for (int i = 0; i < 5; ++i) {
        QApplication::sendPostedEvents();
        QApplication::processEvents();
    }
}

void waitForSeek(const Session& session) {
    while (session.seeking()) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
}

bool moveTo(const CommandLine& line, MainWindow& window) {
    auto& session = window.session();
    if (line.file.isEmpty() && !line.at) {
        // What the first start shows on a screen: nine children on one CPU, the flip, and the rest in turn.
        session.seekTime(FirstStart::kFlipAt);
        waitForSeek(session);
        session.changeFeature(FirstStart::kFlip);
    }
    if (!line.at) session.runToEnd();
    else if (const auto* time = std::get_if<SimTime>(&*line.at)) session.seekTime(*time);
    else session.seekRow(std::get<EventNumber>(*line.at).value);
    waitForSeek(session);
    return !session.history()->fault();
}

int save(const QPixmap& picture, const QString& path) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return complain(path + QStringLiteral(": ") + file.errorString());
    if (!picture.save(&file, "PNG") || !file.commit()) return complain(path + QStringLiteral(": the picture cannot be written"));
    return 0;
}

} // namespace

int renderPicture(const CommandLine& line, Theme& theme) {
    if (!line.screenshot.isEmpty() && QFontInfo(theme.font(TextRole::Body)).family().isEmpty())
        return complain(QStringLiteral("no font is installed, so the picture would have no text. Install fonts-noto-core."));
    theme.setReducedMotion(true); // a picture shows the end of every motion
    MainWindow window(theme, MainWindow::Memory::None);
    window.resize(line.size);
    const bool opened = line.file.isEmpty() ? (window.startFirst(false), window.session().history() != nullptr) : window.openFile(line.file);
    if (!opened) {
        for (const auto& problem : window.problemLinesShown()) complain(problem);
        return kBad;
    }
    auto* pane = window.pane(line.view);
    if (line.view == QStringLiteral("features")) window.setLeftOpen(true);
    if (!line.screenshot.isEmpty()) window.show();
    settle();
    const bool sound = moveTo(line, window);
    settle();
    if (!line.screenshot.isEmpty()) {
        if (const auto code = save(window.pictureOf(pane), line.screenshot)) return code;
    }
    std::fputs(summaryOf(*window.session().history()).c_str(), stdout);
    if (sound) return 0;
    complain(QString::fromStdString("a fault of rqscope's own: " + window.session().history()->fault()->what));
    return 1;
}

} // namespace rqscope
