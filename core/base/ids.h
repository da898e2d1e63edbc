// SPDX-License-Identifier: GPL-3.0-or-later
// Strong ids. Each is a plain index, so the id of one kind cannot be passed for another.
// TaskId 0 is the idle task (pid 0, swapper); it stands for "no fair task" wherever a queue slot is empty.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace rqscope {

template <class Tag>
struct Id {
    std::uint32_t value = 0;

    constexpr Id() = default;
    constexpr explicit Id(std::uint32_t v) : value(v) {}
    [[nodiscard]] constexpr std::size_t index() const { return value; }
    constexpr auto operator<=>(const Id&) const = default;
};

using CpuId = Id<struct CpuTag>;       // Linux CPU number
using TaskId = Id<struct TaskTag>;     // index into the task table; 0 is idle
using NodeId = Id<struct NodeTag>;     // NUMA node number as the machine file gives it
using DomainId = Id<struct DomainTag>; // one sched_domain of one CPU
using LlcId = Id<struct LlcTag>;       // index of a last-level-cache record (sd_llc_shared)
using EventSeq = Id<struct SeqTag>;    // row number in the event log, from 0

inline constexpr TaskId kIdleTask{0};

} // namespace rqscope
