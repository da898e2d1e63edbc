// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_scene.h"

#include "theme/format.h"

#include <algorithm>
#include <cmath>

namespace rqscope {

namespace {

constexpr double kRunPart = 0.62, kQueuePart = 0.22, kTopPart = 0.07;

int part(int height, double share) { return static_cast<int>(std::lround(height * share)); }

double luminance(const QColor& c) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

} // namespace

QRect TimelineScene::runRect(const LaneRow& row) const {
    const auto lane = rowRect(row);
    return {lane.left(), lane.top() + std::max(1, part(row.height, kTopPart)), lane.width(), part(row.height, kRunPart)};
}

QRect TimelineScene::queueRect(const LaneRow& row) const {
    const auto run = runRect(row);
    return {run.left(), run.bottom() + 1 + std::max(1, part(row.height, 0.03)), run.width(), part(row.height, kQueuePart)};
}

std::pair<std::size_t, std::size_t> TimelineScene::visibleRows() const {
    const auto& rows = layout.rows();
    const auto first =
        std::partition_point(rows.begin(), rows.end(), [&](const LaneRow& r) { return r.y + r.height <= scroll; });
    const auto last =
        std::partition_point(first, rows.end(), [&](const LaneRow& r) { return r.y < scroll + lanes.height(); });
    return {static_cast<std::size_t>(first - rows.begin()), static_cast<std::size_t>(last - rows.begin())};
}

std::optional<std::size_t> TimelineScene::rowOf(TaskId task, CpuId cpu) const {
    return layout.mode() == LaneMode::Task ? layout.rowOfTask(task) : layout.rowOfCpu(cpu);
}

const TaskInfo* TimelineScene::infoOf(TaskId task) const {
    return facts.tasks != nullptr && task.index() < facts.tasks->size() ? &(*facts.tasks)[task.index()] : nullptr;
}

QString TimelineScene::nameOf(TaskId task) const {
    const auto* info = infoOf(task);
    return info != nullptr ? fromStd(info->name) : QStringLiteral("task %1").arg(task.value);
}

const TaskPaint& TimelineScene::paintOf(TaskId task) const {
    if (m_paints.size() <= task.index()) m_paints.resize(task.index() + 64);
    auto& entry = m_paints[task.index()];
    if (entry) return *entry;
    const auto* info = infoOf(task);
    static const TaskInfo kUnknown{};
    const auto colour = theme.task(info != nullptr ? *info : kUnknown);
    entry = TaskPaint{colour.fill, colour.ink, colour.fill.rgb(), colour.stripe, nameOf(task), {}, {}};
    if (info != nullptr && info->number > 0) {
        // "sender 0.3": the number as the name writes it
        const auto space = entry->name.lastIndexOf(QLatin1Char(' '));
        entry->number = space >= 0 ? entry->name.mid(space + 1) : QString::number(info->number);
    }
    return *entry;
}

const BarLabel& TimelineScene::labelOf(const TaskPaint& paint, double height) const {
    auto& label = paint.labels[barSize(height)];
    if (label) return *label;
    const auto& font = barFont(height);
    label.emplace();
    label->name.setTextFormat(Qt::PlainText);
    label->number.setTextFormat(Qt::PlainText);
    label->name.setText(paint.name);
    label->number.setText(paint.number);
    label->name.prepare({}, font);
    label->number.prepare({}, font);
    label->nameWidth = label->name.size().width();
    label->numberWidth = label->number.size().width();
    return *label;
}

void TimelineScene::dropPaints() {
    m_paints.clear();
    m_barFonts = {theme.font(TextRole::Tiny, true), theme.font(TextRole::Small, true), theme.font(TextRole::Body, true)};
}

QColor TimelineScene::inkOn(const QColor& ground) const {
    const auto ink = theme.colour(Token::Ink), surface = theme.colour(Token::Surface);
    const auto contrast = [&](const QColor& c) {
        const auto a = luminance(c) + 0.05, b = luminance(ground) + 0.05;
        return std::max(a, b) / std::min(a, b);
    };
    return contrast(ink) >= contrast(surface) ? ink : surface;
}

QString TimelineScene::levelName(CpuId from, CpuId to) const {
    const auto* domains = facts.domains.get();
    if (domains == nullptr || from.index() >= domains->base.size() || to.index() >= domains->base.size()) return {};
    const auto* common = domains->common(from, to);
    return common != nullptr ? fromStd(common->name) : QString();
}

ArrowLevel TimelineScene::levelOf(CpuId from, CpuId to) const {
    const auto name = levelName(from, to);
    if (name == QLatin1String("SMT") || name == QLatin1String("CLS")) return ArrowLevel::Near;
    if (name == QLatin1String("MC")) return ArrowLevel::Cache;
    if (name.isEmpty() || name.startsWith(QLatin1String("NUMA"))) return ArrowLevel::Node;
    return ArrowLevel::Package;
}

} // namespace rqscope
