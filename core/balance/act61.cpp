// SPDX-License-Identifier: GPL-3.0-or-later
// Which tasks leave the busiest queue (kernel: can_migrate_task, task_hot, detach_tasks, detach_one_task, v6.1 and v6.12).
// Source: topology.md 2.3. The list is walked from its tail, the task that ran least recently. The move itself is act.cpp's.
// Difference: without group scheduling a task's load is its load average, not scaled by that of its queue.
#include "balance/lb_env61.h"
#include "sched/cfs.h"
#include "sched/clock.h"

namespace rqscope {

namespace {

bool task_hot(const LbEnv61& env, TaskId p) {
    const auto& s = env.s;
    const auto& se = s.se[p.index()];
    const auto& src = s.rqs[env.src.index()];
    if (se.policy == Policy::Idle) return false;
    if (env.sd.has(SdFlag::SHARE_CPUCAPACITY)) return false; // threads of a core share its caches
    if (s.features.has(Feature::CACHE_HOT_BUDDY) && nr_running_of(s, env.dst) != 0 && (p == src.cfs.next || p == src.cfs.last))
        return true;
    if (s.tunables.migration_cost_ns == -1) return true;
    if (s.tunables.migration_cost_ns == 0) return false;
    return static_cast<std::int64_t>(src.clock_task - se.exec_start) < s.tunables.migration_cost_ns;
}

void note_pinned(LbEnv61& env, TaskId p) {
    env.some_pinned = true;
    if (!env.seek_other_dst || env.dst_pinned) return;
    for (const auto cpu : env.own_group().balance_mask) {
        if (!env.cpus().test(cpu) || !env.s.allowed(p, cpu)) continue;
        env.dst_pinned = true;
        env.new_dst = cpu;
        return;
    }
}

bool can_migrate_task(LbEnv61& env, TaskId p) {
    if (env.s.se[p.index()].per_cpu_kthread) return false;
    if (!env.s.allowed(p, env.dst)) {
        note_pinned(env, p);
        return false;
    }
    env.all_pinned = false;
    if (env.cause == MoveCause::Active) return true; // the stopper has taken the CPU from the running task
    if (env.s.rqs[env.src.index()].curr == p) return false;
    return !task_hot(env, p) || env.rt.nr_balance_failed > env.sd.cache_nice_tries;
}

// The more attempts failed, the more may be moved at once.
std::uint64_t shr_bound(std::uint64_t value, std::uint32_t failed) { return value >> std::min(failed, 63U); }

// Whether the task suits what is to be moved; if so the imbalance shrinks by it.
bool take_from_imbalance(LbEnv61& env, TaskId p) {
    const auto& se = env.s.se[p.index()];
    const auto failed = env.rt.nr_balance_failed;
    const auto fits = [&](std::uint64_t amount) {
        if (static_cast<std::int64_t>(shr_bound(amount, failed)) > env.imbalance) return false;
        env.imbalance -= static_cast<std::int64_t>(amount);
        return true;
    };
    switch (env.migration_type) {
    case MigrationType::MigrateLoad: {
        const auto load = std::max<Load>(se.avg.load_avg, 1);
        if (env.s.features.has(Feature::LB_MIN) && load < 16 && failed == 0) return false;
        return fits(load);
    }
    case MigrationType::MigrateUtil: return fits(task_util_est(se));
    case MigrationType::MigrateTask: --env.imbalance; return true;
    case MigrationType::MigrateMisfit:
        if (task_fits_cpu(env.s, se, env.src)) return false;
        env.imbalance = 0;
        return true;
    }
    return false;
}

// Leaves the detached tasks at the end of env.log.moves, in the order taken.
void detach_tasks(LbEnv61& env) {
    auto& s = env.s;
    auto& src = s.rqs[env.src.index()];
    if (nr_running_of(s, env.src) <= 1) {
        env.all_pinned = false; // nothing was tested
        return;
    }
    if (env.imbalance <= 0) return;
    while (src.cfs_tasks != kIdleTask) {
        if (env.idle != CpuIdleType::NotIdle && nr_running_of(s, env.src) <= 1) return; // never steal the last one
        if (++env.loop > env.loop_max) return;
        if (env.loop > env.loop_break) {
            env.loop_break += LbEnv61::kLoopBreak;
            env.need_break = true;
            return;
        }
        const auto p = src.cfs_tasks_tail;
        if (!can_migrate_task(env, p) || !take_from_imbalance(env, p)) {
            list_move_to_head(s, env.src, p); // looked at in vain: last the next time
            continue;
        }
        detach_task(env, p);
        if (env.idle == CpuIdleType::NewlyIdle && s.preemptible) return;
        if (env.imbalance <= 0) return;
    }
}

} // namespace

std::uint32_t move_tasks(LbEnv61& env) {
    update_rq_clock(env.s, env.src);
    const auto before = env.log.moves.size();
    detach_tasks(env);
    attach_tasks(env, before);
    return static_cast<std::uint32_t>(env.log.moves.size() - before);
}

std::uint32_t move_one_task(LbEnv61& env) {
    update_rq_clock(env.s, env.src);
    const auto before = env.log.moves.size();
    for (auto p = env.s.rqs[env.src.index()].cfs_tasks_tail; p != kIdleTask; p = env.s.se[p.index()].list_prev) {
        if (!can_migrate_task(env, p)) continue;
        detach_task(env, p);
        attach_tasks(env, before);
        return 1;
    }
    return 0;
}

} // namespace rqscope
