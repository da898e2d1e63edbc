// SPDX-License-Identifier: GPL-3.0-or-later
// One recorded placement of a booted kernel and the state of every CPU at that moment: the lines of a *.jsonl recording
// (decisions-format.md). What a recording does not hold (load, sync flag, hints, budgets) is not here either.
#pragma once

#include "base/cpu_mask.h"
#include "base/ids.h"
#include "base/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rqscope {

enum class DecisionKind : std::uint8_t { Fork, Wake };

struct Decision {
    std::uint64_t line = 0; // of the file, from 1
    DecisionKind kind{};
    std::int64_t t_us = 0;             // since the first event of the trace
    std::uint32_t pid = 0;             // the task placed
    std::string comm;                  // its name
    CpuId waker_cpu;                   // runs the selection
    std::uint32_t waker_pid = 0;       // 0 = an interrupt on an idle CPU
    CpuId prev;                        // last CPU of the task; a fork's is the parent's
    CpuId chosen;                      // what the kernel took
    std::vector<std::uint32_t> nr;     // by CpuId: runnable tasks with the running one and wake-ups under way
    std::vector<std::int64_t> idle_us; // by CpuId: age of the idle state, -1 = not idle
    CpuMask idle;                      // CPUs with an age

    // False: idle since before the trace began, older than every age that is known (a step of 1 us is rounding).
    [[nodiscard]] bool age_known(CpuId cpu) const { return idle_us[cpu.index()] + 1 < t_us; }
};

// Whether the first line of `text` looks like a record.
[[nodiscard]] bool is_decision_text(std::string_view text);

// Calls `visit` for each record in file order. `cpus`: CPUs of the machine; both lists of a record must reach to the last.
// Problems ("line 12.nr[3]") are those of the first bad line, which ends the reading; a text without a record is one too.
[[nodiscard]] Problems for_each_decision(std::string_view text, const CpuMask& cpus,
                                         const std::function<void(const Decision&)>& visit);

} // namespace rqscope
