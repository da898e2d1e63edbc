// SPDX-License-Identifier: GPL-3.0-or-later
// Time and load units. Simulated time is a chrono time point relative to 0 = start of the run; a queue clock is the
// kernel's u64 nanoseconds (10 s at time 0, engine.md 1); virtual time is a third clock that only CFS reads.
#pragma once

#include <chrono>
#include <cstdint>

namespace rqscope {

struct SimClock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<SimClock, duration>;
    static constexpr bool is_steady = true;
};

using Duration = SimClock::duration;
using SimTime = SimClock::time_point; // 0 = start of the run

using RqClock = std::uint64_t;  // ns, rq->clock or rq->clock_task
using VTime = std::uint64_t;    // ns of virtual time; compare through vtime_before()
using Jiffies = std::uint64_t;  // ticks since clock 0

// 128-bit intermediate of exact products.
__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

using Weight = std::uint64_t;   // load.weight: nice 0 = 1024 << 10 on 64-bit kernels
using Load = std::uint64_t;     // load_avg: nice 0 always running = 1024
using Util = std::uint64_t;     // util_avg: one CPU of full capacity = 1024
using Capacity = std::uint32_t; // 1..1024

[[nodiscard]] constexpr bool vtime_before(VTime a, VTime b) { return static_cast<std::int64_t>(a - b) < 0; }
[[nodiscard]] constexpr std::int64_t to_ns(SimTime t) { return t.time_since_epoch().count(); }
[[nodiscard]] constexpr SimTime from_ns(std::int64_t ns) { return SimTime{Duration{ns}}; }

} // namespace rqscope
