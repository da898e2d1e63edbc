// SPDX-License-Identifier: GPL-3.0-or-later
// Tries every possible longest row in growing order, filling rows greedily: machines have at most a few hundred places to
// cut, and four rows.
#include "plot/row_cut.h"

#include <algorithm>
#include <numeric>

namespace rqscope {

namespace {

struct Block {
    std::size_t first = 0;
    int units = 0;
};

std::vector<std::size_t> fill(const std::vector<Block>& blocks, int limit) {
    std::vector<std::size_t> starts;
    auto length = 0;
    for (const auto& block : blocks) {
        if (starts.empty() || length + block.units > limit) {
            starts.push_back(block.first);
            length = 0;
        }
        length += block.units;
    }
    return starts;
}

} // namespace

std::vector<std::size_t> cutRows(const std::vector<int>& units, const std::vector<bool>& cuts, int rows) {
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (i == 0 || cuts[i]) blocks.push_back({i, 0});
        blocks.back().units += units[i];
    }
    const auto total = std::accumulate(units.begin(), units.end(), 0);
    auto limit = 0;
    for (const auto& block : blocks) limit = std::max(limit, block.units);
    limit = std::max(limit, (total + rows - 1) / rows);
    while (limit < total && fill(blocks, limit).size() > static_cast<std::size_t>(rows)) ++limit;
    return fill(blocks, limit);
}

} // namespace rqscope
