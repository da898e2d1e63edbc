// SPDX-License-Identifier: GPL-3.0-or-later
// The whole run in 22 pixels: decisions (or, when dense, a heat of activity), the user's flags, the timeline's window as a
// frame to drag, the play head. The known part fills it from the left.
#pragma once

#include "selection/run_source.h"
#include "selection/selection.h"
#include "theme/theme.h"
#include "transport/activity.h"

#include <QPixmap>
#include <QWidget>

#include <vector>

namespace rqscope {

class OverviewStrip : public QWidget {
    Q_OBJECT
public:
    OverviewStrip(const Theme& theme, RunSource& source, Selection& selection, QWidget* parent = nullptr);

    // Time at the right end: the run's limit where one is known, else a little more than what is known.
    [[nodiscard]] SimTime end() const;
    [[nodiscard]] double xOf(SimTime time) const;
    [[nodiscard]] SimTime timeAt(double x) const;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum class Grip { None, Seek, Left, Right, Move };
    void drop();      // the cached marks
    void drawMarks(); // into the cache
    void takeRows();
    void drawDiamonds(QPainter& painter, const std::vector<double>& xs) const;
    void drawHeat(QPainter& painter, const std::vector<int>& bins) const;
    void drawFlags(QPainter& painter) const;
    void drawFrame(QPainter& painter) const;
    void drawHead(QPainter& painter) const;
    [[nodiscard]] QRect track() const;
    [[nodiscard]] bool windowed() const; // the timeline shows less than everything
    [[nodiscard]] Grip gripAt(double x) const;

    const Theme& m_theme;
    RunSource& m_source;
    Selection& m_selection;
    Activity m_activity;
    QPixmap m_marks;
    std::uint32_t m_marksRows = 0;
    SimTime m_marksEnd{};
    Grip m_grip = Grip::None;
    double m_pressX = 0;
    TimeWindow m_pressWindow{};
    bool m_dragged = false;
};

} // namespace rqscope
