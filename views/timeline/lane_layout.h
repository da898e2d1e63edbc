// SPDX-License-Identifier: GPL-3.0-or-later
// Which lanes there are and where: CPUs in machine order with their last-level-cache groups open or closed, or one lane per
// task. Positions are pixels from the top of the lanes, before scrolling.
#pragma once

#include "timeline/lane_model.h"
#include "topology/sched_domain.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace rqscope {

enum class LaneMode : std::uint8_t { Cpu, Task };

struct LaneGroup {
    std::vector<CpuId> cpus; // threads of a core side by side
    QString name;            // "MC", "" without domains
    QString title;           // "MC 0–7", lowest CPU of each core
    bool closed = false;
};

struct LaneRow {
    enum class Kind : std::uint8_t { Cpu, Group, Task };
    Kind kind{};
    std::uint32_t id = 0;    // CPU, group or task number
    std::uint32_t group = 0; // of CPU and group rows
    bool first = false;      // first row of its group
    int y = 0, height = 0;
};

class LaneLayout {
public:
    static constexpr int kLaneMin = 18, kLaneMax = 48, kGroupHeight = 22; // logical pixels

    // Groups start closed again when the lanes do not fit.
    void setMachine(const SchedDomains* domains, std::uint32_t cpus);
    void setMode(LaneMode mode) { m_mode = mode; }
    // 0 = automatic, else logical pixels.
    void setLaneHeight(int height) { m_wanted = height; }
    void toggleGroup(std::uint32_t group);
    void arrange(const LaneModel& model, int room, double scale);

    [[nodiscard]] LaneMode mode() const { return m_mode; }
    [[nodiscard]] const std::vector<LaneRow>& rows() const { return m_rows; }
    [[nodiscard]] const std::vector<LaneGroup>& groups() const { return m_groups; }
    [[nodiscard]] int contentHeight() const { return m_rows.empty() ? 0 : m_rows.back().y + m_rows.back().height; }
    [[nodiscard]] bool anyClosed() const;
    // Index of the row at y; of the CPU's lane or its closed group; of a task's lane.
    [[nodiscard]] std::optional<std::size_t> rowAt(int y) const;
    [[nodiscard]] std::optional<std::size_t> rowOfCpu(CpuId cpu) const;
    [[nodiscard]] std::optional<std::size_t> rowOfTask(TaskId task) const;

private:
    void arrangeCpus(int room, double scale);
    void arrangeTasks(const LaneModel& model, int room, double scale);
    void add(LaneRow row);

    LaneMode m_mode = LaneMode::Cpu;
    int m_wanted = 0;
    bool m_groupsByHand = false;
    std::vector<LaneGroup> m_groups;
    std::vector<LaneRow> m_rows;
    std::vector<std::uint32_t> m_rowOfCpu, m_rowOfTask; // kNoRow = none
};

} // namespace rqscope
