// SPDX-License-Identifier: GPL-3.0-or-later
// What landed where since the user's last input: one entry per fork or wake-up, by CPU. This row makes a fork storm
// readable. Follows the cursor forward row by row; going back restarts from a kept copy, so that a long run costs one chunk
// of rows.
#pragma once

#include "base/ids.h"
#include "trace/event_log.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace rqscope {

class LandedModel {
public:
    static constexpr std::size_t kKept = 32;           // most recent tasks kept per CPU; all are counted
    static constexpr std::uint32_t kCopyEvery = 65536; // rows

    struct Cpu {
        std::uint32_t forks = 0, wakeups = 0;
        std::deque<TaskId> tasks; // oldest first, at most kKept
        [[nodiscard]] std::uint32_t total() const { return forks + wakeups; }
    };

    // Another run or branch.
    void reset();
    // State after the first `rows` rows of the log.
    void moveTo(const EventLog& log, std::uint32_t rows);

    [[nodiscard]] const Cpu& cpu(CpuId cpu) const; // nothing landed for a CPU never seen
    [[nodiscard]] std::uint32_t rows() const { return m_now.rows; }
    // Any wake-up since the last input: the word below is then not `forks`.
    [[nodiscard]] bool hasWakeups() const { return m_now.wakeups > 0; }
    [[nodiscard]] bool empty() const { return m_now.forks == 0 && m_now.wakeups == 0; }

private:
    struct State {
        std::uint32_t rows = 0;
        std::uint32_t forks = 0, wakeups = 0;
        std::vector<Cpu> cpus; // by CpuId, grows as needed
        void take(const LogRow& row);
    };
    State m_now;
    std::vector<State> m_copies; // ascending rows
};

} // namespace rqscope
