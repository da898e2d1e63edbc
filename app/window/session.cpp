// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/session.h"

#include "sim/sim_state.h"

#include <algorithm>
#include <cmath>

namespace rqscope {

namespace {

constexpr int kFrameMs = 16;
constexpr qint64 kSliceMs = 8;          // of each frame at most, so that painting keeps its share
constexpr qint64 kLeastSliceMs = 2;
constexpr std::uint32_t kSliceSteps = 32; // engine steps between two looks at the clock; one may tick hundreds of CPUs
constexpr qint64 kShowProgressMs = 300;

} // namespace

Session::Session(RunSource& source, Selection& selection, QObject* parent) : QObject(parent), m_source(source), m_selection(selection), m_sliceMs(kSliceMs) {
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &Session::frame);
    connect(&m_selection, &Selection::seekRequested, this, &Session::seekTime);
    connect(&m_selection, &Selection::seekRowRequested, this, [this](quint32 row) { seekRow(row); });
    connect(&m_selection, &Selection::stepRequested, this, &Session::step);
}

Session::~Session() { m_source.setHistory(nullptr); }

Problems Session::open(Scenario scenario) {
    auto history = History::create(std::move(scenario));
    if (!history) return history.problems();
    adopt(std::move(history).value());
    return {};
}

void Session::adopt(History history) {
    m_earlier.clear();
    become(std::make_unique<History>(std::move(history)));
    emit branchChanged();
    emit scenarioChanged();
}

void Session::become(std::unique_ptr<History> history) {
    setPlaying(false);
    endGoal();
    // Views forget the old run before it goes.
    m_source.setHistory(history.get());
    m_history = std::move(history);
    m_faultShown = false;
    m_playTime = m_history->time();
    moved();
}

Scenario Session::nextScenario() const {
    auto scenario = m_history->scenario();
    const auto& snapshot = m_source.snapshot();
    scenario.features.clear();
    for (const auto& info : all_features()) {
        const auto value = snapshot.features.value(info.feature);
        if (readable(info.feature, scenario.era) && value != default_value(info.feature, scenario.era))
            scenario.features.push_back({info.feature, value});
    }
    for (const auto& input : m_history->inputs()) {
        const auto* setting = std::get_if<TunableSetting>(&input.change);
        if (!setting || input.at > m_history->time()) continue;
        std::erase_if(scenario.tunables, [&](const TunableSetting& t) { return t.tunable == setting->tunable; });
        scenario.tunables.push_back(*setting);
    }
    return scenario;
}

void Session::setPace(const Pace& pace) {
    m_pace = pace;
    m_playDue = 0;
    if (m_history) m_playTime = m_history->time();
}

void Session::setPlaying(bool playing) {
    playing = playing && m_history && !m_history->at_end();
    if (playing) endGoal();
    if (m_unit) { // the views have not seen how far it came
        m_unit.reset();
        m_source.setCursor();
    }
    m_source.setPlaying(playing);
    if (playing) {
        m_playDue = 0;
        m_playTime = m_history->time();
        m_frameClock.start();
        m_timer.start(kFrameMs);
    } else if (!m_goal) {
        m_timer.stop();
    }
}

void Session::moved() {
    m_source.setCursor();
    if (m_history->fault() && !m_faultShown) {
        m_faultShown = true;
        setPlaying(false);
        emit faulted(*m_history->fault());
    }
}

void Session::step(StepUnit unit, bool forward) {
    if (!m_history) return;
    setPlaying(false);
    endGoal();
    if (!forward) {
        if (m_history->step_back(unit)) moved();
        return;
    }
    if (unit == StepUnit::Decision && m_history->at_frontier()) {
        // The next decision may be far off, or never come.
        startGoal({.time = m_history->end_limit(), .decisions = m_history->decisions().size() + 1});
        return;
    }
    m_history->step_forward(unit);
    moved();
}

void Session::seekTime(SimTime time) {
    if (!m_history) return;
    setPlaying(false);
    endGoal();
    time = std::clamp(time, SimTime{}, m_history->end_limit());
    if (time <= m_history->known_time()) {
        m_history->seek_time(time);
        moved();
        return;
    }
    m_history->seek_time(m_history->known_time());
    startGoal({.time = time});
}

void Session::seekRow(std::uint32_t row) {
    if (!m_history) return;
    setPlaying(false);
    endGoal();
    m_history->seek_row(std::min(row, m_history->known_rows()));
    if (row <= m_history->known_rows()) moved();
    else startGoal({.time = m_history->end_limit(), .rows = row});
}

void Session::runToEnd() {
    if (!m_history) return;
    setPlaying(false);
    endGoal();
    m_history->run_to_end();
    moved();
}

void Session::startGoal(const Goal& goal) {
    m_goal = goal;
    m_goalClock.start();
    m_goalStart = static_cast<double>(to_ns(m_history->time()));
    // Near goals are reached within one slice: no flicker, and a click acts at once.
    if (workOn(*m_goal, kSliceMs)) {
        endGoal();
        moved();
        return;
    }
    moved();
    m_timer.start(0);
}

bool Session::reached(const Goal& goal) const {
    if (m_history->at_end()) return true;
    if (goal.rows > 0) return m_history->cursor() >= goal.rows;
    return goal.decisions > 0 && m_history->decisions().size() >= goal.decisions;
}

bool Session::workOn(const Goal& goal, qint64 sliceMs) {
    QElapsedTimer slice;
    slice.start();
    const bool counted = goal.rows > 0 || goal.decisions > 0;
    while (slice.elapsed() < sliceMs) {
        if (!counted) {
            if (m_history->advance(goal.time, kSliceSteps)) return true;
            continue;
        }
        // Counted goals end at an engine step; only then is the clock looked at.
        for (std::uint32_t i = 0; i < kSliceSteps; ++i)
            if (m_history->advance(goal.time, 1) || reached(goal)) return true;
    }
    return false;
}

void Session::cancelSeek() {
    if (!m_goal) return;
    endGoal();
    moved();
}

void Session::endGoal() {
    if (!m_goal) return;
    m_goal.reset();
    m_timer.stop();
    emit seekProgress(-1);
}

void Session::frame() {
    if (!m_history) return;
    if (m_goal) {
        const bool there = workOn(*m_goal, kSliceMs);
        if (m_goalClock.elapsed() > kShowProgressMs) {
            const auto span = static_cast<double>(to_ns(m_goal->time)) - m_goalStart;
            const auto done = static_cast<double>(to_ns(m_history->time())) - m_goalStart;
            emit seekProgress(span > 0 ? std::clamp(done / span, 0.0, 1.0) : 0.0);
        }
        if (there) {
            endGoal();
            moved();
        } else {
            m_source.setGrown(); // views keep the last picture; the overview fills
        }
        return;
    }
    if (!m_source.playing()) return;
    const auto passed = m_frameClock.restart();
    // What painting, or another program, made this frame late by is taken from the engine's share.
    const auto late = passed - kFrameMs;
    m_sliceMs = std::clamp(late > 0 ? m_sliceMs - late : m_sliceMs + 1, kLeastSliceMs, kSliceMs);
    playFrame(static_cast<double>(passed) / 1000.0);
}

void Session::playFrame(double seconds) {
    seconds = std::min(seconds, 0.25); // a stall is not caught up by a jump
    if (m_pace.kind == Pace::Kind::RealTime) playRealTime(seconds);
    else if (!playUnit(seconds)) return;
    moved();
    if (m_history->at_end()) setPlaying(false);
}

void Session::playRealTime(double seconds) {
    m_playDue += seconds * m_pace.realTime * 1e9;
    const auto whole = std::floor(m_playDue);
    m_playDue -= whole;
    m_playTime += Duration{static_cast<std::int64_t>(whole)};
    if (!workOn({.time = m_playTime}, m_sliceMs)) m_playTime = m_history->time(); // slower than asked for: do not owe it
}

bool Session::playUnit(double seconds) {
    m_playDue += seconds * m_pace.perSecond;
    if (!m_unit) {
        if (m_playDue < 1.0) return false;
        m_playDue = std::min(m_playDue - 1.0, 1.0);
        m_unit = nextUnit();
    }
    if (m_unit && !workOn(*m_unit, m_sliceMs)) return false;
    m_unit.reset();
    return true;
}

std::optional<Session::Goal> Session::nextUnit() {
    const auto unit = m_pace.unit();
    if (unit == StepUnit::Tick) return Goal{.time = m_history->state().next_tick};
    if (unit == StepUnit::Event) return Goal{.time = m_history->end_limit(), .rows = m_history->cursor() + 1};
    const auto& decisions = m_history->decisions();
    if (!decisions.empty() && decisions.back() >= m_history->cursor()) {
        m_history->step_forward(unit);
        return std::nullopt;
    }
    if (!m_history->at_frontier()) m_history->seek_time(m_history->known_time());
    return Goal{.time = m_history->end_limit(), .decisions = decisions.size() + 1};
}

void Session::changeFeature(FeatureSetting setting) {
    if (m_history && m_source.snapshot().features.value(setting.feature) != setting.value) change(setting);
}

void Session::changeTunable(TunableSetting setting) {
    if (m_history && m_source.snapshot().tunables.*setting.tunable->field != setting.value) change(setting);
}

void Session::change(const std::variant<FeatureSetting, TunableSetting>& setting) {
    endGoal();
    const Input input{m_history->time(), setting};
    if (m_history->at_frontier()) {
        m_history->apply(input);
        moved();
        return;
    }
    auto branch = std::make_unique<History>(m_history->branch());
    branch->apply(input);
    const bool wasPlaying = m_source.playing();
    m_earlier.push_back(std::move(m_history));
    become(std::move(branch));
    setPlaying(wasPlaying);
    emit branchChanged();
}

void Session::undoBranch() {
    if (m_earlier.empty()) return;
    auto earlier = std::move(m_earlier.back());
    m_earlier.pop_back();
    become(std::move(earlier));
    emit branchChanged();
}

} // namespace rqscope
