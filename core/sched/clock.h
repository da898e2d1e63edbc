// SPDX-License-Identifier: GPL-3.0-or-later
// Queue clocks (kernel: update_rq_clock, update_rq_clock_task). clock follows SchedState::now; clock_task leaves interrupt
// time out, so that a task is not charged for ticks (engine.md 1.4).
#pragma once

#include "sched/sched_state.h"

namespace rqscope {

inline void update_rq_clock(SchedState& s, CpuId cpu) {
    auto& rq = s.rqs[cpu.index()];
    rq.clock = s.now;
    rq.clock_task = (s.now < rq.irq_end ? rq.irq_begin : s.now - (rq.irq_end - rq.irq_begin)) - rq.irq_time;
}

// An interrupt of `ns` begins now, or lengthens the one in progress.
inline void begin_irq(SchedState& s, CpuId cpu, std::uint64_t ns) {
    auto& rq = s.rqs[cpu.index()];
    if (s.now < rq.irq_end) {
        rq.irq_end += ns;
        return;
    }
    rq.irq_time += rq.irq_end - rq.irq_begin;
    rq.irq_begin = s.now;
    rq.irq_end = s.now + ns;
}

} // namespace rqscope
