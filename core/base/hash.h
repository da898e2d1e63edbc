// SPDX-License-Identifier: GPL-3.0-or-later
// 64-bit hash over integers in field order (state_hash, seeds). Two rounds of a multiply-xorshift mixer per word; the
// constants are those of SplitMix64 (Steele, Lea, Flood 2014). Equal input gives equal output on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace rqscope {

[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

class Hasher {
public:
    constexpr void add(std::uint64_t word) {
        m_state = mix64(m_state + 0x9e3779b97f4a7c15ULL + word) ^ (m_state << 1);
    }
    constexpr void add(std::string_view text) {
        add(text.size());
        for (const char c : text) add(static_cast<unsigned char>(c));
    }
    [[nodiscard]] constexpr std::uint64_t value() const { return mix64(m_state); }

private:
    std::uint64_t m_state = 0x243f6a8885a308d3ULL;
};

} // namespace rqscope
