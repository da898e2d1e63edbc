// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cpu_mask.h"

#include <algorithm>
#include <charconv>

namespace rqscope {

CpuMask CpuMask::single(CpuId cpu) {
    CpuMask m;
    m.set(cpu);
    return m;
}

CpuMask CpuMask::first_n(std::uint32_t n) {
    CpuMask m;
    for (std::uint32_t i = 0; i < n; ++i) m.set(CpuId{i});
    return m;
}

void CpuMask::set(CpuId cpu) {
    const auto w = cpu.value / 64;
    if (w >= m_words.size()) m_words.resize(w + 1);
    m_words[w] |= 1ULL << (cpu.value % 64);
}

bool CpuMask::empty() const {
    return std::all_of(m_words.begin(), m_words.end(), [](auto w) { return w == 0; });
}

std::uint32_t CpuMask::count() const {
    std::uint32_t n = 0;
    for (const auto w : m_words) n += static_cast<std::uint32_t>(std::popcount(w));
    return n;
}

std::optional<CpuId> CpuMask::next(std::uint32_t from) const {
    for (std::size_t w = from / 64; w < m_words.size(); ++w) {
        auto bits = m_words[w];
        if (w == from / 64) bits &= ~0ULL << (from % 64);
        if (bits) return CpuId{static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)))};
    }
    return std::nullopt;
}

std::optional<CpuId> CpuMask::last() const {
    for (std::size_t w = m_words.size(); w-- > 0;)
        if (m_words[w]) return CpuId{static_cast<std::uint32_t>(w * 64 + 63 - static_cast<std::size_t>(std::countl_zero(m_words[w])))};
    return std::nullopt;
}

bool CpuMask::subset_of(const CpuMask& other) const {
    for (std::size_t w = 0; w < m_words.size(); ++w)
        if (m_words[w] & ~(w < other.m_words.size() ? other.m_words[w] : 0)) return false;
    return true;
}

bool CpuMask::intersects(const CpuMask& other) const {
    for (std::size_t w = 0; w < std::min(m_words.size(), other.m_words.size()); ++w)
        if (m_words[w] & other.m_words[w]) return true;
    return false;
}

CpuMask& CpuMask::operator&=(const CpuMask& other) {
    for (std::size_t w = 0; w < m_words.size(); ++w) m_words[w] &= w < other.m_words.size() ? other.m_words[w] : 0;
    return *this;
}

CpuMask& CpuMask::operator|=(const CpuMask& other) {
    if (m_words.size() < other.m_words.size()) m_words.resize(other.m_words.size());
    for (std::size_t w = 0; w < other.m_words.size(); ++w) m_words[w] |= other.m_words[w];
    return *this;
}

CpuMask& CpuMask::operator-=(const CpuMask& other) {
    for (std::size_t w = 0; w < std::min(m_words.size(), other.m_words.size()); ++w) m_words[w] &= ~other.m_words[w];
    return *this;
}

bool CpuMask::operator==(const CpuMask& other) const {
    const auto n = std::max(m_words.size(), other.m_words.size());
    for (std::size_t w = 0; w < n; ++w)
        if ((w < m_words.size() ? m_words[w] : 0) != (w < other.m_words.size() ? other.m_words[w] : 0)) return false;
    return true;
}

std::string CpuMask::to_list() const {
    std::string out;
    for (auto cpu = first(); cpu;) {
        auto end = *cpu;
        while (test(CpuId{end.value + 1})) end = CpuId{end.value + 1};
        if (!out.empty()) out += ',';
        out += std::to_string(cpu->value);
        if (end != *cpu) out += '-' + std::to_string(end.value);
        cpu = next(end.value + 1);
    }
    return out;
}

std::string CpuMask::to_hex(std::uint32_t nr_cpus) const {
    std::string out;
    for (std::uint32_t w = (std::max(nr_cpus, 1U) + 31) / 32; w-- > 0;) {
        const auto word64 = w / 2 < m_words.size() ? m_words[w / 2] : 0;
        const auto word = static_cast<std::uint32_t>(w % 2 ? word64 >> 32 : word64);
        static constexpr char kDigits[] = "0123456789abcdef";
        if (!out.empty()) out += ',';
        for (int shift = 28; shift >= 0; shift -= 4) out += kDigits[word >> shift & 15];
    }
    return out;
}

namespace {

std::optional<std::uint32_t> parse_number(std::string_view& rest) {
    std::uint32_t value = 0;
    const auto [end, ec] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (ec != std::errc{}) return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    return value;
}

} // namespace

Result<CpuMask> CpuMask::parse_list(std::string_view text) {
    std::string compact;
    bool gap = false; // a blank may stand beside a comma or dash, not inside a number
    bool split_number = false;
    for (const char c : text) {
        const bool digit = c >= '0' && c <= '9';
        if (c == ' ' || c == '\t' || c == '\n') {
            gap = true;
            continue;
        }
        split_number |= gap && digit && !compact.empty() && compact.back() >= '0' && compact.back() <= '9';
        gap = false;
        compact += c;
    }
    CpuMask mask;
    std::string_view rest = compact;
    const auto bad = [&] { return Problem{"", "\"" + std::string(text.substr(0, 80)) + "\" is not a CPU list. Write 0-3,8."}; };
    if (split_number) return bad();
    while (!rest.empty()) {
        const auto lo = parse_number(rest);
        if (!lo) return bad();
        auto hi = lo;
        if (rest.starts_with('-')) {
            rest.remove_prefix(1);
            hi = parse_number(rest);
        }
        if (!hi || *hi < *lo) return bad();
        if (*hi >= kMaxCpus) return Problem{"", "CPU " + std::to_string(*hi) + " is beyond the limit of " + std::to_string(kMaxCpus) + " CPUs."};
        for (auto c = *lo; c <= *hi; ++c) mask.set(CpuId{c});
        if (rest.starts_with(',')) {
            rest.remove_prefix(1);
            if (rest.empty()) return bad();
        } else if (!rest.empty()) {
            return bad();
        }
    }
    return mask;
}

} // namespace rqscope
