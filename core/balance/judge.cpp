// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the busiest group is worth pulling from, how much, and from which queue (kernel: find_busiest_group,
// calculate_imbalance, fix_small_imbalance, find_busiest_queue, v4.7.4). Source: topology.md 2.3, 2.4a.
#include "balance/lb_env.h"

#include <limits>

namespace rqscope {

namespace {

// Even a small difference may be worth a whole task when throughput gains by it.
void fix_small_imbalance(LbEnv& env) {
    auto& local = env.sds.local_stat;
    const auto& busiest = env.sds.busiest_stat;
    std::uint64_t tasks = 2;
    if (local.sum_nr_running == 0) {
        const auto nr = env.s.nr_running[env.dst.index()];
        local.load_per_task = nr == 0 ? 0 : env.s.cfs_avg[env.dst.index()].runnable_load_avg / nr;
    } else if (busiest.load_per_task > local.load_per_task) {
        tasks = 1;
    }
    const auto scaled = busiest.load_per_task * 1024 / busiest.group_capacity;
    if (busiest.avg_load + scaled >= local.avg_load + scaled * tasks) {
        env.imbalance = static_cast<std::int64_t>(busiest.load_per_task);
        return;
    }
    const auto now = (busiest.group_capacity * std::min(busiest.load_per_task, busiest.avg_load) +
                      local.group_capacity * std::min(local.load_per_task, local.avg_load)) / 1024;
    std::uint64_t moved = 0;
    if (busiest.avg_load > scaled) moved = busiest.group_capacity * std::min(busiest.load_per_task, busiest.avg_load - scaled);
    const auto busiest_load = busiest.avg_load * busiest.group_capacity;
    const auto added = std::min(busiest_load, busiest.load_per_task * 1024) / local.group_capacity;
    moved = (moved + local.group_capacity * std::min(local.load_per_task, local.avg_load + added)) / 1024;
    if (moved > now) env.imbalance = static_cast<std::int64_t>(busiest.load_per_task);
}

// With both groups overloaded only what exceeds the busiest group's capacity may leave it.
std::uint64_t load_above_capacity(const SgLbStats& busiest, const SgLbStats& local) {
    constexpr auto kNoLimit = std::numeric_limits<std::uint64_t>::max();
    if (busiest.group_type != GroupType::Overloaded || local.group_type != GroupType::Overloaded) return kNoLimit;
    const auto load = busiest.sum_nr_running * std::uint64_t{1024};
    return load > busiest.group_capacity ? (load - busiest.group_capacity) * 1024 / busiest.group_capacity : kNoLimit;
}

void calculate_imbalance(LbEnv& env) {
    const auto& local = env.sds.local_stat;
    auto& busiest = env.sds.busiest_stat;
    const auto average = env.sds.avg_load;
    if (busiest.group_type == GroupType::Imbalanced) busiest.load_per_task = std::min(busiest.load_per_task, average);
    // Averages are scaled by capacity, so the busiest group need not lie above that of the domain.
    if (busiest.avg_load <= average || local.avg_load >= average) {
        env.imbalance = 0;
        fix_small_imbalance(env);
        return;
    }
    const auto pull = std::min(busiest.avg_load - average, load_above_capacity(busiest, local));
    const auto imbalance = std::min(pull * busiest.group_capacity, (average - local.avg_load) * local.group_capacity) / 1024;
    env.imbalance = static_cast<std::int64_t>(imbalance);
    if (imbalance < busiest.load_per_task) fix_small_imbalance(env);
}

bool is_balanced(const LbEnv& env) {
    const auto& local = env.sds.local_stat;
    const auto& busiest = env.sds.busiest_stat;
    if (busiest.group_type == GroupType::Imbalanced) return false;
    // New-idle balancing ignores averages when there is room here and none there.
    if (env.idle == CpuIdleType::NewlyIdle && busiest.group_no_capacity && group_has_capacity(env, local)) return false;
    if (local.avg_load >= busiest.avg_load || local.avg_load >= env.sds.avg_load) return true;
    if (env.idle == CpuIdleType::Idle)
        return busiest.group_type != GroupType::Overloaded && local.idle_cpus <= busiest.idle_cpus + 1;
    return 100 * busiest.avg_load <= env.sd.imbalance_pct * local.avg_load;
}

} // namespace

const SchedGroup* find_busiest_group(LbEnv& env) {
    update_sd_lb_stats(env);
    auto& sds = env.sds;
    env.imbalance = 0;
    if (sds.busiest == nullptr || sds.busiest_stat.sum_nr_running == 0) return nullptr;
    sds.avg_load = 1024 * sds.total_load / sds.total_capacity;
    if (is_balanced(env)) return nullptr;
    calculate_imbalance(env);
    return sds.busiest;
}

bool check_cpu_capacity(const SchedState& s, CpuId cpu, const SchedDomain& sd) {
    return s.capacity_of(cpu) * sd.imbalance_pct < s.capacity_orig_of(cpu) * 100;
}

std::optional<CpuId> find_busiest_queue(const LbEnv& env, const SchedGroup& group) {
    std::optional<CpuId> busiest;
    Load busiest_load = 0;
    std::uint64_t busiest_capacity = 1;
    for (const auto cpu : group.span) {
        if (!env.cpus().test(cpu)) continue;
        const auto load = env.s.cfs_avg[cpu.index()].runnable_load_avg;
        if (env.s.nr_running[cpu.index()] == 1 && load > static_cast<Load>(env.imbalance) && !check_cpu_capacity(env.s, cpu, env.sd))
            continue;
        const std::uint64_t capacity = env.s.capacity_of(cpu);
        if (load * busiest_capacity > busiest_load * capacity) {
            busiest_load = load;
            busiest_capacity = capacity;
            busiest = cpu;
        }
    }
    return busiest;
}

} // namespace rqscope
