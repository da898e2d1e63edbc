// SPDX-License-Identifier: GPL-3.0-or-later
// All that the machine panel paints, as one value: domains, cells, loads, landed tasks, marks, selection, and where it all
// stands. Painters, tool tips and the screen reader's interface read it; only the canvas writes it.
#pragma once

#include "domains/decision_marks.h"
#include "domains/domain_model.h"
#include "domains/machine_layout.h"
#include "domains/task_looks.h"
#include "loads/landed_model.h"
#include "loads/load_model.h"
#include "loads/load_painter.h"
#include "sim/snapshot.h"

#include <QPoint>

#include <optional>
#include <vector>

namespace rqscope {

struct MachineHit {
    enum class Kind : std::uint8_t { None, Cpu, Title, Closed };
    Kind kind = Kind::None;
    CpuId cpu;
    std::uint32_t node = 0;
    bool operator==(const MachineHit&) const = default;
};

struct MachineScene {
    struct Cell {
        bool online = true;
        TaskId task; // kIdleTask = idle
        std::uint32_t waiting = 0;
    };
    struct Frame { // a box drawn, outer ones first
        std::uint32_t node = 0;
        CpuAxis::Extent extent;
        int depth = 0;
        bool innermost = false, closed = false;
    };
    explicit MachineScene(const Theme& theme) : looks(theme) {}

    // Takes cells and load targets; domains are rebuilt when the snapshot's are other ones. True when they were.
    bool take(const Snapshot& snapshot, const std::vector<TaskInfo>& tasks);
    // Columns, rows and heights for this size; call after any change of domains, folds, focus, marks or theme.
    void layOut(const Theme& theme, QSize size);
    void clear();

    [[nodiscard]] bool empty() const { return domains.empty(); }
    [[nodiscard]] MachineHit hit(QPoint at) const;
    [[nodiscard]] std::uint32_t busy(std::uint32_t node) const; // CPUs that run something
    // The node's record when it is a last-level cache.
    [[nodiscard]] const LlcSnapshot* llcOf(std::uint32_t node) const;
    [[nodiscard]] std::uint32_t onlineCpus(std::uint32_t node) const;
    // Whose levels the brackets show: where the decision is made, else the selected CPU, else the first one.
    [[nodiscard]] std::optional<CpuId> viewpoint() const;
    [[nodiscard]] bool shows(CpuId cpu) const { return axis.column(cpu) != nullptr; }
    // Everything but the task pointed at is faint.
    [[nodiscard]] bool faint(TaskId task) const { return lit && *lit != task; }
    [[nodiscard]] LoadPlot loadPlot() const;

    DomainModel domains;
    TaskLooks looks;
    std::vector<Cell> cells; // by CpuId
    std::vector<LlcSnapshot> llcs; // by LlcId
    LoadModel loads;
    LandedModel landed;
    std::optional<DecisionMarks> marks;
    std::vector<AxisShape::Fold> folds; // by node, as the user left them
    std::optional<std::uint32_t> focus; // the node that fills the view
    std::optional<CpuId> selectedCpu;
    std::optional<std::uint32_t> selectedNode;
    std::optional<TaskId> lit;   // task hovered or selected
    std::optional<CpuId> litCpu; // where it runs or waits

    CpuAxis axis;
    MachineLayout layout;
    std::vector<Frame> frames;
};

} // namespace rqscope
