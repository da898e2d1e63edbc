// SPDX-License-Identifier: GPL-3.0-or-later
// Marks over the machine: the decision on show, the selection and the keyboard focus. Marks are shapes, never letters, and
// magenta never stands as a plain bar: disc with tick = chosen, ring with slash = compared and not chosen, diamond = where
// the decision is made.
#pragma once

#include "domains/machine_scene.h"

class QPainter;

namespace rqscope {

void paintMarks(QPainter& painter, const Theme& theme, const MachineScene& scene);
void paintSelection(QPainter& painter, const Theme& theme, const MachineScene& scene);
// Ring round what the arrow keys move: a CPU, or the node when one is given.
void paintFocusRing(QPainter& painter, const Theme& theme, const MachineScene& scene, CpuId cpu,
                    std::optional<std::uint32_t> node);

} // namespace rqscope
