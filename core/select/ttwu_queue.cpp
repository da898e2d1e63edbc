// SPDX-License-Identifier: GPL-3.0-or-later
// Who enqueues a wakee: the waker, or the chosen CPU when the message reaches it (kernel: ttwu_queue, ttwu_queue_cond, v4.8 and
// v6.1). Source: select.md 5, TTWU_QUEUE.
#include "select/selection.h"

namespace rqscope {

bool ttwu_queue_cond(const SchedState& s, CpuId waker_cpu, CpuId target) {
    if (!s.features.has(Feature::TTWU_QUEUE)) return false;
    if (!s.domains->share_cache(waker_cpu, target)) return true;
    return modern(s) && target != waker_cpu && s.nr_running[target.index()] == 0;
}

} // namespace rqscope
