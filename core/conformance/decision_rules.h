// SPDX-License-Identifier: GPL-3.0-or-later
// The hard rules of decisions-format.md: what placements of booted kernels do whatever was not recorded. Asked of the
// recorded choice, where the real rate is known, and of our own choice in the same state, which must keep all but F4.
#pragma once

#include "conformance/decision_record.h"
#include "topology/sched_domain.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace rqscope {

enum class HardRule : std::uint8_t {
    F1, // a fork stays inside the levels with BALANCE_FORK
    F2, // to an idle CPU while one is in reach
    F3, // to a wholly idle core while one is in reach
    F4, // into another LLC: on its most recently idled CPU
    W1, // a wake-up lands in the LLC of prev or of the waker
    W2, // prev idle in the waker's LLC, no cluster scan: prev
    W3, // cluster scan, prev idle in the waker's cluster: prev
    W4, // cluster scan, prev idle in another cluster, the waker's has an idle CPU: that cluster or prev
};
inline constexpr std::size_t kHardRules = 8;
[[nodiscard]] std::string_view name_of(HardRule rule);

struct RuleCount {
    std::uint64_t applies = 0;
    std::uint64_t kept = 0;
    void add(bool holds) {
        ++applies;
        kept += holds ? 1 : 0;
    }
    RuleCount& operator+=(const RuleCount& other) {
        applies += other.applies;
        kept += other.kept;
        return *this;
    }
};

struct RuleCounts {
    std::array<RuleCount, kHardRules> by_rule;
    RuleCount& operator[](HardRule rule) { return by_rule[static_cast<std::size_t>(rule)]; }
    const RuleCount& operator[](HardRule rule) const { return by_rule[static_cast<std::size_t>(rule)]; }
    RuleCounts& operator+=(const RuleCounts& other) {
        for (std::size_t i = 0; i < kHardRules; ++i) by_rule[i] += other.by_rule[i];
        return *this;
    }
};

// Counts the rules that apply to `d` with `chosen` in place of what was recorded.
void count_rules(const SchedDomains& domains, const Decision& d, CpuId chosen, RuleCounts& counts);

// Whether selection by the rules cannot keep a hard rule in this state, so that our choice is not blamed: no CPU of the
// allowed set does (a small NUMA imbalance is let be though the other node has an idle core), or, W4 on SMT, the search for
// an idle core goes on to the rest of the LLC before it takes a thread of the waker's cluster.
[[nodiscard]] bool out_of_reach(const SchedDomains& domains, const Decision& d, const CpuMask& set, HardRule rule);

} // namespace rqscope
