// SPDX-License-Identifier: GPL-3.0-or-later
// The start state (engine.md 1): idle CPUs with queues born at clock 0 and aged to the start, then the tasks that exist at
// time 0, attached like newborns on their CPU. Nothing here is an event of the log but the first switches.
#include "base/check.h"
#include "sched/cfs.h"
#include "sched/clock.h"
#include "sim/simulator.h"
#include "topology/build_domains.h"

#include <algorithm>

namespace rqscope {

namespace {

constexpr std::uint64_t kJitterPurpose = 1;

void set_up_cpus(SimState& s, const Scenario& scenario) {
    auto& sched = s.sched;
    const auto n = sched.domains->nr_cpu_ids;
    const auto start = static_cast<RqClock>(scenario.start_clock.count());
    sched.now = start;
    sched.jiffies = start / sched.tick_nsec();
    sched.rqs.resize(n);
    sched.cfs_avg.resize(n);
    sched.nr_running.resize(n);
    sched.capacity = sched.domains->cpu_capacity_orig; // load tracking never sees the SMT share
    s.cpus.resize(n);
    for (std::uint32_t c = 0; c < n; ++c) {
        auto& rq = sched.rqs[c];
        rq.idle_stamp = start;
        rq.wake_stamp = sched.jiffies;
        rq.next_balance = sched.jiffies + 1;
        if (!sched.online.test(CpuId{c})) continue;
        sched.idle.set(CpuId{c});
        update_rq_clock(sched, CpuId{c});
        update_blocked_averages(sched, CpuId{c});
    }
    sched.domain_rt.resize(sched.domains->domains.size());
    for (std::size_t i = 0; i < sched.domain_rt.size(); ++i) {
        auto& rt = sched.domain_rt[i];
        rt.balance_interval = sched.domains->domains[i].min_interval;
        rt.last_balance = rt.decay_stamp = sched.jiffies;
    }
    sched.group_rt.resize(sched.domains->nr_sgc);
    sched.llc_rt.resize(sched.domains->nr_llc);
    for (const auto cpu : sched.domains->map) {
        auto& llc = sched.llc_rt[sched.domains->llc[cpu.index()].index()];
        llc.has_idle_cores = llc.has_idle_cores || sched.domains->smt[cpu.index()].count() > 1; // whoever idled last has seen it
        llc.nr_idle_scan = sched.domains->sd_llc_size[cpu.index()];
    }
    s.next_tick = SimTime{Duration{static_cast<std::int64_t>((sched.jiffies + 1) * sched.tick_nsec() - start)}};
    s.loadavg.update_at = sched.jiffies + load_freq(sched.hz);
}

void construct(SimState& s, const Scenario& scenario) {
    for (const auto& init : scenario.initial_llcs) {
        auto& llc = s.sched.llc_rt[init.llc.index()];
        if (init.nr_idle_scan) llc.nr_idle_scan = *init.nr_idle_scan;
        if (init.has_idle_cores) llc.has_idle_cores = *init.has_idle_cores;
    }
    RqClock newest = 0;
    for (const auto& init : scenario.initial) {
        auto& rq = s.sched.rqs[init.cpu.index()];
        if (init.idle_stamp) rq.idle_stamp = *init.idle_stamp;
        if (init.avg_idle) rq.avg_idle = *init.avg_idle;
        newest = std::max(newest, rq.idle_stamp);
    }
    for (const auto& init : scenario.initial)
        if (init.idle_stamp_newest) s.sched.rqs[init.cpu.index()].idle_stamp = std::max(newest, s.sched.now) + 1;
}

// CPUs that are online and allowed: the wanted one, else the first.
std::optional<CpuId> allowed_cpu(const SchedState& s, TaskId t, CpuId wanted) {
    if (s.online.test(wanted) && s.allowed(t, wanted)) return wanted;
    for (const auto cpu : s.online)
        if (s.allowed(t, cpu)) return cpu;
    return std::nullopt;
}

void attach_newborn(SimState& s, TaskId t, CpuId cpu) {
    auto& sched = s.sched;
    sched.se[t.index()].cpu = cpu;
    update_rq_clock(sched, cpu);
    init_entity_load(sched, t);
    task_fork_fair(sched, cpu, t);
    post_init_entity_load(sched, t);
    update_rq_clock(sched, cpu);
    enqueue_task_fair(sched, cpu, t, {});
    sched.idle.clear(cpu);
    sched.rqs[cpu.index()].need_resched = true;
    s.tasks[t.index()].state = TaskState::Waiting;
}

void create_initial_tasks(SimState& s, const Scenario& scenario) {
    const auto& online = s.sched.online;
    auto spread_at = online.first();
    for (const auto& initial : scenario.workload.initial) {
        for (std::uint32_t i = 0; i < initial.count; ++i) {
            const auto t = create_task(s, scenario, initial.task_template, kIdleTask);
            auto wanted = initial.cpu;
            if (initial.spread) {
                wanted = *spread_at;
                spread_at = online.next(wanted.value + 1);
                if (!spread_at) spread_at = online.first();
            }
            const auto cpu = allowed_cpu(s.sched, t, wanted);
            SCHED_CHECK(cpu.has_value()); // check_affinity() has seen to it
            attach_newborn(s, t, *cpu);
        }
    }
}

Problems check_affinity(const Scenario& scenario) {
    Problems problems;
    for (const auto& t : scenario.workload.templates)
        if (t.cpus && !t.cpus->intersects(scenario.machine.online))
            problems.push_back({"workload", "\"" + t.role + "\" is bound to CPUs " + t.cpus->to_list() + ", none of which is online"});
    for (const auto& init : scenario.initial)
        if (!scenario.machine.online.test(init.cpu))
            problems.push_back({"initial.cpus", "CPU " + std::to_string(init.cpu.value) + " is not an online CPU of the machine"});
    for (const auto& tasks : scenario.workload.initial)
        if (tasks.cpu_stated && !scenario.machine.online.test(tasks.cpu))
            problems.push_back({"workload", "\"" + scenario.workload.templates[tasks.task_template].role + "\" starts on CPU " +
                                                std::to_string(tasks.cpu.value) + ", which is not an online CPU of the machine"});
    return problems;
}

} // namespace

TaskId create_task(SimState& s, const Scenario& scenario, std::uint32_t task_template, TaskId parent) {
    const auto& t = scenario.workload.templates[task_template];
    SCHED_CHECK(s.tasks.size() <= kMaxTasks && "the workload makes too many tasks");
    const TaskId id{static_cast<std::uint32_t>(s.tasks.size())};
    auto& se = s.sched.se.emplace_back();
    if (t.weight) set_raw_weight(se, *t.weight);
    else set_weight(se, t.nice, static_cast<Policy>(t.policy));
    se.policy = static_cast<Policy>(t.policy);
    se.nice = t.nice;
    if (t.cpus) se.allowed = static_cast<std::int32_t>(task_template);
    auto& task = s.tasks.emplace_back();
    task.task_template = task_template;
    task.number = ++s.born[task_template];
    task.parent = parent;
    task.jitter = Rng(scenario.seed, id.value, kJitterPurpose);
    task.timer_edge = s.now;
    s.calendar.grow(s.task_slot(id) + 1);
    return id;
}

Result<SimState> initial_state(const Scenario& scenario) {
    const auto& era = era_info(scenario.era);
    if (!era.available) return Problem{"era", "era " + std::string(era.key) + " is not available in this version"};
    if (auto problems = check_affinity(scenario); !problems.empty()) return problems;
    auto domains = build_domains(scenario.machine, era.domains, scenario.machine.online, domain_options(scenario.era));
    if (!domains) return domains.problems();

    for (const auto& init : scenario.initial_llcs)
        if (init.llc.value >= domains->nr_llc)
            return Problem{"initial.llcs", "cache " + std::to_string(init.llc.value) + " does not exist; the machine has " + std::to_string(domains->nr_llc)};

    SimState s;
    auto& sched = s.sched;
    sched.domains = std::make_shared<const SchedDomains>(std::move(domains).value());
    sched.era = scenario.era;
    sched.features = FeatureSet(scenario.era);
    for (const auto& f : scenario.features)
        if (readable(f.feature, scenario.era)) sched.features.set(f);
    sched.hz = scenario.machine.hz;
    sched.online = scenario.machine.online;
    sched.tunables = default_tunables(sched.online.count());
    for (const auto& [name, value] : scenario.machine.costs) {
        const auto setting = check_tunable(name, value);
        if (!setting) return Problem{"machine.costs", setting.problems().front().message};
        apply(sched.tunables, *setting, sched.online.count());
    }
    for (const auto& t : scenario.tunables) apply(sched.tunables, t, sched.online.count());
    for (const auto& t : scenario.workload.templates) sched.affinity.push_back(t.cpus.value_or(CpuMask{}));
    sched.se.resize(1);
    s.tasks.resize(1);
    s.born.resize(scenario.workload.templates.size());
    for (const auto& c : scenario.workload.channels) s.channels.emplace_back().kind = c.kind;
    set_up_cpus(s, scenario);
    s.calendar.grow(s.task_slot(TaskId{0}) + 1);
    construct(s, scenario);
    create_initial_tasks(s, scenario);
    if (!scenario.actions.empty()) s.calendar.set(0, scenario.actions.front().at, EventClass::Input);
    // The first schedule() of each CPU that has tasks is a burst end at time 0.
    for (const auto cpu : sched.online)
        if (sched.nr_running[cpu.index()] > 0) {
            s.cpus[cpu.index()].window = Window::Tick;
            s.calendar.set(s.cpu_slot(cpu), SimTime{}, EventClass::BurstEnd);
        }
    return s;
}

} // namespace rqscope
