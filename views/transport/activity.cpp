// SPDX-License-Identifier: GPL-3.0-or-later
#include "transport/activity.h"

#include <algorithm>

namespace rqscope {

void Activity::clear() { *this = {}; }

void Activity::add(const LogRow& row) {
    ++m_rows;
    if (!row.is_decision()) return;
    const auto ns = static_cast<std::uint64_t>(to_ns(row.time));
    while (ns >> m_shift >= kCells) widen();
    ++m_cells[ns >> m_shift];
}

void Activity::widen() {
    for (std::size_t i = 0; i < kCells / 2; ++i) m_cells[i] = m_cells[2 * i] + m_cells[2 * i + 1];
    std::fill(m_cells.begin() + kCells / 2, m_cells.end(), 0U);
    ++m_shift;
}

std::vector<int> Activity::binned(SimTime end, std::size_t bins) const {
    std::vector<int> out(bins);
    const auto perNs = static_cast<double>(bins) / static_cast<double>(std::max<std::int64_t>(to_ns(end), 1));
    for (std::size_t i = 0; i < kCells; ++i) {
        if (m_cells[i] == 0) continue;
        const auto at = static_cast<double>(i << m_shift) * perNs;
        out[std::min(bins - 1, static_cast<std::size_t>(at))] += static_cast<int>(m_cells[i]);
    }
    return out;
}

} // namespace rqscope
