// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a machine tree from the CPU sets that hardware reports object by object (dumps, sysfs, hwloc). The kernel keeps such
// sets side by side; our file format wants them nested, so sets that cross are dropped with a note.
#pragma once

#include "topology/machine.h"

#include <string>
#include <vector>

namespace rqscope {

// `objects` without children, in any order, duplicates allowed; each set is cut to `cpus`. Wider sets enclose narrower ones;
// of equal sets the type with the higher rank (TreeType order) is outside. CPUs in no core get a core of their own.
[[nodiscard]] TreeNode tree_from_sets(std::vector<TreeNode> objects, const CpuMask& cpus, std::vector<std::string>& notes);

} // namespace rqscope
