// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/hit_test.h"

#include "timeline/decision_bins.h"
#include "timeline/frame_painter.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace rqscope {

namespace {

constexpr std::size_t kArrivals = 512;
constexpr double kReach = 2; // pixels beside a narrow bar that still mean it

TimelineHit hitAboveLanes(const TimelineScene& s, QPointF at, TimelineHit hit) {
    if (at.y() < s.flagStrip()) {
        for (const auto& mark : flagMarks(s)) {
            if (!mark.box.adjusted(-4, 0, 4, 4).contains(at)) continue;
            hit.kind = TimelineHit::Kind::Flag;
            hit.index = mark.flag;
            return hit;
        }
    }
    if (s.diamondRect().adjusted(-6, 0, 6, 0).contains(at.toPoint())) {
        const auto marks = binDecisions(s.model.decisions(), s.scale, s.lanes.width());
        const DecisionMark* nearest = nullptr;
        for (const auto& mark : marks)
            if (std::abs(mark.x - at.x()) <= 6 &&
                (nearest == nullptr || std::abs(mark.x - at.x()) < std::abs(nearest->x - at.x())))
                nearest = &mark;
        if (nearest != nullptr) {
            hit.kind = TimelineHit::Kind::Diamond;
            hit.index = nearest->first;
            hit.count = nearest->count;
            return hit;
        }
    }
    if (at.x() >= s.lanes.left() - 8) hit.kind = TimelineHit::Kind::Axis;
    return hit;
}

TimelineHit hitGutter(const TimelineScene& s, QPointF at, const LaneRow& row, TimelineHit hit) {
    hit.kind = TimelineHit::Kind::Label;
    if (row.kind == LaneRow::Kind::Task) hit.task = TaskId{row.id};
    if (row.kind == LaneRow::Kind::Cpu) hit.cpu = CpuId{row.id};
    const auto onName = at.x() < s.theme.px(18) || at.x() >= s.theme.px(28);
    if (row.kind == LaneRow::Kind::Group ||
        (row.first && row.kind == LaneRow::Kind::Cpu && s.layout.groups().size() > 1 && onName))
        hit.kind = TimelineHit::Kind::Title;
    return hit;
}

TimelineHit hitMerged(const TimelineScene& s, QPointF at, const RunLane& lane, TimelineHit hit) {
    const auto from = s.scale.time(std::floor(at.x())), to = s.scale.time(std::floor(at.x()) + 1);
    const auto first = lane.endingAfter(from);
    const auto last = std::max(first, lane.beginningAfter(to - 1, first));
    if (first == last) return hit;
    std::unordered_set<std::uint32_t> tasks;
    for (auto i = first; i < last; ++i) tasks.insert(lane.task(i).value);
    hit.kind = TimelineHit::Kind::Merged;
    hit.index = first;
    hit.count = static_cast<std::uint32_t>(last - first);
    hit.tasks = static_cast<std::uint32_t>(tasks.size());
    hit.begin = lane.begin(first);
    hit.end = s.model.runEnd(hit.cpu, last - 1);
    if (tasks.size() == 1) hit.task = lane.task(first);
    if (hit.count == 1) hit.kind = TimelineHit::Kind::Run;
    return hit;
}

TimelineHit hitRun(const TimelineScene& s, QPointF at, TimelineHit hit) {
    const auto& lane = s.model.runs(hit.cpu);
    auto i = lane.endingAfter(hit.time);
    const auto reach = static_cast<Ns>(kReach * s.scale.nsPerPx);
    const auto within = [&](std::size_t index, Ns slack) {
        return index < lane.size() && lane.begin(index) <= hit.time + slack &&
               s.model.runEnd(hit.cpu, index) + slack > hit.time;
    };
    if (!within(i, 0)) {
        if (i > 0 && within(i - 1, reach)) --i;
        else if (!within(i, reach)) return hit;
    }
    if (static_cast<double>(s.model.runEnd(hit.cpu, i) - lane.begin(i)) < s.scale.nsPerPx)
        return hitMerged(s, at, lane, hit);
    hit.kind = TimelineHit::Kind::Run;
    hit.task = lane.task(i);
    hit.begin = lane.begin(i);
    hit.end = s.model.runEnd(hit.cpu, i);
    hit.index = i;
    return hit;
}

TimelineHit hitQueue(const TimelineScene& s, QPointF at, const QRect& stripe, TimelineHit hit) {
    const auto& queue = s.model.queue(hit.cpu);
    const auto until = queue.stepsUntil(hit.time);
    if (until == 0 || queue.step(until - 1).depth == 0) return hit;
    const auto& step = queue.step(until - 1);
    hit.kind = TimelineHit::Kind::Waiting;
    hit.count = step.depth;
    hit.begin = queue.time(until - 1);
    hit.end = until < queue.size() ? queue.time(until) : s.model.knownTime();
    if (step.depth > QueueLane::kNamed) return hit;
    const auto layer = static_cast<int>((at.y() - stripe.top()) * 3 / std::max(1, stripe.height()));
    const auto index = static_cast<std::size_t>(std::clamp(layer, 0, static_cast<int>(step.depth) - 1));
    hit.task = TaskId{step.tasks[index]};
    // The step ends when anybody comes or goes; the task's own wait is what the reader means.
    const auto& phases = s.model.phases(hit.task);
    if (const auto at2 = phases.stepsUntil(hit.time); at2 > 0 && phases.phase(at2 - 1) == TaskPhase::Waiting) {
        hit.begin = phases.time(at2 - 1);
        hit.end = std::min(phases.end(at2 - 1), s.model.knownTime());
    }
    return hit;
}

TimelineHit hitPending(const TimelineScene& s, TimelineHit hit) {
    const auto* hop = pendingAt(s, hit.cpu, hit.time);
    if (hop == nullptr || static_cast<double>(hop->pending) < s.scale.nsPerPx) return hit;
    hit.kind = TimelineHit::Kind::Pending;
    hit.task = hop->task;
    hit.begin = hop->sent();
    hit.end = hop->time;
    return hit;
}

TimelineHit hitTask(const TimelineScene& s, const LaneRow& row, TimelineHit hit) {
    const auto& phases = s.model.phases(TaskId{row.id});
    const auto until = phases.stepsUntil(hit.time);
    if (until == 0 || hit.time >= s.model.knownTime()) return hit;
    hit.cpu = phases.cpu(until - 1);
    hit.begin = phases.time(until - 1);
    hit.end = std::min(phases.end(until - 1), s.model.knownTime());
    switch (phases.phase(until - 1)) {
    case TaskPhase::Running: hit.kind = TimelineHit::Kind::Run; break;
    case TaskPhase::Waiting: hit.kind = TimelineHit::Kind::Waiting; break;
    case TaskPhase::Blocked: hit.kind = TimelineHit::Kind::Blocked; break;
    case TaskPhase::Absent: return hit;
    }
    hit.task = TaskId{row.id};
    return hit;
}

} // namespace

TimelineHit hitTest(const TimelineScene& s, QPointF at) {
    TimelineHit hit;
    if (!s.facts.hasRun) return hit;
    hit.time = std::max<Ns>(0, s.scale.time(at.x()));
    if (at.y() < s.lanes.top()) return hitAboveLanes(s, at, hit);
    if (at.y() > s.lanes.bottom() || at.x() > s.lanes.right()) return hit;
    const auto found = s.layout.rowAt(static_cast<int>(std::floor(at.y())) - s.lanes.top() + s.scroll);
    if (!found) return hit;
    const auto& row = s.layout.rows()[*found];
    hit.row = *found;
    if (at.x() < s.lanes.left()) return hitGutter(s, at, row, hit);
    hit.kind = row.kind == LaneRow::Kind::Group ? TimelineHit::Kind::Group : TimelineHit::Kind::Lane;
    if (row.kind == LaneRow::Kind::Task) return hitTask(s, row, hit);
    if (row.kind == LaneRow::Kind::Group) return hit;
    hit.cpu = CpuId{row.id};
    const auto stripe = s.queueRect(row);
    hit = at.y() >= stripe.top() ? hitQueue(s, at, stripe, hit) : hitRun(s, at, hit);
    return hit.kind == TimelineHit::Kind::Lane ? hitPending(s, hit) : hit;
}

const Hop* pendingAt(const TimelineScene& s, CpuId cpu, Ns t) {
    const auto& decisions = s.model.decisions();
    auto i = LaneModel::firstHop(decisions, t + 1);
    // Messages take little time: whatever is under way at t is among the next arrivals.
    for (std::size_t looked = 0; i < decisions.size() && looked < kArrivals; ++i, ++looked)
        if (decisions[i].to == cpu && decisions[i].pending > 0 && decisions[i].sent() <= t) return &decisions[i];
    return nullptr;
}

const Hop* hopBefore(const TimelineScene& s, TaskId task, Ns begin) {
    const auto& decisions = s.model.decisions();
    for (auto i = LaneModel::firstHop(decisions, begin + 1); i > 0; --i)
        if (decisions[i - 1].task == task) return &decisions[i - 1];
    return nullptr;
}

} // namespace rqscope
