// SPDX-License-Identifier: GPL-3.0-or-later
// What changes with every step in the tree: what each CPU runs, the columns of closed groups, fill levels and the figures at
// the right of the titles.
#pragma once

#include "domains/machine_scene.h"

class QPainter;

namespace rqscope {

void paintCells(QPainter& painter, const Theme& theme, const MachineScene& scene);
void paintTitleFigures(QPainter& painter, const Theme& theme, const MachineScene& scene);

// Text size of titles.
[[nodiscard]] TextRole titleRole(const MachineScene& scene);
// "12/16" of a closed group fits into its column; else it stands in the title.
[[nodiscard]] bool countInColumn(const Theme& theme, const MachineScene& scene, const MachineScene::Frame& frame);
// What the lamp of has_idle_cores takes at the right end of a title; 0 where there is no lamp.
[[nodiscard]] int lampRoom(const Theme& theme, const MachineScene& scene, const MachineScene::Frame& frame);
// Side of the mark in the corner of a cell or title.
[[nodiscard]] int markSize(const Theme& theme, const MachineScene& scene);

} // namespace rqscope
