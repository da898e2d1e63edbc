// SPDX-License-Identifier: GPL-3.0-or-later
// One balance pass in progress (kernel: struct lb_env, sg_lb_stats, sd_lb_stats, v4.7.4; the later statistics are in
// lb_env61.h) and the steps that the files of this folder hand to each other. Internal. Difference: sums are taken by 64-CPU words, and the mask of CPUs that may take
// part is the online mask itself until a pinned CPU has to leave it, so that a normal pass copies nothing.
#pragma once

#include "balance/balance.h"
#include "base/check.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace rqscope {

struct SgLbStats {
    Load group_load = 0, sum_weighted_load = 0;
    Load avg_load = 0;      // group_load scaled to capacity
    Load load_per_task = 0;
    Util group_util = 0;
    std::uint64_t group_capacity = 0;
    std::uint32_t sum_nr_running = 0, idle_cpus = 0, group_weight = 0;
    bool group_no_capacity = false;
    GroupType group_type = GroupType::Other;
};

struct SdLbStats {
    const SchedGroup* busiest = nullptr;
    SgLbStats busiest_stat, local_stat;
    bool local_seen = false;
    std::uint64_t total_load = 0, total_capacity = 0, avg_load = 0;
};

// What both generations keep of a pass.
struct LbEnvBase {
    SchedState& s;
    BalanceLog& log;
    const SchedDomain& sd;
    DomainRuntime& rt;
    CpuIdleType idle;
    MoveCause cause;
    CpuId dst;
    CpuId src{0};
    bool seek_other_dst;    // a task pinned away from dst may go to another CPU of dst's group
    std::int64_t imbalance = 0;
    std::uint32_t loop = 0, loop_break = kLoopBreak, loop_max = 0;
    bool all_pinned = false, some_pinned = false, dst_pinned = false, need_break = false; // LBF_*
    CpuId new_dst{0};

    static constexpr std::uint32_t kLoopBreak = 32; // sched_nr_migrate_break

    LbEnvBase(SchedState& state, BalanceLog& balance_log, const SchedDomain& domain, CpuIdleType idle_type, MoveCause why, CpuId to)
        : s(state), log(balance_log), sd(domain), rt(state.domain_rt[domain.id.index()]), idle(idle_type), cause(why), dst(to),
          seek_other_dst(why == MoveCause::Periodic) {}
    LbEnvBase(const LbEnvBase&) = delete;
    LbEnvBase& operator=(const LbEnvBase&) = delete;

    [[nodiscard]] const SchedGroup& own_group() const { return s.domains->group(sd, 0); }
    [[nodiscard]] const CpuMask& cpus() const { return m_shrunk ? m_cpus : s.online; }
    void remove(CpuId cpu) {
        if (!m_shrunk) m_cpus = s.online;
        m_shrunk = true;
        m_cpus.clear(cpu);
    }
    // The loop over the source's tasks starts anew.
    void restart_loop() {
        loop = 0;
        loop_break = kLoopBreak;
    }

private:
    bool m_shrunk = false;
    CpuMask m_cpus;
};

struct LbEnv : LbEnvBase {
    SdLbStats sds;
    using LbEnvBase::LbEnvBase;
};

// Word w of a mask, 0 beyond its end.
[[nodiscard]] inline std::uint64_t word_of(const CpuMask& mask, std::size_t w) {
    return w < mask.words().size() ? mask.words()[w] : 0;
}

// The flag of the own group one level up; nullptr without a parent.
[[nodiscard]] inline bool* parent_imbalance(const LbEnvBase& env) {
    const auto* parent = env.s.domains->parent(env.sd);
    return parent == nullptr ? nullptr : &env.s.group_rt[env.s.domains->group(*parent, 0).sgc].imbalance;
}

// Takes tasks from env.src, at most nr_migrate of its `nr` looked at, going on with another destination when tasks are pinned
// away from this one. Returns how many moved.
template <class Env>
std::uint32_t pull_tasks(Env& env, std::uint32_t nr) {
    std::uint32_t moved = 0;
    env.loop_max = static_cast<std::uint32_t>(std::min<std::int64_t>(env.s.tunables.nr_migrate, nr));
    while (true) {
        moved += move_tasks(env);
        if (env.need_break) {
            env.need_break = false;
            continue;
        }
        if (!env.dst_pinned || env.imbalance <= 0) break;
        env.remove(env.dst);
        env.dst = env.new_dst;
        env.dst_pinned = false;
        env.restart_loop();
    }
    // The level above must not rely on this one to even things out.
    if (auto* flag = parent_imbalance(env); flag != nullptr && env.some_pinned && env.imbalance > 0) *flag = true;
    return moved;
}

inline constexpr std::uint64_t kMaxPinnedInterval = 512; // ms, MAX_PINNED_INTERVAL

// gather.cpp
void update_sd_lb_stats(LbEnv& env);
[[nodiscard]] bool group_has_capacity(const LbEnv& env, const SgLbStats& g);
// judge.cpp; find_busiest_group() leaves env.imbalance. nullptr = balanced.
[[nodiscard]] const SchedGroup* find_busiest_group(LbEnv& env);
[[nodiscard]] std::optional<CpuId> find_busiest_queue(const LbEnv& env, const SchedGroup& group);
[[nodiscard]] bool check_cpu_capacity(const SchedState& s, CpuId cpu, const SchedDomain& sd);
// act.cpp; both return the number of tasks moved from env.src to env.dst.
std::uint32_t move_tasks(LbEnv& env);
std::uint32_t move_one_task(LbEnv& env);
// act.cpp, both generations: a task leaves env.src and is noted in env.log.moves; a task joins env.dst.
void detach_task(LbEnvBase& env, TaskId p);
void attach_task(LbEnvBase& env, TaskId p);
// The moves of env.log from `before` on, last detached first.
void attach_tasks(LbEnvBase& env, std::size_t before);
// load_balance.cpp
std::uint32_t load_balance47(SchedState& s, CpuId cpu, const SchedDomain& sd, CpuIdleType idle, bool& continue_balancing, BalanceLog& log);
// rebalance.cpp
void rebalance_domains47(SchedState& s, CpuId cpu, CpuIdleType idle, BalanceLog& log);
int newidle_walk47(SchedState& s, CpuId cpu, BalanceLog& log, const std::uint64_t* costs);

// balance.cpp: the era's generation does it. load_balance() returns the number of tasks moved; `continue_balancing` becomes
// false when another CPU balances for the group. newidle_walk(): `costs` = ns of each level's pass from the lowest domain
// up, nullptr = the model's formula.
std::uint32_t load_balance(SchedState& s, CpuId cpu, const SchedDomain& sd, CpuIdleType idle, bool& continue_balancing, BalanceLog& log);
int newidle_walk(SchedState& s, CpuId cpu, BalanceLog& log, const std::uint64_t* costs);

} // namespace rqscope
