// SPDX-License-Identifier: GPL-3.0-or-later
// The entry points of balancing: which generation the era's profile asks for, and what both generations do alike (kernel:
// active_load_balance_cpu_stop of 4.7.4 and 6.1, the idle part of ttwu_do_wakeup and ttwu_do_activate). Source: topology.md
// 2.3, 2.5; select.md 4.
#include "balance/lb_env.h"
#include "balance/lb_env61.h"
#include "sched/cfs.h"
#include "sched/clock.h"

namespace rqscope {

namespace {

// The only place that chooses a generation.
bool compares_average_load(const SchedState& s) { return era_info(s.era).balance == BalanceProfile::V4_7; }

template <class Env>
void push_one_task(SchedState& s, CpuId src, const SchedDomain& sd, BalanceLog& log) {
    Env env(s, log, sd, CpuIdleType::Idle, MoveCause::Active, s.rqs[src.index()].push_cpu);
    env.src = src;
    if (move_one_task(env) != 0) env.rt.nr_balance_failed = 0;
}

template <class Enum, std::size_t n>
std::string_view pick(const std::string_view (&names)[n], Enum value) {
    return names[static_cast<std::size_t>(value)];
}

} // namespace

std::string_view name_of(BalanceReason r) {
    static constexpr std::string_view kNames[] = {
#define BALANCE_REASON(id, ...) #id,
#include "balance/reasons.def"
#undef BALANCE_REASON
    };
    return pick(kNames, r);
}

std::string_view name_of(MigrationType t) {
    static constexpr std::string_view kNames[] = {"load", "util", "task", "misfit"};
    return pick(kNames, t);
}

std::uint32_t load_balance(SchedState& s, CpuId cpu, const SchedDomain& sd, CpuIdleType idle, bool& continue_balancing, BalanceLog& log) {
    return compares_average_load(s) ? load_balance47(s, cpu, sd, idle, continue_balancing, log)
                                    : load_balance61(s, cpu, sd, idle, continue_balancing, log);
}

void rebalance_domains(SchedState& s, CpuId cpu, CpuIdleType idle, BalanceLog& log) {
    compares_average_load(s) ? rebalance_domains47(s, cpu, idle, log) : rebalance_domains61(s, cpu, idle, log);
}

int newidle_walk(SchedState& s, CpuId cpu, BalanceLog& log, const std::uint64_t* costs) {
    return compares_average_load(s) ? newidle_walk47(s, cpu, log, costs) : newidle_walk61(s, cpu, log, costs);
}

int newidle_balance(SchedState& s, CpuId cpu, BalanceLog& log) { return newidle_walk(s, cpu, log, nullptr); }

void active_load_balance(SchedState& s, CpuId src, BalanceLog& log) {
    auto& rq = s.rqs[src.index()];
    if (!rq.active_balance) return;
    rq.active_balance = false;
    update_rq_clock(s, src);
    if (rq.cfs.curr != kIdleTask) put_prev_entity(s, src, rq.cfs.curr);
    rq.need_resched = true;
    if (rq.cfs.nr_running == 0) return;
    const auto* sd = s.domains->lowest(rq.push_cpu);
    while (sd != nullptr && !sd->span.test(src)) sd = s.domains->parent(*sd);
    if (sd == nullptr) return;
    compares_average_load(s) ? push_one_task<LbEnv>(s, src, *sd, log) : push_one_task<LbEnv61>(s, src, *sd, log);
}

void account_idle_end(SchedState& s, CpuId cpu) {
    auto& rq = s.rqs[cpu.index()];
    if (rq.idle_stamp == 0) return;
    const bool floors = compares_average_load(s); // 4.x shifts, later kernels divide
    const auto delta = static_cast<std::int64_t>(s.now - rq.idle_stamp);
    const auto average = static_cast<std::int64_t>(rq.avg_idle);
    const auto difference = delta - average;
    rq.avg_idle = static_cast<std::uint64_t>(average + (floors ? difference >> 3 : difference / 8));
    rq.avg_idle = std::min(rq.avg_idle, 2 * rq.max_idle_balance_cost);
    if (!floors) { // read by SIS_PROP until 6.6; nobody looks at it where the placement has no such feature
        rq.wake_stamp = s.jiffies;
        rq.wake_avg_idle = rq.avg_idle / 2;
    }
    rq.idle_stamp = 0;
}

} // namespace rqscope
