// SPDX-License-Identifier: GPL-3.0-or-later
// Own integer generator (SplitMix64 sequence). There is no global one: each task and purpose owns a generator seeded by
// hash(seed, task ordinal, purpose), so a toggle never shifts somebody else's numbers (engine.md 5).
#pragma once

#include "base/hash.h"
#include "base/units.h"

#include <cstdint>

namespace rqscope {

class Rng {
public:
    constexpr Rng() = default;
    constexpr Rng(std::uint64_t seed, std::uint64_t ordinal, std::uint64_t purpose) {
        Hasher h;
        h.add(seed);
        h.add(ordinal);
        h.add(purpose);
        m_state = h.value();
    }

    constexpr std::uint64_t next() {
        m_state += 0x9e3779b97f4a7c15ULL;
        return mix64(m_state);
    }

    // Uniform over 0..bound inclusive; multiply-shift, so the bias is below 2^-32 for bounds below 2^32.
    constexpr std::uint64_t uniform(std::uint64_t bound) {
        const auto wide = static_cast<Wide>(next()) * (static_cast<Wide>(bound) + 1);
        return static_cast<std::uint64_t>(wide >> 64);
    }

    [[nodiscard]] constexpr std::uint64_t state() const { return m_state; }

private:
    std::uint64_t m_state = 0;
};

} // namespace rqscope
