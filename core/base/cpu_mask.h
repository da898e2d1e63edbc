// SPDX-License-Identifier: GPL-3.0-or-later
// A set of CPU numbers (kernel: struct cpumask). Grows as bits are set; sets of different length compare by content.
// Reads and writes the Linux list form "0-3,8" and the hex word form of /proc/schedstat.
#pragma once

#include "base/ids.h"
#include "base/result.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rqscope {

inline constexpr std::uint32_t kMaxCpus = 4096;

class CpuMask {
public:
    CpuMask() = default;
    static CpuMask single(CpuId cpu);
    static CpuMask first_n(std::uint32_t n); // CPUs 0 .. n-1
    // "0-3,8", spaces tolerated, "" = empty. Numbers above kMaxCpus-1, reversed ranges and stray characters are problems.
    static Result<CpuMask> parse_list(std::string_view text);

    void set(CpuId cpu);
    void clear(CpuId cpu) {
        if (const auto w = cpu.value / 64; w < m_words.size()) m_words[w] &= ~(1ULL << (cpu.value % 64));
    }
    [[nodiscard]] bool test(CpuId cpu) const {
        const auto w = cpu.value / 64;
        return w < m_words.size() && (m_words[w] >> (cpu.value % 64) & 1) != 0;
    }
    [[nodiscard]] bool empty() const;
    [[nodiscard]] std::uint32_t count() const;
    [[nodiscard]] std::optional<CpuId> first() const { return next(0); }
    // Lowest member >= from.
    [[nodiscard]] std::optional<CpuId> next(std::uint32_t from) const;
    [[nodiscard]] std::optional<CpuId> last() const;

    [[nodiscard]] bool subset_of(const CpuMask& other) const;
    [[nodiscard]] bool intersects(const CpuMask& other) const;
    CpuMask& operator&=(const CpuMask& other);
    CpuMask& operator|=(const CpuMask& other);
    CpuMask& operator-=(const CpuMask& other); // set difference
    friend CpuMask operator&(CpuMask a, const CpuMask& b) { return a &= b; }
    friend CpuMask operator|(CpuMask a, const CpuMask& b) { return a |= b; }
    friend CpuMask operator-(CpuMask a, const CpuMask& b) { return a -= b; }
    bool operator==(const CpuMask& other) const;

    [[nodiscard]] std::string to_list() const; // "0-3,8"
    [[nodiscard]] std::string to_hex(std::uint32_t nr_cpus) const; // comma separated 32-bit words, most significant first

    // 64-bit words, least significant first; words beyond the vector are 0.
    [[nodiscard]] const std::vector<std::uint64_t>& words() const { return m_words; }

    class Iterator {
    public:
        Iterator(const std::vector<std::uint64_t>& words, std::size_t word) : m_words(&words), m_word(word) {
            if (m_word < m_words->size()) m_bits = (*m_words)[m_word];
            settle();
        }
        CpuId operator*() const {
            return CpuId{static_cast<std::uint32_t>(m_word * 64 + static_cast<std::size_t>(std::countr_zero(m_bits)))};
        }
        Iterator& operator++() {
            m_bits &= m_bits - 1;
            settle();
            return *this;
        }
        bool operator!=(const Iterator& other) const { return m_word != other.m_word || m_bits != other.m_bits; }

    private:
        void settle() {
            while (m_bits == 0 && m_word < m_words->size()) {
                ++m_word;
                m_bits = m_word < m_words->size() ? (*m_words)[m_word] : 0;
            }
        }
        const std::vector<std::uint64_t>* m_words;
        std::size_t m_word;
        std::uint64_t m_bits = 0;
    };
    [[nodiscard]] Iterator begin() const { return {m_words, 0}; }
    [[nodiscard]] Iterator end() const { return {m_words, m_words.size()}; }

private:
    std::vector<std::uint64_t> m_words;
};

} // namespace rqscope
