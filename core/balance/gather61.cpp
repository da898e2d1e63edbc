// SPDX-License-Identifier: GPL-3.0-or-later
// Sums up each group of a domain, gives it a type and keeps the busiest (kernel: update_sd_lb_stats, update_sg_lb_stats,
// group_classify, update_sd_pick_busiest, update_idle_cpu_scan, v6.1 and v6.12). Source: topology.md 2.4b.
// No asymmetric packing, no NUMA balancing types; group capacities never go stale here.
#include "balance/lb_env61.h"

#include <bit>

namespace rqscope {

bool is_core_idle(const SchedState& s, CpuId cpu) {
    const auto& core = s.domains->smt[cpu.index()];
    for (const auto sibling : core)
        if (sibling != cpu && !s.idle.test(sibling)) return false;
    return true;
}

namespace {

bool is_smt(const SchedGroup& group) { return (group.flags & bit(SdFlag::SHARE_CPUCAPACITY)) != 0; }

// A task that would do better elsewhere: too large for its CPU, or alone on a CPU that lost capacity.
void note_misfit(const LbEnv61& env, CpuId cpu, SgLbStats61& g, bool& overload) {
    const auto& s = env.s;
    auto misfit = Load{0};
    if (env.sd.has(SdFlag::ASYM_CPUCAPACITY)) {
        misfit = s.rqs[cpu.index()].misfit_task_load;
        overload |= misfit > 0;
    } else if (env.idle != CpuIdleType::NotIdle && s.nr_running[cpu.index()] == 1 && check_cpu_capacity(s, cpu, env.sd)) {
        misfit = s.cfs_avg[cpu.index()].load_avg;
    }
    g.group_misfit_task_load = std::max(g.group_misfit_task_load, misfit);
}

SgLbStats61 sum_up(const LbEnv61& env, const SchedGroup& group, bool local, bool& overload) {
    SgLbStats61 g;
    const auto& s = env.s;
    const auto& span = group.span.words();
    for (std::size_t w = 0; w < span.size(); ++w) {
        auto bits = span[w] & word_of(env.cpus(), w);
        const auto idle = bits & word_of(s.idle, w);
        g.idle_cpus += static_cast<std::uint32_t>(std::popcount(idle));
        for (; bits != 0; bits &= bits - 1) {
            const CpuId cpu{static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(bits))};
            const auto& avg = s.cfs_avg[cpu.index()];
            g.group_load += avg.load_avg;
            g.group_util += cpu_util(s, cpu);
            g.group_runnable += avg.runnable_avg;
            g.sum_h_nr_running += s.nr_running[cpu.index()];
            const auto nr = nr_running_of(s, cpu);
            g.sum_nr_running += nr;
            overload |= nr > 1;
            if (!local && (idle & (bits & -bits)) == 0) note_misfit(env, cpu, g, overload);
        }
    }
    return g;
}

GroupSums sums_of(const SgLbStats61& g) {
    return {.capacity = g.group_capacity, .weight = g.group_weight, .nr_running = g.sum_nr_running, .util = g.group_util, .runnable = g.group_runnable};
}

GroupType group_classify(const LbEnv61& env, const SchedGroup& group, const SgLbStats61& g, bool local) {
    if (group_is_overloaded(sums_of(g), env.sd.imbalance_pct)) return GroupType::Overloaded;
    if (env.s.group_rt[group.sgc].imbalance) return GroupType::Imbalanced;
    // Tasks that share a core are better off on a CPU of their own.
    if (env.v6_12 && !local && env.idle != CpuIdleType::NotIdle && is_smt(group) && g.sum_h_nr_running > 1) return GroupType::SmtBalance;
    if (g.group_misfit_task_load != 0) return GroupType::MisfitTask;
    return group_has_capacity(sums_of(g), env.sd.imbalance_pct) ? GroupType::HasSpare : GroupType::FullyBusy;
}

SgLbStats61 update_sg_lb_stats(const LbEnv61& env, const SchedGroup& group, bool local, bool& overload) {
    auto g = sum_up(env, group, local, overload);
    g.group_capacity = group.capacity;
    g.group_weight = group.weight;
    g.group_type = group_classify(env, group, g, local);
    if (g.group_type == GroupType::Overloaded) g.avg_load = g.group_load * 1024 / g.group_capacity;
    return g;
}

// The CPU and its core are free for the misfit task, and larger than any CPU the group has.
bool can_help_misfit(const LbEnv61& env, const SdLbStats61& sds, const SchedGroup& group) {
    if (sds.local_stat.group_type != GroupType::HasSpare || !is_core_idle(env.s, env.dst)) return false;
    Capacity largest = 0;
    for (const auto cpu : group.span) largest = std::max(largest, env.s.capacity_of(cpu));
    return capacity_greater(env.s.capacity_of(env.dst), largest);
}

// One task per CPU on larger CPUs: pulling one to a smaller CPU may harm it.
bool is_better_off(const LbEnv61& env, const SchedGroup& group) {
    if (!env.sd.has(SdFlag::ASYM_CPUCAPACITY)) return false;
    auto smallest = ~Capacity{0};
    for (const auto cpu : group.span) smallest = std::min(smallest, env.s.capacity_of(cpu));
    return capacity_greater(smallest, env.s.capacity_of(env.dst));
}

bool has_fewer_idle_cpus(const SgLbStats61& g, const SgLbStats61& busiest) {
    return g.idle_cpus != busiest.idle_cpus ? g.idle_cpus < busiest.idle_cpus : g.sum_nr_running > busiest.sum_nr_running;
}

// Neither has an avg_load unless it is overloaded, so that 6.12 prefers the later group and 5.19 the first.
bool is_fuller(const LbEnv61& env, const SdLbStats61& sds, const SgLbStats61& g) {
    if (g.avg_load != sds.busiest_stat.avg_load) return g.avg_load > sds.busiest_stat.avg_load;
    return env.v6_12 && !is_smt(*sds.busiest);
}

bool update_sd_pick_busiest(const LbEnv61& env, const SdLbStats61& sds, const SchedGroup& group, const SgLbStats61& g) {
    const auto& busiest = sds.busiest_stat;
    if (g.sum_h_nr_running == 0) return false;
    if (env.sd.has(SdFlag::ASYM_CPUCAPACITY) && g.group_type == GroupType::MisfitTask && !can_help_misfit(env, sds, group)) return false;
    if (g.group_type != busiest.group_type) return g.group_type > busiest.group_type;
    switch (g.group_type) {
    case GroupType::Overloaded: return g.avg_load > busiest.avg_load;
    case GroupType::MisfitTask:
        return env.v6_12 ? g.group_misfit_task_load > busiest.group_misfit_task_load : g.group_misfit_task_load >= busiest.group_misfit_task_load;
    case GroupType::SmtBalance:
        return g.idle_cpus != 0 || busiest.idle_cpus != 0 ? has_fewer_idle_cpus(g, busiest) : is_fuller(env, sds, g);
    case GroupType::FullyBusy: return is_fuller(env, sds, g) && !is_better_off(env, group);
    case GroupType::HasSpare:
        // A core that would be left empty gives nothing to a CPU without siblings.
        if (env.v6_12 && smt_vs_nonsmt_groups(sds.busiest, &group)) return !is_smt(group) || g.sum_h_nr_running > 1;
        return has_fewer_idle_cpus(g, busiest) && !is_better_off(env, group);
    case GroupType::Imbalanced: // the first one: nothing tells them apart
    case GroupType::Other: break;
    }
    return false;
}

// SIS_UTIL: the busier the cache, the fewer CPUs a wake-up looks at.
void update_idle_cpu_scan(LbEnv61& env) {
    const auto llc_weight = env.s.domains->sd_llc_size[env.dst.index()];
    if (!env.s.features.has(Feature::SIS_UTIL) || env.idle == CpuIdleType::NewlyIdle || env.sd.weight != llc_weight || !env.s.domains->sd_llc[env.dst.index()]) return;
    const std::uint64_t x = env.sds.sum_util / llc_weight;
    const std::uint64_t pct = env.sd.imbalance_pct;
    const auto taken = std::min<std::uint64_t>(x * x * pct * pct / (10000 * 1024), 1024);
    env.s.llc_rt[env.s.domains->llc[env.dst.index()].index()].nr_idle_scan = static_cast<std::uint32_t>((1024 - taken) * llc_weight / 1024);
}

} // namespace

SdLbStats61 gather_sd_lb_stats(const LbEnv61& env) {
    const auto& domains = *env.s.domains;
    SdLbStats61 sds;
    sds.busiest_stat.idle_cpus = ~0U;
    const auto count = domains.ring_of(env.sd).size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto& group = domains.group(env.sd, i);
        const bool local = group.span.test(env.dst);
        const auto g = update_sg_lb_stats(env, group, local, sds.overload);
        sds.total_load += g.group_load;
        sds.total_capacity += g.group_capacity;
        sds.sum_util += g.group_util;
        if (local) {
            sds.local = &group;
            sds.local_stat = g;
        } else if (update_sd_pick_busiest(env, sds, group, g)) {
            sds.busiest = &group;
            sds.busiest_stat = g;
        }
    }
    if (env.v6_12) {
        sds.prefer_sibling = sds.busiest != nullptr && (sds.busiest->flags & bit(SdFlag::PREFER_SIBLING)) != 0;
    } else {
        const auto* child = domains.child(env.sd);
        sds.prefer_sibling = child != nullptr && child->has(SdFlag::PREFER_SIBLING);
    }
    return sds;
}

void update_sd_lb_stats(LbEnv61& env) {
    env.sds = gather_sd_lb_stats(env);
    if (!env.sd.parent) env.s.root_overload = env.sds.overload;
    update_idle_cpu_scan(env);
}

} // namespace rqscope
