// SPDX-License-Identifier: GPL-3.0-or-later
// Machines and domain trees as text: the JSON of `rqsim domains` (its shape is a contract with other tools) and forms for
// people. Kernel counterparts: /sys/kernel/debug/sched/domains, lscpu and numactl -H.
#pragma once

#include "topology/machine.h"
#include "topology/sched_domain.h"

#include <string>
#include <string_view>

namespace rqscope {

// {"era", "cpus": N, "domains": {"0": [bottom up], ...}}; a CPU of `online` without domains has an empty list.
[[nodiscard]] std::string domains_json(const SchedDomains& domains, std::string_view era_key, const CpuMask& online);

// One paragraph per distinct (level, span), then the levels that are not there and why (topology.md 1.8).
[[nodiscard]] std::string domains_text(const SchedDomains& domains, std::string_view era_key);

// Counts, distances, capacities, what the file states and what it assumes, warnings.
[[nodiscard]] std::string topology_text(const Machine& machine);

} // namespace rqscope
