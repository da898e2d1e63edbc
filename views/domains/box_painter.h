// SPDX-License-Identifier: GPL-3.0-or-later
// The still layer of the machine panel: frames with their titles, brackets, the empty cells and the gutter. It is painted
// into a pixmap and reused until size, theme, shape or marks change.
#pragma once

#include "domains/machine_scene.h"

class QPainter;

namespace rqscope {

void paintBoxes(QPainter& painter, const Theme& theme, const MachineScene& scene);

} // namespace rqscope
