// SPDX-License-Identifier: GPL-3.0-or-later
// The rules a machine must keep, whatever it was read from (topology-schema.md 1 "Validation"): errors refuse it, warnings
// are listed, and two repairs are made (synthetic node, CPU in several nodes). The kernel does the same with firmware tables,
// less politely.
#pragma once

#include "base/result.h"
#include "topology/machine.h"

namespace rqscope {

// Brings a machine into canonical form: unions of inner tree objects, children by lowest CPU, one node when none is given.
void normalise(Machine& machine);

// All broken rules, `where` as a path inside a sched-topology/1 file; empty = usable. Appends to machine.warnings and
// repairs node membership. Expects a normalised machine.
[[nodiscard]] Problems check_machine(Machine& machine);

} // namespace rqscope
