// SPDX-License-Identifier: GPL-3.0-or-later
// Level of detail: cuts what is in view of one lane into bars (a run of at least a pixel) and pixel columns (shorter runs
// merged, height = busy share). Cost follows the pixels, not the runs. Pixels are device pixels from the left edge.
#pragma once

#include "timeline/lane_data.h"
#include "timeline/time_scale.h"

#include <cstdint>
#include <vector>

namespace rqscope {

inline constexpr int kColourShare = 60; // percent of the busy time in a block that lets a task colour the column
inline constexpr int kColourBlock = 8;  // logical pixels of such a block

struct Piece {
    int x0 = 0, x1 = 0;      // pixels [x0, x1)
    std::uint32_t first = 0; // runs [first, last) of the lane
    std::uint32_t last = 0;
    float share = 1;     // busy part of the pixel; 1 for bars
    bool column = false; // merged pixel; else one run
    TaskId task{0};      // idle = no task holds kColourShare of the block around
};

// Runs in view of [0, width).
struct RunRange {
    std::size_t first = 0, last = 0;
    [[nodiscard]] std::size_t count() const { return last - first; }
};
[[nodiscard]] RunRange runsInView(const RunLane& lane, Ns known, const TimeScale& scale, int width);

// `block` = kColourBlock in device pixels.
void cutPieces(const RunLane& lane, Ns known, const TimeScale& scale, int width, int block, std::vector<Piece>& out);

// Adds each pixel's busy share to `busy` (size = width).
void addBusyShares(const RunLane& lane, Ns known, const TimeScale& scale, std::vector<float>& busy);
// Adds each pixel's mean number of waiting tasks to `depth`.
void addMeanDepths(const QueueLane& lane, Ns known, const TimeScale& scale, std::vector<float>& depth);

} // namespace rqscope
