// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the load bars: the still part (axis, capacity line), the bars, and the landed row. Bars are opaque, without pen
// and antialiasing, on whole pixels; hatch and dots carry the meaning without colour.
#pragma once

#include "loads/landed_model.h"
#include "loads/load_model.h"
#include "plot/cpu_axis.h"
#include "theme/theme.h"

#include <QBrush>

#include <functional>
#include <vector>

class QPainter;

namespace rqscope {

// Where one row of bars stands, in widget pixels.
struct LoadBand {
    int baseline = 0;  // y of load 0
    int height = 0;    // from load 0 to the top of the axis
    int headroom = 0;  // above it, for a figure
    int landedTop = 0; // of the squares
    int countTop = 0;  // of the text below them
};

struct LoadPlot {
    const CpuAxis& axis;
    int left = 0;                // x of the axis' 0
    std::vector<LoadBand> bands; // by axis row
    bool split = false;          // still lines stop at wide gaps, where frames stand
    bool tickLabels = false;     // half and top of the axis
    bool figures = false;        // load_avg over the bars
    bool utilLine = false;
    bool landed = false, counts = false;
};

// Brushes that depend on theme and device.
struct LoadBrushes {
    LoadBrushes() = default;
    LoadBrushes(const Theme& theme, qreal devicePixelRatio);
    QBrush running, waiting, blocked;
};

void paintLoadGrid(QPainter& painter, const Theme& theme, const LoadPlot& plot, const LoadModel& loads);
void paintLoadBars(QPainter& painter, const Theme& theme, const LoadBrushes& brushes, const LoadPlot& plot,
                   const LoadModel& loads);

// colourOf: opaque or, for tasks other than the one pointed at, faint.
void paintLanded(QPainter& painter, const Theme& theme, const LoadPlot& plot, const LandedModel& landed,
                 const std::function<QColor(TaskId)>& colourOf);

// The part of a column that the bar fills.
[[nodiscard]] int barInset(int columnWidth);

} // namespace rqscope
