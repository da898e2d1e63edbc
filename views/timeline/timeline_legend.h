// SPDX-License-Identifier: GPL-3.0-or-later
// The marks of the timeline in words, at the right of its title: as many as fit.
#pragma once

#include "theme/theme.h"

#include <QWidget>

#include <vector>

namespace rqscope {

class TimelineLegend : public QWidget {
public:
    explicit TimelineLegend(const Theme& theme, QWidget* parent = nullptr);
    // Closed groups show other things than open lanes.
    void setGroups(bool groups);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, 0}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    enum class Mark { You, Scheduler, Future, Busy, Waiters };
    struct Entry {
        Mark mark;
        QString text;
    };
    [[nodiscard]] std::vector<Entry> entries() const;
    [[nodiscard]] int widthOf(const Entry& entry) const;
    void paintMark(QPainter& p, Mark mark, const QRect& box) const;

    const Theme& m_theme;
    bool m_groups = false;
};

} // namespace rqscope
