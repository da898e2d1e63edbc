// SPDX-License-Identifier: GPL-3.0-or-later
// Reads fair-class vectors, plays them on a CfsDriver and compares what the vector expects with what is there. Expected
// and actual are both JSON, so every field that a vector names must exist on our side under the same name.
#include "conformance/cfs_vectors.h"

#include "conformance/cfs_driver.h"
#include "conformance/json_compare.h"

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>

namespace rqscope {

namespace {

using nlohmann::json;

std::int64_t id_or_none(TaskId p) { return p == kIdleTask ? -1 : static_cast<std::int64_t>(p.value); }

std::uint32_t number(const json& step, const char* key) { return step.at(key).get<std::uint32_t>(); }

std::int8_t nice_of(const json& step) {
    const auto nice = step.at("nice").get<std::int64_t>();
    if (nice < -20 || nice > 19) throw std::out_of_range("nice outside -20..19");
    return static_cast<std::int8_t>(nice);
}

Policy policy_of(const json& step) {
    switch (step.value("policy", 0)) {
    case 0: return Policy::Normal;
    case 3: return Policy::Batch;
    case 5: return Policy::Idle;
    default: throw std::out_of_range("policy is none of 0, 3, 5");
    }
}

json stat_of(const SchedStat& stat) {
    return {{"yld_count", stat.yld_count},
            {"sched_count", stat.sched_count},
            {"sched_goidle", stat.sched_goidle},
            {"ttwu_count", stat.ttwu_count},
            {"ttwu_local", stat.ttwu_local},
            {"rq_cpu_time", stat.rq_cpu_time},
            {"run_delay", stat.run_delay},
            {"pcount", stat.pcount},
            {"check_preempt_count", stat.check_preempt_count},
            {"need_preempt_count", stat.need_preempt_count},
            {"low_gran_preempt_count", stat.low_gran_preempt_count}};
}

json tasks_of(CfsDriver& d) {
    json tasks = json::array();
    for (std::uint32_t id = 1; id < d.state().se.size(); ++id) {
        if (!d.exists(id) || d.entity(id).cpu != d.cpu()) continue;
        const auto& se = d.entity(id);
        tasks.push_back({{"id", id}, {"on_rq", se.on_rq ? 1 : 0}, {"vruntime", se.vruntime}, {"sum_exec", se.sum_exec_runtime}});
    }
    return tasks;
}

json queue_state(CfsDriver& d) {
    const auto picked = d.take_picked();
    const auto& rq = d.rq();
    return {{"cpu", d.cpu().value},
            {"clock", rq.clock},
            {"curr", id_or_none(rq.curr)},
            {"picked", picked ? json(id_or_none(*picked)) : json(nullptr)},
            {"need_resched", rq.need_resched ? 1 : 0},
            {"nr_running", rq.cfs.nr_running},
            {"load_weight", rq.cfs.load_weight},
            {"min_vruntime", rq.cfs.min_vruntime},
            {"next", id_or_none(rq.cfs.next)},
            {"last", id_or_none(rq.cfs.last)},
            {"skip", id_or_none(rq.cfs.skip)},
            {"tasks", tasks_of(d)},
            {"stat", stat_of(rq.stat)}};
}

void set_feature(CfsDriver& d, const json& step) {
    const auto setting = parse_feature(step.at("name").get<std::string>(), d.state().era);
    if (!setting) throw std::invalid_argument(setting.problems().front().message);
    d.state().features.set({setting->feature, static_cast<FeatureValue>(number(step, "value"))});
}

void set_sysctl(CfsDriver& d, const json& step) {
    auto& t = d.state().tunables;
    const auto name = step.at("name").get<std::string>();
    const auto value = step.at("value").get<std::int64_t>();
    if (name == "child_first") t.child_runs_first = value;
    else if (name == "nr_latency") t.nr_latency = value;
    else if (name == "latency") t.latency_ns = value;
    else if (name == "min_gran" || name == "base_slice") t.min_granularity_ns = value;
    else if (name == "wakeup_gran") t.wakeup_granularity_ns = value;
    else throw std::invalid_argument("unknown sysctl " + name);
}

// Operations that prepare a state. False: `op` is none of them.
bool play_setup(CfsDriver& d, const std::string& op, const json& step) {
    if (op == "cpus") d.set_cpus(number(step, "n"));
    else if (op == "scaling") d.set_scaling(step.at("mode").get<std::int64_t>());
    else if (op == "clock") d.set_clock(step.at("ns").get<RqClock>());
    else if (op == "adv") d.advance(step.at("ns").get<std::uint64_t>());
    else if (op == "minv") d.set_min_vruntime(step.at("vruntime").get<VTime>());
    else if (op == "cpu") d.select_cpu(number(step, "cpu"));
    else if (op == "feat") set_feature(d, step);
    else if (op == "sysctl") set_sysctl(d, step);
    else if (op == "new") d.create(number(step, "id"), nice_of(step), policy_of(step));
    else if (op == "setv") d.entity(number(step, "id")).vruntime = step.at("vruntime").get<VTime>();
    else if (op == "setexec") d.entity(number(step, "id")).exec_start = step.at("exec_start").get<RqClock>();
    else if (op == "raw") d.raw(number(step, "id"));
    else if (op != "dump" && op != "tick_nsec") return false;
    return true;
}

// Operations of a running system; false: `op` is none of them. `extra` takes fields beyond the queue state.
bool play_action(CfsDriver& d, const std::string& op, const json& step, json& extra) {
    if (op == "fork") d.fork(number(step, "id"), nice_of(step), step.value("to_cpu", d.cpu().value));
    else if (op == "wake") {
        if (!d.wake(number(step, "id"), step.value("from_cpu", d.cpu().value))) extra["noop"] = 1;
    } else if (op == "movecpu")
        extra["detached"] = {{"vruntime", d.move(number(step, "id"), number(step, "to_cpu"))}, {"vlag", 0}, {"deadline", 0}};
    else if (op == "tick") d.tick();
    else if (op == "resched") d.resched();
    else if (op == "sched") d.schedule(false);
    else if (op == "sleep") d.schedule(true);
    else if (op == "yield") d.yield();
    else if (op == "renice") d.renice(number(step, "id"), nice_of(step));
    else if (op == "f_place") place_entity(d.state(), d.cpu(), d.task(number(step, "id")), number(step, "initial") != 0);
    else return false;
    return true;
}

json calc_delta_result(const json& step, RunQueueProfile profile) {
    LoadWeight lw{step.at("lw_weight").get<Weight>(), number(step, "lw_inv_weight")};
    const auto out = calc_delta(step.at("delta").get<std::uint64_t>(), step.at("weight").get<Weight>(), lw, profile);
    return {{"out", out}, {"inv_weight", lw.inv_weight}};
}

// Direct calls of one function; throws for anything else.
json play_function(CfsDriver& d, const std::string& op, const json& step) {
    const auto& t = d.state().tunables;
    SchedEntity se;
    if (step.contains("nice")) set_weight(se, nice_of(step), Policy::Normal);
    if (op == "f_calc_delta") return calc_delta_result(step, run_queue_profile(d.state().era));
    if (op == "f_calc_delta_fair") return {{"out", calc_delta_fair(step.at("delta").get<std::uint64_t>(), se)}, {"weight", se.weight}};
    if (op == "f_sched_period") return {{"out", sched_period(t, number(step, "nr"))}};
    if (op == "f_sched_slice") return {{"out", sched_slice(d.state(), d.cpu(), d.task(number(step, "id")))}};
    if (op == "f_sched_vslice") return {{"out", sched_vslice(d.state(), d.cpu(), d.task(number(step, "id")))}};
    if (op == "f_wakeup_gran") return {{"out", wakeup_gran(t, se)}};
    if (op == "f_wpe")
        return {{"out", wakeup_preempt_entity(t, d.entity(number(step, "curr")), d.entity(number(step, "se")))}};
    if (op == "f_sysctl")
        return {{"latency", t.latency_ns},
                {"min_granularity", t.min_granularity_ns},
                {"wakeup_granularity", t.wakeup_granularity_ns},
                {"base_slice", find_tunable("min_granularity_ns")->normal}, // these kernels have none
                {"nr_latency", t.nr_latency}};
    throw std::invalid_argument("unknown operation " + op);
}

void play_step(CfsDriver& d, const json& step, const std::string& where, Differences& differences) {
    const auto op = step.at("op").get<std::string>();
    json extra = json::object();
    json actual;
    if (play_setup(d, op, step) || play_action(d, op, step, extra)) {
        actual = queue_state(d);
        actual.update(extra);
    } else {
        actual = play_function(d, op, step);
    }
    if (step.contains("expect")) differences.compare(step.at("expect"), actual, where + " " + op);
}

CaseResult run_case(const json& vector) {
    CaseResult result;
    result.name = vector.at("id").get<std::string>();
    const auto kernel = vector.at("kernel").get<std::string>();
    const auto era = find_era_spelling(kernel);
    if (!era || run_queue_profile(*era) > RunQueueProfile::V6_5) {
        result.not_run = true;
        result.differences.push_back("the run queue of " + kernel + " is not simulated");
        return result;
    }
    Differences differences;
    std::size_t index = 0;
    try {
        CfsDriver driver(*era);
        for (const auto& step : vector.at("steps")) play_step(driver, step, "step " + std::to_string(index++), differences);
    } catch (const std::exception& e) {
        differences.add("step " + std::to_string(index) + ": " + e.what());
    }
    result.passed = differences.empty();
    result.differences = differences.take();
    return result;
}

} // namespace

Result<ConformanceReport> run_cfs_vectors(std::string_view json_text) {
    const auto file = json::parse(json_text, nullptr, false);
    if (file.is_discarded()) return Problem{"", "not a JSON file"};
    try {
        ConformanceReport report;
        for (const auto& vector : file.at("vectors")) report.cases.push_back(run_case(vector));
        return report;
    } catch (const json::exception& e) {
        return Problem{"vectors", std::string("not a file of fair-class vectors: ") + e.what()};
    }
}

} // namespace rqscope
