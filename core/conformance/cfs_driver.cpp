// SPDX-License-Identifier: GPL-3.0-or-later
// The core-side glue of fair-class vectors (kernel: __schedule, try_to_wake_up, wake_up_new_task, set_task_cpu of core.c,
// v4.7.4 and v6.5), one step per operation. Load tracking runs along but vectors do not look at it.
#include "conformance/cfs_driver.h"

#include "base/check.h"
#include "sched/cfs_internal.h"
#include "sched/cfs_load.h"
#include "sched/clock.h"
#include "sched/sched_info.h"

#include <utility>

namespace rqscope {

CfsDriver::CfsDriver(Era era) {
    m_s.era = era;
    m_s.features = FeatureSet(era);
    m_s.tunables = default_tunables(m_online);
    m_s.se.resize(1);
    m_s.rqs.resize(kMaxCpus);
    m_s.cfs_avg.resize(kMaxCpus);
    m_s.nr_running.resize(kMaxCpus);
    m_s.capacity.assign(kMaxCpus, kCapacityScale);
    m_s.online = CpuMask::first_n(kMaxCpus);
}

void CfsDriver::set_cpus(std::uint32_t n) {
    rescale(m_s.tunables, m_online, n);
    m_online = n;
}

void CfsDriver::set_scaling(std::int64_t mode) {
    const auto setting = check_tunable("tunable_scaling", mode);
    SCHED_CHECK(setting.ok());
    apply(m_s.tunables, *setting, m_online);
}

void CfsDriver::set_clock(RqClock ns) {
    m_s.now = ns;
    for (std::uint32_t cpu = 0; cpu < kMaxCpus; ++cpu) update_rq_clock(m_s, CpuId{cpu});
}

void CfsDriver::select_cpu(std::uint32_t cpu) {
    SCHED_CHECK(cpu < kMaxCpus);
    m_cpu = CpuId{cpu};
}

TaskId CfsDriver::task(std::uint32_t id) const {
    SCHED_CHECK(exists(id));
    return TaskId{id};
}

SchedEntity& CfsDriver::entity(std::uint32_t id) { return m_s.se[task(id).index()]; }

void CfsDriver::create(std::uint32_t id, std::int8_t nice, Policy policy) {
    SCHED_CHECK(id >= 1 && id <= kMaxTasks && !exists(id));
    if (id >= m_s.se.size()) m_s.se.resize(id + 1);
    if (id >= m_exists.size()) m_exists.resize(id + 1);
    m_exists[id] = true;
    auto& se = entity(id);
    set_weight(se, nice, policy);
    se.cpu = m_cpu;
    init_entity_load(m_s, task(id));
}

void CfsDriver::raw(std::uint32_t id) {
    auto& se = entity(id);
    SCHED_CHECK(!se.on_rq);
    se.cpu = m_cpu;
    sched_info_queued(m_s, m_cpu, task(id));
    enqueue_entity_load_avg(m_s, m_cpu, task(id)); // vectors do not look at it, invariants do
    account_entity_enqueue(m_s, m_cpu, task(id));
    tree_insert(cfs(), se.vruntime, task(id));
    se.on_rq = true;
}

void CfsDriver::fork(std::uint32_t id, std::int8_t nice, std::uint32_t to_cpu) {
    SCHED_CHECK(to_cpu < kMaxCpus);
    create(id, nice, Policy::Normal);
    const CpuId target{to_cpu};
    task_fork_fair(m_s, m_cpu, task(id));
    entity(id).cpu = target;
    post_init_entity_load(m_s, task(id));
    enqueue_task_fair(m_s, target, task(id), {});
    (void)check_preempt_wakeup(m_s, target, task(id), true);
    m_cpu = target;
}

bool CfsDriver::wake(std::uint32_t id, std::uint32_t from_cpu) {
    SCHED_CHECK(from_cpu < kMaxCpus);
    auto& se = entity(id);
    if (se.on_rq) return false;
    const CpuId from{from_cpu};
    const bool migrated = from != m_cpu;
    ++rq().stat.ttwu_count;
    ++rq().stat.ttwu_local;
    if (migrated) migrate_task_rq_fair(m_s, task(id), from);
    se.cpu = m_cpu;
    enqueue_task_fair(m_s, m_cpu, task(id), {.wakeup = true, .migrated = migrated});
    (void)check_preempt_wakeup(m_s, m_cpu, task(id), false);
    return true;
}

void CfsDriver::tick() {
    if (cfs().curr != kIdleTask) task_tick_fair(m_s, m_cpu);
}

void CfsDriver::schedule(bool blocking) {
    const TaskId prev = rq().curr;
    SCHED_CHECK(!blocking || prev != kIdleTask);
    rq().need_resched = false;
    ++rq().stat.sched_count;
    if (blocking) dequeue_task_fair(m_s, m_cpu, prev, {.sleep = true});
    const TaskId next = pick_next_entity(m_s, m_cpu);
    m_picked = next;
    if (next == kIdleTask) ++rq().stat.sched_goidle;
    if (next == prev) return;
    if (cfs().curr != kIdleTask) put_prev_entity(m_s, m_cpu, cfs().curr);
    if (next != kIdleTask) set_next_entity(m_s, m_cpu, next);
    sched_info_switch(m_s, m_cpu, prev, next);
    rq().curr = next;
}

void CfsDriver::resched() {
    if (rq().need_resched) schedule(false);
}

void CfsDriver::yield() {
    if (rq().curr == kIdleTask) return;
    yield_task_fair(m_s, m_cpu);
    schedule(false);
}

void CfsDriver::renice(std::uint32_t id, std::int8_t nice) { change_nice(m_s, task(id), nice); }

VTime CfsDriver::move(std::uint32_t id, std::uint32_t to_cpu) {
    SCHED_CHECK(to_cpu < kMaxCpus && entity(id).on_rq && rq().curr != task(id));
    dequeue_task_fair(m_s, m_cpu, task(id), {});
    migrate_task_rq_fair(m_s, task(id), m_cpu, false);
    const VTime travelling = entity(id).vruntime;
    m_cpu = CpuId{to_cpu};
    entity(id).cpu = m_cpu;
    enqueue_task_fair(m_s, m_cpu, task(id), {});
    (void)check_preempt_wakeup(m_s, m_cpu, task(id), false);
    return travelling;
}

std::optional<TaskId> CfsDriver::take_picked() { return std::exchange(m_picked, std::nullopt); }

} // namespace rqscope
