// SPDX-License-Identifier: GPL-3.0-or-later
// Weights, virtual time, slices and granularity (kernel: __calc_delta, sched_slice, sched_vslice, wakeup_gran and the
// prio_to_weight tables, v4.7.4 and v6.5). Every rounding is the kernel's, including the numerator 2^32-1 of computed inverses, so
// a lone nice-0 task in a 6 ms period gets 5 999 998 ns. Source: runqueue.md 1.1, 2, 3.1.
#include "sched/cfs.h"

#include "base/check.h"

#include <algorithm>
#include <array>
#include <bit>

namespace rqscope {

namespace {

constexpr std::size_t kNiceLevels = 40;
constexpr std::uint32_t kInverseOne = 0xffffffff; // the kernel's 2^32 for inverses it computes

constexpr std::array<std::uint32_t, kNiceLevels> kNiceWeight{
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904,
    3906,  3121,  2501,  1991,  1586,  1277,  1024,  820,   655,   526,   423,  335,  272,  215,
    172,   137,   110,   87,    70,    56,    45,    36,    29,    23,    18,   15};

constexpr std::array<std::uint32_t, kNiceLevels> kNiceInverse{
    48388,    59856,    76040,    92818,    118348,   147320,   184698,   229616,    287308,    360437,
    449829,   563644,   704093,   875809,   1099582,  1376151,  1717300,  2157191,   2708050,   3363326,
    4194304,  5237765,  6557202,  8165337,  10153587, 12820798, 15790321, 19976592,  24970740,  31350126,
    39045157, 49367440, 61356676, 76695844, 95443717, 119304647, 148102320, 186737708, 238609294, 286331153};

constexpr std::uint32_t kIdlePolicyWeight = 3;
constexpr std::uint32_t kIdlePolicyInverse = 1431655765;

// scale_load_down(), which after 4.8 never goes below 2. No entity weighs less, so that only sums built by hand tell.
Weight scaled_down(Weight weight, RunQueueProfile profile) {
    const Weight w = scale_load_down(weight);
    return profile == RunQueueProfile::V4_7 || weight == 0 ? w : std::max<Weight>(w, 2);
}

std::uint32_t inverse_of(Weight w) {
    if (w >= kInverseOne) return 1;
    return w == 0 ? kInverseOne : static_cast<std::uint32_t>(kInverseOne / w);
}

// Halves `fact` until it fits 32 bits and gives up one bit of the final shift for each halving.
std::uint64_t fit_32_bits(std::uint64_t fact, int& shift) {
    const int excess = static_cast<int>(std::bit_width(fact >> 32));
    shift -= excess;
    return fact >> excess;
}

// Part of the period that se's weight gives it; for an entity that is not queued as if it were.
std::uint64_t weighted_share(SchedState& s, CpuId cpu, const SchedEntity& se) {
    auto& cfs = s.rqs[cpu.index()].cfs;
    const auto profile = run_queue_profile(s.era);
    if (!se.on_rq) {
        LoadWeight with_se{cfs.load_weight + se.weight, 0};
        return calc_delta(sched_period(s.tunables, cfs.nr_running + 1), se.weight, with_se, profile);
    }
    LoadWeight load{cfs.load_weight, cfs.load_inv_weight};
    const auto share = calc_delta(sched_period(s.tunables, cfs.nr_running), se.weight, load, profile);
    cfs.load_inv_weight = load.inv_weight; // one division per change of the queue's load
    return share;
}

} // namespace

std::uint64_t calc_delta(std::uint64_t delta, Weight weight, LoadWeight& lw, RunQueueProfile profile) {
    if (lw.inv_weight == 0) lw.inv_weight = inverse_of(scaled_down(lw.weight, profile));
    int shift = 32;
    std::uint64_t fact = fit_32_bits(scaled_down(weight, profile), shift);
    fact = fit_32_bits(fact * lw.inv_weight, shift);
    return static_cast<std::uint64_t>(static_cast<Wide>(delta) * fact >> shift);
}

std::uint64_t sched_period(const Tunables& t, std::uint32_t nr_running) {
    if (nr_running > t.nr_latency) return nr_running * static_cast<std::uint64_t>(t.min_granularity_ns);
    return static_cast<std::uint64_t>(t.latency_ns);
}

std::uint64_t sched_slice(SchedState& s, CpuId cpu, TaskId p) {
    const auto& se = s.se[p.index()];
    const auto& cfs = s.rqs[cpu.index()].cfs;
    const auto share = weighted_share(s, cpu, se);
    if (!s.features.has(Feature::BASE_SLICE)) return share;
    const bool beside_normal = se.policy == Policy::Idle && (cfs.nr_running == 0 || cfs.nr_running != cfs.idle_nr_running);
    const auto least = beside_normal ? s.tunables.idle_min_granularity_ns : s.tunables.min_granularity_ns;
    return std::max(share, static_cast<std::uint64_t>(least));
}

std::uint64_t sched_vslice(SchedState& s, CpuId cpu, TaskId p) {
    return calc_delta_fair(sched_slice(s, cpu, p), s.se[p.index()]);
}

std::uint64_t wakeup_gran(const Tunables& t, const SchedEntity& wakee) {
    return calc_delta_fair(static_cast<std::uint64_t>(t.wakeup_granularity_ns), wakee);
}

int wakeup_preempt_entity(const Tunables& t, const SchedEntity& curr, const SchedEntity& se) {
    const auto vdiff = static_cast<std::int64_t>(curr.vruntime - se.vruntime);
    if (vdiff <= 0) return -1;
    return vdiff > static_cast<std::int64_t>(wakeup_gran(t, se)) ? 1 : 0;
}

void set_weight(SchedEntity& se, std::int8_t nice, Policy policy) {
    SCHED_CHECK(nice >= -20 && nice <= 19);
    const auto level = static_cast<std::size_t>(nice + 20);
    const bool idle = policy == Policy::Idle;
    se.nice = nice;
    se.policy = policy;
    se.weight = Weight{idle ? kIdlePolicyWeight : kNiceWeight[level]} << 10;
    se.inv_weight = idle ? kIdlePolicyInverse : kNiceInverse[level];
}

void set_raw_weight(SchedEntity& se, std::uint32_t weight) {
    se.weight = Weight{weight} << 10;
    se.inv_weight = inverse_of(scale_load_down(se.weight));
    for (std::size_t i = 0; i < kNiceLevels; ++i)
        if (kNiceWeight[i] == weight) se.inv_weight = kNiceInverse[i];
}

} // namespace rqscope
