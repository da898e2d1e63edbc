// SPDX-License-Identifier: GPL-3.0-or-later
// States with real queues for the balancing tests: time 1000 s, all clocks equal, tasks of a given load that ran long ago.
#pragma once

#include "balance/lb_env.h"
#include "core/select/small_machine.h"
#include "sched/cfs.h"
#include "sched/clock.h"

namespace rqscope::test {

inline constexpr RqClock kStart = 1'000'000'000'000;

inline SchedState balance_state(SchedDomains domains) {
    auto s = idle_state(std::move(domains));
    s.se.resize(1);
    s.now = kStart;
    s.hz = 1000;
    s.jiffies = 1'000'000;
    s.root_overload = true;
    s.features.set({Feature::LB_BIAS, 0});
    for (std::size_t i = 0; i < s.rqs.size(); ++i) {
        update_rq_clock(s, CpuId{static_cast<std::uint32_t>(i)});
        s.cfs_avg[i].last_update_time = kStart;
        s.rqs[i].next_balance = s.jiffies + 100'000;
    }
    for (const auto& sd : s.domains->domains) {
        auto& rt = s.domain_rt[sd.id.index()];
        rt.balance_interval = sd.min_interval;
        rt.last_balance = s.jiffies;
        rt.decay_stamp = s.jiffies + 1'000'000;
    }
    return s;
}

// A queued task; the first one of a CPU runs there. Its util is what its share of the CPU would be.
inline TaskId add_task(SchedState& s, std::uint32_t cpu, Load load = 1024, Util util = 1024) {
    const TaskId p{static_cast<std::uint32_t>(s.se.size())};
    s.se.emplace_back();
    auto& se = s.se.back();
    se.cpu = CpuId{cpu};
    se.avg.load_avg = load;
    se.avg.load_sum = load * kLoadAvgMax;
    se.avg.util_avg = util;
    se.avg.util_sum = static_cast<std::uint32_t>(util * kLoadAvgMax);
    enqueue_task_fair(s, CpuId{cpu}, p, {});
    auto& rq = s.rqs[cpu];
    if (rq.curr == kIdleTask) {
        set_next_entity(s, CpuId{cpu}, p);
        rq.curr = p;
    }
    s.idle.clear(CpuId{cpu});
    s.se.back().exec_start = kStart - 10'000'000;
    return p;
}

// What the leaving task of a CPU that is about to go idle looks like.
inline void make_leaving(SchedState& s, std::uint32_t cpu) {
    s.idle.clear(CpuId{cpu});
    s.rqs[cpu].curr = TaskId{static_cast<std::uint32_t>(s.se.size())};
    s.se.emplace_back();
}

inline const SchedDomain& level(const SchedState& s, std::uint32_t cpu, const char* name) {
    const auto* sd = s.domains->lowest(CpuId{cpu});
    while (sd != nullptr && sd->name != name) sd = s.domains->parent(*sd);
    SCHED_CHECK(sd != nullptr);
    return *sd;
}

inline DomainRuntime& runtime(SchedState& s, std::uint32_t cpu, const char* name) { return s.domain_rt[level(s, cpu, name).id.index()]; }

inline std::uint32_t pull(SchedState& s, std::uint32_t cpu, const char* name, CpuIdleType idle, BalanceLog& log) {
    bool go_on = true;
    return load_balance(s, CpuId{cpu}, level(s, cpu, name), idle, go_on, log);
}

inline std::vector<std::uint32_t> list_of(const SchedState& s, std::uint32_t cpu) {
    std::vector<std::uint32_t> out;
    for (auto p = s.rqs[cpu].cfs_tasks; p != kIdleTask; p = s.se[p.index()].list_next) out.push_back(p.value);
    return out;
}

} // namespace rqscope::test
