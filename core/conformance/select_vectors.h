// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a file of worked CPU-selection decisions (select.md 9) against core/select: chosen CPU and order of idle tests of each
// case, chosen CPUs of each fork storm. Cases of eras that are not built are reported as not run.
#pragma once

#include "base/result.h"
#include "conformance/conformance.h"

#include <string_view>

namespace rqscope {

// `json`: text of the file. Problems: no JSON, or a case that lacks a field.
[[nodiscard]] Result<ConformanceReport> run_select_vectors(std::string_view json);

} // namespace rqscope
