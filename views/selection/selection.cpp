// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/selection.h"

namespace rqscope {

void Selection::selectCpu(std::optional<CpuId> cpu) {
    if (m_cpu == cpu) return;
    m_cpu = cpu;
    emit changed();
}

void Selection::selectTask(std::optional<TaskId> task) {
    if (m_task == task) return;
    m_task = task;
    emit changed();
}

void Selection::selectDomain(std::optional<DomainId> domain) {
    if (m_domain == domain) return;
    m_domain = domain;
    emit changed();
}

void Selection::selectRange(std::optional<TimeWindow> range) {
    if (m_range == range) return;
    m_range = range;
    emit changed();
}

void Selection::hoverTask(std::optional<TaskId> task) {
    if (m_hoveredTask == task) return;
    m_hoveredTask = task;
    emit hoverChanged();
}

void Selection::setWindow(TimeWindow window) {
    if (m_window == window) return;
    m_window = window;
    emit windowChanged();
}

void Selection::clear() {
    if (!m_cpu && !m_task && !m_domain && !m_range) return;
    m_cpu.reset();
    m_task.reset();
    m_domain.reset();
    m_range.reset();
    emit changed();
}

} // namespace rqscope
