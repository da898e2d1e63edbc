// SPDX-License-Identifier: GPL-3.0-or-later
// Every CPU that the rules of 6.1 and 6.12 allow for a recorded wake-up, over what the record does not tell: sync or not,
// loads, idle-core hint, scan budget, recent_used_cpu (decisions-format.md, "Agreement"; kernel: wake_affine,
// select_idle_sibling). Written apart from core/select, so that each checks the other. Source:
// select.md 2.0, 2.1, 2.3, 3.e, 3.f.
#pragma once

#include "conformance/decision_record.h"
#include "topology/sched_domain.h"

namespace rqscope {

struct WakeSet {
    CpuMask cpus;   // allowed, prev always among them
    CpuMask recent; // what recent_used_cpu of the task may be afterwards, given what was chosen
};

// `recent`: what recent_used_cpu of the task may be before. With clusters in `domains` the merged scan of 6.12 is meant.
[[nodiscard]] WakeSet wake_set(const SchedDomains& domains, const Decision& d, const CpuMask& recent);

// CPUs of the last-level cache of `cpu`, itself at least.
[[nodiscard]] CpuMask llc_span(const SchedDomains& domains, CpuId cpu);

// The cluster of `cpu` as the merged scan knows it; empty = none.
[[nodiscard]] CpuMask cluster_span(const SchedDomains& domains, CpuId cpu);

} // namespace rqscope
