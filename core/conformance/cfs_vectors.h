// SPDX-License-Identifier: GPL-3.0-or-later
// Golden vectors of the fair class, recorded from the kernel's own functions (runqueue.md 10): operations on a few CPUs
// and the whole queue state after each. Vectors of kernels whose run queue is not simulated are reported as not run.
#pragma once

#include "base/result.h"
#include "conformance/conformance.h"

#include <string_view>

namespace rqscope {

// `json_text` = a file with "format" and "vectors". Problems when it is not such a file; a vector that cannot be played
// (unknown operation, missing number) is a failed case.
[[nodiscard]] Result<ConformanceReport> run_cfs_vectors(std::string_view json_text);

} // namespace rqscope
