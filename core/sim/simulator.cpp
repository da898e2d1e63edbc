// SPDX-License-Identifier: GPL-3.0-or-later
// The loop: picks what comes next from the calendar, the tick of this instant and the balance passes due, in the order of
// engine.md 1.5. scheduler_tick() and run_rebalance_domains() are mirrored here; what they decide lives elsewhere.
#include "sim/simulator.h"

#include "base/check.h"
#include "sched/cfs.h"
#include "sched/clock.h"

#include <algorithm>

namespace rqscope {

SimTime end_limit(const Scenario& scenario) {
    if (scenario.until) return SimTime{*scenario.until};
    return scenario.workload.endless ? SimTime{std::chrono::seconds{1}} : SimTime::max();
}

Simulator::Simulator(std::shared_ptr<const Scenario> scenario, SimState state)
    : m_scenario(std::move(scenario)), m_s(std::move(state)), m_end(end_limit(*m_scenario)) {}

void Simulator::set_explainer(DecisionSteps sink) { m_explain_sink = std::move(sink); }

void Simulator::emit(LogRow& row) {
    row.seq = EventSeq{m_s.rows};
    row.time = m_s.now;
    row.first_of_step = m_s.rows == m_rows_at_step;
    ++m_s.rows;
    if (m_observer) m_observer->row(row);
    if (m_explain_sink && row.is_decision()) explained(row);
}

std::optional<SimTime> Simulator::next_time() const {
    if (m_s.finished || m_fault || ended()) return std::nullopt;
    if (!m_s.calendar.empty() && m_s.calendar.top().time < to_ns(m_s.next_tick)) return from_ns(m_s.calendar.top().time);
    return m_s.next_tick;
}

// No task is runnable, nothing is scheduled: the run is over (engine.md 1.6). A tick alone changes nothing any more.
bool Simulator::ended() const {
    if (!m_s.calendar.empty()) return false;
    for (const auto n : m_s.sched.nr_running)
        if (n != 0) return false;
    return m_s.balance_due.empty();
}

bool Simulator::step() {
    if (m_s.finished || m_fault) return false;
    m_rows_at_step = m_s.rows;
    try {
        if (ended()) {
            m_s.finished = true;
            return false;
        }
        const auto& cal = m_s.calendar;
        const auto tick_ns = to_ns(m_s.next_tick);
        if ((cal.empty() ? m_s.next_tick : std::min(m_s.next_tick, from_ns(cal.top().time))) > m_end) {
            m_s.now = m_end;
            m_s.finished = true;
            return false;
        }
        if (!cal.empty() && cal.top().time <= tick_ns) {
            run_event();
        } else {
            move_to(m_s.next_tick);
            run_ticks();
        }
        ++m_s.steps;
    } catch (const CheckFailure& failure) {
        m_fault = failure.what();
        return false;
    }
    return true;
}

void Simulator::move_to(SimTime t) {
    m_s.now = t;
    m_s.sched.now = static_cast<RqClock>((m_scenario->start_clock + t.time_since_epoch()).count());
}

void Simulator::run_event() {
    const auto top = m_s.calendar.top();
    move_to(from_ns(top.time));
    m_s.calendar.pop();
    const auto nr_cpus = static_cast<std::uint32_t>(m_s.cpus.size());
    if (top.slot == 0) {
        change_setting(m_scenario->actions[m_s.next_action++]);
        if (m_s.next_action < m_scenario->actions.size())
            m_s.calendar.set(0, m_scenario->actions[m_s.next_action].at, EventClass::Input);
    } else if (top.slot <= nr_cpus) {
        cpu_event(CpuId{top.slot - 1});
    } else {
        const TaskId t{top.slot - 1 - nr_cpus};
        if (m_s.tasks[t.index()].state == TaskState::Migrating) remote_wake_arrives(t);
        else timer_fired(t);
    }
}

// Ticks of one instant in ascending CPU order. Stops after a tick that wrote a row or started something at this very
// instant, so that a step stays small and whatever comes before ticks is served first.
void Simulator::run_ticks() {
    auto& s = m_s.sched;
    const auto nr_cpus = static_cast<std::uint32_t>(m_s.cpus.size());
    if (m_s.tick_cpu == 0 && m_s.balance_due.empty()) {
        ++s.jiffies;
        calc_global_load();
    }
    while (m_s.tick_cpu < nr_cpus) {
        const CpuId cpu{m_s.tick_cpu++};
        if (!s.online.test(cpu)) continue;
        tick(cpu);
        const auto& cal = m_s.calendar;
        if (m_s.rows != m_rows_at_step || (!cal.empty() && cal.top().time == to_ns(m_s.next_tick))) return;
    }
    run_balance();
    if (!m_s.balance_due.empty()) return;
    m_s.tick_cpu = 0;
    m_s.next_tick += Duration{static_cast<std::int64_t>(s.tick_nsec())};
}

// scheduler_tick(): load history, the running task's turn, then whether balancing is due.
void Simulator::tick(CpuId cpu) {
    auto& s = m_s.sched;
    auto& exec = m_s.cpus[cpu.index()];
    auto& rq = s.rqs[cpu.index()];
    if (exec.window != Window::None && rq.curr != kIdleTask) {
        exec.tick_waits = true;
        return;
    }
    update_rq_clock(s, cpu);
    if (rq.curr != kIdleTask) {
        account_work(cpu);
        task_tick_fair(s, cpu);
        update_misfit_status(s, cpu, rq.curr);
        begin_irq(s, cpu, static_cast<std::uint64_t>(s.tunables.tick_ns));
        exec.work_begin = m_s.now + Duration{s.tunables.tick_ns};
        if (rq.need_resched) {
            LogRow row;
            row.kind = RowKind::TickResched;
            row.cpu = cpu;
            row.task = rq.curr;
            emit(row);
            pause_work(cpu);
            open_window(cpu, Window::Tick, static_cast<std::uint64_t>(s.tunables.tick_ns));
        } else if (exec.working) {
            arm_work_end(cpu);
        }
    }
    update_cpu_load(s, cpu);
    if (s.jiffies >= rq.next_balance) m_s.balance_due.set(cpu);
}

// calc_global_load(): every 5 s + 1 tick, from what runs at that tick. Source: load.md 3.1; no CPU ever stops its tick here,
// so the nohz corrections have nothing to correct.
void Simulator::calc_global_load() {
    constexpr std::uint64_t kFixed1 = 2048;                  // FIXED_1
    constexpr std::uint64_t kExp[3] = {1884, 2014, 2037};    // EXP_1, EXP_5, EXP_15
    auto& la = m_s.loadavg;
    if (m_s.sched.jiffies < la.update_at) return;
    la.update_at += load_freq(m_s.sched.hz);
    std::uint64_t active = 0;
    for (const auto n : m_s.sched.nr_running) active += n;
    active *= kFixed1;
    for (std::size_t i = 0; i < 3; ++i) {
        auto next = la.avenrun[i] * kExp[i] + active * (kFixed1 - kExp[i]);
        if (active >= la.avenrun[i]) next += kFixed1 - 1; // so that it can reach the value
        la.avenrun[i] = next / kFixed1;
    }
}

void Simulator::run_balance() {
    auto& s = m_s.sched;
    while (const auto cpu = m_s.balance_due.first()) {
        m_s.balance_due.clear(*cpu);
        m_balance_log.clear();
        update_rq_clock(s, *cpu);
        const bool idle = s.rqs[cpu->index()].curr == kIdleTask;
        rebalance_domains(s, *cpu, idle ? CpuIdleType::Idle : CpuIdleType::NotIdle, m_balance_log);
        const auto rows = m_s.rows;
        log_balance(*cpu);
        kick(*cpu);
        if (m_s.rows != rows) return;
    }
}

void Simulator::apply_input(const Input& input) {
    m_rows_at_step = m_s.rows;
    // The user may stand between two events.
    if (input.at > m_s.now) move_to(input.at);
    change_setting(input);
    m_s.finished = false;
}

void Simulator::change_setting(const Input& input) {
    LogRow row;
    row.kind = RowKind::Input;
    row.input = m_s.inputs_done++;
    emit(row);
    if (const auto* feature = std::get_if<FeatureSetting>(&input.change)) {
        if (readable(feature->feature, m_s.sched.era)) m_s.sched.features.set(*feature); // else noted, without effect
    } else {
        apply(m_s.sched.tunables, std::get<TunableSetting>(input.change), m_s.sched.online.count());
    }
}

} // namespace rqscope
