// SPDX-License-Identifier: GPL-3.0-or-later
// Every CPU that the rules of 6.1 and 6.12 allow for a recorded fork, over all loads, utilisations and idle ages that the
// record does not tell (decisions-format.md, "Agreement"; kernel: the slow path of select_task_rq_fair, find_idlest_group,
// find_idlest_cpu of 5.18 and later). Written apart from core/select, so that each checks the other. Source: select.md 1.0,
// 1.4, 1.5.
#pragma once

#include "conformance/decision_record.h"
#include "topology/sched_domain.h"

namespace rqscope {

// Never empty. `domains`: of profile 5.19 or 6.12, with all CPUs of the record.
[[nodiscard]] CpuMask fork_set(const SchedDomains& domains, const Decision& d);

// The CPUs of `among` on which the newest idle stamp may stand: those of the least known age, else all that are idle since
// before the trace. Empty = no CPU of it is idle.
[[nodiscard]] CpuMask newest_idle(const Decision& d, const CpuMask& among);

// The span of the levels that a fork by `parent` may cross, its own CPU at least.
[[nodiscard]] CpuMask fork_reach(const SchedDomains& domains, CpuId parent);

} // namespace rqscope
