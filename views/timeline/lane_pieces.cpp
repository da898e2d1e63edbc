// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/lane_pieces.h"

#include <algorithm>

namespace rqscope {

namespace {

// Which task colours the block that a column falls into. Blocks are anchored to the time axis, not to the picture's edge, so
// that colours do not swim while the view pans.
class BlockColours {
public:
    BlockColours(const RunLane& lane, Ns known, const TimeScale& scale, int block)
        : m_lane(lane), m_known(known), m_scale(scale), m_block(std::max(1, block)) {
        const auto edge = static_cast<std::int64_t>(std::floor(scale.begin / scale.nsPerPx));
        m_phase = static_cast<int>(((edge % m_block) + m_block) % m_block);
    }
    TaskId at(int x, std::size_t hint) {
        const auto number = (x + m_phase) / m_block;
        if (number != m_number) {
            m_number = number;
            const auto from = m_scale.time(number * m_block - m_phase);
            const auto to = std::min(m_known, m_scale.time((number + 1) * m_block - m_phase));
            // The hint is the run at this column; the block may begin some runs earlier.
            auto low = hint;
            for (std::size_t step = 1; low > 0 && m_lane.end(low - 1) > from; step *= 2) low -= std::min(low, step);
            m_task = to > from ? m_lane.dominant(from, to, kColourShare, low) : kIdleTask;
        }
        return m_task;
    }

private:
    const RunLane& m_lane;
    Ns m_known;
    const TimeScale& m_scale;
    int m_block;
    int m_phase = 0;
    int m_number = -1;
    TaskId m_task{0};
};

} // namespace

RunRange runsInView(const RunLane& lane, Ns known, const TimeScale& scale, int width) {
    const auto from = scale.time(0);
    const auto to = std::min(known, scale.time(width));
    const auto first = lane.endingAfter(from);
    return {first, std::max(first, lane.beginningAfter(to - 1, first))};
}

void cutPieces(const RunLane& lane, Ns known, const TimeScale& scale, int width, int block, std::vector<Piece>& out) {
    out.clear();
    BlockColours colours(lane, known, scale, block);
    const auto endOfView = std::min(known, scale.time(width));
    auto i = lane.endingAfter(scale.time(0));
    for (int next = 0; i < lane.size() && lane.begin(i) < endOfView;) {
        const auto xBegin = scale.x(lane.begin(i));
        const auto xEnd = scale.x(std::min(lane.end(i), known));
        const auto a = std::max(next, static_cast<int>(std::max(xBegin, 0.0)));
        const auto b = static_cast<int>(std::clamp(xEnd, 0.0, static_cast<double>(width)));
        const auto index = static_cast<std::uint32_t>(i);
        if (xEnd - xBegin >= 1 && b > a) {
            out.push_back({a, b, index, index + 1, 1.0F, false, lane.task(i)});
            next = b;
            ++i;
            continue;
        }
        if (a >= width) break;
        const auto from = std::min(known, scale.time(a));
        const auto to = std::min(known, std::max(from + 1, scale.time(a + 1)));
        const auto after = lane.endingAfter(to, i);
        const auto start = i > 0 && lane.end(i - 1) > from ? i - 1 : i; // the tail of a bar reaches into this pixel
        const auto busy = lane.busyBefore(to, after) - lane.busyBefore(from, start);
        const auto last = after < lane.size() && lane.begin(after) < to ? after + 1 : after;
        if (busy > 0)
            out.push_back({a, a + 1, index, static_cast<std::uint32_t>(std::max(last, i + 1)),
                           static_cast<float>(std::min(1.0, static_cast<double>(busy) / std::max(1.0, scale.nsPerPx))), true,
                           colours.at(a, i)});
        next = a + 1;
        i = after;
    }
}

void addBusyShares(const RunLane& lane, Ns known, const TimeScale& scale, std::vector<float>& busy) {
    auto t = std::min(known, scale.time(0));
    auto at = lane.endingAfter(t);
    auto before = lane.busyBefore(t, at);
    for (std::size_t x = 0; x < busy.size() && t < known; ++x) {
        t = std::min(known, scale.time(static_cast<double>(x + 1)));
        at = lane.endingAfter(t, at);
        const auto upTo = lane.busyBefore(t, at);
        busy[x] += static_cast<float>(static_cast<double>(upTo - before) / std::max(1.0, scale.nsPerPx));
        before = upTo;
    }
}

void addMeanDepths(const QueueLane& lane, Ns known, const TimeScale& scale, std::vector<float>& depth) {
    auto t = std::min(known, scale.time(0));
    auto at = lane.stepsUntil(t);
    auto before = lane.waitBefore(t, at);
    for (std::size_t x = 0; x < depth.size() && t < known; ++x) {
        t = std::min(known, scale.time(static_cast<double>(x + 1)));
        at = lane.stepsUntil(t, at);
        const auto upTo = lane.waitBefore(t, at);
        depth[x] += static_cast<float>(static_cast<double>(upTo - before) / std::max(1.0, scale.nsPerPx));
        before = upTo;
    }
}

} // namespace rqscope
