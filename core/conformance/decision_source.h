// SPDX-License-Identifier: GPL-3.0-or-later
// What the name of a recording says: <machine-run>.<workload>.jsonl.gz (decisions-format.md). The records themselves name
// neither the machine nor the kernel.
#pragma once

#include "base/result.h"
#include "sched/eras.h"

#include <string>
#include <string_view>

namespace rqscope {

struct DecisionSource {
    std::string run;      // "A-8-61", "dom-nps4-612"
    std::string workload; // "fs-fill.r1"
    std::string machine;  // stem of the machine's file, "2s4c-numa-61"
    Era era{};            // run ends in -61: 6.1, in -612: 6.12
};

// `name`: file name without folder. Problem (without `where`): it ends neither in -61 nor in -612 before its first dot.
[[nodiscard]] Result<DecisionSource> decision_source(std::string_view name);

} // namespace rqscope
