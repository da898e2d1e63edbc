// SPDX-License-Identifier: GPL-3.0-or-later
// Copies out of a SimState what views show.
#pragma once

#include "sim/sim_state.h"
#include "sim/snapshot.h"

namespace rqscope {

// `shown` is the time of the cursor, at or after the state's last step.
[[nodiscard]] Snapshot take_snapshot(const SimState& s, SimTime shown);

} // namespace rqscope
