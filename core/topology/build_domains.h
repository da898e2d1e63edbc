// SPDX-License-Identifier: GPL-3.0-or-later
// Derives the scheduling domains of a machine (kernel/sched/topology.c: build_sched_domains and what it calls, as of 4.12,
// 6.1 and 6.12). We differ in that all CPUs' chains are values in one table instead of linked objects, that equal group
// rings are kept once, and that levels which vanish are remembered with the reason.
#pragma once

#include "base/result.h"
#include "topology/domain_profile.h"
#include "topology/machine.h"
#include "topology/sched_domain.h"

namespace rqscope {

// What lies between the three profiles (topology.md, "Supported eras").
struct DomainOptions {
    bool sd_busy = true;     // profile 4.7: false for 4.9 and later, which dropped the shortcut
    bool node_level = false; // profile 4.7: true for 4.14 and later (era 4.19); the other profiles always have it
    bool cluster = false;    // profile 5.19: SD_CLUSTER and sd_share_id, as posted with the cluster scan; 6.12 always has them
};

// Domains of the CPUs in `online` (normally machine.online; smaller or larger after hotplug, inside `possible`). Problems:
// no CPU left for any domain, CPUs that are not possible, a level whose CPU sets overlap partly.
[[nodiscard]] Result<SchedDomains> build_domains(const Machine& machine, DomainProfile profile, const CpuMask& online,
                                                 const DomainOptions& options = {});

// The stated value, else the architecture's; AMD Zen has 30 before 5.4 (profile 4.7) whatever is stated.
[[nodiscard]] std::uint32_t effective_reclaim_distance(const Machine& machine, DomainProfile profile);

} // namespace rqscope
