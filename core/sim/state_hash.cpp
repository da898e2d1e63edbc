// SPDX-License-Identifier: GPL-3.0-or-later
// What "the same run" means: a hash over everything that happened, in field order, integers only. It leaves out what says
// why (era, features, tunables, scenario text) and statistics that no decision reads (engine.md 5).
#include "sim/sim_state.h"

#include "base/hash.h"

namespace rqscope {

namespace {

void add(Hasher& h, const WakeeFlips& f) {
    h.add(f.wakee_flips);
    h.add(f.wakee_flip_decay_ts);
    h.add(f.last_wakee.value);
}

void add(Hasher& h, const SchedEntity& e) {
    h.add(e.vruntime);
    h.add(e.sum_exec_runtime);
    h.add(e.prev_sum_exec_runtime);
    h.add(e.exec_start);
    h.add(e.weight);
    h.add(e.on_rq);
    h.add(e.cpu.value);
    h.add(e.avg.last_update_time);
    h.add(e.avg.load_sum);
    h.add(e.avg.util_sum);
    h.add(e.avg.period_contrib);
    h.add(e.avg.load_avg);
    h.add(e.avg.util_avg);
    add(h, e.flips);
    h.add(e.recent_used_cpu.value);
}

void add(Hasher& h, const CfsAvg& a) {
    h.add(a.last_update_time);
    h.add(a.load_sum);
    h.add(a.runnable_load_sum);
    h.add(a.load_avg);
    h.add(a.runnable_load_avg);
    h.add(a.util_sum);
    h.add(a.period_contrib);
    h.add(a.util_avg);
    h.add(a.removed_load);
}

// What only load tracking of 6.1 has.
void add_load_of_6_1(Hasher& h, const SchedState& s) {
    for (const auto& e : s.se) {
        h.add(e.avg.runnable_sum);
        h.add(e.avg.runnable_avg);
    }
    for (const auto& a : s.cfs_avg) {
        h.add(a.runnable_sum);
        h.add(a.runnable_avg);
        h.add(a.removed_util);
        h.add(a.removed_runnable);
        h.add(a.removed_nr);
    }
    for (const auto& rq : s.rqs) {
        h.add(rq.pelt_lag);
        h.add(rq.lost_idle_time);
    }
}

void add(Hasher& h, const Rq& rq) {
    h.add(rq.curr.value);
    h.add(rq.need_resched);
    h.add(rq.clock);
    h.add(rq.clock_task);
    add(h, rq.idle_flips);
    h.add(rq.idle_stamp);
    h.add(rq.avg_idle);
    h.add(rq.max_idle_balance_cost);
    h.add(rq.wake_avg_idle);
    h.add(rq.wake_stamp);
    h.add(rq.ttwu_pending);
    h.add(rq.misfit_task_load);
    h.add(rq.next_balance);
    for (const auto load : rq.cpu_load) h.add(load);
    h.add(rq.cfs.min_vruntime);
    h.add(rq.cfs.load_weight);
    h.add(rq.cfs.curr.value);
    h.add(rq.cfs.next.value);
    h.add(rq.cfs.last.value);
    h.add(rq.cfs.skip.value);
    h.add(rq.cfs.tree.size());
    for (const auto& slot : rq.cfs.tree) h.add(slot.task.value);
}

void add(Hasher& h, const SimTask& t) {
    h.add(t.pc);
    h.add(t.stage);
    for (std::size_t i = 0; i < t.depth; ++i) h.add(static_cast<std::uint64_t>(t.loops[i]));
    h.add(static_cast<std::uint64_t>(t.work_left));
    h.add(static_cast<std::uint64_t>(to_ns(t.expiry)));
    h.add(static_cast<std::uint64_t>(t.state));
    h.add(static_cast<std::uint64_t>(to_ns(t.mark)));
    h.add(static_cast<std::uint64_t>(to_ns(t.timer_edge)));
    h.add(t.woken_early);
    h.add(t.wakes_writers);
    h.add(t.waited_to_write);
    h.add(t.exited_children);
    h.add(t.reap_wanted);
    h.add(t.jitter.state());
}

void add(Hasher& h, const Channel& c) {
    h.add(c.charge);
    h.add(c.reserved);
    h.add(c.flag);
    h.add(c.arrived);
    for (const auto& page : c.pages) h.add(page.used);
    for (const auto& messages : c.queue) {
        h.add(messages.bytes);
        h.add(messages.count);
    }
    for (const auto* waiters : {&c.readers, &c.writers, &c.pollers}) {
        h.add(waiters->size());
        for (const auto t : *waiters) h.add(t.value);
    }
}

} // namespace

std::uint64_t state_hash(const SimState& s) {
    Hasher h;
    h.add(static_cast<std::uint64_t>(to_ns(s.now)));
    h.add(s.rows);
    for (const auto& e : s.sched.se) add(h, e);
    for (const auto& rq : s.sched.rqs) add(h, rq);
    for (const auto& a : s.sched.cfs_avg) add(h, a);
    if (load_profile(s.sched.era) == LoadProfile::L6_1) add_load_of_6_1(h, s.sched);
    for (const auto& d : s.sched.domain_rt) {
        h.add(d.balance_interval);
        h.add(d.nr_balance_failed);
        h.add(d.last_balance);
        h.add(d.max_newidle_lb_cost);
        h.add(d.decay_stamp);
        h.add(d.avg_scan_cost);
    }
    for (const auto& llc : s.sched.llc_rt) {
        h.add(llc.has_idle_cores);
        h.add(llc.nr_idle_scan);
    }
    for (const auto& g : s.sched.group_rt) h.add(g.imbalance);
    h.add(s.sched.root_overload);
    for (const auto& t : s.tasks) add(h, t);
    for (const auto& cpu : s.cpus)
        for (const auto* queue : {&cpu.wake_queue, &cpu.timers_due, &cpu.remote_due}) {
            h.add(queue->size());
            for (const auto t : *queue) h.add(t.value);
        }
    for (const auto& wake : s.remote_wakes) {
        h.add(wake.wakee.value);
        h.add(static_cast<std::uint64_t>(to_ns(wake.sent)));
    }
    for (const auto& c : s.channels) add(h, c);
    h.add(static_cast<std::uint64_t>(to_ns(s.next_tick)));
    h.add(s.tick_cpu);
    return h.value();
}

std::size_t state_bytes(const SimState& s) {
    std::size_t n = sizeof(SimState);
    n += s.sched.se.size() * sizeof(SchedEntity) + s.tasks.size() * (sizeof(SimTask) + sizeof(Calendar::Entry) + 4);
    n += s.cpus.size() * (sizeof(Rq) + sizeof(CfsAvg) + sizeof(CpuExec) + 8);
    for (const auto& rq : s.sched.rqs) n += rq.cfs.tree.capacity() * sizeof(CfsRq::Slot);
    n += s.sched.domain_rt.size() * sizeof(DomainRuntime) + s.sched.group_rt.size() * sizeof(GroupRuntime);
    for (const auto& c : s.channels) n += sizeof(Channel) + c.queue.size() * sizeof(Channel::Messages) + c.pages.size() * sizeof(Channel::Page) +
                                        (c.readers.size() + c.writers.size() + c.pollers.size()) * sizeof(TaskId);
    return n;
}

} // namespace rqscope
