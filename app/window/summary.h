// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of the run up to its cursor, as text for the terminal.
#pragma once

#include "trace/history.h"

#include <string>

namespace rqscope {

[[nodiscard]] std::string summaryOf(const History& history);

} // namespace rqscope
