// SPDX-License-Identifier: GPL-3.0-or-later
// Heights of the machine panel: title lines, cells, bars, landed row. Bars come first: when they would fall below their
// least height, cells lose a line, then the axis its labels, then the outer title, the counts, the squares and all titles.
#pragma once

#include "plot/cpu_axis.h"

#include <QRect>
#include <QSize>

#include <optional>
#include <vector>

namespace rqscope {

struct LayoutInput {
    QSize size;
    double scale = 1.0;
    int gutter = 56;      // px left of the axis
    int titleText = 18;   // height of a line of small text
    int frames = 0;       // nested frames in the deepest row
    int brackets = 0;     // overlapping levels above
    bool threads = false; // tight columns stand for threads that have no text anyway
};

struct MachineRow {
    int top = 0, bottom = 0;
    std::vector<int> brackets;  // y of each bracket line, outermost first
    std::vector<int> frameTops; // by depth of the frame, 0 = outermost
    int boxBottom = 0;          // lower edge of the innermost frame
    int cellTop = 0;
    int markTop = 0; // small marks under cells too narrow to hold one
    int baseline = 0, barHeight = 0, headroom = 0;
    int landedTop = 0, countTop = 0;
};

struct MachineLayout {
    int gutter = 0;
    bool tinyTitles = false; // in the smallest text
    int titleHeight = 0;     // of one frame's title line; 0 = titles are dropped
    int fillHeight = 0;      // fill level line under the innermost title
    int cellHeight = 0;
    int markHeight = 0;
    int padding = 0;
    bool dense = false;    // cells hold no text
    bool oneLine = false;  // cells hold number and name side by side
    bool enclosed = false; // frames go round the bars too
    bool outerTitle = true;
    bool tickLabels = true;
    bool landed = true, counts = true;
    std::vector<MachineRow> rows;

    [[nodiscard]] QRect cell(const CpuAxis::Column& column) const;
    // Column from the cell down to the end of the row: what a click on a CPU may hit.
    [[nodiscard]] QRect reach(const CpuAxis::Column& column) const;
    [[nodiscard]] QRect frame(const CpuAxis::Extent& extent, int depth) const;
    [[nodiscard]] QRect title(const CpuAxis::Extent& extent, int depth) const; // empty = dropped
    [[nodiscard]] int rowAt(int y) const;                                      // nearest
};

[[nodiscard]] MachineLayout layOut(const LayoutInput& input, const CpuAxis& axis);

} // namespace rqscope
