// SPDX-License-Identifier: GPL-3.0-or-later
// Price of one idle() test. The kernel only measures elapsed time, so this is a model: the walking CPU itself is free, others
// cost by the nearest level that holds both. Source: costs.md 0, engine.md 3.5.
#include "select/select.h"

namespace rqscope {

std::uint32_t check_cost(const SchedState& s, CpuId walker, CpuId looked_at) {
    if (walker == looked_at) return 0;
    const auto& d = *s.domains;
    const auto a = walker.index(), b = looked_at.index();
    const auto& t = s.tunables;
    if (d.core_of[a] == d.core_of[b]) return static_cast<std::uint32_t>(t.scan_smt_ns);
    if (d.cluster_of[a] == d.cluster_of[b]) return static_cast<std::uint32_t>(t.scan_cluster_ns);
    return static_cast<std::uint32_t>(d.sd_llc_id[a] == d.sd_llc_id[b] ? t.scan_llc_ns : t.scan_far_ns);
}

} // namespace rqscope
