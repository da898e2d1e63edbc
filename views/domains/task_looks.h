// SPDX-License-Identifier: GPL-3.0-or-later
// Name and colours of the tasks of a run, made once per task: 256 cells change with every step, and hashing a name for each
// of them would cost more than painting it.
#pragma once

#include "theme/theme.h"
#include "trace/history.h"

#include <QString>

#include <vector>

namespace rqscope {

class TaskLooks {
public:
    struct Look {
        QString name;  // "child 17"
        QString brief; // "17", or the name of a task that is not numbered
        Theme::TaskColour colour;
    };

    explicit TaskLooks(const Theme& theme) : m_theme(theme) {}
    void clear();    // another run
    void recolour(); // after a theme change
    // The table only grows for a given run.
    void take(const std::vector<TaskInfo>& tasks);
    [[nodiscard]] const Look& operator[](TaskId task) const; // an empty look for a task that is not known

private:
    const Theme& m_theme;
    std::vector<TaskInfo> m_tasks; // a copy: the theme may change while no snapshot comes
    std::vector<Look> m_looks;
};

} // namespace rqscope
