// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window does not answer while it plays: the largest gap between two ticks of a 1 ms timer of the GUI thread,
// measured on the whole main window from its first picture on. Gaps in wall time contain whatever else the machine does, so
// the largest thread time between two ticks stands beside them. Exit 1 when a gap in wall time reaches the limit.
#include "theme/theme.h"
#include "trace/scenario_json.h"
#include "window/main_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QEvent>
#include <QTimer>

#include <ctime>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace rqscope;

namespace {

constexpr qint64 kLimitNs = 50'000'000;
constexpr int kBadInput = 2;

struct PaceCase {
    const char* name;
    const char* workload; // long enough to be played all the time
    Pace pace;
};

std::vector<PaceCase> paceCases() {
    const auto realTime = [](double factor) {
        auto pace = paceOf(Pace::Kind::RealTime);
        pace.realTime = factor;
        return pace;
    };
    return {
        {"default", "hackbench:-g 16", paceOf(Pace::Kind::Decision)},
        {"tick", "hackbench:-g 16", paceOf(Pace::Kind::Tick)},
        {"real0.001", "hackbench:-g 16", realTime(1e-3)},
        {"real0.01", "hackbench:-g 16", realTime(1e-2)},
        {"real1", "hackbench:-g 16 -l 100000", realTime(1.0)}, // more than any machine manages
    };
}

qint64 threadTimeNs() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return qint64{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

// Largest distance between two neighbours of a series of moments.
struct Gap {
    qint64 last = 0, largest = 0, at = 0; // ns; `at`: since the first moment
    qint64 first = 0;
    void start(qint64 now) { *this = {now, 0, 0, now}; }
    void tick(qint64 now) {
        if (now - last > largest) {
            largest = now - last;
            at = now - first;
        }
        last = now;
    }
};

class PaintCounter : public QObject {
public:
    quint64 paints = 0;
    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() == QEvent::Paint) ++paints;
        return QObject::eventFilter(object, event);
    }
};

void waitFor(int ms) {
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < ms) QApplication::processEvents(QEventLoop::AllEvents, 5);
}

struct Request {
    QString machine, era, workload; // workload "" = the pace's own
    int seconds = 10;
};

Result<Scenario> scenarioOf(const Request& request, const PaceCase& test) {
    const auto workload = request.workload.isEmpty() ? QString::fromLatin1(test.workload) : request.workload;
    const auto text = QStringLiteral(R"({"schema": "rqscope-scenario/1", "machine": "%1", "workload": "%2", "era": "%3"})")
                          .arg(request.machine, workload, request.era);
    return read_scenario(text.toStdString(), "smooth", {}, {RQSCOPE_SOURCE_DIR "/topologies"});
}

// Plays for the wanted time and prints one line. Returns the largest gap in ns.
qint64 play(const Request& request, const PaceCase& test, Scenario scenario, PaintCounter& paints) {
    Theme theme;
    MainWindow window(theme, MainWindow::Memory::None);
    window.resize(1600, 1000);
    window.show();
    window.openScenario(std::move(scenario));
    waitFor(500); // the first picture, and what is laid out after it

    auto& session = window.session();
    session.setPace(test.pace);
    QElapsedTimer wall;
    Gap gap, work;
    QTimer timer;
    timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer, &QTimer::timeout, [&] {
        gap.tick(wall.nsecsElapsed());
        work.tick(threadTimeNs());
    });
    session.setPlaying(true);
    const auto paintsBefore = paints.paints;
    wall.start();
    gap.start(wall.nsecsElapsed());
    work.start(threadTimeNs());
    timer.start(1);
    const auto wanted = qint64{request.seconds} * 1'000'000'000;
    while (wall.nsecsElapsed() < wanted && !session.history()->at_end() && !session.history()->fault())
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    const auto& run = *session.history();
    const auto ms = [](qint64 ns) { return static_cast<double>(ns) / 1e6; };
    std::printf("%-10s %7.1f %9.2f %8.1f %9.2f %9u %10.3f %8llu%s\n", test.name, ms(wall.nsecsElapsed()) / 1e3, ms(gap.largest),
                ms(gap.at) / 1e3, ms(work.largest), run.known_rows(), ms(to_ns(run.time())),
                static_cast<unsigned long long>(paints.paints - paintsBefore), run.at_end() ? "  (came to its end)" : "");
    std::fflush(stdout);
    session.setPlaying(false);
    return gap.largest;
}

} // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Largest gap between two 1 ms timer ticks of the GUI thread while playing."));
    parser.addHelpOption();
    parser.addOptions({{QStringLiteral("machine"), QStringLiteral("Machine."), QStringLiteral("ID"), QStringLiteral("zen3-2s-nps1")},
                       {QStringLiteral("era"), QStringLiteral("Era."), QStringLiteral("ERA"), QStringLiteral("4.8")},
                       {QStringLiteral("workload"), QStringLiteral("Workload instead of hackbench:-g 16."), QStringLiteral("SPEC")},
                       {QStringLiteral("seconds"), QStringLiteral("Playing time of each pace."), QStringLiteral("N"), QStringLiteral("10")}});
    parser.addPositionalArgument(QStringLiteral("pace"), QStringLiteral("default tick real0.001 real0.01 real1; all without one."));
    parser.process(application);
    const Request request{parser.value(QStringLiteral("machine")), parser.value(QStringLiteral("era")),
                          parser.value(QStringLiteral("workload")), std::max(1, parser.value(QStringLiteral("seconds")).toInt())};
    const auto wanted = parser.positionalArguments();
    const auto cases = paceCases();
    for (const auto& name : wanted) {
        if (std::any_of(cases.begin(), cases.end(), [&](const PaceCase& c) { return name == QLatin1String(c.name); })) continue;
        std::fprintf(stderr, "smooth: %s: no such pace; -h lists them\n", qPrintable(name));
        return kBadInput;
    }
    PaintCounter paints;
    application.installEventFilter(&paints);
    bool smooth = true;
    std::printf("pace       seconds    gap ms  at s   work ms    events  played ms   paints\n");
    for (const auto& test : cases) {
        if (!wanted.isEmpty() && !wanted.contains(QLatin1String(test.name))) continue;
        auto scenario = scenarioOf(request, test);
        if (!scenario) {
            for (const auto& problem : scenario.problems()) std::fprintf(stderr, "smooth: %s: %s\n", problem.where.c_str(), problem.message.c_str());
            return kBadInput;
        }
        smooth = play(request, test, std::move(scenario).value(), paints) < kLimitNs && smooth;
    }
    return smooth ? 0 : 1;
}
