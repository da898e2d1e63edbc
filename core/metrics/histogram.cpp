// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/histogram.h"

#include <algorithm>
#include <bit>

namespace rqscope {

namespace {

constexpr unsigned kBits = 7; // bins per power of two, as a power of two
constexpr std::uint64_t kExact = 1ULL << kBits;

std::size_t bin_of(std::uint64_t v) {
    if (v < kExact) return v;
    const auto shift = static_cast<unsigned>(std::bit_width(v)) - kBits - 1;
    return (std::size_t{shift} << kBits) + (v >> shift);
}

std::uint64_t middle_of(std::size_t bin) {
    if (bin < 2 * kExact) return bin;
    const auto shift = (bin >> kBits) - 1;
    const auto lowest = (bin - (shift << kBits)) << shift;
    return lowest + (1ULL << shift) / 2;
}

} // namespace

void Histogram::add(std::uint64_t ns) {
    const auto bin = bin_of(ns);
    if (bin >= m_bins.size()) m_bins.resize(bin + 1);
    ++m_bins[bin];
    ++m_count;
    m_sum += ns;
    m_max = std::max(m_max, ns);
}

std::uint64_t Histogram::percentile(std::uint32_t percent) const {
    const auto rank = std::max<std::uint64_t>(1, (m_count * percent + 99) / 100);
    std::uint64_t seen = 0;
    for (std::size_t bin = 0; bin < m_bins.size(); ++bin) {
        seen += m_bins[bin];
        if (seen >= rank) return std::min(middle_of(bin), m_max);
    }
    return 0;
}

} // namespace rqscope
