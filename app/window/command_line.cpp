// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/command_line.h"

#include <QCommandLineParser>
#include <QRegularExpression>

namespace rqscope {

namespace {

const QStringList kViews{QStringLiteral("main"), QStringLiteral("machine"), QStringLiteral("timeline"), QStringLiteral("why"), QStringLiteral("features")};
const QStringList kLaterViews{QStringLiteral("queue"), QStringLiteral("numbers"), QStringLiteral("compare"), QStringLiteral("lesson")};

struct Parser {
    QCommandLineParser parser;
    QCommandLineOption help{{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Show this help.")};
    QCommandLineOption version{{QStringLiteral("v"), QStringLiteral("version")}, QStringLiteral("Show the version.")};
    QCommandLineOption screenshot{QStringLiteral("screenshot"), QStringLiteral("Render into FILE and exit."), QStringLiteral("FILE")};
    QCommandLineOption size{QStringLiteral("size"), QStringLiteral("Size of the picture, 1600x1000 by default."), QStringLiteral("WxH")};
    QCommandLineOption at{QStringLiteral("at"), QStringLiteral("Moment of the picture (3.2ms or #83), the end by default."), QStringLiteral("TIME")};
    QCommandLineOption view{QStringLiteral("view"), QStringLiteral("Part of the window: main machine timeline why features."), QStringLiteral("NAME")};
    QCommandLineOption theme{QStringLiteral("theme"), QStringLiteral("light or dark."), QStringLiteral("NAME")};
    QCommandLineOption scale{QStringLiteral("scale"), QStringLiteral("Text scale, 0.8 to 2.0."), QStringLiteral("F")};
    QCommandLineOption headless{QStringLiteral("headless"), QStringLiteral("No window: run to the end and print the summary.")};

    Parser() {
        parser.setApplicationDescription(QStringLiteral("Interactive explorer of the Linux fair scheduler."));
        parser.addOptions({help, version, screenshot, size, at, view, theme, scale, headless});
        parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("Scenario (.json) or recorded run (.rqrun)."), QStringLiteral("[FILE]"));
    }
};

void readSize(const QString& text, CommandLine& line, Problems& problems) {
    static const QRegularExpression form(QStringLiteral("^(\\d{1,5})x(\\d{1,5})$"));
    const auto match = form.match(text);
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    if (size.width() >= 200 && size.height() >= 200 && size.width() <= 16384 && size.height() <= 16384) line.size = size;
    else problems.push_back({"--size", "\"" + text.toStdString() + "\" is not a size. Write 1280x800; 200 to 16384 each."});
}

void readView(const QString& text, CommandLine& line, Problems& problems) {
    line.view = text;
    if (kViews.contains(text)) return;
    if (kLaterViews.contains(text)) problems.push_back({"--view " + text.toStdString(), "not available in this version"});
    else problems.push_back({"--view", "\"" + text.toStdString() + "\" is not a view. Views: " + kViews.join(' ').toStdString() + "."});
}

void readLook(const Parser& p, CommandLine& line, Problems& problems) {
    if (p.parser.isSet(p.theme)) {
        const auto theme = p.parser.value(p.theme);
        line.dark = theme == QStringLiteral("dark");
        if (!*line.dark && theme != QStringLiteral("light"))
            problems.push_back({"--theme", "\"" + theme.toStdString() + "\" is not a theme. Write light or dark."});
    }
    if (p.parser.isSet(p.scale)) {
        bool isNumber = false;
        line.scale = p.parser.value(p.scale).toDouble(&isNumber);
        if (!isNumber || !(*line.scale >= 0.8 && *line.scale <= 2.0))
            problems.push_back({"--scale", "\"" + p.parser.value(p.scale).toStdString() + "\" is outside 0.8 to 2.0."});
    }
}

void readMoment(const QString& text, CommandLine& line, Problems& problems) {
    const auto at = parseGoTo(text.toStdString(), SimTime{});
    if (at) line.at = *at;
    else problems.push_back({"--at", at.problems().front().message});
}

} // namespace

Result<CommandLine> parseCommandLine(const QStringList& arguments) {
    Parser p;
    CommandLine line;
    if (!p.parser.parse(QStringList{QStringLiteral("rqscope")} + arguments)) return Problem{"", p.parser.errorText().toStdString()};
    if (p.parser.isSet(p.help)) line.answer = p.parser.helpText();
    else if (p.parser.isSet(p.version)) line.answer = QStringLiteral("rqscope " RQSCOPE_VERSION "\n");
    if (!line.answer.isEmpty()) return line;

    Problems problems;
    const auto files = p.parser.positionalArguments();
    if (files.size() > 1) problems.push_back({files[1].toStdString(), "one file at most"});
    if (!files.isEmpty()) line.file = files.front();
    line.screenshot = p.parser.value(p.screenshot);
    if (p.parser.isSet(p.screenshot) && line.screenshot.isEmpty()) problems.push_back({"--screenshot", "a file name is needed"});
    line.headless = p.parser.isSet(p.headless);
    if (p.parser.isSet(p.size)) readSize(p.parser.value(p.size), line, problems);
    if (p.parser.isSet(p.at)) readMoment(p.parser.value(p.at), line, problems);
    if (p.parser.isSet(p.view)) readView(p.parser.value(p.view), line, problems);
    readLook(p, line, problems);
    if (!problems.empty()) return problems;
    return line;
}

} // namespace rqscope
