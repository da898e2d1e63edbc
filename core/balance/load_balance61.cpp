// SPDX-License-Identifier: GPL-3.0-or-later
// One pass of one CPU at one level (kernel: load_balance of v6.1, sched_balance_rq of v6.12): retries around pinned tasks,
// failures, active balance, interval of the next pass. Source: topology.md 2.2.
#include "balance/lb_env61.h"

namespace rqscope {

namespace {

enum class Outcome : std::uint8_t { Unbalanced, Balanced, AllPinned, OnePinned }; // the kernel's labels at the end

class Pass61 {
public:
    Pass61(SchedState& s, CpuId cpu, const SchedDomain& sd, CpuIdleType idle, BalanceLog& log)
        : m_env(s, log, sd, idle, idle == CpuIdleType::NewlyIdle ? MoveCause::NewIdle : MoveCause::Periodic, cpu), m_cpu(cpu) {
        m_verdict = {.dst = cpu, .domain = sd.id, .idle = idle};
    }

    std::uint32_t run(bool& continue_balancing) {
        settle(search(continue_balancing));
        m_verdict.moved = m_moved;
        if (m_judged) m_env.log.passes.push_back(m_verdict);
        return m_moved;
    }

private:
    // Looks for a source until one yields, none is left, or all of its tasks turn out to be movable in principle.
    Outcome search(bool& continue_balancing) {
        auto& env = m_env;
        while (true) {
            if (!should_we_balance(env)) {
                continue_balancing = false;
                return Outcome::Balanced;
            }
            m_judged = true;
            const auto* group = judge();
            if (group == nullptr) return Outcome::Balanced;
            const auto src = find_busiest_queue(env, *group);
            m_verdict.reason = BalanceReason::NoBusiestQueue;
            if (!src) return Outcome::Balanced;
            SCHED_CHECK(*src != env.dst);
            env.src = m_verdict.src = *src;
            env.all_pinned = true; // until a task is seen that might move
            if (nr_running_of(env.s, *src) > 1) {
                m_moved += pull_tasks(m_env, nr_running_of(m_env.s, m_env.src));
                if (env.all_pinned) {
                    m_verdict.reason = BalanceReason::AllPinned;
                    env.remove(*src);
                    if ((env.cpus() & env.sd.span).subset_of(env.own_group().balance_mask)) return Outcome::AllPinned;
                    env.restart_loop();
                    continue;
                }
            }
            return conclude();
        }
    }

    const SchedGroup* judge() {
        update_sd_lb_stats(m_env);
        const auto j = find_busiest_group(m_env);
        m_env.imbalance = j.imbalance;
        m_env.migration_type = j.migration_type;
        m_verdict.reason = j.reason;
        m_verdict.migration_type = j.migration_type;
        m_verdict.imbalance = static_cast<std::uint64_t>(j.imbalance);
        m_verdict.local_avg = j.local_avg;
        m_verdict.busiest_avg = m_env.sds.busiest_stat.avg_load;
        m_verdict.local_type = m_env.sds.local_stat.group_type;
        m_verdict.busiest_type = m_env.sds.busiest_stat.group_type;
        return j.busiest;
    }

    Outcome conclude() {
        auto& env = m_env;
        if (m_moved != 0) {
            env.rt.nr_balance_failed = 0;
            m_verdict.reason = BalanceReason::Moved;
            return Outcome::Unbalanced;
        }
        m_verdict.reason = BalanceReason::NothingMoved;
        if (env.idle != CpuIdleType::NewlyIdle && !is_misfit_of_6_12()) ++env.rt.nr_balance_failed;
        if (!need_active_balance(env)) return Outcome::Unbalanced;
        auto& src = env.s.rqs[env.src.index()];
        if (!env.s.allowed(src.curr, m_cpu)) {
            m_verdict.reason = BalanceReason::CurrPinned;
            return Outcome::OnePinned;
        }
        m_verdict.reason = BalanceReason::ActiveBalancePending;
        if (src.active_balance) return Outcome::Unbalanced;
        src.active_balance = true;
        src.push_cpu = m_cpu;
        env.log.active.push_back(env.src);
        m_verdict.reason = BalanceReason::ActiveBalance;
        return Outcome::Unbalanced;
    }

    // A misfit says nothing about how busy the level is.
    [[nodiscard]] bool is_misfit_of_6_12() const { return m_env.v6_12 && m_env.migration_type == MigrationType::MigrateMisfit; }

    // What the pass leaves behind in the domain.
    void settle(Outcome outcome) {
        auto& env = m_env;
        auto& rt = env.rt;
        switch (outcome) {
        case Outcome::Unbalanced: rt.balance_interval = env.sd.min_interval; return;
        case Outcome::Balanced:
            if (auto* flag = parent_imbalance(env); flag != nullptr && !env.all_pinned) *flag = false;
            [[fallthrough]];
        case Outcome::AllPinned: rt.nr_balance_failed = 0; [[fallthrough]];
        case Outcome::OnePinned:
            m_moved = 0;
            // New-idle passes come at any time, so they do not stretch the interval.
            if (env.idle == CpuIdleType::NewlyIdle || is_misfit_of_6_12()) return;
            if ((env.all_pinned && rt.balance_interval < kMaxPinnedInterval) || rt.balance_interval < env.sd.max_interval)
                rt.balance_interval *= 2;
        }
    }

    LbEnv61 m_env;
    CpuId m_cpu;
    BalanceVerdict m_verdict;
    std::uint32_t m_moved = 0;
    bool m_judged = false;
};

} // namespace

std::uint32_t load_balance61(SchedState& s, CpuId cpu, const SchedDomain& sd, CpuIdleType idle, bool& continue_balancing, BalanceLog& log) {
    return Pass61(s, cpu, sd, idle, log).run(continue_balancing);
}

} // namespace rqscope
