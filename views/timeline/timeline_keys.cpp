// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the timeline. W A S D go by their place on the keyboard, so that they are under the same fingers on every
// layout; where the platform tells no place they go by their letter.
#include "timeline/timeline_canvas.h"

#include <QGuiApplication>
#include <QKeyEvent>

#include <algorithm>

namespace rqscope {

namespace {
constexpr double kZoomStep = 1.5, kPanStep = 0.2, kPanPage = 0.9;
constexpr int kTwiceMs = 500; // between the two F of F F
constexpr double kFillMargin = 0.1;
} // namespace

int TimelineCanvas::keyOf(const QKeyEvent& event) {
    if (QGuiApplication::platformName() == QLatin1String("xcb")) {
        switch (event.nativeScanCode()) {
        case 25: return Qt::Key_W;
        case 38: return Qt::Key_A;
        case 39: return Qt::Key_S;
        case 40: return Qt::Key_D;
        default: break;
        }
    }
    return event.key();
}

bool TimelineCanvas::wants(const QKeyEvent& event) const {
    if ((event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0) return false;
    switch (keyOf(event)) {
    case Qt::Key_W:
    case Qt::Key_S:
    case Qt::Key_A:
    case Qt::Key_D:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_F:
    case Qt::Key_T:
    case Qt::Key_Period:
    case Qt::Key_Comma:
    case Qt::Key_BracketRight:
    case Qt::Key_BracketLeft: return true;
    default: return false;
    }
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
    const auto shift = (event->modifiers() & Qt::ShiftModifier) != 0;
    if (event->key() == Qt::Key_Escape &&
        (m_scene.rubber || m_selection.task() || m_selection.cpu() || m_selection.range() || m_selection.domain())) {
        m_scene.rubber.reset();
        m_press.reset();
        m_current.reset();
        m_selection.clear();
        updateOverlay();
        return;
    }
    if (!m_scene.facts.hasRun || !wants(*event) || !handleKey(keyOf(*event), shift)) QWidget::keyPressEvent(event);
}

bool TimelineCanvas::handleKey(int key, bool shift) {
    const auto pan = shift ? kPanPage : kPanStep;
    switch (key) {
    case Qt::Key_W: zoomByKey(1 / kZoomStep); break;
    case Qt::Key_S: zoomByKey(kZoomStep); break;
    case Qt::Key_A:
    case Qt::Key_Left: panByKey(-pan); break;
    case Qt::Key_D:
    case Qt::Key_Right: panByKey(pan); break;
    case Qt::Key_Up: moveLane(false); break;
    case Qt::Key_Down: moveLane(true); break;
    case Qt::Key_F: focusKey(); break;
    case Qt::Key_T: setMode(m_scene.layout.mode() == LaneMode::Cpu ? LaneMode::Task : LaneMode::Cpu); break;
    case Qt::Key_Period: stepRun(true); break;
    case Qt::Key_Comma: stepRun(false); break;
    case Qt::Key_BracketRight: goToWaker(); break;
    case Qt::Key_BracketLeft: goToWakee(); break;
    default: return false;
    }
    return true;
}

void TimelineCanvas::zoomByKey(double factor) {
    const auto& view = m_window.view();
    const auto head = static_cast<double>(m_scene.facts.cursor);
    auto anchor = head >= view.begin && head <= view.end ? head : (view.begin + view.end) / 2;
    if (underMouse() && m_scene.lanes.contains(m_hoverAt.toPoint()))
        anchor = static_cast<double>(m_scene.scale.time(m_hoverAt.x()));
    m_window.zoom(factor, anchor, known());
    windowMoved(true);
}

void TimelineCanvas::panByKey(double share) {
    m_window.pan(share * m_window.view().span(), known());
    windowMoved(true);
}

std::optional<View> TimelineCanvas::focusTarget() const {
    if (const auto range = m_selection.range())
        return View{static_cast<double>(to_ns(range->begin)), static_cast<double>(to_ns(range->end))};
    if (const auto run = currentRun()) {
        const auto& lane = m_scene.model.runs(run->cpu);
        const auto index = lane.endingAfter(run->begin);
        return View{static_cast<double>(run->begin), static_cast<double>(m_scene.model.runEnd(run->cpu, index))};
    }
    const auto task = m_selection.task();
    if (!task || task->index() >= m_scene.model.taskCount() || m_scene.model.phases(*task).size() == 0) return std::nullopt;
    const auto& phases = m_scene.model.phases(*task);
    const auto last = phases.size() - 1;
    const auto end = phases.phase(last) == TaskPhase::Absent ? phases.time(last) : known();
    return View{static_cast<double>(phases.time(0)), static_cast<double>(end)};
}

void TimelineCanvas::focusKey() {
    const auto twice = m_lastFocusKey.isValid() && m_lastFocusKey.elapsed() < kTwiceMs;
    const auto target = m_scene.facts.playing ? std::nullopt : focusTarget();
    if (twice) {
        m_lastFocusKey.invalidate();
        if (target) {
            const auto margin = target->span() * kFillMargin;
            m_window.show({target->begin - margin, target->end + margin}, known());
        } else {
            m_window.fill(known());
        }
    } else {
        m_lastFocusKey.start();
        if (target) {
            const auto middle = (target->begin + target->end) / 2, half = m_window.view().span() / 2;
            m_window.show({middle - half, middle + half}, known());
        } else {
            m_window.focus(static_cast<double>(m_scene.facts.cursor), known());
        }
    }
    windowMoved(true);
}

std::optional<TimelineCanvas::RunRef> TimelineCanvas::currentRun() const {
    // Stale after another view selected something else.
    if (!m_current || m_selection.task() != std::optional(m_current->task)) return std::nullopt;
    return m_current;
}

void TimelineCanvas::selectRun(CpuId cpu, std::size_t index) {
    const auto& lane = m_scene.model.runs(cpu);
    m_current = RunRef{cpu, lane.begin(index), lane.task(index)};
    m_selection.selectTask(lane.task(index));
    m_selection.selectCpu(cpu);
    ensureVisible(lane.begin(index), m_scene.model.runEnd(cpu, index));
    if (const auto row = m_scene.rowOf(lane.task(index), cpu)) ensureRowVisible(*row);
}

void TimelineCanvas::stepRun(bool forward) {
    const auto current = currentRun();
    if (m_scene.layout.mode() == LaneMode::Task && m_selection.task()) {
        stepTaskRun(*m_selection.task(), forward);
        return;
    }
    const auto cpu = current ? current->cpu : m_selection.cpu().value_or(CpuId{0});
    if (cpu.index() >= m_scene.model.cpuCount()) return;
    const auto& lane = m_scene.model.runs(cpu);
    const auto at = current ? current->begin : m_scene.facts.cursor;
    if (forward) {
        const auto next = lane.beginningAfter(at);
        if (next < lane.size()) selectRun(cpu, next);
    } else {
        const auto next = lane.beginningAfter(at - 1);
        if (next > 0) selectRun(cpu, next - 1);
    }
}

void TimelineCanvas::stepTaskRun(TaskId task, bool forward) {
    if (task.index() >= m_scene.model.taskCount()) return;
    const auto& phases = m_scene.model.phases(task);
    const auto current = currentRun();
    const auto at = current ? current->begin : m_scene.facts.cursor;
    auto i = static_cast<std::ptrdiff_t>(phases.stepsUntil(forward ? at : at - 1)) - (forward ? 0 : 1);
    const auto size = static_cast<std::ptrdiff_t>(phases.size());
    while (i >= 0 && i < size && phases.phase(static_cast<std::size_t>(i)) != TaskPhase::Running) i += forward ? 1 : -1;
    if (i < 0 || i >= size) return;
    const auto index = static_cast<std::size_t>(i);
    selectRun(phases.cpu(index), m_scene.model.runs(phases.cpu(index)).endingAfter(phases.time(index)));
}

void TimelineCanvas::goToWaker() {
    const auto current = currentRun();
    if (!current) return;
    const auto* hop = hopBefore(m_scene, current->task, current->begin);
    if (hop == nullptr || hop->other == kIdleTask || hop->from.index() >= m_scene.model.cpuCount()) return;
    const auto& lane = m_scene.model.runs(hop->from);
    auto i = lane.endingAfter(hop->begin - 1);
    if (i < lane.size() && lane.task(i) != hop->other && i + 1 < lane.size()) ++i;
    if (i < lane.size() && lane.task(i) == hop->other) selectRun(hop->from, i);
}

void TimelineCanvas::goToWakee() {
    const auto current = currentRun();
    if (!current) return;
    const auto& decisions = m_scene.model.decisions();
    auto i = LaneModel::firstHop(decisions, current->begin);
    while (i < decisions.size() && decisions[i].other != current->task) ++i;
    if (i == decisions.size() || decisions[i].task.index() >= m_scene.model.taskCount()) return;
    const auto& phases = m_scene.model.phases(decisions[i].task);
    auto step = phases.stepsUntil(decisions[i].time);
    step -= step > 0 ? 1 : 0;
    while (step < phases.size() && phases.phase(step) != TaskPhase::Running) ++step;
    if (step == phases.size()) return;
    selectRun(phases.cpu(step), m_scene.model.runs(phases.cpu(step)).endingAfter(phases.time(step)));
}

void TimelineCanvas::moveLane(bool down) {
    const auto& rows = m_scene.layout.rows();
    if (rows.empty()) return;
    const auto now = m_scene.layout.mode() == LaneMode::Task
                         ? m_selection.task() ? m_scene.layout.rowOfTask(*m_selection.task()) : std::nullopt
                     : m_selection.cpu() ? m_scene.layout.rowOfCpu(*m_selection.cpu())
                                         : std::nullopt;
    const auto last = rows.size() - 1;
    const auto next = !now ? std::size_t{0} : down ? std::min(last, *now + 1) : *now > 0 ? *now - 1 : 0;
    const auto& row = rows[next];
    m_current.reset();
    if (row.kind == LaneRow::Kind::Task) m_selection.selectTask(TaskId{row.id});
    else
        m_selection.selectCpu(row.kind == LaneRow::Kind::Cpu ? CpuId{row.id}
                                                             : m_scene.layout.groups()[row.group].cpus.front());
    ensureRowVisible(next);
}

} // namespace rqscope
