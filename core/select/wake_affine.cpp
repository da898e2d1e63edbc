// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a wakee is pulled to its waker's CPU (kernel: record_wakee, wake_wide, wake_affine, v4.8 without task groups).
// Source: select.md 2.2 and 2.3.
// Difference: decay counts nanoseconds of the queue clock where the kernel counts ticks.
#include "select/selection.h"

#include <algorithm>

namespace rqscope {

namespace {

template <class State>
auto& flips_of(State& s, TaskId waker, CpuId waker_cpu) {
    return waker == kIdleTask ? s.rqs[waker_cpu.index()].idle_flips : s.se[waker.index()].flips;
}

} // namespace

void record_wakee(SchedState& s, TaskId waker, TaskId p, RqClock now, CpuId waker_cpu) {
    constexpr RqClock kSecond = 1'000'000'000;
    auto& w = flips_of(s, waker, waker_cpu);
    if (now > w.wakee_flip_decay_ts + kSecond) {
        w.wakee_flips /= 2;
        w.wakee_flip_decay_ts = now;
    }
    if (w.last_wakee != p) {
        w.last_wakee = p;
        ++w.wakee_flips;
    }
}

bool wake_wide(PlacementSearch& sel, TaskId waker) {
    if (!sel.s.features.has(Feature::WAKE_WIDE)) return false;
    const auto [slave, master] = std::minmax(flips_of(sel.s, waker, sel.walker).wakee_flips, sel.s.se[sel.p.index()].flips.wakee_flips);
    const auto factor = sel.domains.sd_llc_size[sel.walker.index()];
    const bool wide = slave >= factor && master >= std::uint64_t{slave} * factor;
    sel.explain({.kind = SelectStep::Kind::WakeWide, .cpu = sel.walker, .idle = wide, .runnable = master, .load = slave});
    return wide;
}

namespace {

// The wakee's own load is not taken off its previous CPU, and a synchronous waker counts as gone: with nothing else on its
// CPU the left product stays at 100 * capacity and always loses, so the wakee is pulled.
bool wake_affine_v4_8(PlacementSearch& sel, const SchedDomain& sd, TaskId waker, CpuId prev, bool sync) {
    const auto& s = sel.s;
    const auto signed_load = [&](CpuId cpu) { return static_cast<std::int64_t>(s.cfs_avg[cpu.index()].runnable_load_avg); };
    auto this_load = signed_load(sel.walker);
    if (sync) this_load -= static_cast<std::int64_t>(s.se[waker.index()].avg.load_avg);
    std::int64_t this_eff = 100 * std::int64_t{s.capacity_of(prev)};
    std::int64_t prev_eff = (100 + (std::int64_t{sd.imbalance_pct} - 100) / 2) * std::int64_t{s.capacity_of(sel.walker)};
    if (this_load > 0) {
        this_eff *= this_load + static_cast<std::int64_t>(s.se[sel.p.index()].avg.load_avg);
        prev_eff *= signed_load(prev);
    }
    const bool pull = this_eff <= prev_eff;
    sel.explain({.kind = SelectStep::Kind::Affine, .domain = sd.id, .cpu = sel.walker, .idle = pull,
                 .runnable = static_cast<std::uint64_t>(this_eff), .load = static_cast<std::uint64_t>(prev_eff)});
    return pull;
}

} // namespace

bool wake_affine(PlacementSearch& sel, const SchedDomain& sd, TaskId waker, CpuId prev, bool sync) {
    switch (placement_profile(sel.s)) {
    case PlacementProfile::E48:
    case PlacementProfile::E48_RFC: return wake_affine_v4_8(sel, sd, waker, prev, sync);
    default: profile_not_built();
    }
}

} // namespace rqscope
