// SPDX-License-Identifier: GPL-3.0-or-later
// Which tasks leave the busiest queue, and the move itself (kernel: can_migrate_task, task_hot, detach_tasks,
// detach_one_task, attach_tasks, v4.7.4). Source: topology.md 2.3.
// Difference: the source clock is brought up to date before tasks are judged hot; v4.7 did that only at the first detach.
#include "balance/lb_env.h"
#include "sched/cfs.h"
#include "sched/clock.h"

namespace rqscope {

namespace {

bool task_hot(const LbEnv& env, TaskId p) {
    const auto& s = env.s;
    const auto& se = s.se[p.index()];
    const auto& src = s.rqs[env.src.index()];
    if (se.policy == Policy::Idle) return false;
    if (s.features.has(Feature::CACHE_HOT_BUDDY) && s.nr_running[env.dst.index()] != 0 && (p == src.cfs.next || p == src.cfs.last))
        return true;
    if (s.tunables.migration_cost_ns == -1) return true;
    return static_cast<std::int64_t>(src.clock_task - se.exec_start) < s.tunables.migration_cost_ns;
}

void note_pinned(LbEnv& env, TaskId p) {
    env.some_pinned = true;
    if (!env.seek_other_dst || env.dst_pinned) return;
    for (const auto cpu : env.own_group().span) {
        if (!env.cpus().test(cpu) || !env.s.allowed(p, cpu)) continue;
        env.dst_pinned = true;
        env.new_dst = cpu;
        return;
    }
}

bool can_migrate_task(LbEnv& env, TaskId p) {
    if (!env.s.allowed(p, env.dst)) {
        note_pinned(env, p);
        return false;
    }
    env.all_pinned = false;
    // The stopper has taken the CPU from the running task when an active balance runs.
    if (env.cause != MoveCause::Active && env.s.rqs[env.src.index()].curr == p) return false;
    return !task_hot(env, p) || env.rt.nr_balance_failed > env.sd.cache_nice_tries;
}

bool worth_moving(const LbEnv& env, Load load) {
    if (env.s.features.has(Feature::LB_MIN) && load < 16 && env.rt.nr_balance_failed == 0) return false;
    return static_cast<std::int64_t>(load / 2) <= env.imbalance;
}

// list_move_tail(): a task that was looked at in vain is looked at last the next time.
void list_move_tail(SchedState& s, Rq& rq, TaskId p) {
    auto& se = s.se[p.index()];
    if (rq.cfs_tasks_tail == p) return;
    if (rq.cfs_tasks == p)
        rq.cfs_tasks = se.list_next;
    else
        s.se[se.list_prev.index()].list_next = se.list_next;
    s.se[se.list_next.index()].list_prev = se.list_prev;
    s.se[rq.cfs_tasks_tail.index()].list_next = p;
    se.list_prev = rq.cfs_tasks_tail;
    se.list_next = kIdleTask;
    rq.cfs_tasks_tail = p;
}

// Leaves the detached tasks at the end of env.log.moves, in the order taken.
void detach_tasks(LbEnv& env) {
    auto& s = env.s;
    auto& src = s.rqs[env.src.index()];
    if (env.imbalance <= 0) return;
    while (src.cfs_tasks != kIdleTask) {
        if (env.idle != CpuIdleType::NotIdle && src.cfs.nr_running <= 1) return; // never steal the last one
        const auto p = src.cfs_tasks;
        if (++env.loop > env.loop_max) return;
        if (env.loop > env.loop_break) {
            env.loop_break += LbEnv::kLoopBreak;
            env.need_break = true;
            return;
        }
        const auto load = s.se[p.index()].avg.load_avg;
        if (!can_migrate_task(env, p) || !worth_moving(env, load)) {
            list_move_tail(s, src, p);
            continue;
        }
        detach_task(env, p);
        env.imbalance -= static_cast<std::int64_t>(load);
        if (env.idle == CpuIdleType::NewlyIdle && s.preemptible) return;
        if (env.imbalance <= 0) return;
    }
}

} // namespace

void detach_task(LbEnvBase& env, TaskId p) {
    auto& se = env.s.se[p.index()];
    dequeue_task_fair(env.s, env.src, p, {});
    migrate_task_rq_fair(env.s, p, env.src, false);
    se.cpu = env.dst;
    ++se.nr_migrations;
    env.log.moves.push_back({p, env.src, env.dst, env.cause});
}

void attach_task(LbEnvBase& env, TaskId p) {
    enqueue_task_fair(env.s, env.dst, p, {});
    env.s.idle.clear(env.dst);
    static_cast<void>(check_preempt_wakeup(env.s, env.dst, p, false));
}

void attach_tasks(LbEnvBase& env, std::size_t before) {
    const auto after = env.log.moves.size();
    if (after != before) update_rq_clock(env.s, env.dst);
    for (auto i = after; i-- > before;) attach_task(env, env.log.moves[i].task);
}

std::uint32_t move_tasks(LbEnv& env) {
    update_rq_clock(env.s, env.src);
    const auto before = env.log.moves.size();
    detach_tasks(env);
    attach_tasks(env, before);
    return static_cast<std::uint32_t>(env.log.moves.size() - before);
}

std::uint32_t move_one_task(LbEnv& env) {
    update_rq_clock(env.s, env.src);
    for (auto p = env.s.rqs[env.src.index()].cfs_tasks; p != kIdleTask; p = env.s.se[p.index()].list_next) {
        if (!can_migrate_task(env, p)) continue;
        detach_task(env, p);
        update_rq_clock(env.s, env.dst);
        attach_task(env, p);
        return 1;
    }
    return 0;
}

} // namespace rqscope
