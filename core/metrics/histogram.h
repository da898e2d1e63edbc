// SPDX-License-Identifier: GPL-3.0-or-later
// Log-linear histogram of durations: exact below 256 ns, then 128 bins per power of two, so a bin is at most 0.8 % wide.
// Percentiles are nearest-rank. Constant memory whatever the run's length.
#pragma once

#include "metrics/decimal.h"

#include <cstdint>
#include <vector>

namespace rqscope {

class Histogram {
public:
    void add(std::uint64_t ns);
    [[nodiscard]] std::uint64_t count() const { return m_count; }
    [[nodiscard]] std::uint64_t max() const { return m_max; }
    [[nodiscard]] Decimal mean() const { return ratio(m_sum, m_count); }
    // The value at rank ceil(percent * count / 100), as the middle of its bin and never above max(); 0 when empty.
    [[nodiscard]] std::uint64_t percentile(std::uint32_t percent) const;

private:
    std::vector<std::uint64_t> m_bins; // grows to the highest bin used
    std::uint64_t m_count = 0;
    std::uint64_t m_sum = 0;
    std::uint64_t m_max = 0;
};

} // namespace rqscope
