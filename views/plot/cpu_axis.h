// SPDX-License-Identifier: GPL-3.0-or-later
// Where each CPU stands: one x and one row per CPU, shared by the domain tree and the load bars so that the eye drops from a
// box to its bar. Decides how many rows a machine takes, how wide a column is and which groups must close to fit; there is
// never a scroll bar. Whole pixels only, because fractional columns look uneven. Knows nothing about domains or loads.
#pragma once

#include "base/ids.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace rqscope {

// What lies between a CPU and its left neighbour, the widest first that applies.
enum class CpuGap : std::uint8_t { Sibling, Core, Llc, Node };

struct AxisShape {
    enum class Fold : std::uint8_t { Auto, Open, Closed }; // Auto = open while there is room
    struct Group {
        std::uint32_t first = 0, last = 0; // positions in `order`
        Fold fold = Fold::Auto;
        bool framed = true; // drawn as a box, so that its edges need room
    };
    std::vector<CpuId> order;  // left to right
    std::vector<CpuGap> gaps;  // before order[i]; the first is not used
    std::vector<bool> cuts;    // a row may begin at order[i]
    std::vector<Group> groups; // nested or apart, outer ones first
};

struct AxisLimits {
    int width = 0;      // px for the widest row
    double scale = 1.0; // text scale; widens the column cap
};

class CpuAxis {
public:
    struct Column {
        int x = 0, width = 0, row = 0;
        std::optional<std::uint32_t> group; // the closed group that this column stands for
    };
    struct Extent { // part of a group in one row, right exclusive, frame included
        int row = 0, left = 0, right = 0;
    };

    CpuAxis() = default;
    CpuAxis(const AxisShape& shape, AxisLimits limits);

    [[nodiscard]] int rows() const { return m_rows; }
    [[nodiscard]] int columnWidth() const { return m_columnWidth; }
    [[nodiscard]] bool dense() const { return m_dense; }    // tighter gaps, no room for text in a column
    [[nodiscard]] int padding() const { return m_padding; } // between a frame and what it holds
    [[nodiscard]] const std::vector<CpuId>& order() const { return m_order; }
    [[nodiscard]] const Column* column(CpuId cpu) const; // nullptr = not on this axis
    [[nodiscard]] bool closed(std::uint32_t group) const { return m_closed[group]; }
    // Inside another group that is closed: not to be drawn.
    [[nodiscard]] bool hidden(std::uint32_t group) const { return m_hidden[group]; }
    // One per row; empty for hidden groups.
    [[nodiscard]] const std::vector<Extent>& extents(std::uint32_t group) const { return m_extents[group]; }
    [[nodiscard]] int right(int row) const { return m_right[static_cast<std::size_t>(row)]; } // end of the row
    // The CPU whose column, or half of the gap beside it, holds x; of a closed group its first CPU.
    [[nodiscard]] std::optional<CpuId> cpuAt(int row, int x) const;

    static constexpr int kMaxRows = 4;
    static constexpr int kWanted = 5, kLeast = 3; // px per CPU
    static constexpr int kLabel = 18;             // from here a column is dense no more
    static constexpr int kCap = 140;
    static constexpr int kClosedCpus = 3; // width of a closed group in CPUs

private:
    struct Slot;
    struct Gaps;
    struct Plan;
    [[nodiscard]] static std::vector<Slot> slotsOf(const AxisShape& shape, const std::vector<bool>& closed);
    [[nodiscard]] static Plan planRows(const AxisShape& shape, const std::vector<Slot>& slots, int rows, AxisLimits limits);
    [[nodiscard]] static Plan bestPlan(const AxisShape& shape, const std::vector<Slot>& slots, AxisLimits limits);
    void place(const AxisShape& shape, const std::vector<Slot>& slots, const Plan& plan);
    void frame(const AxisShape& shape, const std::vector<Slot>& slots, const Plan& plan);

    int m_rows = 0, m_columnWidth = 0, m_padding = 0;
    bool m_dense = false;
    std::vector<CpuId> m_order;
    std::vector<std::optional<Column>> m_columns; // by CpuId
    std::vector<bool> m_closed, m_hidden;         // by group
    std::vector<std::vector<Extent>> m_extents;   // by group
    std::vector<int> m_right;                     // by row
};

} // namespace rqscope
