// SPDX-License-Identifier: GPL-3.0-or-later
// The state as /proc/schedstat shows it (kernel/sched/stats.c: show_schedstat), version 15, the one of all kernels from
// 4.7 to 6.6. Our state keeps the per-CPU counters; of the 36 numbers per domain those that the log of balance passes
// and wake-ups tells are filled in, the others are 0. Source: runqueue.md 6.
#pragma once

#include "sched/sched_state.h"
#include "sim/log_row.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace rqscope {

// Collects what the domain lines need while a run goes by, or afterwards from its log.
class DomainStats : public Observer {
public:
    explicit DomainStats(const SchedDomains& domains) : m_domains(&domains), m_counts(domains.domains.size()) {}
    void row(const LogRow& row) override;

private:
    friend std::string schedstat_text(const SchedState&, const DomainStats&, bool);
    static constexpr std::size_t kNumbers = 36;
    void balance(const BalanceVerdict& verdict);
    void wakeup(const LogRow& row);

    const SchedDomains* m_domains;                             // outlives this object
    std::vector<std::array<std::uint64_t, kNumbers>> m_counts; // by DomainId, in the file's order
};

// `with_preempt` appends check_preempt, need_preempt and low_gran_preempt to each CPU line (12 numbers instead of 9), as
// the patch of July 2023 did.
[[nodiscard]] std::string schedstat_text(const SchedState& state, const DomainStats& domains, bool with_preempt);

} // namespace rqscope
