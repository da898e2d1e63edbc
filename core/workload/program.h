// SPDX-License-Identifier: GPL-3.0-or-later
// Building blocks of task programs that generators share: single ops and closed loops.
#pragma once

#include "workload/workload.h"

#include <cstdint>
#include <vector>

namespace rqscope {

[[nodiscard]] inline Op run(std::int64_t ns) { return {OpKind::Run, 0, ns, 0}; }
[[nodiscard]] inline Op op(OpKind kind, std::int64_t amount = 0, std::uint32_t target = 0) { return {kind, target, amount, 0}; }

// Appends count rounds (-1 = for ever) of `body`, which may hold whole loops itself.
inline void loop(std::vector<Op>& program, std::int64_t count, const std::vector<Op>& body) {
    const auto begin = static_cast<std::uint32_t>(program.size());
    program.push_back(op(OpKind::LoopBegin, count));
    for (auto step : body) {
        if (step.kind == OpKind::LoopBegin || step.kind == OpKind::LoopEnd) step.jump += begin + 1;
        program.push_back(step);
    }
    program.push_back(op(OpKind::LoopEnd));
    program.back().jump = begin + 1;
    program[begin].jump = static_cast<std::uint32_t>(program.size());
}

} // namespace rqscope
