// SPDX-License-Identifier: GPL-3.0-or-later
// How many decisions fell into each stretch of the run so far, in cells whose width doubles as the run grows: a picture of
// the whole run costs the number of cells, however many rows there are. Rows are taken once, in order.
#pragma once

#include "sim/log_row.h"

#include <cstdint>
#include <vector>

namespace rqscope {

class Activity {
public:
    static constexpr std::size_t kCells = 1U << 14; // enough for sixteen in each stroke of a wide screen

    void clear();
    void add(const LogRow& row);
    [[nodiscard]] std::uint32_t rows() const { return m_rows; } // taken so far
    // Decisions in each of `bins` equal parts of [0, end); a cell counts where it begins.
    [[nodiscard]] std::vector<int> binned(SimTime end, std::size_t bins) const;

private:
    void widen(); // doubles the cells' width

    std::vector<std::uint32_t> m_cells = std::vector<std::uint32_t>(kCells);
    unsigned m_shift = 10; // log2 of a cell's width in ns
    std::uint32_t m_rows = 0;
};

} // namespace rqscope
