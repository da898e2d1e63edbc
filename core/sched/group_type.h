// SPDX-License-Identifier: GPL-3.0-or-later
// How busy a group of CPUs is, in the order in which placement and balancing prefer to give it work (kernel: enum group_type,
// group_is_overloaded, group_has_capacity, v5.5 and later). Source: select.md 1.5, topology.md 2.
#pragma once

#include "base/units.h"

#include <cstdint>
#include <string_view>

namespace rqscope {

// Ascending: the higher type is the busier group. 4.7 knows Other, Imbalanced and Overloaded, 5.19 all but Other and SmtBalance,
// 6.12 all but Other. Asymmetric packing does not exist here.
enum class GroupType : std::uint8_t { Other, HasSpare, FullyBusy, MisfitTask, SmtBalance, Imbalanced, Overloaded };

// The kernel's words without their group_: has_spare, fully_busy ...
[[nodiscard]] constexpr std::string_view name_of(GroupType t) {
    constexpr std::string_view kNames[] = {"other", "has_spare", "fully_busy", "misfit_task", "smt_balance", "imbalanced", "overloaded"};
    return kNames[static_cast<unsigned>(t)];
}

// Sums over the CPUs of a group; capacity and weight are those of the whole group.
struct GroupSums {
    std::uint64_t capacity = 0;
    std::uint32_t weight = 0;
    std::uint32_t nr_running = 0;
    std::uint64_t util = 0, runnable = 0;
};

// More tasks than CPUs, and they fill the group.
[[nodiscard]] constexpr bool group_is_overloaded(const GroupSums& g, std::uint32_t imbalance_pct) {
    if (g.nr_running <= g.weight) return false;
    return g.capacity * 100 < g.util * imbalance_pct || g.capacity * imbalance_pct < g.runnable * 100;
}

// A CPU without a task, or less used than the group can give.
[[nodiscard]] constexpr bool group_has_capacity(const GroupSums& g, std::uint32_t imbalance_pct) {
    if (g.nr_running < g.weight) return true;
    if (g.capacity * imbalance_pct < g.runnable * 100) return false;
    return g.capacity * 100 > g.util * imbalance_pct;
}

} // namespace rqscope
