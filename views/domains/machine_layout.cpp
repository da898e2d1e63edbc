// SPDX-License-Identifier: GPL-3.0-or-later
#include "domains/machine_layout.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rqscope {

namespace {

// What is given up at each stage, and the height the bars must have for the stage to do.
struct Stage {
    bool roomy, tallCells, outerTitle, counts, landed;
    enum { NoTitles, LowTitles, FullTitles } titles;
    int leastOpen, leastDense;
};
constexpr std::array<Stage, 8> kStages{{{true, true, true, true, true, Stage::FullTitles, 130, 90},
                                        {false, true, true, true, true, Stage::FullTitles, 72, 40},
                                        {false, false, true, true, true, Stage::FullTitles, 44, 28},
                                        {false, false, false, true, true, Stage::FullTitles, 40, 24},
                                        {false, false, false, false, true, Stage::FullTitles, 32, 20},
                                        {false, false, false, false, false, Stage::FullTitles, 24, 18},
                                        {false, false, false, false, false, Stage::LowTitles, 24, 10},
                                        {false, false, false, false, false, Stage::NoTitles, 0, 0}}};
constexpr int kRowGap = 8;
constexpr int kTinyTitles = 7;     // columns narrower than this have boxes too narrow for small text
constexpr double kLargeText = 1.6; // from here the outer title line is dropped at once

class Planner {
public:
    Planner(const LayoutInput& input, const CpuAxis& axis, const Stage& stage) : m_in(input), m_stage(stage) {
        out.gutter = input.gutter;
        out.padding = axis.padding();
        out.dense = axis.dense();
        out.enclosed = axis.dense() || axis.rows() > 1;
        out.outerTitle = input.frames < 2 || (stage.outerTitle && input.scale < kLargeText);
        out.oneLine = !stage.tallCells && !out.dense;
        out.tickLabels = stage.tallCells || out.dense;
        out.landed = stage.landed;
        out.counts = stage.landed && stage.counts && !out.dense;
        out.titleHeight = stage.titles == Stage::NoTitles ? 0
                                                          : input.titleText + px(stage.roomy                        ? 8
                                                                                 : stage.titles == Stage::LowTitles ? -3
                                                                                                                    : 4);
        out.tinyTitles = stage.titles == Stage::LowTitles || (out.dense && axis.columnWidth() < kTinyTitles);
        out.fillHeight = stage.titles == Stage::FullTitles && out.dense ? px(6) : 0;
        out.cellHeight = out.dense ? px(stage.tallCells ? 32 : 10)
                                   : std::max(px(stage.roomy       ? 52
                                                 : stage.tallCells ? 46
                                                                   : 26),
                                              (stage.tallCells ? 2 : 1) * input.titleText + px(6));
        out.markHeight = out.dense ? px(stage.tallCells ? 12 : 9) : 0;
    }
    void rows(const CpuAxis& axis);
    [[nodiscard]] int barHeight() const { return out.rows.front().barHeight; }
    [[nodiscard]] int least() const { return px(out.dense ? m_stage.leastDense : m_stage.leastOpen); }

    MachineLayout out;

private:
    [[nodiscard]] int px(double logical) const { return static_cast<int>(std::lround(logical * m_in.scale)); }
    [[nodiscard]] MachineRow row(int top, int bottom) const;

    const LayoutInput& m_in;
    const Stage& m_stage;
};

MachineRow Planner::row(int top, int bottom) const {
    MachineRow row{top, bottom, {}, {}, 0, 0, 0, 0, 0, 0, 0, 0};
    auto y = top;
    for (int i = 0; i < m_in.brackets; ++i) {
        row.brackets.push_back(y + px(6));
        y += px(16);
    }
    for (int depth = 0; depth < m_in.frames; ++depth) {
        row.frameTops.push_back(y);
        y += (depth == 0 && !out.outerTitle) || out.titleHeight == 0 ? out.padding : out.titleHeight;
    }
    y += out.fillHeight;
    row.cellTop = y;
    y += out.cellHeight;
    row.markTop = y;
    y += out.markHeight;
    const auto frames = m_in.frames * out.padding;
    if (!out.enclosed) {
        row.boxBottom = y + out.padding + 1;
        y += frames + px(m_stage.roomy ? 12 : 4);
    }
    row.headroom = out.dense ? px(2) : (m_stage.tallCells ? m_in.titleText : px(6));

    auto low = bottom;
    if (out.enclosed) {
        low -= std::max(0, m_in.frames - 1) * out.padding;
        row.boxBottom = low;
        low -= m_in.frames > 0 ? out.padding : 0;
    }
    if (out.counts) row.countTop = low -= m_in.titleText;
    if (out.landed) row.landedTop = low -= px(out.dense ? 6 : 10);
    row.baseline = low - px(out.landed ? 4 : 1);
    row.barHeight = std::max(1, row.baseline - y - row.headroom);
    return row;
}

void Planner::rows(const CpuAxis& axis) {
    const auto n = std::max(1, axis.rows());
    const auto height = (m_in.size.height() - (n - 1) * px(kRowGap)) / n;
    for (int i = 0; i < n; ++i) {
        const auto top = i * (height + px(kRowGap));
        out.rows.push_back(row(top, top + height));
    }
}

} // namespace

MachineLayout layOut(const LayoutInput& input, const CpuAxis& axis) {
    for (const auto& stage : kStages) {
        Planner planner(input, axis, stage);
        planner.rows(axis);
        if (planner.barHeight() >= planner.least() || &stage == &kStages.back()) return planner.out;
    }
    return {};
}

QRect MachineLayout::cell(const CpuAxis::Column& column) const {
    return {gutter + column.x, rows[static_cast<std::size_t>(column.row)].cellTop, column.width, cellHeight};
}

QRect MachineLayout::reach(const CpuAxis::Column& column) const {
    const auto& row = rows[static_cast<std::size_t>(column.row)];
    return {gutter + column.x, row.cellTop, column.width, row.bottom - row.cellTop};
}

QRect MachineLayout::frame(const CpuAxis::Extent& extent, int depth) const {
    const auto& row = rows[static_cast<std::size_t>(extent.row)];
    const auto top =
        row.frameTops.empty() ? row.top : row.frameTops[std::min(static_cast<std::size_t>(depth), row.frameTops.size() - 1)];
    const auto inner = static_cast<int>(row.frameTops.size()) - 1 - depth;
    return QRect(QPoint(gutter + extent.left, top),
                 QPoint(gutter + extent.right - 1, row.boxBottom + std::max(0, inner) * padding - 1));
}

QRect MachineLayout::title(const CpuAxis::Extent& extent, int depth) const {
    if (titleHeight == 0 || (depth == 0 && !outerTitle)) return {};
    auto rect = frame(extent, depth);
    rect.setHeight(titleHeight);
    return rect;
}

int MachineLayout::rowAt(int y) const {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (y < rows[i].bottom + kRowGap / 2) return static_cast<int>(i);
    return static_cast<int>(rows.size()) - 1;
}

} // namespace rqscope
