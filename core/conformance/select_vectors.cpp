// SPDX-License-Identifier: GPL-3.0-or-later
// The reader turns the file's own topologies and CPU rows into a SchedState and compares what select_task_rq_*() say.
// Sequences follow the state model written beside them, without an engine: a child runs, blocks and leaves its load behind.
#include "conformance/select_vectors.h"

#include "conformance/checked_numbers.h"
#include "conformance/preset_domains.h"
#include "select/select.h"
#include "sched/eras.h"

#include <nlohmann/json.hpp>

#include <map>
#include <memory>

namespace rqscope {

namespace {

using nlohmann::json;

constexpr TaskId kTask{1}, kWaker{2};

struct File {
    std::map<std::string, std::shared_ptr<const SchedDomains>, std::less<>> topologies;
};

std::uint32_t number(const json& j, const char* key) { return checked_number(j.at(key)); }
bool flag(const json& j, const char* key) { return j.at(key).get<bool>(); }

std::shared_ptr<const SchedDomains> read_topology(const json& j) {
    std::vector<PresetLevel> levels;
    const auto nr_cpus = checked_number(j.at("nr_cpus"), kMaxCpus);
    for (const auto& row : j.at("domains_bottom_up")) {
        PresetLevel level{.name = row.at("name").get<std::string>(), .spans = {}, .imbalance_pct = number(row, "imbalance_pct"),
                          .is_smt = flag(row, "is_smt"), .shares_llc = flag(row, "shares_llc"),
                          .is_cluster = flag(row, "is_cluster"), .is_numa = flag(row, "is_numa")};
        for (const auto& span : row.at("spans")) level.spans.push_back(checked_mask(span, nr_cpus));
        levels.push_back(std::move(level));
    }
    return std::make_shared<const SchedDomains>(preset_domains(nr_cpus, levels));
}

SchedState empty_state(std::shared_ptr<const SchedDomains> domains, Era era) {
    SchedState s;
    const auto n = domains->nr_cpu_ids;
    s.era = era;
    s.features = FeatureSet(era);
    s.se.resize(3);
    s.rqs.resize(n);
    s.cfs_avg.resize(n);
    s.nr_running.resize(n);
    s.capacity.assign(n, 1024);
    s.online = CpuMask::first_n(n);
    s.domain_rt.resize(domains->domains.size());
    s.group_rt.resize(domains->nr_sgc);
    s.llc_rt.resize(domains->nr_llc);
    s.domains = std::move(domains);
    return s;
}

void set_cpu(SchedState& s, const json& row) {
    const auto cpu = checked_cpu(row.at("cpu"), s.domains->nr_cpu_ids);
    auto& avg = s.cfs_avg.at(cpu.index());
    auto& rq = s.rqs[cpu.index()];
    s.nr_running[cpu.index()] = rq.cfs.nr_running = number(row, "nr_running");
    avg.runnable_load_avg = number(row, "runnable_load_avg");
    avg.load_avg = number(row, "load_avg");
    avg.util_avg = number(row, "util_avg");
    avg.runnable_avg = number(row, "runnable_avg");
    rq.idle_stamp = row.at("idle_stamp_ns").get<RqClock>();
    rq.avg_idle = row.at("avg_idle_ns").get<std::uint64_t>();
    rq.wake_avg_idle = rq.avg_idle / 2;
    if (!row.at("exit_latency_us").is_null()) rq.exit_latency = number(row, "exit_latency_us");
    rq.capacity_taken = s.capacity_orig_of(cpu) - number(row, "capacity");
    if (flag(row, "idle")) s.idle.set(cpu);
}

void set_task(SchedState& s, const json& task) {
    const auto cpu_of = [&](const char* key) { return checked_cpu(task.at(key), s.domains->nr_cpu_ids); };
    auto& p = s.se[kTask.index()];
    auto& waker = s.se[kWaker.index()];
    p.cpu = cpu_of("prev_cpu");
    p.avg.load_avg = number(task, "load_avg");
    p.flips.wakee_flips = number(task, "wakee_flips");
    p.recent_used_cpu = cpu_of("recent_used_cpu");
    p.allowed = 0;
    s.affinity = {checked_mask(task.at("allowed"), s.domains->nr_cpu_ids)};
    waker.cpu = cpu_of("waker_cpu");
    waker.avg.load_avg = number(task, "waker_task_load");
    waker.flips.wakee_flips = number(task, "waker_flips");
    if (flag(task, "waker_last_wakee_is_this_task")) waker.flips.last_wakee = kTask;
}

// Features are 0 or 1 in the file.
void set_features(SchedState& s, const json& features) {
    for (const auto& [name, value] : features.items())
        if (const auto setting = parse_feature((value.get<int>() != 0 ? "" : "NO_") + name, s.era)) s.features.set(*setting);
        else throw std::runtime_error(setting.problems().front().message);
}

bool some_core_idle(const SchedState& s, CpuId cpu) {
    for (const auto c : s.domains->domains[s.domains->sd_llc[cpu.index()]->index()].span)
        if (s.domains->smt[c.index()].subset_of(s.idle)) return true;
    return false;
}

// The file names the hint, the walk cost and the prices; what it leaves null is derived as its note says.
void set_llc_state(SchedState& s, const json& c) {
    const auto& llc = c.at("llc_state");
    for (const auto cpu : s.domains->map) {
        if (!s.domains->sd_llc[cpu.index()]) continue;
        auto& rt = s.llc_rt[s.domains->llc[cpu.index()].index()];
        const auto& forced = llc.at("has_idle_cores_forced");
        rt.has_idle_cores = forced.is_null() ? s.domains->smt_active && some_core_idle(s, cpu) : forced.get<int>() != 0;
        const auto& scan = llc.at("nr_idle_scan");
        rt.nr_idle_scan = scan.is_null() ? s.domains->sd_llc_size[cpu.index()] : scan.get<std::uint32_t>();
    }
    for (const auto& [level, cost] : llc.at("avg_scan_cost_ns").items())
        for (const auto& sd : s.domains->domains)
            if (sd.name == level) s.domain_rt[sd.id.index()].avg_scan_cost = cost.get<std::uint64_t>();
    auto& t = s.tunables;
    t.scan_smt_ns = t.scan_cluster_ns = t.scan_llc_ns = t.scan_far_ns = c.at("scan_ns_per_cpu").get<std::int64_t>();
}

std::uint64_t scan_cost(const SchedState& s, CpuId waker) {
    const auto llc = s.domains->sd_llc[waker.index()];
    return llc ? s.domain_rt[llc->index()].avg_scan_cost : 0;
}

std::string text(const std::vector<std::uint32_t>& cpus) { return json(cpus).dump(); }

void compare(CaseResult& result, const char* what, const std::string& expected, const std::string& got) {
    if (expected != got) result.differences.push_back(std::string(what) + ": expected " + expected + ", got " + got);
}

void run_case(CaseResult& result, const json& c, Era era, const File& file) {
    auto s = empty_state(file.topologies.at(c.at("topology").get<std::string>()), era);
    for (const auto& row : c.at("cpus")) set_cpu(s, row);
    const auto& task = c.at("task");
    set_task(s, task);
    set_features(s, c.at("features"));
    set_llc_state(s, c);

    Explainer explainer;
    PlaceEffects effects;
    const SelectContext ctx{s, &explainer, &effects};
    const auto waker_cpu = s.se[kWaker.index()].cpu;
    const auto cost_before = scan_cost(s, waker_cpu);
    Placement placement;
    if (c.at("op") == "wake") {
        record_wakee(s, kWaker, kTask, 0);
        placement = select_task_rq_wake(ctx, kTask, kWaker, waker_cpu, flag(task, "sync"));
    } else {
        placement = c.at("op") == "exec" ? select_task_rq_exec(ctx, kTask, waker_cpu) : select_task_rq_fork(ctx, kTask, waker_cpu);
    }
    apply(s, kTask, kWaker, waker_cpu, effects);
    std::vector<std::uint32_t> checks;
    for (const auto& step : explainer.steps)
        if (step.kind == SelectStep::Kind::Check) checks.push_back(step.cpu.value);
    const auto& expected = c.at("expected");
    compare(result, "cpu", expected.at("cpu").dump(), std::to_string(placement.cpu.value));
    compare(result, "idle checks", expected.at("idle_checks_in_order").dump(), text(checks));
    compare(result, "nr_checks", std::to_string(checks.size()), std::to_string(placement.nr_checks));
    compare(result, "avg_scan_cost before", expected.at("avg_scan_cost_before_ns").dump(), std::to_string(cost_before));
    compare(result, "avg_scan_cost after", expected.at("avg_scan_cost_after_ns").dump(), std::to_string(scan_cost(s, waker_cpu)));
    const auto hint = s.domains->sd_llc[waker_cpu.index()] && s.llc_rt[s.domains->llc[waker_cpu.index()].index()].has_idle_cores;
    compare(result, "has_idle_cores after", expected.at("has_idle_cores_after").dump(), hint ? "1" : "0");
}

void run_sequence(CaseResult& result, const json& q, Era era, const File& file) {
    const std::string age = era < Era::V5_19 ? "@old" : "@new";
    auto s = empty_state(file.topologies.at(q.at("topology_preset").get<std::string>() + age), era);
    const auto parent = checked_cpu(q.at("parent_cpu"), s.domains->nr_cpu_ids);
    const auto forks = checked_number(q.at("forks"), kMaxVectorTasks);
    s.idle = s.online;
    s.idle.clear(parent);
    for (auto& rq : s.rqs) rq.idle_stamp = 1000;
    auto& at_parent = s.cfs_avg.at(parent.index());
    at_parent.runnable_load_avg = at_parent.load_avg = at_parent.util_avg = at_parent.runnable_avg = 1024;
    s.nr_running[parent.index()] = 1;
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t i = 0; i < forks; ++i) {
        const auto cpu = select_task_rq_fork({.s = s}, kTask, parent).cpu;
        chosen.push_back(cpu.value);
        s.cfs_avg[cpu.index()].load_avg += number(q, "per_child_blocked_load");
        s.cfs_avg[cpu.index()].util_avg += number(q, "per_child_blocked_util");
    }
    compare(result, "chosen", q.at("chosen").dump(), text(chosen));
}

template <class Run>
void run_all(ConformanceReport& report, const json& rows, const File& file, Problems& problems, Run run) {
    for (const auto& row : rows) {
        CaseResult result;
        try {
            result.name = row.at("id").get<std::string>();
            const auto era = find_era_spelling(row.at("era").get<std::string>());
            if (!era) {
                result.not_run = true;
                result.differences.push_back("era " + row.at("era").get<std::string>() + " is not simulated");
            } else {
                run(result, row, *era, file);
                result.passed = result.differences.empty();
            }
        } catch (const std::exception& e) {
            problems.push_back({result.name, e.what()});
        }
        report.cases.push_back(std::move(result));
    }
}

} // namespace

Result<ConformanceReport> run_select_vectors(std::string_view text) {
    const auto j = json::parse(text, nullptr, false);
    if (j.is_discarded() || !j.is_object()) return Problem{"", "This is no JSON object. Expected a file of selection cases."};
    ConformanceReport report;
    Problems problems;
    File file;
    try {
        for (const auto& [name, topology] : j.at("topologies").items()) file.topologies[name] = read_topology(topology);
        run_all(report, j.at("sequences"), file, problems, run_sequence);
        run_all(report, j.at("cases"), file, problems, run_case);
    } catch (const std::exception& e) {
        problems.push_back({"", e.what()});
    }
    if (!problems.empty()) return problems;
    return report;
}

} // namespace rqscope
