// SPDX-License-Identifier: GPL-3.0-or-later
// Wake-ups and births (kernel: try_to_wake_up, ttwu_do_activate, sched_fork, wake_up_new_task). The choice is made on the
// state at the start of the call and becomes visible at its end (engine.md 3.4), which is how two wakers can pick the
// same idle CPU.
#include "sim/simulator.h"

#include "sched/cfs.h"
#include "sched/clock.h"

#include <algorithm>

namespace rqscope {

SelectContext Simulator::select_context() {
    m_explainer.steps.clear();
    return {m_s.sched, m_explain_sink ? &m_explainer : nullptr};
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
    if (s.se[wakee.index()].on_rq) {
        task.woken_early = true;
        exec.verdict = {.cpu = s.se[wakee.index()].cpu, .reason = PlaceReason::StillQueued};
    } else {
        update_rq_clock(s, cpu);
        record_wakee(s, current(cpu), wakee, s.rqs[cpu.index()].clock, cpu);
        exec.verdict = select_task_rq_wake(select_context(), wakee, current(cpu), cpu, exec.sync);
        keep_explanation(wakee);
        task.state = TaskState::Migrating;
        const auto scan = s.tunables.visibility_delay_ns;
        ns += s.tunables.select_base_ns + (scan >= 0 ? scan : static_cast<std::int64_t>(exec.verdict.check_cost_ns));
    }
    auto length = static_cast<std::uint64_t>(ns);
    if (w == Window::TimerWake && current(cpu) != kIdleTask) {
        begin_irq(s, cpu, length);
        length = s.rqs[cpu.index()].irq_end - s.now;
    }
    open_window(cpu, w, length);
}

// The wakee becomes visible on its CPU.
void Simulator::finish_wake(CpuId cpu, Window w) {
    auto& s = m_s.sched;
    const auto& exec = m_s.cpus[cpu.index()];
    const auto t = exec.wakee;
    auto& se = s.se[t.index()];
    LogRow row;
    row.kind = RowKind::Wakeup;
    row.task = t;
    row.other = w == Window::TimerWake ? kIdleTask : current(cpu);
    row.from = se.cpu;
    row.waker_cpu = cpu;
    row.sync = exec.sync;
    row.cost_ns = static_cast<std::uint32_t>((m_s.now - exec.wake_begin).count());
    row.placement = exec.verdict;
    auto& stat = s.rqs[cpu.index()].stat;
    ++stat.ttwu_count;
    if (row.placement.reason == PlaceReason::StillQueued) {
        row.cpu = se.cpu;
        if (se.cpu == cpu) ++stat.ttwu_local;
        emit(row);
        return;
    }
    const auto target = exec.verdict.cpu;
    row.cpu = target;
    if (target == cpu) ++stat.ttwu_local;
    const bool migrated = target != se.cpu;
    if (migrated) {
        migrate_task_rq_fair(s, t, se.cpu);
        se.cpu = target;
        ++se.nr_migrations;
    }
    update_rq_clock(s, target);
    enqueue_task_fair(s, target, t, {.wakeup = true, .migrated = migrated});
    account_idle_end(s, target);
    s.idle.clear(target);
    m_s.tasks[t.index()].state = TaskState::Waiting;
    row.preempt = check_preempt_wakeup(s, target, t, false);
    emit(row);
    if (target != cpu) kick(target);
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
    row.placement = select_task_rq_fork(select_context(), child, cpu);
    keep_explanation(child);
    const auto target = row.placement.cpu;
    row.cpu = se.cpu = target;
    post_init_entity_load(s, child);
    update_rq_clock(s, target);
    enqueue_task_fair(s, target, child, {});
    s.idle.clear(target);
    m_s.tasks[child.index()].state = TaskState::Waiting;
    row.preempt = check_preempt_wakeup(s, target, child, true);
    emit(row);
    if (target != cpu) kick(target);
}

} // namespace rqscope
