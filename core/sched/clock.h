// SPDX-License-Identifier: GPL-3.0-or-later
// Queue clocks (kernel: update_rq_clock, update_rq_clock_task; pelt.h of 6.1). clock follows SchedState::now; clock_task
// leaves interrupt time out, so that a task is not charged for ticks (engine.md 1.4); the clock of load tracking 6.1 passes
// more slowly while a CPU of less than full capacity is busy (load.md 1.3).
#pragma once

#include "sched/sched_state.h"

namespace rqscope {

inline void update_rq_clock(SchedState& s, CpuId cpu) {
    auto& rq = s.rqs[cpu.index()];
    const RqClock before = rq.clock_task;
    rq.clock = s.now;
    rq.clock_task = (s.now < rq.irq_end ? rq.irq_begin : s.now - (rq.irq_end - rq.irq_begin)) - rq.irq_time;
    const std::uint64_t capacity = s.capacity[cpu.index()];
    if (capacity == kCapacityScale || rq.curr == kIdleTask) [[likely]]
        return;
    const std::uint64_t passed = rq.clock_task - before;
    rq.pelt_lag += passed - (passed * capacity >> 10);
}

// rq_clock_pelt()
[[nodiscard]] inline RqClock rq_clock_pelt(const Rq& rq) { return rq.clock_task - rq.pelt_lag - rq.lost_idle_time; }

// update_idle_rq_clock_pelt(): the CPU runs out of work. Its load clock catches up, unless the CPU was so busy that a full
// one would not have been idle either.
inline void update_idle_rq_clock_pelt(SchedState& s, CpuId cpu) {
    constexpr std::uint32_t kAlwaysBusy = ((kLoadAvgMax - 1024) << 10) - kLoadAvgMax; // least util_sum of such a CPU
    auto& rq = s.rqs[cpu.index()];
    if (rq.pelt_lag == 0) return;
    if (s.cfs_avg[cpu.index()].util_sum >= kAlwaysBusy) rq.lost_idle_time += rq.pelt_lag;
    rq.pelt_lag = 0;
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
