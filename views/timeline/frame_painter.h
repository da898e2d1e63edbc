// SPDX-License-Identifier: GPL-3.0-or-later
// What surrounds the lanes and stays when the play head moves: separators, gutter, input flags, the row of decision
// diamonds, and which axis labels give way to flags.
#pragma once

#include "timeline/timeline_scene.h"

#include <QString>

#include <vector>

class QPainter;

namespace rqscope {

struct AxisLabel {
    Ns time = 0;
    QString text; // empty = grid line only: a flag stands there
};
// The ticks in view; the first label carries the unit.
[[nodiscard]] std::vector<AxisLabel> axisLabels(const TimelineScene& scene);

// A flag as it is drawn: text only when it fits before the next one.
struct FlagMark {
    double x = 0;
    std::size_t flag = 0; // index into LaneModel::flags()
    QString text;
    QRectF box; // icon and text
};
[[nodiscard]] std::vector<FlagMark> flagMarks(const TimelineScene& scene);

void paintSeparators(QPainter& p, const TimelineScene& scene); // under the bars
void paintGutter(QPainter& p, const TimelineScene& scene);
void paintDiamonds(QPainter& p, const TimelineScene& scene);
void paintFlags(QPainter& p, const TimelineScene& scene);
// What the gutter must hold, in logical pixels.
[[nodiscard]] int gutterWidth(const TimelineScene& scene);

} // namespace rqscope
