// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold between any two events, whatever was scheduled: every runnable task on exactly one queue, sums and counts
// that match, a sorted tree, an intact task list, plausible averages. No kernel counterpart; tests call it after every
// event, a run at keyframes.
#pragma once

#include "sched/sched_state.h"

#include <optional>
#include <string>

namespace rqscope {

// The first rule that is broken, in words ("cpu 3: nr_running is 2, the queue holds 1"), or nothing. O(CPUs + tasks).
[[nodiscard]] std::optional<std::string> check_sched_invariants(const SchedState& s);

} // namespace rqscope
