// SPDX-License-Identifier: GPL-3.0-or-later
// When a CPU balances, and how it accounts for it (kernel: rebalance_domains, idle_balance, v4.7.4). Source: topology.md
// 2.1, 2.5.
// Differences: a pass takes no simulated time, so its cost is a formula and the SERIALIZE token is always free; idle CPUs
// keep their tick, so nobody balances for them.
#include "balance/intervals.h"
#include "balance/lb_env.h"
#include "sched/cfs.h"
#include "sched/clock.h"

namespace rqscope {

namespace {

// max_newidle_lb_cost fades by about 1 % per second. True if it did now.
bool decay_newidle_cost(const SchedState& s, DomainRuntime& rt) {
    if (s.jiffies <= rt.decay_stamp) return false;
    rt.max_newidle_lb_cost = rt.max_newidle_lb_cost * 253 / 256;
    rt.decay_stamp = s.jiffies + s.hz;
    return true;
}

} // namespace

void rebalance_domains47(SchedState& s, CpuId cpu, CpuIdleType idle, BalanceLog& log) {
    auto& rq = s.rqs[cpu.index()];
    const Intervals intervals(s, 0);
    const Jiffies horizon = s.jiffies + 60 * Jiffies{s.hz};
    Jiffies next = horizon;
    bool go_on = true, decayed = false;
    std::uint64_t max_cost = 0;
    update_rq_clock(s, cpu);
    update_blocked_averages(s, cpu);
    for (const auto* sd = s.domains->lowest(cpu); sd != nullptr; sd = s.domains->parent(*sd)) {
        auto& rt = s.domain_rt[sd->id.index()];
        decayed |= decay_newidle_cost(s, rt);
        max_cost += rt.max_newidle_lb_cost;
        if (!go_on) {
            if (decayed) continue;
            break;
        }
        if (s.jiffies >= intervals.due(*sd, idle != CpuIdleType::Idle)) {
            // A pass may have served another CPU of the group, so the own state is looked up afresh.
            if (load_balance47(s, cpu, *sd, idle, go_on, log) != 0) idle = s.idle.test(cpu) ? CpuIdleType::Idle : CpuIdleType::NotIdle;
            rt.last_balance = s.jiffies;
        }
        next = std::min(next, intervals.due(*sd, idle != CpuIdleType::Idle));
    }
    if (decayed) rq.max_idle_balance_cost = std::max(static_cast<std::uint64_t>(s.tunables.migration_cost_ns), max_cost);
    if (next != horizon) rq.next_balance = next;
}

int newidle_walk47(SchedState& s, CpuId cpu, BalanceLog& log, const std::uint64_t* costs) {
    auto& rq = s.rqs[cpu.index()];
    update_rq_clock(s, cpu);
    rq.idle_stamp = rq.clock;
    const Intervals intervals(s, 0);
    Jiffies next = s.jiffies + s.hz;
    const auto* sd = s.domains->lowest(cpu);
    if (!s.root_overload || rq.avg_idle < static_cast<std::uint64_t>(s.tunables.migration_cost_ns)) {
        if (sd != nullptr) next = std::min(next, intervals.due(*sd, false));
        rq.next_balance = std::min(rq.next_balance, next);
        return 0;
    }
    update_blocked_averages(s, cpu);
    std::uint64_t spent = 0;
    std::uint32_t pulled = 0;
    for (std::size_t level = 0; sd != nullptr; sd = s.domains->parent(*sd), ++level) {
        auto& rt = s.domain_rt[sd->id.index()];
        const bool affordable = rq.avg_idle >= spent + rt.max_newidle_lb_cost;
        if (affordable && sd->has(SdFlag::BALANCE_NEWIDLE)) {
            bool go_on = true; // asked for by periodic balancing only
            pulled = load_balance47(s, cpu, *sd, CpuIdleType::NewlyIdle, go_on, log);
            const auto cost = costs != nullptr ? costs[level] : model_cost(*sd, pulled);
            rt.max_newidle_lb_cost = std::max(rt.max_newidle_lb_cost, cost);
            spent += cost;
        }
        next = std::min(next, intervals.due(*sd, false));
        if (!affordable || pulled != 0 || rq.cfs.nr_running != 0) break;
    }
    rq.max_idle_balance_cost = std::max(rq.max_idle_balance_cost, spent);
    if (pulled == 0 && rq.cfs.nr_running != 0) pulled = 1;
    rq.next_balance = std::min(rq.next_balance, next);
    if (pulled != 0) rq.idle_stamp = 0;
    return static_cast<int>(pulled);
}

} // namespace rqscope
