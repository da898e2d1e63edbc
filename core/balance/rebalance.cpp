// SPDX-License-Identifier: GPL-3.0-or-later
// When a CPU balances, and how it accounts for it (kernel: rebalance_domains, get_sd_balance_interval, idle_balance, the
// idle part of ttwu_do_wakeup, v4.7.4). Source: topology.md 2.1, 2.5; select.md 4.
// Differences: a pass takes no simulated time, so its cost is a formula and the SERIALIZE token is always free; idle CPUs
// keep their tick, so nobody balances for them.
#include "balance/lb_env.h"
#include "sched/cfs.h"
#include "sched/clock.h"

namespace rqscope {

namespace {

// ns; feeds max_newidle_lb_cost only (topology.md 2.5).
std::uint64_t model_cost(const SchedDomain& sd, std::uint32_t moved) {
    return 300 + 60 * std::uint64_t{sd.weight} + 1500 * std::uint64_t{moved};
}

class Intervals {
public:
    explicit Intervals(const SchedState& s) : m_s(s), m_max(std::max<Jiffies>(Jiffies{s.hz} * s.online.count() / 10, 1)) {}

    // get_sd_balance_interval(), ticks.
    [[nodiscard]] Jiffies of(const SchedDomain& sd, bool busy) const {
        const auto ms = m_s.domain_rt[sd.id.index()].balance_interval * (busy ? sd.busy_factor : 1);
        return std::clamp<Jiffies>((ms * m_s.hz + 999) / 1000, 1, m_max);
    }
    // Tick from which the level is due.
    [[nodiscard]] Jiffies due(const SchedDomain& sd, bool busy) const {
        return m_s.domain_rt[sd.id.index()].last_balance + of(sd, busy);
    }

private:
    const SchedState& m_s;
    Jiffies m_max; // max_load_balance_interval
};

// max_newidle_lb_cost fades by about 1 % per second. True if it did now.
bool decay_newidle_cost(const SchedState& s, DomainRuntime& rt) {
    if (s.jiffies <= rt.decay_stamp) return false;
    rt.max_newidle_lb_cost = rt.max_newidle_lb_cost * 253 / 256;
    rt.decay_stamp = s.jiffies + s.hz;
    return true;
}

} // namespace

void rebalance_domains(SchedState& s, CpuId cpu, CpuIdleType idle, BalanceLog& log) {
    auto& rq = s.rqs[cpu.index()];
    const Intervals intervals(s);
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
            if (load_balance(s, cpu, *sd, idle, go_on, log) != 0) idle = s.idle.test(cpu) ? CpuIdleType::Idle : CpuIdleType::NotIdle;
            rt.last_balance = s.jiffies;
        }
        next = std::min(next, intervals.due(*sd, idle != CpuIdleType::Idle));
    }
    if (decayed) rq.max_idle_balance_cost = std::max(static_cast<std::uint64_t>(s.tunables.migration_cost_ns), max_cost);
    if (next != horizon) rq.next_balance = next;
}

int newidle_walk(SchedState& s, CpuId cpu, BalanceLog& log, const std::uint64_t* costs) {
    auto& rq = s.rqs[cpu.index()];
    update_rq_clock(s, cpu);
    rq.idle_stamp = rq.clock;
    const Intervals intervals(s);
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
            pulled = load_balance(s, cpu, *sd, CpuIdleType::NewlyIdle, go_on, log);
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

int newidle_balance(SchedState& s, CpuId cpu, BalanceLog& log) { return newidle_walk(s, cpu, log, nullptr); }

void account_idle_end(SchedState& s, CpuId cpu) {
    auto& rq = s.rqs[cpu.index()];
    if (rq.idle_stamp == 0) return;
    const auto average = static_cast<std::int64_t>(rq.avg_idle);
    const auto difference = static_cast<std::int64_t>(s.now - rq.idle_stamp) - average;
    const bool v4 = era_info(s.era).balance == BalanceProfile::V4_7;
    rq.avg_idle = static_cast<std::uint64_t>(average + (v4 ? difference >> 3 : difference / 8)); // 4.x rounds down, 5.x to zero
    rq.avg_idle = std::min(rq.avg_idle, 2 * rq.max_idle_balance_cost);
    rq.wake_stamp = s.jiffies;
    rq.wake_avg_idle = rq.avg_idle / 2;
    rq.idle_stamp = 0;
}

} // namespace rqscope
