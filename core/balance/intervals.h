// SPDX-License-Identifier: GPL-3.0-or-later
// How long a level waits between two passes, and what a pass is held to cost (kernel: get_sd_balance_interval, all
// generations). Source: topology.md 2.1, 2.5. Difference: a cost is a formula, as a pass takes no simulated time.
#pragma once

#include "sched/sched_state.h"

#include <algorithm>
#include <cstdint>

namespace rqscope {

// ns; feeds max_newidle_lb_cost only.
[[nodiscard]] inline std::uint64_t model_cost(const SchedDomain& sd, std::uint32_t moved) {
    return 300 + 60 * std::uint64_t{sd.weight} + 1500 * std::uint64_t{moved};
}

class Intervals {
public:
    // `busy_early`: ticks by which a busy CPU balances earlier, so that levels do not fall due together (1 since 5.10).
    Intervals(const SchedState& s, Jiffies busy_early)
        : m_s(s), m_busy_early(busy_early), m_max(std::max<Jiffies>(Jiffies{s.hz} * s.online.count() / 10, 1)) {}

    // get_sd_balance_interval(), ticks.
    [[nodiscard]] Jiffies of(const SchedDomain& sd, bool busy) const {
        const auto ms = m_s.domain_rt[sd.id.index()].balance_interval * (busy ? sd.busy_factor : 1);
        const auto ticks = (ms * m_s.hz + 999) / 1000;
        return std::clamp<Jiffies>(busy ? ticks - std::min(ticks, m_busy_early) : ticks, 1, m_max);
    }
    // Tick from which the level is due.
    [[nodiscard]] Jiffies due(const SchedDomain& sd, bool busy) const {
        return m_s.domain_rt[sd.id.index()].last_balance + of(sd, busy);
    }

private:
    const SchedState& m_s;
    Jiffies m_busy_early;
    Jiffies m_max; // max_load_balance_interval
};

} // namespace rqscope
