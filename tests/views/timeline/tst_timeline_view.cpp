// SPDX-License-Identifier: GPL-3.0-or-later
// The panel on real runs: it takes rows as they come, knows a branch from another run, and its lanes agree with the
// snapshot.
#include "support/scenarios.h"
#include "timeline/timeline_canvas.h"
#include "timeline/timeline_view.h"

#include <QApplication>
#include <QDir>
#include <QTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

// What the lanes say about `t` must be what the engine says.
void compareWithSnapshot(const LaneModel& model, const Snapshot& snapshot) {
    const auto t = to_ns(snapshot.time);
    for (std::uint32_t c = 0; c < snapshot.cpus.size(); ++c) {
        const auto& queue = model.queue(CpuId{c});
        const auto n = queue.stepsUntil(t);
        QCOMPARE(n > 0 ? queue.step(n - 1).depth : 0U, static_cast<std::uint32_t>(snapshot.cpus[c].waiting.size()));
        const auto& runs = model.runs(CpuId{c});
        const auto i = runs.beginningAfter(t);
        const auto running = i > 0 && model.runEnd(CpuId{c}, i - 1) >= t && runs.open() && i == runs.size();
        if (running) QCOMPARE(runs.task(i - 1), snapshot.cpus[c].curr);
    }
}

} // namespace

class TestTimelineView : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_theme = std::make_unique<Theme>();
        m_theme->setReducedMotion(true);
        m_theme->applyTo(*qApp);
        m_run = std::make_unique<RunSource>();
        m_selection = std::make_unique<Selection>();
        m_view = std::make_unique<TimelineView>(*m_theme, *m_run, *m_selection);
        m_view->resize(1252, 470);
    }
    void cleanup() {
        m_view.reset();
        m_run.reset();
        m_selection.reset();
    }

    void emptyWithoutARun() {
        QVERIFY(!m_view->canvas().scene().facts.hasRun);
        QVERIFY(!m_view->grab().isNull());
    }

    void takesRowsAsTheyCome() {
        auto h = history(scenario("teach-mc8", kStorm));
        m_run->setHistory(&h);
        QVERIFY(m_view->canvas().scene().facts.hasRun);
        while (h.step_forward(StepUnit::Event)) {
            m_run->setCursor();
            QCOMPARE(m_view->canvas().model().rows(), h.known_rows());
            compareWithSnapshot(m_view->canvas().model(), m_run->snapshot());
        }
        QCOMPARE(m_view->canvas().model().decisions().size(), h.decisions().size());
        h.seek_row(0);
        m_run->setCursor();
        QCOMPARE(m_view->canvas().scene().facts.cursor, Ns{0});
        QCOMPARE(m_view->canvas().model().rows(), h.known_rows());
        keep("storm");
    }

    void agreesWithTheEngine_data() {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QString>("workload");
        QTest::newRow("periodic") << "teach-mc8"
                                  << "periodic:k=4";
        QTest::newRow("hogs") << "xeon-2s-8cpu"
                              << "hogs:n=20";
        QTest::newRow("zen3") << "zen3-2s-nps1"
                              << "periodic:k=2";
    }
    void agreesWithTheEngine() {
        QFETCH(QString, machine);
        QFETCH(QString, workload);
        auto h = history(scenario(machine.toStdString(), workload.toStdString(), "4.8", {}, "60ms"));
        m_run->setHistory(&h);
        for (int i = 1; i <= 20; ++i) {
            h.advance(from_ns(i * 2000000), 1000000);
            m_run->setCursor();
            compareWithSnapshot(m_view->canvas().model(), m_run->snapshot());
        }
        keep(QTest::currentDataTag());
    }

    void aBranchKeepsTheWindow() {
        auto h = history(scenario("teach-mc8", kStorm));
        h.run_to_end();
        m_run->setHistory(&h);
        m_selection->setWindow({from_ns(300000), from_ns(900000)});
        h.seek_time(from_ns(1000000));
        m_run->setCursor();
        auto branch = h.branch();
        const auto known = h.known_rows();
        branch.apply({from_ns(1000000), parse_feature("FORK_LOAD_AVG", Era::V4_8).value()});
        branch.run_to_end();
        m_run->setHistory(&branch);
        QCOMPARE(m_selection->window(), (TimeWindow{from_ns(300000), from_ns(900000)}));
        QCOMPARE(m_view->canvas().model().rows(), branch.known_rows());
        QCOMPARE(m_view->canvas().model().flags().size(), std::size_t{1});
        QVERIFY(m_view->canvas().scene().facts.flagTexts[0].startsWith(QStringLiteral("FORK_LOAD_AVG")));
        QVERIFY(branch.known_rows() > 0 && known > 0);
        m_selection->setWindow({SimTime{}, from_ns(3000000)});
        keep("branch");

        auto other = history(scenario("teach-mc8", "hogs:n=3", "4.8", {}, "20ms"));
        other.advance(from_ns(20000000), 100000);
        m_run->setHistory(&other);
        QVERIFY(m_selection->window().end > from_ns(19000000));
        m_run->setHistory(nullptr);
        QVERIFY(!m_view->canvas().scene().facts.hasRun);
    }

private:
    void keep(const char* name) {
        const auto folder = qEnvironmentVariable("RQSCOPE_PICTURES");
        if (folder.isEmpty()) return;
        for (const bool dark : {false, true}) {
            m_theme->setDark(dark);
            m_theme->applyTo(*qApp);
            m_view->canvas().renderNow();
            QVERIFY(m_view->grab().save(
                QDir(folder).filePath(QStringLiteral("view-%1-%2.png").arg(QLatin1String(name), dark ? "dark" : "light"))));
        }
    }
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<RunSource> m_run;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<TimelineView> m_view;
};

QTEST_MAIN(TestTimelineView)
#include "tst_timeline_view.moc"
