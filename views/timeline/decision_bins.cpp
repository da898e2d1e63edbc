// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/decision_bins.h"

#include <algorithm>
#include <cmath>

namespace rqscope {

std::vector<DecisionMark> binDecisions(const std::vector<Hop>& decisions, const TimeScale& scale, double width) {
    std::vector<DecisionMark> marks;
    const auto binNs = kDiamondPitch * scale.nsPerPx;
    auto bin = std::floor(scale.begin / binNs);
    const auto end = scale.begin + width * scale.nsPerPx;
    auto i = LaneModel::firstHop(decisions, static_cast<Ns>(std::ceil(bin * binNs)));
    while (i < decisions.size() && static_cast<double>(decisions[i].time) < end) {
        bin = std::floor(static_cast<double>(decisions[i].time) / binNs);
        const auto next = std::max(i + 1, LaneModel::firstHop(decisions, static_cast<Ns>(std::ceil((bin + 1) * binNs))));
        const auto count = static_cast<std::uint32_t>(next - i);
        const auto at = count > 1 ? (bin + 0.5) * binNs : static_cast<double>(decisions[i].time);
        const auto x = scale.left + (at - scale.begin) / scale.nsPerPx;
        if (!marks.empty() && x - marks.back().x < kDiamondPitch - 0.01) marks.back().count += count;
        else marks.push_back({x, static_cast<std::uint32_t>(i), count});
        i = next;
    }
    std::erase_if(marks, [&](const DecisionMark& m) { return m.x < scale.left || m.x >= scale.left + width; });
    return marks;
}

} // namespace rqscope
