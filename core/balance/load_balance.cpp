// SPDX-License-Identifier: GPL-3.0-or-later
// One pass of one CPU at one level (kernel: load_balance, should_we_balance, need_active_balance, v4.7.4): who balances,
// retries around pinned tasks, failures, interval of the next pass. Source: topology.md 2.2, 2.3.
#include "balance/lb_env.h"

#include <bit>

namespace rqscope {

namespace {

// One CPU balances for its whole group: the first idle one, else the group's balance CPU.
bool should_we_balance(const LbEnv& env) {
    if (env.idle == CpuIdleType::NewlyIdle) return true;
    const auto& mask = env.own_group().balance_mask;
    for (std::size_t w = 0; w < mask.words().size(); ++w)
        if (const auto bits = mask.words()[w] & word_of(env.cpus(), w) & word_of(env.s.idle, w))
            return w * 64 + static_cast<std::size_t>(std::countr_zero(bits)) == env.dst.index();
    return mask.first() == env.dst;
}

bool need_active_balance(const LbEnv& env) {
    const auto& s = env.s;
    if (env.idle != CpuIdleType::NotIdle && s.nr_running[env.src.index()] == 1 && check_cpu_capacity(s, env.src, env.sd) &&
        s.capacity_of(env.src) * env.sd.imbalance_pct < s.capacity_of(env.dst) * 100)
        return true;
    return env.rt.nr_balance_failed > env.sd.cache_nice_tries + 2;
}

enum class Outcome : std::uint8_t { Unbalanced, ActiveBalance, Balanced, AllPinned, OnePinned };

class Pass {
public:
    Pass(SchedState& s, CpuId cpu, const SchedDomain& sd, CpuIdleType idle, BalanceLog& log)
        : m_env(s, log, sd, idle, idle == CpuIdleType::NewlyIdle ? MoveCause::NewIdle : MoveCause::Periodic, cpu), m_cpu(cpu) {
        m_verdict = {.dst = cpu, .domain = sd.id, .idle = idle};
    }

    std::uint32_t run(bool& continue_balancing) {
        settle(search(continue_balancing));
        if (m_judged) m_env.log.passes.push_back(m_verdict);
        return m_moved;
    }

private:
    // Looks for a source until one yields, none is left, or all of its tasks turn out to be movable in principle.
    Outcome search(bool& continue_balancing) {
        while (true) {
            if (!should_we_balance(m_env)) {
                continue_balancing = false;
                return Outcome::Balanced;
            }
            m_judged = true;
            const auto* group = find_busiest_group(m_env);
            m_verdict.local_avg = m_env.sds.local_stat.avg_load;
            m_verdict.busiest_avg = m_env.sds.busiest_stat.avg_load;
            m_verdict.imbalance = static_cast<std::uint64_t>(m_env.imbalance);
            m_verdict.reason = BalanceReason::NoBusiestGroup;
            if (group == nullptr) return Outcome::Balanced;
            const auto src = find_busiest_queue(m_env, *group);
            m_verdict.reason = BalanceReason::NoBusiestQueue;
            if (!src) return Outcome::Balanced;
            SCHED_CHECK(*src != m_env.dst);
            m_env.src = m_verdict.src = *src;
            if (m_env.s.nr_running[src->index()] > 1 && !pull()) {
                m_verdict.reason = BalanceReason::AllPinned;
                m_env.remove(*src);
                m_env.restart_loop();
                if (m_env.cpus().empty()) return Outcome::AllPinned;
                continue;
            }
            return conclude();
        }
    }

    // False: none of the tasks may run on any destination.
    bool pull() {
        m_env.all_pinned = true;
        m_moved += pull_tasks(m_env, m_env.s.nr_running[m_env.src.index()]);
        return !m_env.all_pinned;
    }

    Outcome conclude() {
        auto& env = m_env;
        if (m_moved != 0) {
            env.rt.nr_balance_failed = 0;
            m_verdict.reason = BalanceReason::Moved;
            return Outcome::Unbalanced;
        }
        m_verdict.reason = BalanceReason::NothingMoved;
        if (env.idle != CpuIdleType::NewlyIdle) ++env.rt.nr_balance_failed;
        if (!need_active_balance(env)) return Outcome::Unbalanced;
        auto& src = env.s.rqs[env.src.index()];
        if (!env.s.allowed(src.curr, m_cpu)) {
            env.all_pinned = true;
            m_verdict.reason = BalanceReason::AllPinned;
            return Outcome::OnePinned;
        }
        env.rt.nr_balance_failed = env.sd.cache_nice_tries + 1;
        if (src.active_balance) return Outcome::Unbalanced;
        src.active_balance = true;
        src.push_cpu = m_cpu;
        env.log.active.push_back(env.src);
        m_verdict.reason = BalanceReason::ActiveBalance;
        return Outcome::ActiveBalance;
    }

    // What the pass leaves behind in the domain.
    void settle(Outcome outcome) {
        auto& env = m_env;
        auto& rt = env.rt;
        m_verdict.moved = m_moved;
        switch (outcome) {
        case Outcome::Unbalanced: rt.balance_interval = env.sd.min_interval; return;
        case Outcome::ActiveBalance:
            if (rt.balance_interval < env.sd.max_interval) rt.balance_interval *= 2;
            return;
        case Outcome::Balanced:
            if (auto* flag = parent_imbalance(env)) *flag = false;
            [[fallthrough]];
        case Outcome::AllPinned: rt.nr_balance_failed = 0; [[fallthrough]];
        case Outcome::OnePinned:
            if ((env.all_pinned && rt.balance_interval < kMaxPinnedInterval) || rt.balance_interval < env.sd.max_interval)
                rt.balance_interval *= 2;
            m_moved = 0;
        }
    }

    LbEnv m_env;
    CpuId m_cpu;
    BalanceVerdict m_verdict;
    std::uint32_t m_moved = 0;
    bool m_judged = false;
};

} // namespace

std::uint32_t load_balance47(SchedState& s, CpuId cpu, const SchedDomain& sd, CpuIdleType idle, bool& continue_balancing, BalanceLog& log) {
    return Pass(s, cpu, sd, idle, log).run(continue_balancing);
}

} // namespace rqscope
