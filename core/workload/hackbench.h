// SPDX-License-Identifier: GPL-3.0-or-later
// hackbench (rt-tests 0.84) and `perf bench sched messaging` as a workload: groups of senders and receivers that talk over
// pipes or unix sockets, released by one byte. Source: workloads.md 1.
#pragma once

#include "base/result.h"
#include "workload/workload.h"

#include <string_view>

namespace rqscope {

// `text` is the command line behind "hackbench:", options of either program or the old form
// "[-pipe] GROUPS [process|thread] [LOOPS]", then perhaps "cpus=LIST". Problems name the option.
[[nodiscard]] Workload hackbench(std::string_view name, std::string_view text, const WorkloadContext& context, Problems& problems);

} // namespace rqscope
