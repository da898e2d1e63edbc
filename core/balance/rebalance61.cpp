// SPDX-License-Identifier: GPL-3.0-or-later
// When a CPU balances, and how it accounts for it (kernel: rebalance_domains, newidle_balance, update_newidle_cost,
// update_misfit_status, v6.1 and v6.12). Source: topology.md 2.1, 2.5.
// Differences: a pass takes no simulated time, so its cost is a formula and the SERIALIZE token is always free; idle CPUs
// keep their tick, so nobody balances for them; the largest CPU is no exception to the misfit test.
#include "balance/intervals.h"
#include "balance/lb_env61.h"
#include "sched/cfs.h"
#include "sched/clock.h"

namespace rqscope {

namespace {

constexpr Jiffies kBusyEarly = 1;

// The CPU runs nothing but SCHED_IDLE tasks: for balancing it counts as idle.
bool sched_idle_cpu(const SchedState& s, CpuId cpu) {
    const auto& rq = s.rqs[cpu.index()];
    return rq.nr_other == 0 && rq.cfs.nr_running != 0 && rq.cfs.idle_nr_running == rq.cfs.nr_running;
}

bool is_busy(const SchedState& s, CpuId cpu, CpuIdleType idle) { return idle != CpuIdleType::Idle && !sched_idle_cpu(s, cpu); }

// A larger cost counts at once, the largest fades by about 1 % per second. True if it faded now.
bool update_newidle_cost(const SchedState& s, DomainRuntime& rt, std::uint64_t cost) {
    if (cost > rt.max_newidle_lb_cost) {
        rt.max_newidle_lb_cost = cost;
        rt.decay_stamp = s.jiffies;
        return false;
    }
    if (s.jiffies <= rt.decay_stamp + s.hz) return false;
    rt.max_newidle_lb_cost = rt.max_newidle_lb_cost * 253 / 256;
    rt.decay_stamp = s.jiffies;
    return true;
}

// Walks up while the CPU can afford the next level and nothing has arrived; returns the time spent, ns.
struct NewIdleWalk {
    SchedState& s;
    CpuId cpu;
    BalanceLog& log;
    const std::uint64_t* costs;
    const Intervals& intervals;
    Jiffies& next;
    int pulled = 0;

    std::uint64_t run() {
        const auto& rq = s.rqs[cpu.index()];
        std::uint64_t spent = 0;
        std::size_t level = 0;
        for (const auto* sd = s.domains->lowest(cpu); sd != nullptr; sd = s.domains->parent(*sd), ++level) {
            auto& rt = s.domain_rt[sd->id.index()];
            next = std::min(next, intervals.due(*sd, false));
            if (rq.avg_idle < spent + rt.max_newidle_lb_cost) break;
            if (sd->has(SdFlag::BALANCE_NEWIDLE)) {
                bool go_on = true; // asked for by periodic balancing only
                const auto moved = load_balance61(s, cpu, *sd, CpuIdleType::NewlyIdle, go_on, log);
                const auto cost = costs != nullptr ? costs[level] : model_cost(*sd, moved);
                update_newidle_cost(s, rt, cost);
                spent += cost;
                pulled = static_cast<int>(moved);
            }
            if (pulled != 0 || nr_running_of(s, cpu) != 0) break;
        }
        return spent;
    }
};

} // namespace

void rebalance_domains61(SchedState& s, CpuId cpu, CpuIdleType idle, BalanceLog& log) {
    auto& rq = s.rqs[cpu.index()];
    const Intervals intervals(s, kBusyEarly);
    const Jiffies horizon = s.jiffies + 60 * Jiffies{s.hz};
    Jiffies next = horizon;
    bool go_on = true, decayed = false, busy = is_busy(s, cpu, idle);
    std::uint64_t max_cost = 0;
    update_rq_clock(s, cpu);
    update_blocked_averages(s, cpu);
    for (const auto* sd = s.domains->lowest(cpu); sd != nullptr; sd = s.domains->parent(*sd)) {
        auto& rt = s.domain_rt[sd->id.index()];
        decayed = update_newidle_cost(s, rt, 0); // of the level visited last, unlike 4.7
        max_cost += rt.max_newidle_lb_cost;
        if (!go_on) {
            if (decayed) continue;
            break;
        }
        if (s.jiffies >= intervals.due(*sd, busy)) {
            // A pass may have served another CPU of the group, so the own state is looked up afresh.
            if (load_balance61(s, cpu, *sd, idle, go_on, log) != 0) {
                idle = s.idle.test(cpu) ? CpuIdleType::Idle : CpuIdleType::NotIdle;
                busy = is_busy(s, cpu, idle);
            }
            rt.last_balance = s.jiffies;
        }
        next = std::min(next, intervals.due(*sd, busy));
    }
    if (decayed) rq.max_idle_balance_cost = std::max(static_cast<std::uint64_t>(s.tunables.migration_cost_ns), max_cost);
    if (next != horizon) rq.next_balance = next;
}

int newidle_walk61(SchedState& s, CpuId cpu, BalanceLog& log, const std::uint64_t* costs) {
    auto& rq = s.rqs[cpu.index()];
    update_misfit_status(s, cpu, kIdleTask);
    if (rq.ttwu_pending != 0) return 0;
    update_rq_clock(s, cpu);
    rq.idle_stamp = rq.clock;
    if (!s.online.test(cpu)) return 0;
    const Intervals intervals(s, kBusyEarly);
    Jiffies next = s.jiffies + s.hz;
    int pulled = 0;
    const auto* sd = s.domains->lowest(cpu);
    if (!s.root_overload || (sd != nullptr && rq.avg_idle < s.domain_rt[sd->id.index()].max_newidle_lb_cost)) {
        if (sd != nullptr) next = std::min(next, intervals.due(*sd, false));
    } else {
        update_blocked_averages(s, cpu);
        NewIdleWalk walk{s, cpu, log, costs, intervals, next};
        rq.max_idle_balance_cost = std::max(rq.max_idle_balance_cost, walk.run());
        pulled = walk.pulled;
        if (pulled == 0 && rq.cfs.nr_running != 0) pulled = 1;
        if (rq.nr_other != 0) pulled = -1;
    }
    rq.next_balance = std::min(rq.next_balance, next);
    if (pulled != 0) rq.idle_stamp = 0;
    return pulled;
}

void update_misfit_status(SchedState& s, CpuId cpu, TaskId p) {
    auto& misfit = s.rqs[cpu.index()].misfit_task_load;
    misfit = 0;
    if (p == kIdleTask || !s.domains->sd_asym_cpucapacity[cpu.index()]) return;
    const auto& se = s.se[p.index()];
    const bool pinned = se.allowed >= 0 && s.affinity[static_cast<std::size_t>(se.allowed)].count() == 1;
    if (!pinned && !task_fits_cpu(s, se, cpu)) misfit = std::max<Load>(se.avg.load_avg, 1);
}

} // namespace rqscope
