// SPDX-License-Identifier: GPL-3.0-or-later
// main makes N threads and leaves at once; each does its share of the calls in batches (workloads.md 6).
#include "workload/pound.h"

#include "base/words.h"
#include "workload/generator_keys.h"
#include "workload/program.h"

#include <algorithm>
#include <string>

namespace rqscope {

namespace {

constexpr std::int64_t kCalls = 5'000'000;
constexpr std::int64_t kBatch = 1000; // calls whose cost is computed at one moment
constexpr std::int64_t kMaxThreads = 4'096; // each call visits every thread

} // namespace

Workload pound(std::string_view name, std::string_view text, const WorkloadContext&, Problems& problems) {
    const auto comma = text.find(',');
    const auto threads = parse_integer(text.substr(0, comma));
    GeneratorKeys keys(name, comma == std::string_view::npos ? "" : text.substr(comma + 1), problems);
    if (!threads || *threads < 1 || *threads > kMaxThreads)
        keys.problem(text.substr(0, comma), "a number of threads in 1.." + std::to_string(kMaxThreads) + " must come first, as in " + std::string(name) + ":32");
    const auto n = std::clamp<std::int64_t>(threads.value_or(1), 1, kMaxThreads);
    const auto calls = keys.integer("calls", kCalls, 1, 1'000'000'000'000) / n;
    const auto cpus = keys.cpus("cpus");
    keys.finish();

    const std::string program(name);
    const std::uint32_t times = name == "pound_times" ? 1 : 0;
    Workload w;
    TaskTemplate parent{.role = "main", .comm = program, .program = {}, .weight = {}, .cpus = cpus, .numbered = false};
    loop(parent.program, n, {op(OpKind::Thread, 0, 1)});
    parent.program.push_back(op(OpKind::Exit));
    TaskTemplate thread{.role = "thread", .comm = program, .program = {}, .weight = {}, .cpus = cpus};
    loop(thread.program, calls / kBatch, {{OpKind::CpuTime, 0, kBatch, times}});
    if (calls % kBatch > 0) thread.program.push_back({OpKind::CpuTime, 0, calls % kBatch, times});
    thread.program.push_back(op(OpKind::Exit));
    w.templates = {parent, thread};
    w.initial = {{.task_template = 0, .count = 1, .cpu = cpus ? cpus->first().value_or(CpuId{0}) : CpuId{0}}};
    return w;
}

} // namespace rqscope
