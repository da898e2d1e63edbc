// SPDX-License-Identifier: GPL-3.0-or-later
// `rqsim bench`: how fast the engine is, on fixed scenarios with recording on. Event = one row of the log; bench event = a
// switch or a wake-up only, which is what other simulators count (engine.md 2).
#include "base/json_text.h"
#include "base/words.h"
#include "metrics/decimal.h"
#include "rqsim/cli.h"
#include "rqsim/input.h"
#include "rqsim/output.h"
#include "trace/history.h"

#include <chrono>
#include <vector>

namespace rqscope {

namespace {

struct BenchCase {
    std::string_view name;
    const char* machine;
    const char* workload;
    Duration until; // simulated; some million bench events each
};

using std::chrono::milliseconds;

constexpr BenchCase kCases[] = {
    {"periodic-8", "teach-mc8", "periodic:k=4", milliseconds(400'000)},
    {"periodic-64", "bench-64", "periodic:k=4", milliseconds(50'000)},
    {"periodic-256", "bench-256", "periodic:k=4", milliseconds(12'000)},
    {"forkstorm", "bench-64", "forkstorm:n=20000,run=200us,gap=250us,block=0", milliseconds(6'000)},
    {"hackbench", "zen3-2s-nps1", "hackbench:-g 16 -f 20 -l 100", milliseconds(60'000)}, // ends by itself
};

struct BenchResult {
    std::string_view name;
    std::uint32_t cpus = 0;
    std::int64_t sim_ns = 0;
    std::int64_t wall_ns = 0;
    std::uint64_t events = 0;
    std::uint64_t bench_events = 0;
    std::size_t log_bytes = 0;
    std::size_t keyframe_bytes = 0;
};

Result<History> prepare(const BenchCase& bench) {
    auto machine = readMachine(bench.machine);
    if (!machine) return machine.problems();
    Scenario scenario;
    auto workload = readWorkload(bench.workload, *machine);
    if (!workload) return workload.problems();
    scenario.machine = std::move(machine).value();
    scenario.workload = std::move(workload).value();
    scenario.until = bench.until;
    return History::create(std::move(scenario));
}

Result<BenchResult> measure(const BenchCase& bench) {
    auto prepared = prepare(bench);
    if (!prepared) return prepared.problems();
    auto& history = prepared.value();
    const auto begin = std::chrono::steady_clock::now();
    history.run_to_end();
    const auto end = std::chrono::steady_clock::now();
    if (history.fault()) return Problem{std::string(bench.name), "the simulator failed: " + history.fault()->what};
    BenchResult result;
    result.name = bench.name;
    result.cpus = history.scenario().machine.online.count();
    result.sim_ns = to_ns(history.time());
    result.wall_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count();
    result.events = history.known_rows();
    history.log().for_each(0, history.known_rows(), [&result](const LogRow& row) {
        if (row.kind == RowKind::Switch || row.kind == RowKind::Wakeup) ++result.bench_events;
    });
    result.log_bytes = history.log_bytes();
    result.keyframe_bytes = history.keyframe_bytes();
    return result;
}

std::string rate(std::uint64_t count, std::int64_t ns, unsigned decimals) {
    return to_string(per_second(count, ns), decimals);
}

QString textOf(const BenchResult& r) {
    const auto column = [](const std::string& text, int width) {
        return QString::fromStdString(text).rightJustified(width);
    };
    return QString::fromStdString(std::string(r.name)).leftJustified(14) + column(std::to_string(r.cpus), 5) +
           column(std::to_string(r.events), 10) +
           column(to_string(ratio(static_cast<std::uint64_t>(r.wall_ns), 1'000'000'000), 3), 9) +
           column(rate(r.events, r.wall_ns, 0), 11) + column(rate(r.bench_events, r.wall_ns, 0), 13) +
           column(to_string(ratio(r.log_bytes, r.events), 2), 12) +
           column(to_string(ratio(r.keyframe_bytes, r.events), 2), 11) + '\n';
}

const QString& header() {
    static const QString text = "name           CPUs    events   wall s   events/s bench-evts/s bytes/event keyframes/ev\n";
    return text;
}

std::string jsonOf(const std::vector<BenchResult>& results) {
    JsonText json;
    json.begin_object().member("schema", "rqscope-bench/1").key("results").begin_array(JsonText::Layout::Lines);
    for (const auto& r : results) {
        json.begin_object(JsonText::Layout::Inline).member("name", r.name).member("cpus", r.cpus);
        json.member("sim_time_ns", r.sim_ns).member("wall_ns", r.wall_ns).member("events", r.events);
        json.member("bench_events", r.bench_events).key("events_per_s").raw(rate(r.events, r.wall_ns, 6));
        json.key("bench_events_per_s").raw(rate(r.bench_events, r.wall_ns, 6));
        json.key("bytes_per_event").raw(to_string(ratio(r.log_bytes, r.events)));
        json.key("keyframe_bytes_per_event").raw(to_string(ratio(r.keyframe_bytes, r.events))).end_object();
    }
    json.end_array().end_object();
    return json.text();
}

Result<std::vector<BenchCase>> selectCases(const QStringList& names) {
    std::vector<std::string_view> known;
    for (const auto& bench : kCases) known.push_back(bench.name);
    if (names.isEmpty()) return std::vector<BenchCase>(std::begin(kCases), std::end(kCases));
    const auto name = names.first().toStdString();
    for (const auto& bench : kCases)
        if (bench.name == name) return std::vector<BenchCase>{bench};
    std::string list;
    for (const auto word : known) list += ' ' + std::string(word);
    return Problem{"bench " + name, "no such scenario; expected one of" + list + did_you_mean(name, known)};
}

} // namespace

int runBench(const QStringList& arguments) {
    VerbParser parser(
        "bench [NAME] [--json]",
        "Measures events per second and bytes per event. Names: periodic-8 periodic-64 periodic-256 forkstorm hackbench.");
    parser.addJson();
    if (const auto code = parser.readLine(arguments, 0, 1)) return *code;
    const auto cases = selectCases(parser.positionalArguments());
    if (!cases) return fail(cases.problems());
    std::vector<BenchResult> results;
    if (!parser.json()) print(header());
    for (const auto& bench : *cases) {
        const auto result = measure(bench);
        if (!result) return fail(result.problems());
        results.push_back(*result);
        if (!parser.json()) print(textOf(*result));
    }
    if (parser.json()) print(jsonOf(results));
    return kOk;
}

} // namespace rqscope
