// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a wakee is pulled to its waker's CPU (kernel: record_wakee, wake_wide, wake_cap, wake_affine, wake_affine_idle,
// wake_affine_weight, v4.8 to v6.12 without task groups). Source: select.md 2.2 and 2.3.
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

enum class Opinion : std::uint8_t { None, Waker, Prev };

// WA_IDLE: an interrupt woke it near the waker, or a synchronous waker is about to leave its CPU.
Opinion wake_affine_idle(PlacementSearch& sel, CpuId prev, bool sync) {
    if (sel.idle(sel.walker) && sel.domains.share_cache(sel.walker, prev)) return sel.idle(prev) ? Opinion::Prev : Opinion::Waker;
    if (sync && sel.s.nr_running[sel.walker.index()] == 1) return Opinion::Waker;
    if (modern(sel.s) && sel.idle(prev)) return Opinion::Prev;
    return Opinion::None;
}

// WA_WEIGHT: the load the waker's CPU would have against the load prev would keep, each weighed by the other's capacity.
Opinion wake_affine_weight(PlacementSearch& sel, const SchedDomain& sd, TaskId waker, CpuId prev, bool sync) {
    const auto& s = sel.s;
    const bool v5_5 = modern(s);
    const auto load_of = [&](CpuId cpu) {
        const auto& avg = s.cfs_avg[cpu.index()];
        return static_cast<std::int64_t>(v5_5 ? avg.load_avg : avg.runnable_load_avg);
    };
    auto this_eff = load_of(sel.walker);
    if (sync) {
        const auto current = static_cast<std::int64_t>(s.se[waker.index()].avg.load_avg);
        if (current > this_eff) return Opinion::Waker;
        this_eff -= current;
    }
    const auto task_load = static_cast<std::int64_t>(s.se[sel.p.index()].avg.load_avg);
    const bool bias = s.features.has(Feature::WA_BIAS);
    this_eff += task_load;
    if (bias) this_eff *= 100;
    this_eff *= s.capacity_of(prev);
    auto prev_eff = load_of(prev) - task_load;
    if (bias) prev_eff *= 100 + (std::int64_t{sd.imbalance_pct} - 100) / 2;
    prev_eff *= s.capacity_of(sel.walker);
    if (sync) prev_eff += 1; // a tie goes to the waker, who makes room
    const bool pull = this_eff < prev_eff;
    sel.explain({.kind = SelectStep::Kind::Affine, .domain = sd.id, .cpu = sel.walker, .idle = pull,
                 .runnable = static_cast<std::uint64_t>(this_eff), .load = static_cast<std::uint64_t>(prev_eff)});
    return pull ? Opinion::Waker : Opinion::None;
}

bool wake_affine_v4_14(PlacementSearch& sel, const SchedDomain& sd, TaskId waker, CpuId prev, bool sync) {
    auto opinion = Opinion::None;
    if (sel.s.features.has(Feature::WA_IDLE)) {
        opinion = wake_affine_idle(sel, prev, sync);
        if (opinion != Opinion::None)
            sel.explain({.kind = SelectStep::Kind::AffineIdle, .domain = sd.id, .cpu = sel.walker, .idle = opinion == Opinion::Waker});
    }
    if (opinion == Opinion::None && sel.s.features.has(Feature::WA_WEIGHT)) opinion = wake_affine_weight(sel, sd, waker, prev, sync);
    return opinion == Opinion::Waker;
}

} // namespace

bool wake_affine(PlacementSearch& sel, const SchedDomain& sd, TaskId waker, CpuId prev, bool sync) {
    return since(sel.s, PlacementProfile::E419) ? wake_affine_v4_14(sel, sd, waker, prev, sync)
                                                                : wake_affine_v4_8(sel, sd, waker, prev, sync);
}

bool wake_cap(const PlacementSearch& sel, CpuId prev) {
    if (!since(sel.s, PlacementProfile::E49) || modern(sel.s)) return false;
    const auto smaller = std::min(sel.s.capacity_orig_of(prev), sel.s.capacity_orig_of(sel.walker));
    const auto largest = sel.domains.max_cpu_capacity;
    if (largest - smaller < largest / 8) return false;
    return std::uint64_t{smaller} * 1024 < sel.s.se[sel.p.index()].avg.util_avg * 1280;
}

} // namespace rqscope
