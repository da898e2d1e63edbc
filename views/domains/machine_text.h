// SPDX-License-Identifier: GPL-3.0-or-later
// The words of the machine panel: titles that fit, figures of a decision, tool tips, what a screen reader says. Kernel words
// first, with units.
#pragma once

#include "domains/machine_scene.h"

#include <QString>
#include <QStringList>

namespace rqscope {

// The span of a box in four forms, the longest first; boxes side by side use the same form.
[[nodiscard]] QStringList titleSpellings(const MachineScene& scene, std::uint32_t node);
// What stands at the right of a title: figures during a decision, else the fill level or the domain's own numbers.
[[nodiscard]] QStringList titleFigures(const MachineScene& scene, const MachineScene::Frame& frame);

// Rich text.
[[nodiscard]] QString tooltip(const MachineScene& scene, const Snapshot& snapshot, const MachineHit& hit);
// "CPU 7, idle, load 200, chosen".
[[nodiscard]] QString spoken(const MachineScene& scene, CpuId cpu);
// "MC 4–7, 2 of 4 CPUs busy, closed".
[[nodiscard]] QString spokenNode(const MachineScene& scene, std::uint32_t node);

} // namespace rqscope
