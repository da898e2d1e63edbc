// SPDX-License-Identifier: GPL-3.0-or-later
#include "domains/machine_scene.h"

#include <QFontMetrics>

#include <algorithm>

namespace rqscope {

namespace {

constexpr std::size_t kUtilLineCpus = 96; // more CPUs than this: no util_avg line

} // namespace

bool MachineScene::take(const Snapshot& snapshot, const std::vector<TaskInfo>& tasks) {
    looks.take(tasks);
    const bool other = snapshot.domains.get() != domains.domains() || snapshot.cpus.size() != domains.order().size();
    if (other) {
        domains = DomainModel(snapshot.domains, snapshot.cpus.size());
        folds.assign(domains.nodes().size(), AxisShape::Fold::Auto);
        focus.reset();
        selectedNode.reset();
        marks.reset();
    }
    cells.clear();
    for (const auto& cpu : snapshot.cpus)
        cells.push_back({cpu.online, cpu.curr, static_cast<std::uint32_t>(cpu.waiting.size())});
    llcs = snapshot.llcs;
    loads.set(snapshot);
    litCpu.reset();
    if (lit && lit->index() < snapshot.tasks.size()) {
        const auto& task = snapshot.tasks[lit->index()];
        if (task.state == TaskState::Running || task.state == TaskState::Waiting) litCpu = task.cpu;
    }
    return other;
}

void MachineScene::clear() {
    domains = {};
    looks.clear();
    cells.clear();
    llcs.clear();
    loads.reset();
    landed.reset();
    marks.reset();
    folds.clear();
    focus.reset();
    selectedNode.reset();
    litCpu.reset();
    axis = {};
    layout = {};
    frames.clear();
}

void MachineScene::layOut(const Theme& theme, QSize size) {
    frames.clear();
    if (empty()) return;
    auto open = folds;
    for (std::size_t i = 0; i < open.size(); ++i)
        if (marks && marks->involves(static_cast<std::uint32_t>(i)) && open[i] == AxisShape::Fold::Closed)
            open[i] = AxisShape::Fold::Open;
    const auto shape = domains.shape(open, focus);

    LayoutInput input;
    input.gutter = theme.px(56);
    input.size = size;
    input.scale = theme.scale();
    input.titleText = QFontMetrics(theme.font(TextRole::Small)).height();
    axis = CpuAxis(shape, {size.width() - input.gutter - theme.px(12), theme.scale()});

    std::vector<int> depths(shape.groups.size(), -1);
    for (std::uint32_t i = 0; i < shape.groups.size(); ++i) {
        if (!shape.groups[i].framed || axis.hidden(i) || axis.extents(i).size() != 1) continue;
        for (auto outer = domains.nodes()[i].parent; outer; outer = domains.nodes()[*outer].parent)
            if (depths[*outer] >= 0) {
                depths[i] = depths[*outer] + 1;
                break;
            }
        depths[i] = std::max(0, depths[i]);
        frames.push_back({i, axis.extents(i).front(), depths[i], true, axis.closed(i)});
        input.frames = std::max(input.frames, depths[i] + 1);
    }
    for (auto& frame : frames)
        frame.innermost = std::none_of(frames.begin(), frames.end(), [&](const Frame& other) {
            return other.depth > frame.depth && other.extent.row == frame.extent.row &&
                   other.extent.left >= frame.extent.left && other.extent.right <= frame.extent.right;
        });
    // Room for the CPU with the most levels: nothing moves when another CPU is looked from.
    if (domains.hasBrackets())
        for (const auto cpu : axis.order())
            input.brackets = std::max(input.brackets, static_cast<int>(domains.brackets(cpu).size()));
    layout = rqscope::layOut(input, axis);
}

MachineHit MachineScene::hit(QPoint at) const {
    if (empty() || layout.rows.empty()) return {};
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
        if (layout.title(frame->extent, frame->depth).contains(at))
            return {MachineHit::Kind::Title, domains.order()[domains.nodes()[frame->node].first], frame->node};
    const auto row = layout.rowAt(at.y());
    const auto cpu = axis.cpuAt(row, at.x() - layout.gutter);
    if (!cpu) return {};
    const auto& column = *axis.column(*cpu);
    const auto reach = layout.reach(column);
    if (at.y() < reach.top() || at.y() > reach.bottom()) return {};
    if (column.group) return {MachineHit::Kind::Closed, *cpu, *column.group};
    return {MachineHit::Kind::Cpu, *cpu, 0};
}

std::uint32_t MachineScene::busy(std::uint32_t node) const {
    std::uint32_t n = 0;
    for (const auto cpu : domains.nodes()[node].span)
        if (cpu.index() < cells.size() && cells[cpu.index()].online && cells[cpu.index()].task != kIdleTask) ++n;
    return n;
}

const LlcSnapshot* MachineScene::llcOf(std::uint32_t node) const {
    const auto& d = *domains.domains();
    const auto id = domains.nodes()[node].ids.front();
    const auto owner = d[id].owner.index();
    if (owner >= d.llc.size() || owner >= d.sd_llc.size() || d.sd_llc[owner] != id) return nullptr;
    const auto llc = d.llc[owner].index();
    return llc < llcs.size() ? &llcs[llc] : nullptr;
}

std::uint32_t MachineScene::onlineCpus(std::uint32_t node) const {
    std::uint32_t n = 0;
    for (const auto cpu : domains.nodes()[node].span)
        if (cpu.index() < cells.size() && cells[cpu.index()].online) ++n;
    return n;
}

std::optional<CpuId> MachineScene::viewpoint() const {
    if (marks) return marks->origin ? marks->origin : std::optional(marks->chosen);
    if (selectedCpu) return selectedCpu;
    return domains.empty() ? std::nullopt : std::optional(domains.order().front());
}

LoadPlot MachineScene::loadPlot() const {
    LoadPlot plot{axis, layout.gutter, {}, false, false, false, false, false, false};
    plot.split = layout.enclosed;
    for (const auto& row : layout.rows)
        plot.bands.push_back({row.baseline, row.barHeight, row.headroom, row.landedTop, row.countTop});
    plot.tickLabels = layout.tickLabels;
    plot.figures = axis.columnWidth() >= CpuAxis::kLabel;
    plot.utilLine = cells.size() <= kUtilLineCpus;
    plot.landed = layout.landed && !landed.empty();
    plot.counts = layout.counts && !landed.empty();
    return plot;
}

} // namespace rqscope
