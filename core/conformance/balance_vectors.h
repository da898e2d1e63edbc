// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a file of load-balancing decisions recorded from kernels' own functions against core/balance: tasks moved, lists,
// intervals, failures, costs and flags afterwards. Cases of unknown eras are reported as not run.
#pragma once

#include "base/result.h"
#include "conformance/conformance.h"

#include <string_view>

namespace rqscope {

// `json`: text of the file. Problems: no JSON, or a case that lacks a field.
[[nodiscard]] Result<ConformanceReport> run_balance_vectors(std::string_view json);

} // namespace rqscope
