// SPDX-License-Identifier: GPL-3.0-or-later
// pound_times and pound_clock_gettime: threads that ask for their process's CPU time again and again. Source: workloads.md 6;
// the cost of one call is load.md 4's model, whose numbers were fitted to these very programs' published tables.
#pragma once

#include "base/result.h"
#include "workload/workload.h"

#include <string_view>

namespace rqscope {

// `name` says which call, `text` is "N[,calls=CALLS][,cpus=LIST]": N threads share CALLS (5 million) calls. Problems name the key.
[[nodiscard]] Workload pound(std::string_view name, std::string_view text, const WorkloadContext& context, Problems& problems);

} // namespace rqscope
