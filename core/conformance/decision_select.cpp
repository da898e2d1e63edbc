// SPDX-License-Identifier: GPL-3.0-or-later
// One state is kept and overwritten by each record; task 1 is placed, task 2 wakes it.
#include "conformance/decision_select.h"

#include "select/select.h"

#include <algorithm>
#include <utility>

namespace rqscope {

namespace {

constexpr TaskId kTask{1}, kWaker{2};
constexpr RqClock kStart = 10'000'000'000; // queue clock at t_us = 0, so that every stamp is above 0 = none
constexpr Load kTaskLoad = 1024;
// Of a task, and of a CPU that has one. A full CPU would make a group with more tasks than CPUs overloaded although one of
// its CPUs is idle; forks then pass that CPU by, and the recorded ones did so in 4 of 2509 cases only.
constexpr Util kHalfUsed = 512;

} // namespace

DecisionSelect::DecisionSelect(std::shared_ptr<const SchedDomains> domains, Era era) {
    const auto n = domains->nr_cpu_ids;
    m_state.era = era;
    m_state.features = FeatureSet(era);
    m_state.se.resize(3);
    m_state.rqs.resize(n);
    m_state.cfs_avg.resize(n);
    m_state.nr_running.resize(n);
    m_state.capacity = domains->cpu_capacity_orig;
    m_state.online = domains->map;
    m_state.domain_rt.resize(domains->domains.size());
    m_state.group_rt.resize(domains->nr_sgc);
    m_state.llc_rt.resize(domains->nr_llc);
    for (const auto cpu : domains->map)
        m_state.llc_rt[domains->llc[cpu.index()].index()].nr_idle_scan = domains->sd_llc_size[cpu.index()];
    m_state.domains = std::move(domains);
    for (const auto id : {kTask, kWaker}) m_state.se[id.index()].avg.load_avg = kTaskLoad;
}

void DecisionSelect::load(const Decision& d) {
    const auto& domains = *m_state.domains;
    m_state.now = kStart + static_cast<RqClock>(d.t_us) * 1000;
    m_state.idle = d.idle;
    for (auto& llc : m_state.llc_rt) llc.has_idle_cores = false;
    for (const auto cpu : domains.map) {
        const auto i = cpu.index();
        auto& rq = m_state.rqs[i];
        auto& avg = m_state.cfs_avg[i];
        m_state.nr_running[i] = rq.cfs.nr_running = d.nr[i];
        avg.load_avg = kTaskLoad * d.nr[i];
        avg.runnable_avg = kHalfUsed * d.nr[i];
        avg.util_avg = d.nr[i] > 0 ? kHalfUsed : 0;
        rq.clock = rq.clock_task = m_state.now;
        rq.idle_stamp = d.idle.test(cpu) ? m_state.now - static_cast<RqClock>(d.idle_us[i]) * 1000 : 0;
        if (domains.smt[i].subset_of(d.idle)) m_state.llc_rt[domains.llc[i].index()].has_idle_cores = true;
    }
    m_state.se[kTask.index()].cpu = d.prev;
    m_state.se[kWaker.index()].cpu = d.waker_cpu;
}

CpuId DecisionSelect::fork(const Decision& d) {
    load(d);
    return select_task_rq_fork({.s = m_state}, kTask, d.waker_cpu).cpu;
}

CpuId DecisionSelect::wake(const Decision& d, CpuId recent, bool sync) {
    load(d);
    m_state.se[kTask.index()].recent_used_cpu = recent;
    const auto waker = d.waker_pid == 0 ? kIdleTask : kWaker;
    return select_task_rq_wake({.s = m_state}, kTask, waker, d.waker_cpu, sync).cpu;
}

} // namespace rqscope
