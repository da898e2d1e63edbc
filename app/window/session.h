// SPDX-License-Identifier: GPL-3.0-or-later
// Owns the run that is shown and the branches it came from, and moves it: in slices of a few milliseconds of the GUI loop, so
// that the window never waits. A toggle at the frontier continues the run, one in the past begins a branch.
#pragma once

#include "selection/run_source.h"
#include "selection/selection.h"
#include "transport/pace.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace rqscope {

class Session : public QObject {
    Q_OBJECT
public:
    Session(RunSource& source, Selection& selection, QObject* parent = nullptr);
    ~Session() override;

    // Replaces the run. Problems: as History::create; the old run stays then.
    Problems open(Scenario scenario);
    void adopt(History history); // a run that was read from a file
    [[nodiscard]] const History* history() const { return m_history.get(); }
    // What a restart would run: the scenario with the switches as they stand now.
    [[nodiscard]] Scenario nextScenario() const;

    void setPace(const Pace& pace);
    [[nodiscard]] const Pace& pace() const { return m_pace; }
    void setPlaying(bool playing);
    void togglePlaying() { setPlaying(!m_source.playing()); }

    void step(StepUnit unit, bool forward);
    void seekTime(SimTime time);
    void seekRow(std::uint32_t row);
    void runToEnd(); // at once; for pictures and tests
    void cancelSeek();
    [[nodiscard]] bool seeking() const { return m_goal.has_value(); }

    void changeFeature(FeatureSetting setting);
    void changeTunable(TunableSetting setting);
    [[nodiscard]] bool canUndoBranch() const { return !m_earlier.empty(); }
    void undoBranch();
    [[nodiscard]] QChar branchLetter() const { return QChar(static_cast<ushort>(u'A' + m_earlier.size() % 26)); }

signals:
    void scenarioChanged();           // another run
    void branchChanged();             // begun or undone
    void seekProgress(double part);   // a long seek, 0..1; below 0: over
    void faulted(const rqscope::Fault& fault);

private:
    // Where a sliced move ends.
    struct Goal {
        SimTime time{};              // towards this
        std::uint32_t rows = 0;      // or at this many rows, 0 = no such goal
        std::size_t decisions = 0;   // or behind this many known decisions, 0 = no such goal
    };
    void become(std::unique_ptr<History> history);
    void change(const std::variant<FeatureSetting, TunableSetting>& setting);
    void startGoal(const Goal& goal);
    [[nodiscard]] bool reached(const Goal& goal) const;
    bool workOn(const Goal& goal, qint64 sliceMs); // true when reached
    void endGoal();
    void frame();
    void playFrame(double seconds);
    void playRealTime(double seconds);
    bool playUnit(double seconds); // true when the cursor has come to rest somewhere else
    [[nodiscard]] std::optional<Goal> nextUnit(); // none: it has been reached at once
    void moved();

    RunSource& m_source;
    Selection& m_selection;
    std::unique_ptr<History> m_history;
    std::vector<std::unique_ptr<History>> m_earlier; // runs that branches came from, oldest first
    Pace m_pace;
    QTimer m_timer;
    QElapsedTimer m_frameClock;
    qint64 m_sliceMs;
    std::optional<Goal> m_unit; // the unit that is being played, when it takes more than one frame
    double m_playDue = 0;    // units or simulated ns owed to the viewer
    SimTime m_playTime{};    // where real-time play stands between events
    std::optional<Goal> m_goal;
    QElapsedTimer m_goalClock;
    double m_goalStart = 0;
    bool m_faultShown = false;
};

} // namespace rqscope
