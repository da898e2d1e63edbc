// SPDX-License-Identifier: GPL-3.0-or-later
// What the machine shows of one placement decision: the CPU chosen, where the parent or waker runs, and for forks the rival
// with the figures of the comparison that decided last. All of it is in the log row; nothing is replayed for it.
#pragma once

#include "domains/domain_model.h"
#include "sim/log_row.h"
#include "trace/event_log.h"

#include <cstdint>
#include <optional>

namespace rqscope {

struct DecisionMarks {
    struct Side { // one of the two groups compared
        CpuId cpu;
        std::optional<std::uint32_t> node;    // its box; none = the group is this CPU alone (or its core)
        std::uint32_t runnable = 0, load = 0; // first and second of row.placement.figures
    };
    LogRow row;
    CpuId chosen;
    std::optional<CpuId> origin;        // where parent or waker runs; none = a timer woke it
    std::optional<Side> winner, rival;  // forks that compared groups
    std::optional<std::uint32_t> arena; // box inside which the two were compared
    std::vector<std::uint32_t> nodes;   // boxes that take part; they open when they are closed

    [[nodiscard]] bool fork() const { return row.kind == RowKind::Fork; }
    [[nodiscard]] bool involves(std::uint32_t node) const;

    [[nodiscard]] static DecisionMarks of(const LogRow& row, const DomainModel& domains);
};

// A decision is on show while it is the last thing that happened (only rows of its own engine step follow it) or the cursor
// stands at its time.
[[nodiscard]] bool isCurrent(const LogRow& decision, const EventLog& log, std::uint32_t cursor, SimTime now);

} // namespace rqscope
