// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts a line of slots into rows at allowed places so that the longest row is as short as possible. Nothing here knows what
// a slot is.
#pragma once

#include <cstddef>
#include <vector>

namespace rqscope {

// First slot of each row, at most `rows` of them, fewer when there are not enough places to cut. `cuts[i]` = a row may begin
// at slot i. Of equal solutions the one with the later cuts, so that the last row is not the long one.
[[nodiscard]] std::vector<std::size_t> cutRows(const std::vector<int>& units, const std::vector<bool>& cuts, int rows);

} // namespace rqscope
