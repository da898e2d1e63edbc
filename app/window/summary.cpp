// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/summary.h"

#include "metrics/run_metrics.h"
#include "sim/sim_state.h"

namespace rqscope {

std::string summaryOf(const History& history) {
    const auto start = History::create(history.scenario());
    if (!start) return {};
    RunMetrics metrics(start->snapshot());
    history.log().for_each(0, history.cursor(), [&metrics](const LogRow& row) { metrics.row(row); });
    const auto& state = history.state();
    return summary_text(metrics.summary(history.scenario(), state.sched, run_end(state, history.time())));
}

} // namespace rqscope
