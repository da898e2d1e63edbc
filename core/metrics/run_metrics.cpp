// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/run_metrics.h"

#include "sim/sim_state.h"

#include <algorithm>

namespace rqscope {

namespace {

constexpr std::string_view kNoLevel = "none"; // CPUs without a common domain

MigrationCause cause_of(MoveCause cause) {
    switch (cause) {
    case MoveCause::Periodic: return MigrationCause::Periodic;
    case MoveCause::NewIdle: return MigrationCause::NewIdle;
    case MoveCause::Active: return MigrationCause::Active;
    case MoveCause::Exec: return MigrationCause::Exec;
    }
    return MigrationCause::Periodic;
}

std::vector<std::string> differing_features(const Scenario& scenario) {
    std::vector<std::string> names;
    FeatureSet set(scenario.era);
    for (const auto& setting : scenario.features) set.set(setting);
    for (const auto& info : all_features()) {
        const auto value = set.value(info.feature);
        if (readable(info.feature, scenario.era) && value != default_value(info.feature, scenario.era))
            names.push_back(to_string(FeatureSetting{info.feature, value}));
    }
    return names;
}

} // namespace

std::vector<std::string> level_names(const SchedDomains& domains) {
    // Chains may differ between CPUs (degenerate levels), so levels are ordered by number, not by one CPU's chain.
    std::vector<std::pair<std::uint32_t, std::string>> levels;
    for (const auto& d : domains.domains) {
        const auto known = std::any_of(levels.begin(), levels.end(), [&](const auto& l) { return l.second == d.name; });
        if (!known) levels.emplace_back(d.level, d.name);
    }
    std::stable_sort(levels.begin(), levels.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> names;
    for (auto& level : levels) names.push_back(std::move(level.second));
    return names;
}

RunEnd run_end(const SimState& state, SimTime shown) {
    const auto exited = [](const SimTask& t) { return t.state == TaskState::Exited; };
    return {shown,
            state.release,
            state.makespan_end,
            std::all_of(state.tasks.begin() + 1, state.tasks.end(), exited),
            state.loadavg.avenrun,
            state_hash(state)};
}

RunMetrics::RunMetrics(const Snapshot& start, std::optional<CountedSpan> window)
    : m_domains(start.domains), m_window(window), m_cpus(start.cpus.size()), m_last(start.time),
      m_forks_on(start.cpus.size()) {
    for (auto& name : level_names(*m_domains)) m_sum.by_level.emplace_back(std::move(name), 0);
    for (std::uint32_t i = 0; i < m_cpus.size(); ++i) {
        const auto& cpu = start.cpus[i];
        m_cpus[i].idle = cpu.online && cpu.curr == kIdleTask;
        if (m_cpus[i].idle) ++m_idle_cpus;
        for (const auto id : cpu.waiting) set_waiting(id, CpuId{i});
        if (cpu.curr != kIdleTask) task(cpu.curr) = {Where::Running, CpuId{i}, {}};
    }
}

RunMetrics::Task& RunMetrics::task(TaskId id) {
    if (id.index() >= m_tasks.size()) m_tasks.resize(id.index() + 1);
    return m_tasks[id.index()];
}

void RunMetrics::settle(SimTime now) {
    auto from = m_last;
    m_last = now;
    if (m_window) {
        from = std::max(from, m_window->from);
        now = std::min(now, m_window->to);
    }
    if (now <= from || m_idle_cpus == 0 || m_waiting == 0) return;
    const auto ns = (now - from).count();
    m_sum.waste.wall += ns;
    m_sum.waste.per_cpu += ns * m_idle_cpus;
    m_sum.waste.per_task += ns * m_waiting;
}

// A task that waits on an idle CPU is about to run there and wastes nothing, so only busy CPUs count in m_waiting.
void RunMetrics::count_waiting(Cpu& cpu, std::uint32_t waiting) {
    if (!cpu.idle) m_waiting += waiting - cpu.waiting;
    cpu.waiting = waiting;
}

void RunMetrics::set_idle(CpuId cpu, bool idle) {
    auto& c = m_cpus[cpu.index()];
    if (c.idle == idle) return;
    c.idle = idle;
    if (idle) {
        ++m_idle_cpus;
        m_waiting -= c.waiting;
    } else {
        --m_idle_cpus;
        m_waiting += c.waiting;
    }
}

void RunMetrics::leave_queue(Task& t) {
    if (t.where != Where::Waiting) return;
    auto& cpu = m_cpus[t.cpu.index()];
    count_waiting(cpu, cpu.waiting - 1);
    t.where = Where::Away;
}

void RunMetrics::set_waiting(TaskId id, CpuId cpu) {
    auto& t = task(id);
    leave_queue(t);
    t.where = Where::Waiting;
    t.cpu = cpu;
    count_waiting(m_cpus[cpu.index()], m_cpus[cpu.index()].waiting + 1);
}

void RunMetrics::row(const LogRow& row) {
    settle(row.time);
    const auto counted = inside(row.time);
    if (counted) count(row);
    track(row, counted);
}

void RunMetrics::track(const LogRow& row, bool counted) {
    switch (row.kind) {
    case RowKind::Switch: track_switch(row, counted); break;
    case RowKind::Wakeup:
        if (!row.is_decision()) break; // never left its queue: it runs or waits where it was
        set_waiting(row.task, row.cpu);
        task(row.task).woken_at = row.decided_at();
        break;
    case RowKind::Fork:
    case RowKind::Migration: set_waiting(row.task, row.cpu); break;
    case RowKind::Block:
    case RowKind::Exit:
        leave_queue(task(row.task));
        task(row.task).where = Where::Away;
        break;
    case RowKind::Exec: // a Migration says whether it moved
    case RowKind::TickResched:
    case RowKind::Balance:
    case RowKind::Input: break;
    }
}

void RunMetrics::track_switch(const LogRow& row, bool counted) {
    // A task that was moved away from under the CPU waits, or runs, elsewhere by now.
    const bool still_here = task(row.other).where == Where::Running && task(row.other).cpu == row.cpu;
    if (row.end == SwitchEnd::Preempted && row.other != kIdleTask && still_here) set_waiting(row.other, row.cpu);
    if (row.task != kIdleTask) {
        auto& t = task(row.task);
        leave_queue(t);
        t.where = Where::Running;
        t.cpu = row.cpu;
        if (t.woken_at && counted) {
            const auto first_instruction = row.time + Duration{row.cost_ns};
            m_latency.add(static_cast<std::uint64_t>((first_instruction - *t.woken_at).count()));
        }
        t.woken_at.reset();
    }
    set_idle(row.cpu, row.task == kIdleTask);
}

void RunMetrics::count(const LogRow& row) {
    ++m_sum.events;
    if (row.is_decision()) count_placement(row);
    switch (row.kind) {
    case RowKind::Wakeup: ++m_sum.wakeups; break;
    case RowKind::Fork: ++m_sum.forks; break;
    case RowKind::Switch:
        ++m_sum.switches;
        if (row.end == SwitchEnd::Preempted) ++m_sum.preemptions;
        break;
    case RowKind::Block:
    case RowKind::Exit: ++m_sum.jobs; break;
    case RowKind::Migration: count_move(row.from, row.cpu, cause_of(row.cause)); break;
    default: break;
    }
}

void RunMetrics::count_placement(const LogRow& row) {
    ++m_sum.decisions;
    const bool fork = row.kind == RowKind::Fork;
    if (row.kind == RowKind::Exec) return; // no test is charged, a move is counted by its Migration
    if (fork) {
        ++m_forks_on[row.cpu.index()];
    } else {
        m_sum.scan.checks += row.placement.nr_checks;
        m_sum.scan.ns += row.placement.check_cost_ns;
    }
    if (row.from != row.cpu) count_move(row.from, row.cpu, fork ? MigrationCause::Fork : MigrationCause::Wake);
}

void RunMetrics::count_move(CpuId from, CpuId to, MigrationCause cause) {
    ++m_sum.migrations;
    ++m_sum.by_cause[static_cast<std::size_t>(cause)];
    const auto* common = m_domains->common(from, to);
    const std::string_view name = common != nullptr ? std::string_view(common->name) : kNoLevel;
    auto level = std::find_if(m_sum.by_level.begin(), m_sum.by_level.end(), [&](const auto& l) { return l.first == name; });
    if (level == m_sum.by_level.end()) level = m_sum.by_level.insert(level, {std::string(name), 0});
    ++level->second;
}

RunSummary RunMetrics::summary(const Scenario& scenario, const SchedState& state, const RunEnd& end,
                               const std::vector<SchedStat>& before) const {
    auto finished = *this; // time still passes between the last row and the end of the run
    finished.settle(end.time);
    auto s = std::move(finished.m_sum);
    s.era = std::string(era_info(scenario.era).key);
    s.features = differing_features(scenario);
    s.seed = scenario.seed;
    s.window = m_window;
    s.sim_time_ns = to_ns(end.time);
    if (end.makespan_end > end.release) s.makespan_ns = (end.makespan_end - end.release).count();
    s.messages = scenario.workload.messages;
    if (s.messages > 0 && end.all_exited) s.ns_per_message = ratio(static_cast<std::uint64_t>(s.makespan_ns), s.messages);
    const auto counted_to = m_window ? std::min(m_window->to, end.time) : end.time;
    const auto counted_from = m_window ? m_window->from : SimTime{};
    s.throughput = per_second(s.jobs, (counted_to - counted_from).count());
    for (const auto cpu : state.online) s.fork_per_cpu.push_back(m_forks_on[cpu.index()]);
    s.fork_cv = coefficient_of_variation(s.fork_per_cpu);
    s.wakeup_latency = {m_latency.count(),        m_latency.mean(),         m_latency.percentile(50),
                        m_latency.percentile(90), m_latency.percentile(95), m_latency.percentile(99),
                        m_latency.max()};
    for (std::size_t cpu = 0; cpu < state.rqs.size(); ++cpu) {
        const auto& now = state.rqs[cpu].stat;
        const auto earlier = cpu < before.size() ? before[cpu] : SchedStat{};
        s.check_preempt.count += now.check_preempt_count - earlier.check_preempt_count;
        s.check_preempt.need += now.need_preempt_count - earlier.need_preempt_count;
        s.check_preempt.low_gran += now.low_gran_preempt_count - earlier.low_gran_preempt_count;
    }
    for (std::size_t i = 0; i < 3; ++i) s.loadavg[i] = shown_loadavg(end.avenrun[i]);
    s.scan.per_wakeup = ratio(s.scan.checks, s.wakeups);
    s.state_hash = end.state_hash;
    return s;
}

} // namespace rqscope
