// SPDX-License-Identifier: GPL-3.0-or-later
// Asks core/select for its own choice in a recorded state. What a recording does not hold gets fixed values: every runnable
// task weighs 1024, a CPU with one is half used, the idle-core hint says what is true, a scan may look at the whole LLC.
#pragma once

#include "conformance/decision_record.h"
#include "sched/sched_state.h"

#include <memory>

namespace rqscope {

class DecisionSelect {
public:
    DecisionSelect(std::shared_ptr<const SchedDomains> domains, Era era);

    [[nodiscard]] CpuId fork(const Decision& d);
    // `recent`: recent_used_cpu of the task before the call.
    [[nodiscard]] CpuId wake(const Decision& d, CpuId recent, bool sync);

private:
    void load(const Decision& d);

    SchedState m_state;
};

} // namespace rqscope
