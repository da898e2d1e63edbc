// SPDX-License-Identifier: GPL-3.0-or-later
// Growing the lane arrays, and the majority vote that names the task of a dense stretch without visiting every run: a task
// with more than half of the weight survives any order of pairwise cancelling, so votes of a few runs can be merged.
#include "timeline/lane_data.h"

#include <algorithm>

namespace rqscope {

void RunLane::Vote::add(std::uint32_t other, Ns weight) {
    if (other == task) {
        lead += weight;
    } else if (lead >= weight) {
        lead -= weight;
    } else {
        task = other;
        lead = weight - lead;
    }
}

void RunLane::start(Ns begin, TaskId task) {
    if (open()) finish(begin);
    if (!m_end.empty()) begin = std::max(begin, m_end.back());
    m_start.push_back({begin, m_total});
    m_end.push_back(kOpenEnd);
    m_task.push_back(task.value);
}

void RunLane::finish(Ns end) {
    if (!open()) return;
    const auto begin = m_start.back().begin;
    m_end.back() = std::max(end, begin);
    m_total += m_end.back() - begin;
    if ((size() - 1) % kVoteRuns == 0) m_votes.emplace_back();
    m_votes.back().add(m_task.back(), m_end.back() - begin);
}

Ns RunLane::clipped(std::size_t i, Ns from, Ns to) const {
    return std::max<Ns>(0, std::min(m_end[i], to) - std::max(m_start[i].begin, from));
}

RunLane::Vote RunLane::vote(std::size_t first, std::size_t last, Ns from, Ns to) const {
    Vote sum;
    for (auto i = first; i < last;) {
        // Whole blocks only strictly inside: the first and last run may stick out of the range.
        if (i % kVoteRuns == 0 && i > first && i + kVoteRuns < last) {
            const auto& block = m_votes[i / kVoteRuns];
            sum.add(block.task, block.lead);
            i += kVoteRuns;
        } else {
            const auto inside = i > first && i + 1 < last;
            sum.add(m_task[i], inside ? m_end[i] - m_start[i].begin : clipped(i, from, to));
            ++i;
        }
    }
    return sum;
}

TaskId RunLane::dominant(Ns from, Ns to, int percent, std::size_t hint) const {
    const auto first = endingAfter(from, hint);
    const auto last = beginningAfter(to - 1, first);
    if (first >= last) return kIdleTask;
    const auto busy = busyBefore(to, endingAfter(to, last - 1)) - busyBefore(from, first);
    const auto needed = (busy * percent + 99) / 100;
    const auto winner = vote(first, last, from, to);
    // Cancelling takes two of a kind at a time, so the winner holds at most (busy + lead) / 2.
    if (busy == 0 || busy + winner.lead < 2 * needed) return kIdleTask;
    Ns held = winner.lead >= needed ? needed : 0;
    for (auto i = first; i < last && held < needed; ++i)
        if (m_task[i] == winner.task) held += clipped(i, from, to);
    return held >= needed ? TaskId{winner.task} : kIdleTask;
}

void QueueLane::set(Ns t, const Step& step) {
    const auto depth = static_cast<Ns>(step.depth);
    if (m_time.empty() || m_time.back() < t) {
        if (m_steps.empty() ? step == Step{} : step == m_steps.back()) return;
        m_sums.push_back({waitBefore(t, m_time.size()), depth});
        m_time.push_back(t);
        m_steps.push_back(step);
        return;
    }
    m_steps.back() = step;
    m_sums.back().depth = depth;
    // A wake-up and the switch that follows at once leave nothing to show.
    const auto n = m_steps.size();
    if (n > 1 ? m_steps[n - 2] == step : step == Step{}) {
        m_time.pop_back();
        m_sums.pop_back();
        m_steps.pop_back();
    }
}

void PhaseLane::set(Ns t, TaskPhase phase, CpuId cpu) {
    const auto where = static_cast<std::uint32_t>(phase) << 30 | cpu.value;
    if (!m_time.empty() && m_time.back() >= t) {
        m_where.back() = where;
        return;
    }
    if (!m_where.empty() && m_where.back() == where) return;
    m_ranBefore.push_back(ranBefore(t, m_time.size()));
    m_time.push_back(t);
    m_where.push_back(where);
}

} // namespace rqscope
