// SPDX-License-Identifier: GPL-3.0-or-later
// Arrows between lanes: forks and wake-ups in grey, balance migrations in ink with a width that grows with the level they
// cross, the current decision in the scheduler's colour. A wake-up by message leaves a dashed gap between arrow and queue.
#pragma once

#include "timeline/timeline_scene.h"

class QPainter;

namespace rqscope {

// Arrows whose end is in view and that end in at least one open lane, decisions and migrations together; stops counting
// above kArrowLimit.
[[nodiscard]] std::size_t arrowsInView(const TimelineScene& scene);
// All arrows in view; nothing when there are more than kArrowLimit.
void paintArrows(QPainter& p, const TimelineScene& scene);
// Those that belong to the task, when paintArrows() left them out.
void paintArrowsOf(QPainter& p, const TimelineScene& scene, TaskId task);
// The decision at the play head: diamond at its origin, heavy arrow to the chosen CPU.
void paintDecision(QPainter& p, const TimelineScene& scene, const Hop& hop);
void paintDiamond(QPainter& p, QPointF centre, double radius, const QColor& colour);

} // namespace rqscope
