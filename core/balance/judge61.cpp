// SPDX-License-Identifier: GPL-3.0-or-later
// Who balances, whether the busiest group is worth pulling from, what and how much, from which queue, and when a running
// task has to be pushed (kernel: should_we_balance, find_busiest_group, calculate_imbalance, adjust_numa_imbalance,
// find_busiest_queue, need_active_balance, v6.1 and v6.12). Source: topology.md 2.2 to 2.4b. Reads only.
// Difference: idle CPUs are subtracted with their sign; the kernel's unsigned form can ask for 2^31 tasks instead of none.
#include "balance/lb_env61.h"

#include <bit>

namespace rqscope {

namespace {

// How many tasks the busiest group has more than the local one, per core where the groups differ (6.12).
std::int64_t sibling_imbalance(const LbEnv61& env) {
    const std::int64_t busiest = env.sds.busiest_stat.sum_nr_running, local = env.sds.local_stat.sum_nr_running;
    if (!env.v6_12) return std::max<std::int64_t>(busiest - local, 0);
    if (env.idle == CpuIdleType::NotIdle || busiest == 0) return 0;
    const std::int64_t busiest_cores = env.sds.busiest->cores, local_cores = env.sds.local->cores;
    if (busiest_cores == local_cores) return std::max<std::int64_t>(busiest - local, 0);
    const auto excess = std::max<std::int64_t>(local_cores * busiest - busiest_cores * local, 0);
    const auto cores = local_cores + busiest_cores;
    const auto rounded = (2 * excess + cores) / cores;
    return rounded <= 1 && local == 0 && busiest > 1 ? 2 : rounded; // an empty group takes one all the same
}

Load average_of(const SdLbStats61& sds) { return sds.total_load * 1024 / sds.total_capacity; }

// Why the machine counts as balanced, before anybody asks how much to move; nothing = it does not.
std::optional<BalanceReason> is_balanced(const LbEnv61& env) {
    const auto& local = env.sds.local_stat;
    const auto& busiest = env.sds.busiest_stat;
    if (busiest.group_type == GroupType::MisfitTask || busiest.group_type == GroupType::Imbalanced) return std::nullopt;
    if (local.group_type > busiest.group_type) return BalanceReason::LocalGroupBusier;
    if (local.group_type == GroupType::Overloaded) {
        if (local.avg_load >= busiest.avg_load) return BalanceReason::LocalAboveBusiest;
        if (local.avg_load >= average_of(env.sds)) return BalanceReason::LocalAboveAverage;
        if (100 * busiest.avg_load <= env.sd.imbalance_pct * local.avg_load) return BalanceReason::WithinImbalancePct;
    }
    if (env.sds.prefer_sibling && local.group_type == GroupType::HasSpare && sibling_imbalance(env) > 1) return std::nullopt;
    if (busiest.group_type == GroupType::Overloaded) return std::nullopt;
    if (env.idle == CpuIdleType::NotIdle) return BalanceReason::DstNotIdle;
    if (busiest.group_type == GroupType::SmtBalance && smt_vs_nonsmt_groups(env.sds.local, env.sds.busiest)) return std::nullopt;
    if (busiest.group_weight > 1 && local.idle_cpus <= busiest.idle_cpus + 1) return BalanceReason::IdleCpusEven;
    if (busiest.sum_h_nr_running == 1) return BalanceReason::BusiestHasOneTask;
    return std::nullopt;
}

// The local group has room: fill it without emptying the other.
void use_spare_capacity(const LbEnv61& env, GroupJudgement& j) {
    constexpr std::int64_t kNumaImbalanceMin = 2;
    const auto& local = env.sds.local_stat;
    const auto& busiest = env.sds.busiest_stat;
    if (busiest.group_type > GroupType::FullyBusy && !env.sd.has(SdFlag::SHARE_LLC)) {
        j.migration_type = MigrationType::MigrateUtil;
        j.imbalance = static_cast<std::int64_t>(std::max(local.group_capacity, local.group_util) - local.group_util);
        if (j.imbalance != 0 || env.idle == CpuIdleType::NotIdle) return;
        j.migration_type = MigrationType::MigrateTask; // util lags behind; somebody waits over there
        j.imbalance = 1;
        return;
    }
    j.migration_type = MigrationType::MigrateTask;
    if (busiest.group_weight == 1 || env.sds.prefer_sibling)
        j.imbalance = sibling_imbalance(env);
    else
        j.imbalance = std::max<std::int64_t>(std::int64_t{local.idle_cpus} - std::int64_t{busiest.idle_cpus}, 0);
    const bool allowed = local.sum_nr_running + 1 <= env.sd.imb_numa_nr && j.imbalance <= kNumaImbalanceMin;
    if (env.sd.has(SdFlag::NUMA) && j.imbalance > 0 && allowed) {
        j.reason = BalanceReason::NumaImbalanceAllowed;
        j.imbalance = 0;
    }
    j.imbalance /= 2;
}

// No room anywhere: both groups are to come to the average.
void even_out_load(const LbEnv61& env, GroupJudgement& j) {
    const auto& local = env.sds.local_stat;
    const auto& busiest = env.sds.busiest_stat;
    const auto average = average_of(env.sds);
    if (local.group_type < GroupType::Overloaded) {
        j.local_avg = local.group_load * 1024 / local.group_capacity;
        j.reason = BalanceReason::LocalAboveBusiest;
        if (j.local_avg >= busiest.avg_load) return;
        j.reason = BalanceReason::LocalAboveAverage;
        if (j.local_avg >= average) return;
        j.reason = BalanceReason::ImbalanceZero;
    }
    j.migration_type = MigrationType::MigrateLoad;
    auto pull = (average - j.local_avg) * local.group_capacity;
    // A group that is not overloaded may lie below the average; then it sets no limit.
    if (busiest.avg_load >= average) pull = std::min(pull, (busiest.avg_load - average) * busiest.group_capacity);
    j.imbalance = static_cast<std::int64_t>(pull / 1024);
}

void calculate_imbalance(const LbEnv61& env, GroupJudgement& j) {
    j.reason = BalanceReason::ImbalanceZero;
    const auto& busiest = env.sds.busiest_stat;
    switch (busiest.group_type) {
    case GroupType::MisfitTask:
        if (env.sd.has(SdFlag::ASYM_CPUCAPACITY)) {
            j.migration_type = MigrationType::MigrateMisfit;
            j.imbalance = 1;
        } else {
            j.migration_type = MigrationType::MigrateLoad;
            j.imbalance = static_cast<std::int64_t>(busiest.group_misfit_task_load);
        }
        return;
    case GroupType::SmtBalance:
    case GroupType::Imbalanced:
        j.migration_type = MigrationType::MigrateTask;
        j.imbalance = 1;
        return;
    default: break;
    }
    env.sds.local_stat.group_type == GroupType::HasSpare ? use_spare_capacity(env, j) : even_out_load(env, j);
}

// migrate_load: the load that one capacity unit carries; compared by cross-multiplication.
class MostLoaded {
public:
    explicit MostLoaded(const LbEnv61& env) : m_env(env) {}
    bool operator()(CpuId cpu) {
        const auto& s = m_env.s;
        const auto load = s.cfs_avg[cpu.index()].load_avg;
        if (s.nr_running[cpu.index()] == 1 && load > static_cast<Load>(m_env.imbalance) && !check_cpu_capacity(s, cpu, m_env.sd)) return false;
        const std::uint64_t capacity = s.capacity_of(cpu);
        if (load * m_capacity <= m_load * capacity) return false;
        m_load = load;
        m_capacity = capacity;
        return true;
    }

private:
    const LbEnv61& m_env;
    Load m_load = 0;
    std::uint64_t m_capacity = 1;
};

// The other types: what a queue has of the thing that is to be moved; 0 = not a candidate.
std::uint64_t amount_of(const LbEnv61& env, CpuId cpu) {
    const auto& s = env.s;
    switch (env.migration_type) {
    case MigrationType::MigrateUtil: {
        if (s.nr_running[cpu.index()] <= 1) return 0; // the only task could not be detached
        const auto boost = env.v6_12 ? std::min<Util>(s.cfs_avg[cpu.index()].runnable_avg, s.capacity_orig_of(cpu)) : 0;
        return std::max(cpu_util(s, cpu), boost);
    }
    case MigrationType::MigrateTask: return s.nr_running[cpu.index()];
    case MigrationType::MigrateMisfit: return s.rqs[cpu.index()].misfit_task_load;
    case MigrationType::MigrateLoad: break;
    }
    return 0;
}

} // namespace

bool should_we_balance(const LbEnv61& env) {
    const auto& s = env.s;
    if (!env.cpus().test(env.dst)) return false;
    if (env.idle == CpuIdleType::NewlyIdle) return nr_running_of(s, env.dst) == 0 && s.rqs[env.dst.index()].ttwu_pending == 0;
    const auto& mask = env.own_group().balance_mask;
    std::optional<CpuId> idle_thread; // of a core that is not idle
    for (std::size_t w = 0; w < mask.words().size(); ++w)
        for (auto bits = mask.words()[w] & word_of(env.cpus(), w) & word_of(s.idle, w); bits != 0; bits &= bits - 1) {
            const CpuId cpu{static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(bits))};
            if (!env.v6_12 || env.sd.has(SdFlag::SHARE_CPUCAPACITY) || is_core_idle(s, cpu)) return cpu == env.dst;
            if (!idle_thread) idle_thread = cpu;
        }
    return idle_thread.value_or(*mask.first()) == env.dst;
}

GroupJudgement find_busiest_group(const LbEnv61& env) {
    GroupJudgement j{.migration_type = env.migration_type, .local_avg = env.sds.local_stat.avg_load};
    if (env.sds.busiest == nullptr) return j;
    if (const auto reason = is_balanced(env)) {
        j.reason = *reason;
        return j;
    }
    calculate_imbalance(env, j);
    if (j.imbalance != 0) j.busiest = env.sds.busiest;
    return j;
}

std::optional<CpuId> find_busiest_queue(const LbEnv61& env, const SchedGroup& group) {
    const auto& s = env.s;
    std::optional<CpuId> busiest;
    MostLoaded most_loaded(env);
    std::uint64_t most = 0;
    for (const auto cpu : group.span) {
        const auto nr = s.nr_running[cpu.index()];
        if (!env.cpus().test(cpu) || nr == 0) continue;
        // The only task of a CPU goes to a larger one or stays.
        if (env.sd.has(SdFlag::ASYM_CPUCAPACITY) && nr == 1 && !capacity_greater(s.capacity_of(env.dst), s.capacity_of(cpu))) continue;
        if (env.migration_type == MigrationType::MigrateLoad) {
            if (most_loaded(cpu)) busiest = cpu;
        } else if (const auto amount = amount_of(env, cpu); amount > most) {
            most = amount;
            busiest = cpu;
        }
    }
    return busiest;
}

bool need_active_balance(const LbEnv61& env) {
    const auto& s = env.s;
    if (env.migration_type == MigrationType::MigrateTask && env.rt.nr_balance_failed > env.sd.cache_nice_tries + 2) return true;
    // The source lost capacity that the destination has.
    if (env.idle != CpuIdleType::NotIdle && s.nr_running[env.src.index()] == 1 && check_cpu_capacity(s, env.src, env.sd) &&
        s.capacity_of(env.src) * env.sd.imbalance_pct < s.capacity_of(env.dst) * 100)
        return true;
    return env.migration_type == MigrationType::MigrateMisfit;
}

} // namespace rqscope
