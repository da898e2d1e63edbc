// SPDX-License-Identifier: GPL-3.0-or-later
// Reads every source file of the project as text and holds it to the rules of core/README.md: which room may include which,
// where Qt, the JSON library and the plot widget may appear, licence line, file length. One test function per rule; a
// failure lists every place that breaks it.
#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QTest>

namespace {

struct Source {
    QString path; // relative to the project
    QStringList lines;
};

struct Include {
    QString path; // of the including file
    int line;
    QString target; // without quotes or brackets
    bool angled;
};

// Rooms of core by level: a room may include itself and rooms of lower levels.
const QHash<QString, int>& coreLevels() {
    static const QHash<QString, int> levels = {{"base", 0},  {"topology", 1}, {"load", 1},        {"workload", 1},
                                               {"sched", 2}, {"select", 3},   {"balance", 3},     {"sim", 4},
                                               {"trace", 5}, {"metrics", 5},  {"conformance", 6}, {"lesson", 7}};
    return levels;
}

QString roomOf(const QString& path) { return path.section('/', 1, 1); }

QList<Source> readSources() {
    const QDir top(RQSCOPE_SOURCE_DIR);
    QList<Source> sources;
    for (const char* folder : {"app", "core", "views", "tests"}) {
        QDirIterator it(top.filePath(folder), {"*.cpp", "*.h", "*.def", "*.sh", "CMakeLists.txt", "run"}, QDir::Files,
                        QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QFile file(it.next());
            if (!file.open(QIODevice::ReadOnly)) continue;
            sources.append({top.relativeFilePath(file.fileName()), QString::fromUtf8(file.readAll()).split('\n')});
        }
    }
    return sources;
}

QList<Include> includesOf(const QList<Source>& sources) {
    static const QRegularExpression pattern("^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"]");
    QList<Include> includes;
    for (const auto& source : sources) {
        for (int i = 0; i < source.lines.size(); ++i) {
            const auto match = pattern.match(source.lines[i]);
            if (match.hasMatch()) includes.append({source.path, i + 1, match.captured(2), match.captured(1) == "<"});
        }
    }
    return includes;
}

QString at(const Include& i, const QString& why) {
    return QString("%1:%2 includes %3: %4").arg(i.path).arg(i.line).arg(i.target, why);
}

} // namespace

class LayeringTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void coreRoomsIncludeDownwards();
    void coreHasNoQt();
    void coreHasNoRandomThreadOrStream();
    void jsonAndArchivesOnlyInLoaders();
    void plotWidgetOnlyInPlot();
    void viewsNeverSeeTheSimulator();
    void everyFileNamesItsLicence();
    void filesStayShort();
    void noPathOfSomebodysMachine();

private:
    void report(const QStringList& broken) { QVERIFY2(broken.isEmpty(), qPrintable("\n" + broken.join('\n'))); }

    QList<Source> m_sources;
    QList<Include> m_includes;
};

void LayeringTest::initTestCase() {
    m_sources = readSources();
    m_includes = includesOf(m_sources);
    QVERIFY(m_includes.size() > 100);
}

void LayeringTest::coreRoomsIncludeDownwards() {
    QStringList broken;
    for (const auto& i : m_includes) {
        if (!i.path.startsWith("core/") || i.angled) continue;
        const auto from = roomOf(i.path);
        const auto to = i.target.section('/', 0, 0);
        if (!coreLevels().contains(from)) broken << at(i, "the folder is no room of core");
        else if (!coreLevels().contains(to) || !i.target.contains('/')) broken << at(i, "write the path from core on");
        else if (from != to && coreLevels()[to] >= coreLevels()[from]) broken << at(i, from + " may not know " + to);
    }
    report(broken);
}

void LayeringTest::coreHasNoQt() {
    static const QRegularExpression qt("^(Q[A-Z]|Qt|qcustomplot|qt)");
    QStringList broken;
    for (const auto& i : m_includes)
        if (i.path.startsWith("core/") && qt.match(i.target).hasMatch()) broken << at(i, "core knows no Qt");
    report(broken);
}

void LayeringTest::coreHasNoRandomThreadOrStream() {
    static const QStringList refused = {"random", "thread", "iostream", "mutex", "atomic", "future"};
    QStringList broken;
    for (const auto& i : m_includes)
        if (i.path.startsWith("core/") && i.angled && refused.contains(i.target)) broken << at(i, "not in core");
    report(broken);
}

void LayeringTest::jsonAndArchivesOnlyInLoaders() {
    static const QRegularExpression library("^(nlohmann/|zlib\\.h|pugixml|archive)");
    static const QRegularExpression loader(
        "^core/(((base|topology|workload|trace|metrics)/[^/]*json[^/]*)|trace/(run_file|export)[^/]*|"
        "conformance/[^/]*)$");
    QStringList broken;
    for (const auto& i : m_includes)
        if (i.path.startsWith("core/") && library.match(i.target).hasMatch() && !loader.match(i.path).hasMatch())
            broken << at(i, "only loaders read JSON or archives");
    report(broken);
}

void LayeringTest::plotWidgetOnlyInPlot() {
    QStringList broken;
    for (const auto& i : m_includes)
        if (i.target.endsWith("qcustomplot.h") && !i.path.startsWith("views/plot/") &&
            !i.path.startsWith("tests/views/plot/"))
            broken << at(i, "7 700 lines: only views/plot takes them");
    report(broken);
}

void LayeringTest::viewsNeverSeeTheSimulator() {
    static const QStringList refused = {"sim/simulator.h", "sim/sim_state.h"};
    QStringList broken;
    for (const auto& i : m_includes) {
        if (!i.path.startsWith("views/")) continue;
        if (refused.contains(i.target)) broken << at(i, "views read History and Snapshot");
        if (i.target.startsWith("nlohmann/")) broken << at(i, "views read no JSON library");
    }
    report(broken);
}

void LayeringTest::everyFileNamesItsLicence() {
    QStringList broken;
    for (const auto& source : m_sources) {
        const auto head = source.lines.mid(0, 2).join('\n');
        if (!head.contains("SPDX-License-Identifier: GPL-3.0-or-later")) broken << source.path + ": no SPDX line on top";
    }
    report(broken);
}

void LayeringTest::filesStayShort() {
    QStringList broken;
    for (const auto& source : m_sources) {
        const auto count = source.lines.size() - 1; // the text ends with a newline
        const bool code = source.path.endsWith(".cpp") || source.path.endsWith(".h");
        if (code && count > 400) broken << QString("%1: %2 lines, the limit is 400").arg(source.path).arg(count);
    }
    report(broken);
}

void LayeringTest::noPathOfSomebodysMachine() {
    // Written apart, so that this file does not accuse itself.
    static const QRegularExpression pattern("[\"' =](/ho"
                                            "me/|/ro"
                                            "ot/|/Use"
                                            "rs/|/wo"
                                            "rk/|[A-Z]:\\\\\\\\)");
    QStringList broken;
    for (const auto& source : m_sources)
        for (int i = 0; i < source.lines.size(); ++i)
            if (pattern.match(source.lines[i]).hasMatch())
                broken << QString("%1:%2: %3").arg(source.path).arg(i + 1).arg(source.lines[i].trimmed());
    report(broken);
}

QTEST_APPLESS_MAIN(LayeringTest)
#include "tst_layering.moc"
