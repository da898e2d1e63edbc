// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/run_summary.h"

#include "base/json_text.h"
#include "base/words.h"

namespace rqscope {

namespace {

using Layout = JsonText::Layout;

void write_counts(JsonText& json, const RunSummary& s) {
    json.member("events", s.events).member("decisions", s.decisions).member("makespan_ns", s.makespan_ns);
    json.key("throughput").begin_object(Layout::Inline);
    json.member("name", "jobs").key("value").raw(to_string(s.throughput)).member("unit", "1/s").end_object();
    json.member("switches", s.switches).member("preemptions", s.preemptions);
    json.member("wakeups", s.wakeups).member("forks", s.forks);
}

void write_migrations(JsonText& json, const RunSummary& s) {
    json.key("migrations").begin_object().member("total", s.migrations);
    json.key("by_level").begin_object(Layout::Inline);
    for (const auto& [name, count] : s.by_level) json.member(name, count);
    json.end_object().key("by_cause").begin_object(Layout::Inline);
    for (std::size_t i = 0; i < kMigrationCauses; ++i) json.member(name_of(static_cast<MigrationCause>(i)), s.by_cause[i]);
    json.end_object().end_object();
}

void write_spread_and_latency(JsonText& json, const RunSummary& s) {
    json.key("fork_spread").begin_object(Layout::Inline).key("per_cpu").begin_array();
    for (const auto count : s.fork_per_cpu) json.value(count);
    json.end_array().key("cv").raw(to_string(s.fork_cv)).end_object();
    const auto& l = s.wakeup_latency;
    json.key("wakeup_latency_ns").begin_object(Layout::Inline).key("mean").raw(to_string(l.mean));
    json.member("p50", l.p50).member("p90", l.p90).member("p95", l.p95).member("p99", l.p99).member("max", l.max);
    json.end_object();
}

void write_waste_to_scan(JsonText& json, const RunSummary& s) {
    json.key("waste_ns").begin_object(Layout::Inline).member("wall", s.waste.wall);
    json.member("per_cpu", s.waste.per_cpu).member("per_task", s.waste.per_task).end_object();
    json.key("check_preempt").begin_object(Layout::Inline).member("count", s.check_preempt.count);
    json.member("need", s.check_preempt.need).member("low_gran", s.check_preempt.low_gran).end_object();
    json.key("loadavg").begin_array();
    for (const auto value : s.loadavg) json.raw(to_string(value));
    json.end_array().key("scan").begin_object(Layout::Inline).member("checks", s.scan.checks);
    json.key("per_wakeup").raw(to_string(s.scan.per_wakeup)).member("ns", s.scan.ns).end_object();
}

// One line of the text form: the name in a column of its own.
std::string line(std::string name, const std::string& value) {
    name.resize(18, ' ');
    return name + value + '\n';
}

std::string time_text(std::int64_t ns) { return format_duration(Duration{ns}); }

std::string features_text(const RunSummary& s) {
    std::string text = s.era;
    for (const auto& name : s.features) text += ' ' + name;
    return text;
}

std::string migrations_text(const RunSummary& s) {
    auto text = std::to_string(s.migrations);
    std::string levels;
    for (const auto& [name, count] : s.by_level) levels += (levels.empty() ? "" : ", ") + name + ' ' + std::to_string(count);
    if (!levels.empty()) text += "  by level: " + levels;
    std::string causes;
    for (std::size_t i = 0; i < kMigrationCauses; ++i) {
        if (s.by_cause[i] == 0) continue;
        causes += (causes.empty() ? "" : ", ") + std::string(name_of(static_cast<MigrationCause>(i))) + ' ' +
                  std::to_string(s.by_cause[i]);
    }
    if (!causes.empty()) text += "; by cause: " + causes;
    return text;
}

std::string spread_text(const RunSummary& s) {
    std::string text;
    for (const auto count : s.fork_per_cpu) text += (text.empty() ? "" : " ") + std::to_string(count);
    return text + "  (cv " + to_string(s.fork_cv, 3) + ')';
}

std::string latency_text(const RunSummary& s) {
    const auto& l = s.wakeup_latency;
    if (l.count == 0) return "no wake-up ran";
    const auto ns = [](std::uint64_t v) { return time_text(static_cast<std::int64_t>(v)); };
    return "mean " + to_string(l.mean, 0) + "ns, p50 " + ns(l.p50) + ", p90 " + ns(l.p90) + ", p95 " + ns(l.p95) + ", p99 " +
           ns(l.p99) + ", max " + ns(l.max);
}

} // namespace

std::string_view name_of(MigrationCause c) {
    static constexpr std::array<std::string_view, kMigrationCauses> kNames = {"fork",    "exec",   "wake",   "periodic",
                                                                              "newidle", "active", "hotplug"};
    return kNames[static_cast<std::size_t>(c)];
}

std::string summary_json(const RunSummary& s) {
    JsonText json;
    json.begin_object().member("schema", "rqscope-summary/1").member("era", s.era);
    json.key("features").begin_array();
    for (const auto& name : s.features) json.value(name);
    json.end_array().member("seed", s.seed).member("sim_time_ns", s.sim_time_ns);
    if (s.window) json.key("window_ns").begin_array().value(to_ns(s.window->from)).value(to_ns(s.window->to)).end_array();
    write_counts(json, s);
    write_migrations(json, s);
    write_spread_and_latency(json, s);
    write_waste_to_scan(json, s);
    json.key("extra").begin_object(Layout::Inline);
    if (s.messages > 0) json.member("messages", s.messages);
    if (s.ns_per_message) json.key("ns_per_message").raw(to_string(*s.ns_per_message));
    json.end_object();
    json.member("state_hash", hex_text(s.state_hash)).end_object();
    return json.text();
}

std::string summary_text(const RunSummary& s) {
    const auto count = [](std::uint64_t v) { return std::to_string(v); };
    std::string out =
        line("era", features_text(s)) + line("seed", count(s.seed)) + line("simulated time", time_text(s.sim_time_ns));
    if (s.window) out += line("counted", time_text(to_ns(s.window->from)) + " to " + time_text(to_ns(s.window->to)));
    out += line("events", count(s.events) + ", of them decisions: " + count(s.decisions));
    out += line("makespan", time_text(s.makespan_ns));
    if (s.ns_per_message) out += line("per message", to_string(*s.ns_per_message, 1) + "ns, messages: " + count(s.messages));
    out += line("throughput", to_string(s.throughput, 1) + " jobs per second");
    out += line("switches", count(s.switches) + ", of them preemptions: " + count(s.preemptions));
    out += line("wake-ups", count(s.wakeups)) + line("forks", count(s.forks));
    out += line("migrations", migrations_text(s));
    if (s.forks > 0) out += line("children per CPU", spread_text(s));
    out += line("wake-up latency", latency_text(s));
    out += line("waste", time_text(s.waste.wall) + " wall, " + time_text(s.waste.per_cpu) + " CPU time, " +
                             time_text(s.waste.per_task) + " task time");
    out += line("preemption checks", count(s.check_preempt.count) + ", granted: " + count(s.check_preempt.need) +
                                         ", within granularity: " + count(s.check_preempt.low_gran));
    out += line("load average",
                to_string(s.loadavg[0], 2) + ' ' + to_string(s.loadavg[1], 2) + ' ' + to_string(s.loadavg[2], 2));
    out += line("idle checks", count(s.scan.checks) + ", per wake-up: " + to_string(s.scan.per_wakeup, 2) +
                                   ", time: " + time_text(static_cast<std::int64_t>(s.scan.ns)));
    return out + line("state hash", hex_text(s.state_hash));
}

} // namespace rqscope
