// SPDX-License-Identifier: GPL-3.0-or-later
// What the user points at. The only thing panels share besides the run: select a CPU, task, time range or domain in one
// view and every view shows it. Requests (go to a time, step) are signals that the session answers.
#pragma once

#include "base/ids.h"
#include "base/units.h"
#include "trace/history.h"

#include <QObject>

#include <optional>
#include <utility>

namespace rqscope {

// Visible part of the time axis.
struct TimeWindow {
    SimTime begin{}, end{};
    bool operator==(const TimeWindow&) const = default;
};

class Selection : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] std::optional<CpuId> cpu() const { return m_cpu; }
    [[nodiscard]] std::optional<TaskId> task() const { return m_task; }
    [[nodiscard]] std::optional<DomainId> domain() const { return m_domain; }
    [[nodiscard]] std::optional<TimeWindow> range() const { return m_range; } // dragged time range
    [[nodiscard]] std::optional<TaskId> hoveredTask() const { return m_hoveredTask; }
    [[nodiscard]] TimeWindow window() const { return m_window; }              // what the timeline shows

    void selectCpu(std::optional<CpuId> cpu);
    void selectTask(std::optional<TaskId> task);
    void selectDomain(std::optional<DomainId> domain);
    void selectRange(std::optional<TimeWindow> range);
    void hoverTask(std::optional<TaskId> task);
    void setWindow(TimeWindow window);
    void clear(); // Esc: CPU, task, domain and range

signals:
    void changed();       // cpu, task, domain or range
    void hoverChanged();
    void windowChanged();
    // Requests; the session acts on them.
    void seekRequested(rqscope::SimTime time);
    void seekRowRequested(quint32 row);
    void stepRequested(rqscope::StepUnit unit, bool forward);

private:
    std::optional<CpuId> m_cpu;
    std::optional<TaskId> m_task;
    std::optional<DomainId> m_domain;
    std::optional<TimeWindow> m_range;
    std::optional<TaskId> m_hoveredTask;
    TimeWindow m_window{};
};

} // namespace rqscope
