// SPDX-License-Identifier: GPL-3.0-or-later
// Golden sequences of load tracking, recorded from the kernel's update functions (load.md 6): entity and queue, 4.7 and
// 6.1, one row of state per update.
#pragma once

#include "base/result.h"
#include "conformance/conformance.h"

#include <string_view>

namespace rqscope {

// `json_text` = a file with "sequences". Problems when it is not such a file; a sequence that cannot be played is a
// failed case, one of an unknown model is not run.
[[nodiscard]] Result<ConformanceReport> run_pelt_vectors(std::string_view json_text);

} // namespace rqscope
