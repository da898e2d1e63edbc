// SPDX-License-Identifier: GPL-3.0-or-later
// One balance pass of profiles 5.19 and 6.12 (kernel: struct lb_env, sg_lb_stats, sd_lb_stats, v6.1 and v6.12): the facts
// that gather61.cpp collects, the judgement that judge61.cpp makes of them, and who calls whom. Internal.
// Difference: a judgement is a value, computed from the facts without changing them.
#pragma once

#include "balance/lb_env.h"

namespace rqscope {

struct SgLbStats61 {
    Load group_load = 0, group_runnable = 0;
    Util group_util = 0;
    Load avg_load = 0;               // group_load scaled to capacity; only of overloaded groups
    Load group_misfit_task_load = 0; // largest of the CPUs
    std::uint64_t group_capacity = 0;
    std::uint32_t sum_nr_running = 0;   // all classes
    std::uint32_t sum_h_nr_running = 0; // fair tasks
    std::uint32_t idle_cpus = 0, group_weight = 0;
    GroupType group_type = GroupType::HasSpare;
};

struct SdLbStats61 {
    const SchedGroup* busiest = nullptr;
    const SchedGroup* local = nullptr;
    SgLbStats61 busiest_stat, local_stat;
    std::uint64_t total_load = 0, total_capacity = 0, sum_util = 0;
    bool prefer_sibling = false;
    bool overload = false; // some CPU has more than one task, or a misfit one
};

struct LbEnv61 : LbEnvBase {
    bool v6_12; // profile 6.12, else 5.19
    MigrationType migration_type = MigrationType::MigrateLoad; // as the last calculate_imbalance() left it, like imbalance
    SdLbStats61 sds;

    LbEnv61(SchedState& state, BalanceLog& balance_log, const SchedDomain& domain, CpuIdleType idle_type, MoveCause why, CpuId to)
        : LbEnvBase(state, balance_log, domain, idle_type, why, to), v6_12(era_info(state.era).balance == BalanceProfile::V6_12) {}
};

// What find_busiest_group() makes of env.sds.
struct GroupJudgement {
    const SchedGroup* busiest = nullptr;                   // nullptr = balanced
    BalanceReason reason = BalanceReason::NoBusiestGroup;  // why balanced
    MigrationType migration_type = MigrationType::MigrateLoad;    // that of env until calculate_imbalance() decides
    std::int64_t imbalance = 0;
    Load local_avg = 0; // avg_load of the local group where it was looked at
};

// Fair tasks and others, rq->nr_running.
[[nodiscard]] inline std::uint32_t nr_running_of(const SchedState& s, CpuId cpu) {
    return s.nr_running[cpu.index()] + s.rqs[cpu.index()].nr_other;
}
// cpu_util_cfs(): the larger of average and estimate, at most the CPU's capacity.
[[nodiscard]] inline Util cpu_util(const SchedState& s, CpuId cpu) {
    return std::min<Util>(std::max(s.cfs_avg[cpu.index()].util_avg, s.rqs[cpu.index()].util_est), s.capacity_orig_of(cpu));
}
[[nodiscard]] inline Util task_util_est(const SchedEntity& se) { return std::max<Util>(se.avg.util_avg, se.util_est); }
[[nodiscard]] inline bool task_fits_cpu(const SchedState& s, const SchedEntity& se, CpuId cpu) {
    return task_util_est(se) * 1280 < std::uint64_t{s.capacity_of(cpu)} * 1024; // 20 % are kept free
}
// Noticeably more: by 5 %.
[[nodiscard]] inline bool capacity_greater(std::uint64_t a, std::uint64_t b) { return a * 1024 > b * 1078; }
[[nodiscard]] bool is_core_idle(const SchedState& s, CpuId cpu); // the other threads of its core
// Exactly one of the groups is an SMT core.
[[nodiscard]] inline bool smt_vs_nonsmt_groups(const SchedGroup* a, const SchedGroup* b) {
    return a != nullptr && b != nullptr && ((a->flags ^ b->flags) & bit(SdFlag::SHARE_CPUCAPACITY)) != 0;
}

// gather61.cpp
[[nodiscard]] SdLbStats61 gather_sd_lb_stats(const LbEnv61& env);
void update_sd_lb_stats(LbEnv61& env); // the same into env.sds, and what others read of it: overload, nr_idle_scan
// judge61.cpp
[[nodiscard]] GroupJudgement find_busiest_group(const LbEnv61& env);
[[nodiscard]] std::optional<CpuId> find_busiest_queue(const LbEnv61& env, const SchedGroup& group);
[[nodiscard]] bool should_we_balance(const LbEnv61& env);
[[nodiscard]] bool need_active_balance(const LbEnv61& env);
// act61.cpp; both return the number of tasks moved from env.src to env.dst.
std::uint32_t move_tasks(LbEnv61& env);
std::uint32_t move_one_task(LbEnv61& env);
// load_balance61.cpp, rebalance61.cpp
std::uint32_t load_balance61(SchedState& s, CpuId cpu, const SchedDomain& sd, CpuIdleType idle, bool& continue_balancing, BalanceLog& log);
void rebalance_domains61(SchedState& s, CpuId cpu, CpuIdleType idle, BalanceLog& log);
int newidle_walk61(SchedState& s, CpuId cpu, BalanceLog& log, const std::uint64_t* costs);

} // namespace rqscope
