// SPDX-License-Identifier: GPL-3.0-or-later
// The arrays behind the lanes: run intervals and queue depth of one CPU, phases of one task. Each only grows at its end and
// keeps running sums, so that a pixel column costs two look-ups however many intervals it holds. Times are ns since 0.
#pragma once

#include "base/ids.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace rqscope {

using Ns = std::int64_t;
inline constexpr Ns kOpenEnd = std::numeric_limits<Ns>::max();

// First i >= hint with a[i] > t. Callers walk from pixel to pixel, so the place is near: short ways are read straight
// through, which memory serves fastest, and long ways take doubling steps.
[[nodiscard]] inline std::size_t gallopAfter(const std::vector<Ns>& a, Ns t, std::size_t hint) {
    constexpr std::size_t kBlock = 8, kStraight = 12;
    const auto n = a.size();
    auto low = hint;
    for (std::size_t block = 0; block < kStraight; ++block, low += kBlock) {
        if (low + kBlock <= n && a[low + kBlock - 1] <= t) continue;
        while (low < n && a[low] <= t) ++low;
        return low;
    }
    for (auto step = kBlock; low < n && a[low] <= t; step *= 2) {
        const auto next = low + step;
        if (next < n && a[next] <= t) {
            low = next;
            continue;
        }
        const auto high = a.begin() + static_cast<std::ptrdiff_t>(next < n ? next : n);
        return static_cast<std::size_t>(std::upper_bound(a.begin() + static_cast<std::ptrdiff_t>(low), high, t) - a.begin());
    }
    return low;
}

// What ran on one CPU. Intervals are ordered and do not overlap; only the last may be unfinished (end = kOpenEnd).
class RunLane {
public:
    void start(Ns begin, TaskId task);
    void finish(Ns end);

    [[nodiscard]] std::size_t size() const { return m_end.size(); }
    [[nodiscard]] bool open() const { return !m_end.empty() && m_end.back() == kOpenEnd; }
    [[nodiscard]] Ns begin(std::size_t i) const { return m_start[i].begin; }
    [[nodiscard]] Ns end(std::size_t i) const { return m_end[i]; } // kOpenEnd while unfinished
    [[nodiscard]] TaskId task(std::size_t i) const { return TaskId{m_task[i]}; }

    // First run that ends after t; its begin may lie behind t.
    [[nodiscard]] std::size_t endingAfter(Ns t, std::size_t hint = 0) const { return gallopAfter(m_end, t, hint); }
    // First run that begins after t.
    [[nodiscard]] std::size_t beginningAfter(Ns t, std::size_t hint = 0) const {
        const auto at = endingAfter(t, hint);
        return at < size() && begin(at) <= t ? at + 1 : at;
    }
    // Busy time in [0, t); `at` = endingAfter(t).
    [[nodiscard]] Ns busyBefore(Ns t, std::size_t at) const {
        if (at == size()) return m_total;
        const auto& start = m_start[at];
        return start.busyBefore + (t > start.begin ? t - start.begin : 0);
    }

    // The task that holds at least `percent` (over 50) of the busy time in [from, to), else idle.
    [[nodiscard]] TaskId dominant(Ns from, Ns to, int percent, std::size_t hint = 0) const;

private:
    // Weighted majority vote; votes merge, so one per kVoteRuns runs is kept.
    struct Vote {
        std::uint32_t task = 0;
        Ns lead = 0;
        void add(std::uint32_t other, Ns weight);
    };
    static constexpr std::size_t kVoteRuns = 8;
    struct Start { // together, because every look-up needs both
        Ns begin, busyBefore;
    };
    [[nodiscard]] Ns clipped(std::size_t i, Ns from, Ns to) const;
    [[nodiscard]] Vote vote(std::size_t first, std::size_t last, Ns from, Ns to) const;

    std::vector<Ns> m_end;
    std::vector<Start> m_start;
    std::vector<std::uint32_t> m_task;
    std::vector<Vote> m_votes;
    Ns m_total = 0; // of the finished runs
};

// How many tasks wait on one CPU, and the first of them, as steps that hold until the next one.
class QueueLane {
public:
    static constexpr std::size_t kNamed = 3;
    struct Step {
        std::uint32_t depth = 0;
        std::array<std::uint32_t, kNamed> tasks{}; // longest waiting first
        bool operator==(const Step&) const = default;
    };
    // The queue is as `step` from t on; replaces an earlier step of the same instant.
    void set(Ns t, const Step& step);

    [[nodiscard]] std::size_t size() const { return m_time.size(); }
    [[nodiscard]] Ns time(std::size_t i) const { return m_time[i]; }
    [[nodiscard]] const Step& step(std::size_t i) const { return m_steps[i]; }
    // Number of steps at or before t; the last of them holds at t.
    [[nodiscard]] std::size_t stepsUntil(Ns t, std::size_t hint = 0) const { return gallopAfter(m_time, t, hint); }
    // Integral of the depth over [0, t), ns times tasks; `at` = stepsUntil(t).
    [[nodiscard]] Ns waitBefore(Ns t, std::size_t at) const {
        return at == 0 ? 0 : m_sums[at - 1].waitBefore + (t - m_time[at - 1]) * m_sums[at - 1].depth;
    }

private:
    struct Sum { // together, because every look-up needs both
        Ns waitBefore, depth;
    };
    std::vector<Ns> m_time;
    std::vector<Sum> m_sums;
    std::vector<Step> m_steps;
};

enum class TaskPhase : std::uint8_t { Absent, Waiting, Running, Blocked };

// One task's life as steps that hold until the next one.
class PhaseLane {
public:
    void set(Ns t, TaskPhase phase, CpuId cpu);

    [[nodiscard]] std::size_t size() const { return m_time.size(); }
    [[nodiscard]] Ns time(std::size_t i) const { return m_time[i]; }
    [[nodiscard]] Ns end(std::size_t i) const { return i + 1 < m_time.size() ? m_time[i + 1] : kOpenEnd; }
    [[nodiscard]] TaskPhase phase(std::size_t i) const { return static_cast<TaskPhase>(m_where[i] >> 30); }
    [[nodiscard]] CpuId cpu(std::size_t i) const { return CpuId{m_where[i] & ((1U << 30) - 1)}; }
    [[nodiscard]] std::size_t stepsUntil(Ns t, std::size_t hint = 0) const { return gallopAfter(m_time, t, hint); }
    // Running time in [0, t); `at` = stepsUntil(t).
    [[nodiscard]] Ns ranBefore(Ns t, std::size_t at) const {
        if (at == 0) return 0;
        return m_ranBefore[at - 1] + (phase(at - 1) == TaskPhase::Running ? t - m_time[at - 1] : 0);
    }

private:
    std::vector<Ns> m_time, m_ranBefore;
    std::vector<std::uint32_t> m_where; // phase in the upper two bits
};

} // namespace rqscope
