// SPDX-License-Identifier: GPL-3.0-or-later
// Everything one picture of the timeline is made from: model, lanes, time scale, geometry, colours. The canvas keeps it up
// to date; painters, hit test and tool tips only read it.
#pragma once

#include "selection/selection.h"
#include "theme/theme.h"
#include "timeline/lane_layout.h"
#include "timeline/lane_model.h"
#include "timeline/time_scale.h"

#include <QColor>
#include <QFont>
#include <QRect>
#include <QStaticText>
#include <QString>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace rqscope {

// What the run says besides its rows.
struct RunFacts {
    const std::vector<TaskInfo>* tasks = nullptr; // by TaskId
    std::vector<QString> flagTexts;               // by input index, as typed
    std::shared_ptr<const SchedDomains> domains;
    Ns cursor = 0;
    std::optional<Hop> decision; // the last one at or before the cursor
    bool hasRun = false;
    bool playing = false;
    bool finished = false; // known to its end
};

// A task's name at one size, laid out once.
struct BarLabel {
    QStaticText name, number;
    double nameWidth = 0, numberWidth = 0;
};

struct TaskPaint {
    QColor fill, ink;
    QRgb rgb = 0;
    bool stripe = false;
    QString name, number;                                  // number = "" when the role is not numbered
    mutable std::array<std::optional<BarLabel>, 3> labels; // by size of the bar; see TimelineScene::labelOf()
};

enum class ArrowLevel : std::uint8_t { Near, Cache, Package, Node }; // SMT and CLS, MC, PKG, NUMA

// A dragged range or zoom box that is not finished yet.
struct Rubber {
    double x0 = 0, x1 = 0;
    bool zoom = false;
};

class TimelineScene {
public:
    // Above this many arrows in view only those of the selected task are drawn.
    static constexpr std::size_t kArrowLimit = 200;

    TimelineScene(const Theme& themeOfAll, const Selection& shared) : theme(themeOfAll), selection(shared) {}

    const Theme& theme;
    const Selection& selection;
    LaneModel model;
    LaneLayout layout;
    RunFacts facts;
    TimeScale scale; // logical pixels of the widget
    QRect lanes;     // where the lanes are, gutter excluded
    int scroll = 0;  // pixels of lanes above the view
    qreal ratio = 1; // device pixels per logical one
    TickStep ticks;
    std::optional<Rubber> rubber;
    bool focusRing = false;

    // Heights of the strips above the lanes, from top to bottom.
    [[nodiscard]] int flagStrip() const { return model.flags().empty() ? theme.px(2) : theme.px(18); }
    [[nodiscard]] int labelStrip() const { return theme.px(18); }
    [[nodiscard]] int diamondStrip() const { return theme.px(14); }
    [[nodiscard]] int axisHeight() const { return flagStrip() + labelStrip() + diamondStrip(); }
    [[nodiscard]] QRect diamondRect() const {
        return {lanes.left(), lanes.top() - diamondStrip(), lanes.width(), diamondStrip()};
    }

    [[nodiscard]] QRect rowRect(const LaneRow& row) const {
        return {lanes.left(), lanes.top() + row.y - scroll, lanes.width(), row.height};
    }
    // Run bar and queue stripe inside a CPU lane.
    [[nodiscard]] QRect runRect(const LaneRow& row) const;
    [[nodiscard]] QRect queueRect(const LaneRow& row) const;
    // Rows that show at least one pixel: [first, last).
    [[nodiscard]] std::pair<std::size_t, std::size_t> visibleRows() const;
    // Row of the lane in which the task is (task mode) or the CPU is.
    [[nodiscard]] std::optional<std::size_t> rowOf(TaskId task, CpuId cpu) const;

    [[nodiscard]] TimeScale deviceScale() const { return scale.device(ratio); }
    [[nodiscard]] int deviceWidth() const { return std::max(1, static_cast<int>(std::lround(lanes.width() * ratio))); }
    [[nodiscard]] Ns viewBegin() const { return scale.time(lanes.left()); }
    [[nodiscard]] Ns viewEnd() const { return scale.time(lanes.left() + lanes.width()); }
    [[nodiscard]] bool standsOnDecision() const { return facts.decision && facts.decision->time == facts.cursor; }

    [[nodiscard]] const TaskPaint& paintOf(TaskId task) const;
    [[nodiscard]] const TaskInfo* infoOf(TaskId task) const;
    [[nodiscard]] QString nameOf(TaskId task) const;
    // Text for a bar of that height.
    [[nodiscard]] const QFont& barFont(double height) const { return m_barFonts[barSize(height)]; }
    [[nodiscard]] const BarLabel& labelOf(const TaskPaint& paint, double height) const;
    // Forget colours, names and fonts: another theme, another run.
    void dropPaints();
    // The colour of lanes' marks on `ground` that can be read.
    [[nodiscard]] QColor inkOn(const QColor& ground) const;

    [[nodiscard]] ArrowLevel levelOf(CpuId from, CpuId to) const;
    [[nodiscard]] QString levelName(CpuId from, CpuId to) const; // "" = no common domain

private:
    [[nodiscard]] std::size_t barSize(double height) const {
        return height < theme.px(14) ? 0 : height < theme.px(26) ? 1 : 2;
    }
    mutable std::vector<std::optional<TaskPaint>> m_paints;
    std::array<QFont, 3> m_barFonts;
};

} // namespace rqscope
