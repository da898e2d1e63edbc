// SPDX-License-Identifier: GPL-3.0-or-later
// What lies under a point of the timeline, found by binary search, and what a tool tip says about it.
#pragma once

#include "timeline/timeline_scene.h"

#include <QPointF>
#include <QString>

namespace rqscope {

struct TimelineHit {
    enum class Kind : std::uint8_t {
        None,
        Axis,    // time
        Flag,    // index
        Diamond, // index of the first decision, count
        Label,   // gutter of a lane
        Title,   // what opens or closes a group
        Run,     // task, cpu, begin, end, index of the run
        Merged,  // several runs in one pixel: cpu, index, count, tasks
        Waiting, // task (idle = more than the named ones), cpu, begin, end, count = queue length
        Pending, // wake-up on its way by message: task, cpu, begin, end
        Blocked, // task lane: task, begin, end
        Group,   // area of a closed group
        Lane,    // empty place in a lane
    };
    Kind kind = Kind::None;
    Ns time = 0;
    std::size_t row = 0; // of the layout, from Label on
    CpuId cpu{0};
    TaskId task{0};
    Ns begin = 0, end = 0;
    std::size_t index = 0;
    std::uint32_t count = 0, tasks = 0;

    [[nodiscard]] bool hasTask() const { return task != kIdleTask; }
    // The same thing on screen, so that a tool tip need not move.
    [[nodiscard]] bool sameAs(const TimelineHit& o) const {
        return kind == o.kind && row == o.row && cpu == o.cpu && task == o.task && begin == o.begin && index == o.index &&
               count == o.count;
    }
};

[[nodiscard]] TimelineHit hitTest(const TimelineScene& scene, QPointF at);

// Rich text; "" where there is nothing to say.
[[nodiscard]] QString tooltipText(const TimelineScene& scene, const TimelineHit& hit);

// The wake-up whose message is on its way to the CPU at t, if any.
[[nodiscard]] const Hop* pendingAt(const TimelineScene& scene, CpuId cpu, Ns t);
// The decision that put the task on the queue before the run that begins at `begin`.
[[nodiscard]] const Hop* hopBefore(const TimelineScene& scene, TaskId task, Ns begin);

} // namespace rqscope
