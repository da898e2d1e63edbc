// SPDX-License-Identifier: GPL-3.0-or-later
// Playing, seeking in slices, the first start's script, and files that come back as they were saved.
#include "window/documents.h"
#include "window/first_start.h"
#include "window/session.h"

#include <QKeyEvent>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QWidget>

using namespace rqscope;

class TestSession : public QObject {
    Q_OBJECT
    std::unique_ptr<RunSource> m_source;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<Session> m_session;

    const History& run() { return *m_session->history(); }
    // Opens two forks far apart and plays decision by decision, fast.
    void playRareDecisions() {
        auto rare = withWorkload(m_session->nextScenario(), QStringLiteral("forkstorm:n=2,run=300s,gap=200s,block=1"));
        QVERIFY(rare.ok());
        QVERIFY(m_session->open(std::move(rare).value()).empty());
        auto pace = paceOf(Pace::Kind::Decision);
        pace.perSecond = 50;
        m_session->setPace(pace);
        m_session->setPlaying(true);
    }

private slots:
    void init() {
        m_source = std::make_unique<RunSource>();
        m_selection = std::make_unique<Selection>();
        m_session = std::make_unique<Session>(*m_source, *m_selection);
        auto scenario = firstStartScenario();
        QVERIFY(scenario.ok());
        QVERIFY(m_session->open(std::move(scenario).value()).empty());
    }
    void cleanup() { m_session.reset(); }

    void playsByDecisions() {
        auto pace = paceOf(Pace::Kind::Decision);
        pace.perSecond = 100;
        m_session->setPace(pace);
        m_session->setPlaying(true);
        QTRY_VERIFY(run().decisions().size() >= 3);
        m_session->setPlaying(false);
        QVERIFY(!m_source->playing());
    }
    void playsToTheEndInRealTime() {
        Pace pace = paceOf(Pace::Kind::RealTime);
        pace.realTime = 1.0;
        m_session->setPace(pace);
        m_session->setPlaying(true);
        QTRY_VERIFY(run().at_end());
        QVERIFY(!m_source->playing());
    }
    // A unit that takes many frames: the window answers meanwhile, and the cursor rests where a click would have brought it.
    void aLongUnitIsPlayedInSlices() {
        int moves = 0, turns = 0;
        connect(m_source.get(), &RunSource::cursorMoved, this, [&] {
            if (!m_source->playing()) return; // opened
            ++moves;
            if (moves == 1) turns = 0;
            if (moves == 2) m_session->setPlaying(false);
        });
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&] { ++turns; });
        timer.start(1);
        playRareDecisions();
        QTRY_VERIFY_WITH_TIMEOUT(!m_source->playing(), 60'000); // 200 simulated seconds later
        QVERIFY2(turns >= 3, qPrintable(QString::number(turns)));
        QCOMPARE(run().decisions().size(), std::size_t{2});
        auto clicked = History::create(run().scenario());
        clicked.value().step_forward(StepUnit::Decision);
        clicked.value().step_forward(StepUnit::Decision);
        QCOMPARE(run().state_hash(), clicked->state_hash());
    }
    // Pausing in the middle of a unit leaves the views where the run stands.
    void aPauseWithinAUnitIsShown() {
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&] {
            if (run().decisions().size() == 1 && run().time() > m_source->snapshot().time) m_session->setPlaying(false);
        });
        timer.start(1);
        playRareDecisions();
        QTRY_VERIFY_WITH_TIMEOUT(!m_source->playing(), 60'000);
        QCOMPARE(run().decisions().size(), std::size_t{1});
        QCOMPARE(m_source->snapshot().time, run().time());
        QVERIFY(to_ns(run().time()) > 1'000'000);
    }
    void seeksBeyondTheKnownEnd() {
        m_session->seekTime(from_ns(2500000));
        QTRY_VERIFY(!m_session->seeking());
        QCOMPARE(to_ns(run().time()), qint64(2500000));
        const auto hash = run().state_hash();
        m_session->seekRow(5);
        m_session->seekTime(from_ns(2500000));
        QTRY_VERIFY(!m_session->seeking());
        QCOMPARE(run().state_hash(), hash);
        m_session->seekRow(4000000000U);
        QTRY_VERIFY(!m_session->seeking());
        QVERIFY(run().at_end());
    }
    void longSeekCanBeCancelled() {
        auto endless = withWorkload(m_session->nextScenario(), QStringLiteral("periodic:k=16"));
        QVERIFY(endless.ok());
        endless.value().until = std::chrono::seconds{1000};
        QVERIFY(m_session->open(std::move(endless).value()).empty());
        m_session->seekTime(from_ns(900000000000));
        QVERIFY(m_session->seeking());
        QSignalSpy progress(m_session.get(), &Session::seekProgress);
        QTRY_VERIFY(!progress.isEmpty());
        m_session->cancelSeek();
        QVERIFY(!m_session->seeking());
        QVERIFY(to_ns(run().time()) < 900000000000);
    }
    void firstStartFlipsByItself() {
        FirstStart first(*m_session);
        QSignalSpy captions(&first, &FirstStart::captionChanged);
        first.begin(50);
        QVERIFY(m_source->playing());
        QTRY_VERIFY(m_source->snapshot().features.has(Feature::FORK_LOAD_AVG));
        QVERIFY(m_source->playing());
        QCOMPARE(captions.count(), 2);
        first.end();
        QCOMPARE(captions.last().front().toString(), QString());
    }
    void anyKeyTakesOver() {
        QWidget widget;
        widget.show();
        FirstStart first(*m_session);
        first.begin(50);
        QTest::keyClick(&widget, Qt::Key_X);
        QVERIFY(!first.running());
        QVERIFY(!m_source->playing());
        QTest::qWait(120);
        QVERIFY(!m_source->snapshot().features.has(Feature::FORK_LOAD_AVG));
    }
    void runFileComesBack() {
        m_session->seekTime(from_ns(1200000));
        QTRY_VERIFY(!m_session->seeking());
        m_session->changeFeature({Feature::FORK_LOAD_AVG, 2});
        m_session->runToEnd();
        QTemporaryDir folder;
        const auto path = folder.filePath(QStringLiteral("storm.rqrun"));
        QVERIFY(!saveRun(run(), path));
        const auto again = openDocument(path);
        QVERIFY2(again.ok(), again.ok() ? "" : again.problems().front().message.c_str());
        QCOMPARE(again->state_hash(), run().state_hash());
        QCOMPARE(again->inputs().size(), std::size_t(1));
    }
    void scenarioFileComesBack() {
        m_session->changeFeature({Feature::WAKE_WIDE, 0});
        QTemporaryDir folder;
        const auto path = folder.filePath(QStringLiteral("storm.json"));
        QVERIFY(!saveScenario(m_session->nextScenario(), path));
        const auto again = openDocument(path);
        QVERIFY2(again.ok(), again.ok() ? "" : again.problems().front().message.c_str());
        QVERIFY(!again->snapshot().features.has(Feature::WAKE_WIDE));
        QCOMPARE(again->scenario().machine.online.count(), 8U);
    }
    void everyMachineAndEraOpens() {
        for (const auto& machine : listMachines()) {
            auto scenario = withMachine(m_session->nextScenario(), machine.file);
            QVERIFY2(scenario.ok(), qPrintable(machine.id));
            for (const auto& era : all_eras()) {
                if (!era.available || machine.cpus > 64) continue;
                const auto problems = m_session->open(withEra(*scenario, era.era));
                QVERIFY2(problems.empty(), qPrintable(machine.id + QStringLiteral(": ") + problemLines({}, problems).join(QLatin1Char(' '))));
            }
        }
    }
};

QTEST_MAIN(TestSession)
#include "tst_session.moc"
