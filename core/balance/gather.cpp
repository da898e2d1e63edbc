// SPDX-License-Identifier: GPL-3.0-or-later
// Sums up each group of a domain and keeps the busiest (kernel: update_sd_lb_stats, update_sg_lb_stats,
// update_sd_pick_busiest, v4.7.4). Source: topology.md 2.4a. No asymmetric packing, no NUMA balancing types; group
// capacities never go stale here.
#include "balance/lb_env.h"

#include <bit>

namespace rqscope {

namespace {

// Index into the load history by idle type; 0 = the load as it is now (get_sd_load_idx).
std::uint32_t load_index(const LbEnv& env) {
    if (!env.s.features.has(Feature::LB_BIAS)) return 0;
    switch (env.idle) {
    case CpuIdleType::NotIdle: return env.sd.busy_idx;
    case CpuIdleType::NewlyIdle: return env.sd.newidle_idx;
    case CpuIdleType::Idle: break;
    }
    return env.sd.idle_idx;
}

// source_load() and target_load(): with history, remote load counts low and local load high.
Load biased(const Rq& rq, Load weighted, std::uint32_t index, bool local) {
    if (index == 0) return weighted;
    const Load past = rq.cpu_load[index - 1];
    return local ? std::max(past, weighted) : std::min(past, weighted);
}

bool group_is_overloaded(const LbEnv& env, const SgLbStats& g) {
    return g.sum_nr_running > g.group_weight && g.group_capacity * 100 < g.group_util * env.sd.imbalance_pct;
}

GroupType group_classify(const LbEnv& env, const SchedGroup& group, const SgLbStats& g) {
    if (g.group_no_capacity) return GroupType::Overloaded;
    return env.s.group_rt[group.sgc].imbalance ? GroupType::Imbalanced : GroupType::Other;
}

struct Gathered {
    SgLbStats stats;
    bool overload = false; // some CPU has more than one task
};

Gathered sum_up(const LbEnv& env, const SchedGroup& group, std::uint32_t index, bool local) {
    Gathered out;
    auto& g = out.stats;
    const auto& s = env.s;
    const auto& span = group.span.words();
    for (std::size_t w = 0; w < span.size(); ++w) {
        auto bits = span[w] & word_of(env.cpus(), w);
        g.idle_cpus += static_cast<std::uint32_t>(std::popcount(bits & word_of(s.idle, w)));
        for (; bits != 0; bits &= bits - 1) {
            const auto i = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
            const auto& avg = s.cfs_avg[i];
            g.group_load += index == 0 ? avg.runnable_load_avg : biased(s.rqs[i], avg.runnable_load_avg, index, local);
            g.sum_weighted_load += avg.runnable_load_avg;
            g.group_util += std::min<Util>(avg.util_avg, s.domains->cpu_capacity[i]);
            g.sum_nr_running += s.nr_running[i];
            out.overload |= s.nr_running[i] > 1;
        }
    }
    return out;
}

Gathered update_sg_lb_stats(const LbEnv& env, const SchedGroup& group, std::uint32_t index, bool local) {
    auto out = sum_up(env, group, index, local);
    auto& g = out.stats;
    g.group_capacity = group.capacity;
    g.avg_load = g.group_load * 1024 / g.group_capacity;
    if (g.sum_nr_running != 0) g.load_per_task = g.sum_weighted_load / g.sum_nr_running;
    g.group_weight = group.weight;
    g.group_no_capacity = group_is_overloaded(env, g);
    g.group_type = group_classify(env, group, g);
    return out;
}

// The first wins ties.
bool is_busier(const SgLbStats& g, const SgLbStats& busiest) {
    return g.group_type != busiest.group_type ? g.group_type > busiest.group_type : g.avg_load > busiest.avg_load;
}

} // namespace

bool group_has_capacity(const LbEnv& env, const SgLbStats& g) {
    return g.sum_nr_running < g.group_weight || g.group_capacity * 100 > g.group_util * env.sd.imbalance_pct;
}

void update_sd_lb_stats(LbEnv& env) {
    const auto& domains = *env.s.domains;
    const auto* child = domains.child(env.sd);
    const bool prefer_sibling = child != nullptr && child->has(SdFlag::PREFER_SIBLING);
    const auto index = load_index(env);
    auto& sds = env.sds;
    sds = {};
    bool overload = false;
    const auto count = domains.ring_of(env.sd).size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto& group = domains.group(env.sd, i);
        const bool local = group.span.test(env.dst);
        auto gathered = update_sg_lb_stats(env, group, index, local);
        auto& g = gathered.stats;
        overload |= gathered.overload;
        sds.total_load += g.group_load;
        sds.total_capacity += g.group_capacity;
        if (local) {
            sds.local_stat = g;
            sds.local_seen = true;
            continue;
        }
        // Siblings are to be filled first: a group with more than one task looks full while the own group has room.
        if (prefer_sibling && sds.local_seen && g.sum_nr_running > 1 && group_has_capacity(env, sds.local_stat)) {
            g.group_no_capacity = true;
            g.group_type = GroupType::Overloaded;
        }
        if (is_busier(g, sds.busiest_stat)) {
            sds.busiest = &group;
            sds.busiest_stat = g;
        }
    }
    if (!env.sd.parent) env.s.root_overload = overload;
}

} // namespace rqscope
