// SPDX-License-Identifier: GPL-3.0-or-later
// Wake-ups and births (kernel: try_to_wake_up, ttwu_do_activate, sched_fork, wake_up_new_task). The choice is made on the
// state at the start of the call and becomes visible at its end (engine.md 3.4), which is how two wakers can pick the
// same idle CPU.
#include "sim/simulator.h"

#include "base/check.h"
#include "sched/cfs.h"
#include "sched/clock.h"

#include <algorithm>

namespace rqscope {

namespace {

// Of wake_path_ns, what a remote wake-up costs the woken CPU instead of the waker (costs.md 1.2).
std::int64_t remote_part(const Tunables& t) { return std::min<std::int64_t>(250, t.wake_path_ns); }

} // namespace

SelectContext Simulator::select_context(PlaceEffects& effects) {
    m_explainer.steps.clear();
    return {m_s.sched, m_explain_sink ? &m_explainer : nullptr, &effects};
}

void Simulator::keep_explanation(TaskId t) {
    if (m_explain_sink) m_explained.emplace_back(t, m_explainer.steps);
}

void Simulator::explained(const LogRow& row) {
    const auto found = std::find_if(m_explained.begin(), m_explained.end(), [&](const auto& e) { return e.first == row.task; });
    if (found == m_explained.end()) return; // chosen before the explainer was attached
    m_explain_sink(row, found->second);
    m_explained.erase(found);
}

void Simulator::timer_fired(TaskId t) {
    const auto cpu = m_s.tasks[t.index()].timer_cpu;
    auto& exec = m_s.cpus[cpu.index()];
    if (exec.window != Window::None) exec.timers_due.push_back(t);
    else begin_timer_wake(cpu, t);
}

// The timer interrupt runs on the CPU where the timer was armed; what runs there stands still meanwhile.
void Simulator::begin_timer_wake(CpuId cpu, TaskId t) {
    if (current(cpu) != kIdleTask) pause_work(cpu);
    m_s.cpus[cpu.index()].sync = false;
    begin_wake(cpu, t, Window::TimerWake);
}

void Simulator::begin_wake(CpuId cpu, TaskId wakee, Window w) {
    auto& s = m_s.sched;
    auto& exec = m_s.cpus[cpu.index()];
    auto& task = m_s.tasks[wakee.index()];
    auto ns = s.tunables.wake_path_ns;
    exec.wakee = wakee;
    exec.wake_begin = m_s.now;
    exec.remote = false;
    exec.effects = {};
    if (s.se[wakee.index()].on_rq) {
        task.woken_early = true;
        exec.verdict = {.cpu = s.se[wakee.index()].cpu, .reason = PlaceReason::StillQueued};
    } else {
        update_rq_clock(s, cpu);
        record_wakee(s, current(cpu), wakee, s.rqs[cpu.index()].clock, cpu);
        exec.verdict = select_task_rq_wake(select_context(exec.effects), wakee, current(cpu), cpu, exec.sync);
        keep_explanation(wakee);
        task.state = TaskState::Migrating;
        const auto scan = s.tunables.visibility_delay_ns;
        // Judged together with the choice, because it decides how long the waker is kept.
        exec.remote = ttwu_queue_cond(s, cpu, exec.verdict.cpu);
        if (exec.remote) ns -= remote_part(s.tunables);
        ns += s.tunables.select_base_ns + (scan >= 0 ? scan : static_cast<std::int64_t>(exec.verdict.check_cost_ns));
    }
    auto length = static_cast<std::uint64_t>(ns);
    if (w == Window::TimerWake && current(cpu) != kIdleTask) {
        begin_irq(s, cpu, length);
        length = s.rqs[cpu.index()].irq_end - s.now;
    }
    open_window(cpu, w, length);
}

// A task joins the queue of `cpu`, which may have to give way to it.
PreemptVerdict Simulator::put_on(CpuId cpu, TaskId t, EnqueueFlags flags, bool fork) {
    auto& s = m_s.sched;
    update_rq_clock(s, cpu);
    enqueue_task_fair(s, cpu, t, flags);
    s.idle.clear(cpu);
    m_s.tasks[t.index()].state = TaskState::Waiting;
    return check_preempt_wakeup(s, cpu, t, fork);
}

// set_task_cpu() of a task that is on no queue.
void Simulator::set_task_cpu(TaskId t, CpuId cpu) {
    auto& se = m_s.sched.se[t.index()];
    if (se.cpu == cpu) return;
    migrate_task_rq_fair(m_s.sched, t, se.cpu);
    se.cpu = cpu;
    ++se.nr_migrations;
}

// The choice takes effect: what the search learned, the wakee's new CPU, and its enqueueing here or by message.
void Simulator::finish_wake(CpuId cpu, Window w) {
    auto& s = m_s.sched;
    const auto& exec = m_s.cpus[cpu.index()];
    const auto t = exec.wakee;
    const WakeUnderWay wake{.wakee = t,
                            .waker = w == Window::TimerWake ? kIdleTask : current(cpu),
                            .waker_cpu = cpu,
                            .from = s.se[t.index()].cpu,
                            .verdict = exec.verdict,
                            .sync = exec.sync,
                            .begin = exec.wake_begin,
                            .sent = m_s.now};
    auto& stat = s.rqs[cpu.index()].stat;
    ++stat.ttwu_count;
    if (wake.verdict.cpu == cpu) ++stat.ttwu_local;
    if (wake.verdict.reason == PlaceReason::StillQueued) {
        activate(wake);
        return;
    }
    apply(s, t, current(cpu), cpu, exec.effects);
    set_task_cpu(t, wake.verdict.cpu);
    if (exec.remote) send_wake(wake);
    else activate(wake);
}

// ttwu_do_activate(): the wakee becomes visible on its CPU.
void Simulator::activate(const WakeUnderWay& wake) {
    auto& s = m_s.sched;
    const auto target = wake.verdict.cpu;
    LogRow row;
    row.kind = RowKind::Wakeup;
    row.task = wake.wakee;
    row.other = wake.waker;
    row.from = wake.from;
    row.cpu = target;
    row.waker_cpu = wake.waker_cpu;
    row.sync = wake.sync;
    row.cost_ns = static_cast<std::uint32_t>((m_s.now - wake.begin).count());
    row.pending_ns = static_cast<std::uint32_t>((m_s.now - wake.sent).count());
    row.placement = wake.verdict;
    if (wake.verdict.reason != PlaceReason::StillQueued) {
        row.preempt = put_on(target, wake.wakee, {.wakeup = true, .migrated = target != wake.from}, false);
        account_idle_end(s, target);
    }
    emit(row);
    if (row.pending_ns == 0 && target != wake.waker_cpu) kick(target);
}

// ttwu_queue_wakelist(): from now on the CPU does not count as idle, though its queue knows nothing yet.
void Simulator::send_wake(const WakeUnderWay& wake) {
    const auto target = wake.verdict.cpu;
    ++m_s.sched.rqs[target.index()].ttwu_pending;
    m_s.sched.idle.clear(target);
    m_s.remote_wakes.push_back(wake);
    m_s.calendar.set(m_s.task_slot(wake.wakee), m_s.now + Duration{m_s.sched.tunables.ipi_flight_ns}, EventClass::Wake);
}

void Simulator::remote_wake_arrives(TaskId t) {
    const auto cpu = m_s.sched.se[t.index()].cpu;
    auto& exec = m_s.cpus[cpu.index()];
    if (exec.window != Window::None) exec.remote_due.push_back(t);
    else handle_remote_wake(cpu, t);
}

// sched_ttwu_pending(), in the interrupt that the message raised.
void Simulator::handle_remote_wake(CpuId cpu, TaskId t) {
    auto& s = m_s.sched;
    const auto at = std::find_if(m_s.remote_wakes.begin(), m_s.remote_wakes.end(), [&](const auto& w) { return w.wakee == t; });
    SCHED_CHECK(at != m_s.remote_wakes.end());
    const auto wake = *at;
    m_s.remote_wakes.erase(at);
    --s.rqs[cpu.index()].ttwu_pending;
    auto length = static_cast<std::uint64_t>(remote_part(s.tunables));
    if (current(cpu) != kIdleTask) {
        pause_work(cpu);
        begin_irq(s, cpu, length);
        length = s.rqs[cpu.index()].irq_end - s.now;
    }
    activate(wake);
    open_window(cpu, Window::Tick, length);
}

// The next of the tasks that the current task wakes; when there is none left it goes on, or leaves.
void Simulator::next_wake(CpuId cpu) {
    auto& exec = m_s.cpus[cpu.index()];
    if (exec.window != Window::None) return;
    if (!exec.wake_queue.empty()) {
        const auto t = exec.wake_queue.front();
        exec.wake_queue.erase(exec.wake_queue.begin());
        begin_wake(cpu, t, Window::Wake);
    } else if (exec.exiting) {
        schedule(cpu);
    } else {
        settle(cpu);
    }
}

// sched_exec(): the running task has least to lose now, so it is placed anew; the stopper carries it over for no simulated
// time. True: it goes on here.
bool Simulator::sched_exec(CpuId cpu, TaskId t) {
    auto& s = m_s.sched;
    update_rq_clock(s, cpu);
    PlaceEffects effects;
    LogRow row;
    row.kind = RowKind::Exec;
    row.task = t;
    row.from = cpu;
    row.placement = select_task_rq_exec(select_context(effects), t, cpu);
    keep_explanation(t);
    const auto target = row.cpu = row.placement.cpu;
    if (target == cpu) {
        emit(row);
        return true;
    }
    put_prev_entity(s, cpu, t);
    dequeue_task_fair(s, cpu, t, {});
    migrate_task_rq_fair(s, t, cpu, false);
    s.se[t.index()].cpu = target;
    ++s.se[t.index()].nr_migrations;
    row.preempt = put_on(target, t, {}, false);
    emit(row);
    LogRow move;
    move.kind = RowKind::Migration;
    move.task = t;
    move.from = cpu;
    move.cpu = target;
    move.cause = MoveCause::Exec;
    emit(move);
    s.rqs[cpu.index()].curr = kIdleTask; // the stopper's moment: nobody here is compared with a task that has left
    const auto next = pick_or_pull(cpu);
    s.rqs[cpu.index()].need_resched = false;
    begin_switch(cpu, t, next, SwitchEnd::Preempted);
    kick(target);
    return false;
}

// sched_fork() and wake_up_new_task(). 4.8 initialises the load first, attaches it once the CPU is chosen, and does not
// count the placement as a migration.
void Simulator::fork_child(CpuId cpu, TaskId parent, const Op& op) {
    auto& s = m_s.sched;
    const auto child = create_task(m_s, *m_scenario, op.target, parent);
    m_s.tasks[child.index()].thread = op.kind == OpKind::Thread;
    auto& se = s.se[child.index()];
    se.cpu = cpu;
    update_rq_clock(s, cpu);
    init_entity_load(s, child);
    task_fork_fair(s, cpu, child);
    LogRow row;
    row.kind = RowKind::Fork;
    row.task = child;
    row.other = parent;
    row.from = cpu;
    PlaceEffects effects;
    row.placement = select_task_rq_fork(select_context(effects), child, cpu);
    apply(s, child, parent, cpu, effects);
    keep_explanation(child);
    const auto target = row.placement.cpu;
    row.cpu = se.cpu = target;
    post_init_entity_load(s, child);
    row.preempt = put_on(target, child, {}, true);
    emit(row);
    if (target != cpu) kick(target);
}

} // namespace rqscope
