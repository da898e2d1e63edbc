// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/lane_layout.h"

#include "theme/format.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace rqscope {

namespace {

constexpr auto kNoRow = std::numeric_limits<std::uint32_t>::max();

// The domain whose CPUs share a lane group: the last-level cache, else the lowest level that joins CPUs at all.
const SchedDomain* groupDomain(const SchedDomains& domains, CpuId cpu) {
    if (cpu.index() < domains.sd_llc.size() && domains.sd_llc[cpu.index()]) {
        const auto& llc = domains[*domains.sd_llc[cpu.index()]];
        if (llc.weight > 1) return &llc;
    }
    if (cpu.index() >= domains.base.size()) return nullptr;
    for (const auto* d = domains.lowest(cpu); d != nullptr; d = domains.parent(*d))
        if (d->weight > 1) return d;
    return nullptr;
}

// First CPUs of the boxes around the CPU, outermost first: the same order as in the domain tree.
std::vector<CpuId> boxPath(const SchedDomains* domains, CpuId cpu) {
    std::vector<CpuId> path;
    if (domains == nullptr) return {CpuId{0}};
    const auto* inner = groupDomain(*domains, cpu);
    path.push_back(inner != nullptr ? inner->span.first().value_or(cpu) : cpu);
    for (const auto* d = inner; d != nullptr; d = domains->parent(*d))
        if (!d->has(SdFlag::OVERLAP)) path.insert(path.begin(), d->span.first().value_or(cpu));
    return path;
}

CpuId coreOf(const SchedDomains* domains, CpuId cpu) {
    return domains != nullptr && cpu.index() < domains->core_of.size() ? CpuId{domains->core_of[cpu.index()]} : cpu;
}

int scaled(int logical, double scale) { return std::max(1, static_cast<int>(std::lround(logical * scale))); }

} // namespace

void LaneLayout::setMachine(const SchedDomains* domains, std::uint32_t cpus) {
    m_groups.clear();
    m_groupsByHand = false;
    std::map<std::vector<CpuId>, LaneGroup> byPath;
    for (std::uint32_t c = 0; c < cpus; ++c) {
        const CpuId cpu{c};
        const auto* domain = domains != nullptr ? groupDomain(*domains, cpu) : nullptr;
        auto& group = byPath[boxPath(domains, cpu)];
        group.cpus.push_back(cpu);
        if (domain != nullptr) group.name = fromStd(domain->name);
    }
    for (auto& [path, group] : byPath) {
        std::sort(group.cpus.begin(), group.cpus.end(), [domains](CpuId a, CpuId b) {
            return std::tuple(coreOf(domains, a), a) < std::tuple(coreOf(domains, b), b);
        });
        CpuMask cores;
        for (const auto cpu : group.cpus) cores.set(coreOf(domains, cpu));
        group.title =
            ((group.name.isEmpty() ? QStringLiteral("CPU") : group.name) + QChar(0x00A0)) + listText(cores.to_list());
        m_groups.push_back(std::move(group));
    }
}

void LaneLayout::toggleGroup(std::uint32_t group) {
    if (group >= m_groups.size()) return;
    m_groupsByHand = true;
    m_groups[group].closed = !m_groups[group].closed;
}

bool LaneLayout::anyClosed() const {
    return m_mode == LaneMode::Cpu &&
           std::any_of(m_groups.begin(), m_groups.end(), [](const LaneGroup& g) { return g.closed; });
}

void LaneLayout::arrange(const LaneModel& model, int room, double scale) {
    m_rows.clear();
    m_rowOfCpu.assign(model.cpuCount(), kNoRow);
    m_rowOfTask.assign(model.taskCount(), kNoRow);
    if (m_mode == LaneMode::Cpu) arrangeCpus(room, scale);
    else arrangeTasks(model, room, scale);
}

void LaneLayout::arrangeCpus(int room, double scale) {
    std::size_t cpus = 0;
    for (const auto& group : m_groups) cpus += group.cpus.size();
    const auto least = scaled(kLaneMin, scale);
    // A height that the user chose scrolls; it must not fold lanes away under the slider.
    if (!m_groupsByHand) {
        const auto tooMany =
            m_groups.size() > 1 && cpus * static_cast<std::size_t>(least) > static_cast<std::size_t>(std::max(room, 0));
        for (auto& group : m_groups) group.closed = tooMany;
    }
    std::size_t closed = 0;
    cpus = 0;
    for (const auto& group : m_groups) group.closed ? ++closed : cpus += group.cpus.size();

    auto groupHeight = scaled(kGroupHeight, scale);
    if (cpus == 0 && closed > 0)
        groupHeight = std::clamp(room / static_cast<int>(closed), groupHeight, scaled(kLaneMax, scale));
    const auto left = room - groupHeight * static_cast<int>(closed);
    const auto automatic = cpus > 0 ? std::clamp(left / static_cast<int>(cpus), least, scaled(kLaneMax, scale)) : 0;
    const auto height = m_wanted > 0 ? scaled(m_wanted, scale) : automatic;

    for (std::uint32_t g = 0; g < m_groups.size(); ++g) {
        const auto& group = m_groups[g];
        if (group.closed) {
            for (const auto cpu : group.cpus) m_rowOfCpu[cpu.index()] = static_cast<std::uint32_t>(m_rows.size());
            add({LaneRow::Kind::Group, g, g, true, 0, groupHeight});
            continue;
        }
        for (const auto cpu : group.cpus) {
            m_rowOfCpu[cpu.index()] = static_cast<std::uint32_t>(m_rows.size());
            add({LaneRow::Kind::Cpu, cpu.value, g, cpu == group.cpus.front(), 0, height});
        }
    }
}

void LaneLayout::arrangeTasks(const LaneModel& model, int room, double scale) {
    std::vector<std::uint32_t> tasks;
    for (std::uint32_t t = 1; t < model.taskCount(); ++t)
        if (model.phases(TaskId{t}).size() > 0) tasks.push_back(t);
    if (tasks.empty()) return;
    const auto automatic =
        std::clamp(room / static_cast<int>(tasks.size()), scaled(kLaneMin, scale), scaled(kLaneMax, scale));
    const auto height = m_wanted > 0 ? scaled(m_wanted, scale) : automatic;
    for (const auto task : tasks) {
        m_rowOfTask[task] = static_cast<std::uint32_t>(m_rows.size());
        add({LaneRow::Kind::Task, task, 0, false, 0, height});
    }
}

void LaneLayout::add(LaneRow row) {
    row.y = contentHeight();
    m_rows.push_back(row);
}

std::optional<std::size_t> LaneLayout::rowAt(int y) const {
    if (y < 0 || y >= contentHeight()) return std::nullopt;
    const auto it = std::upper_bound(m_rows.begin(), m_rows.end(), y, [](int at, const LaneRow& row) { return at < row.y; });
    return static_cast<std::size_t>(it - m_rows.begin()) - 1;
}

std::optional<std::size_t> LaneLayout::rowOfCpu(CpuId cpu) const {
    if (m_mode != LaneMode::Cpu || cpu.index() >= m_rowOfCpu.size() || m_rowOfCpu[cpu.index()] == kNoRow)
        return std::nullopt;
    return m_rowOfCpu[cpu.index()];
}

std::optional<std::size_t> LaneLayout::rowOfTask(TaskId task) const {
    if (m_mode != LaneMode::Task || task.index() >= m_rowOfTask.size() || m_rowOfTask[task.index()] == kNoRow)
        return std::nullopt;
    return m_rowOfTask[task.index()];
}

} // namespace rqscope
