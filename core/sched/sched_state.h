// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the scheduler itself reads and writes, as one copyable value: entities, run queues, load averages, run-time
// values of domains. Ids instead of pointers; the only shared part is the immutable domain shape.
#pragma once

#include "base/cpu_mask.h"
#include "sched/entity.h"
#include "sched/features.h"
#include "sched/rq.h"
#include "sched/tunables.h"
#include "topology/sched_domain.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace rqscope {

// Run-time values of one sched_domain (the kernel keeps them in the domain; ours is immutable shape).
struct DomainRuntime {
    std::uint64_t balance_interval = 0; // ms
    std::uint32_t nr_balance_failed = 0;
    Jiffies last_balance = 0;           // tick
    std::uint64_t max_newidle_lb_cost = 0; // ns
    Jiffies decay_stamp = 0;            // tick
    std::uint64_t avg_scan_cost = 0;    // ns, of select_idle_cpu() walks started by the domain's owner
};

// sched_domain_shared of one last-level cache, by LlcId.
struct LlcRuntime {
    bool has_idle_cores = false;    // a hint: set when a core goes idle, cleared by a search that found none
    std::uint32_t nr_idle_scan = 0; // CPUs that SIS_UTIL lets a wake-up look at
};

// sched_group_capacity, shared by all copies of a group (SchedGroup::sgc).
struct GroupRuntime {
    bool imbalance = false; // pinned tasks kept a lower level from evening out
};

struct SchedState {
    std::shared_ptr<const SchedDomains> domains;
    Era era = Era::V4_8;
    FeatureSet features;
    Tunables tunables;
    std::uint32_t hz = 250;
    bool preemptible = false; // CONFIG_PREEMPT: a new-idle pass stops after one task
    Jiffies jiffies = 0;
    RqClock now = 0; // ns, start_clock + simulated time; what update_rq_clock() reads

    std::vector<SchedEntity> se;    // by TaskId; [0] = idle, never queued
    std::vector<Rq> rqs;            // by CpuId, one per possible CPU number
    std::vector<CfsAvg> cfs_avg;    // by CpuId, kept apart so that scans touch one line per CPU
    std::vector<std::uint32_t> nr_running; // by CpuId: fair tasks queued or running
    // By CpuId: the machine's value (SchedDomains::cpu_capacity_orig), by which load tracking scales. Placement and balancing
    // use capacity_of(), which on SMT cores of 4.x is smaller.
    std::vector<Capacity> capacity;
    CpuMask idle;                   // idle task is current, nothing queued, no wake-up pending
    CpuMask online;                 // active CPUs
    std::vector<CpuMask> affinity;  // masks named by SchedEntity::allowed

    std::vector<DomainRuntime> domain_rt; // by DomainId
    std::vector<GroupRuntime> group_rt;   // by SchedGroup::sgc
    std::vector<LlcRuntime> llc_rt;       // by LlcId
    bool root_overload = false;           // rd->overload: some CPU had more than one task

    [[nodiscard]] bool allowed(TaskId p, CpuId cpu) const {
        const auto index = se[p.index()].allowed;
        return index < 0 || affinity[static_cast<std::size_t>(index)].test(cpu);
    }
    // rq->cpu_capacity_orig and rq->cpu_capacity.
    [[nodiscard]] Capacity capacity_orig_of(CpuId cpu) const { return domains->cpu_capacity[cpu.index()]; }
    [[nodiscard]] Capacity capacity_of(CpuId cpu) const { return capacity_orig_of(cpu) - rqs[cpu.index()].capacity_taken; }
    [[nodiscard]] std::uint64_t tick_nsec() const { return 1'000'000'000ULL / hz; }
};

} // namespace rqscope
