// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a History towards a time in slices, telling a waiting human how far it is: after two seconds, on stderr, and only
// when that is a terminal.
#pragma once

#include "trace/history.h"

#include <functional>
#include <optional>
#include <string>

namespace rqscope {

// Called between engine steps when every one is to be looked at; returns what is wrong.
using StepCheck = std::function<std::optional<std::string>(const History&)>;

// All events up to and including `until` have happened, or the run has ended. With `check` every single step is followed by
// a call; the first complaint stops the run and is returned.
std::optional<std::string> advanceTo(History& history, SimTime until, const StepCheck& check = {});

// advanceTo() the end of the run.
std::optional<std::string> advanceToEnd(History& history, const StepCheck& check = {});

} // namespace rqscope
