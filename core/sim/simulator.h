// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a SimState forward, one engine step at a time: a burst end, a timer, a wake-up becoming visible, a tick, a balance
// pass. Rules of engine.md; decisions come from core/select, core/sched and core/balance. No globals: any number of
// simulators may run side by side, and copying the state is copying the run.
#pragma once

#include "base/result.h"
#include "sim/log_row.h"
#include "sim/scenario.h"
#include "sim/sim_state.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rqscope {

// Builds the start state (engine.md 1) of a scenario. Problems: era not available, domains refused, a task that may run
// nowhere.
[[nodiscard]] Result<SimState> initial_state(const Scenario& scenario);

// Most tasks a run may make; a program that forks without end stops there instead of filling the memory.
inline constexpr std::size_t kMaxTasks = 200'000;

// `until`, else 1 s for an endless workload, else the far future.
[[nodiscard]] SimTime end_limit(const Scenario& scenario);

class Simulator {
public:
    // `scenario` must be the one that `state` was built from.
    Simulator(std::shared_ptr<const Scenario> scenario, SimState state);

    [[nodiscard]] const SimState& state() const { return m_s; }
    void set_state(SimState state) { m_s = std::move(state); }
    void set_observer(Observer* observer) { m_observer = observer; } // null: rows are counted, not delivered

    using DecisionSteps = std::function<void(const LogRow&, const std::vector<SelectStep>&)>;
    // Explains every decision from here on; must not change the run in any way.
    void set_explainer(DecisionSteps sink);

    // One engine step; false when the run has ended or failed. The step's rows reach the observer during the call.
    bool step();
    // Time of the next step, if there is one.
    [[nodiscard]] std::optional<SimTime> next_time() const;
    // A user's change at input.at, before the next step and taking effect with it. Emits its Input row.
    void apply_input(const Input& input);
    // Why a check of ours failed, if one did; step() returns false from then on.
    [[nodiscard]] const std::optional<std::string>& fault() const { return m_fault; }

private:
    // --- simulator.cpp: the loop, ticks, inputs
    void move_to(SimTime t);
    void run_event();
    void run_ticks();
    void tick(CpuId cpu);
    void calc_global_load();
    void run_balance();
    void change_setting(const Input& input);
    [[nodiscard]] bool ended() const;
    void emit(LogRow& row); // fills in number and time

    // --- sim_cpu.cpp: windows, switches, work
    void cpu_event(CpuId cpu);
    void open_window(CpuId cpu, Window w, std::uint64_t ns);
    void close_window(CpuId cpu);
    void settle(CpuId cpu);
    void kick(CpuId cpu);
    void schedule(CpuId cpu);
    void leave_queue(CpuId cpu, TaskId prev);
    void switch_to(CpuId cpu, TaskId prev, TaskId next, SwitchEnd end);
    void begin_switch(CpuId cpu, TaskId prev, TaskId next, SwitchEnd end);
    void run_stopper(CpuId src);
    [[nodiscard]] TaskId pick_or_pull(CpuId cpu);
    void start_work(CpuId cpu);
    void account_work(CpuId cpu);
    void arm_work_end(CpuId cpu);
    void pause_work(CpuId cpu);
    void update_smt_speed(CpuId cpu);
    void become_idle(CpuId cpu);
    void log_balance(CpuId cpu);

    // --- sim_task.cpp: programs
    void advance(CpuId cpu);
    bool begin_op(CpuId cpu, TaskId t, const Op& op);
    [[nodiscard]] std::optional<std::int64_t> op_cost(CpuId cpu, TaskId t, const Op& op);
    static void begin_loop(SimTask& task, const Op& op);
    static void end_loop(SimTask& task, const Op& op);
    void finish_op(CpuId cpu, TaskId t, const Op& op);
    void work_for(CpuId cpu, TaskId t, std::int64_t ns);
    void block(CpuId cpu, TaskId t);
    void exit_task(CpuId cpu, TaskId t);
    [[nodiscard]] bool may_fork_tree(TaskId t, const Op& op) const;
    [[nodiscard]] std::optional<SimTime> pad_end(TaskId t) const;
    std::int64_t jittered(TaskId t, std::int64_t ns);
    [[nodiscard]] std::int64_t cputime_cost(CpuId cpu, TaskId t, const Op& op) const; // sim_cputime.cpp
    std::int64_t copy_cost(const Channel& c, std::int64_t bytes, bool send) const;
    [[nodiscard]] Channel& channel_of(TaskId t, const Op& op);
    bool begin_recv(CpuId cpu, TaskId t, const Op& op);
    bool begin_send(CpuId cpu, TaskId t, const Op& op);
    bool begin_wait(CpuId cpu, TaskId t, const Op& op);
    void finish_send(CpuId cpu, TaskId t, const Op& op);
    void finish_recv(CpuId cpu, TaskId t, const Op& op);
    void arrive_at_barrier(CpuId cpu, TaskId t, const Op& op);
    void arm_timer(CpuId cpu, TaskId t, SimTime at);
    void wake_first(CpuId cpu, std::vector<TaskId>& waiters);
    void wake_all(CpuId cpu, std::vector<TaskId>& waiters);

    // --- sim_wake.cpp: wake-ups and births
    void timer_fired(TaskId t);
    void begin_timer_wake(CpuId cpu, TaskId t);
    void begin_wake(CpuId cpu, TaskId wakee, Window w);
    void finish_wake(CpuId cpu, Window w);
    PreemptVerdict put_on(CpuId cpu, TaskId t, EnqueueFlags flags, bool fork);
    void set_task_cpu(TaskId t, CpuId cpu);
    void activate(const WakeUnderWay& wake);
    void send_wake(const WakeUnderWay& wake);
    void remote_wake_arrives(TaskId t);
    void handle_remote_wake(CpuId cpu, TaskId t);
    void next_wake(CpuId cpu);
    bool sched_exec(CpuId cpu, TaskId t);
    void fork_child(CpuId cpu, TaskId parent, const Op& op);
    [[nodiscard]] SelectContext select_context(PlaceEffects& effects);
    void keep_explanation(TaskId t);
    void explained(const LogRow& row);

    [[nodiscard]] const TaskTemplate& template_of(TaskId t) const {
        return m_scenario->workload.templates[m_s.tasks[t.index()].task_template];
    }
    [[nodiscard]] TaskId current(CpuId cpu) const { return m_s.sched.rqs[cpu.index()].curr; }

    std::shared_ptr<const Scenario> m_scenario;
    SimState m_s;
    Observer* m_observer = nullptr;
    DecisionSteps m_explain_sink;
    Explainer m_explainer;
    std::vector<std::pair<TaskId, std::vector<SelectStep>>> m_explained; // selections whose row is still to come
    BalanceLog m_balance_log;
    std::optional<std::string> m_fault;
    std::uint32_t m_rows_at_step = 0;
    SimTime m_end; // the run ends here at the latest
};

// Makes a task of a template: pid order, weight, affinity, jitter generator. Not attached, not queued.
[[nodiscard]] TaskId create_task(SimState& s, const Scenario& scenario, std::uint32_t task_template, TaskId parent);

} // namespace rqscope
