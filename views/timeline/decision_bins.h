// SPDX-License-Identifier: GPL-3.0-or-later
// Thins the row of decision diamonds to one per 8 px, with the number it stands for.
#pragma once

#include "timeline/lane_model.h"
#include "timeline/time_scale.h"

#include <cstdint>
#include <vector>

namespace rqscope {

inline constexpr double kDiamondPitch = 8; // logical pixels

struct DecisionMark {
    double x = 0;
    std::uint32_t first = 0; // index into LaneModel::decisions()
    std::uint32_t count = 1;
};
// Marks with x in [left, left + width). Bins are anchored to the time axis, so that panning does not reshuffle them.
[[nodiscard]] std::vector<DecisionMark> binDecisions(const std::vector<Hop>& decisions, const TimeScale& scale,
                                                     double width);

} // namespace rqscope
