// SPDX-License-Identifier: GPL-3.0-or-later
#include "domains/task_looks.h"

#include "theme/format.h"

namespace rqscope {

void TaskLooks::clear() {
    m_tasks.clear();
    m_looks.clear();
}

void TaskLooks::recolour() {
    for (std::size_t i = 0; i < m_looks.size(); ++i) m_looks[i].colour = m_theme.task(m_tasks[i]);
}

void TaskLooks::take(const std::vector<TaskInfo>& tasks) {
    if (tasks.size() < m_looks.size()) clear();
    for (auto i = m_looks.size(); i < tasks.size(); ++i) {
        const auto& info = tasks[i];
        const auto name = fromStd(info.name);
        m_tasks.push_back(info);
        m_looks.push_back({name, info.number > 0 ? QString::number(info.number) : name, m_theme.task(info)});
    }
}

const TaskLooks::Look& TaskLooks::operator[](TaskId task) const {
    static const Look kUnknown;
    return task.index() < m_looks.size() ? m_looks[task.index()] : kUnknown;
}

} // namespace rqscope
