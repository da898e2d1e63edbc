// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that moves with the play head, the pointer or the selection, painted above the finished lanes: the pale known
// future, the lit task, outlines, the current decision, the dragged range, the play head.
#pragma once

#include "timeline/lane_painter.h"
#include "timeline/timeline_scene.h"

class QPainter;

namespace rqscope {

class OverlayPainter {
public:
    explicit OverlayPainter(const TimelineScene& scene) : m_scene(scene) {}
    void paint(QPainter& p);

private:
    void paintFuture(QPainter& p);
    void paintFutureText(QPainter& p, const LaneRow& row);
    void paintLit(QPainter& p, TaskId task);
    void paintSelectedTask(QPainter& p, TaskId task);
    void paintSelectedRow(QPainter& p);
    void paintRange(QPainter& p);
    void paintSpan(QPainter& p, double x0, double x1, const QString& text);
    void paintHead(QPainter& p);
    // Calls f(logical rectangle, at least a device pixel wide) for each stretch in which the task runs.
    template <class F>
    void forRunsOf(TaskId task, F&& f) const;

    const TimelineScene& m_scene;
};

} // namespace rqscope
