// SPDX-License-Identifier: GPL-3.0-or-later
// Inline workloads, written as their real command would be (CONTRACT "Workload SPEC"): the list of generators, and those that
// are small: forkstorm (workloads.md 8), hogs and the periodic task set of the speed comparison. Nothing is simulated here.
#include "base/words.h"
#include "workload/generator_keys.h"
#include "workload/hackbench.h"
#include "workload/pound.h"
#include "workload/program.h"

#include <algorithm>
#include <functional>
#include <map>

namespace rqscope {

namespace {

constexpr std::int64_t kMaxTasks = 100'000;

// Forks n children `gap` apart, start to start, or as fast as fork() goes.
void fork_train(std::vector<Op>& program, std::int64_t n, Duration gap) {
    program.push_back(op(OpKind::Mark));
    program.push_back(op(OpKind::PadToFork, gap.count()));
    loop(program, n, {op(OpKind::Mark), op(OpKind::Fork, 0, 1), op(OpKind::PadTo, gap.count())});
}

Workload forkstorm(GeneratorKeys& keys, const WorkloadContext&) {
    const auto n = keys.integer("n", 64, 1, kMaxTasks);
    const auto work = keys.time("run", std::chrono::microseconds{200});
    const auto gap = keys.time("gap", Duration{0});
    const bool block = keys.integer("block", 0, 0, 1) == 1;
    const bool tree = keys.integer("tree", 0, 0, 1) == 1;
    const bool placed = keys.has("parent");
    const auto parent_cpu = keys.integer("parent", 0, 0, kMaxCpus - 1);
    const bool weighted = keys.has("weight");
    const auto weight = keys.integer("weight", 1024, 2, 88761);
    const auto jitter = keys.time("jitter", Duration{0});
    const auto cpus = keys.cpus("cpus");

    Workload w;
    TaskTemplate child{.role = "child", .comm = "forkstorm", .program = {run(work.count())}, .weight = {}, .cpus = cpus, .jitter = jitter};
    if (weighted) child.weight = static_cast<std::uint32_t>(weight);
    child.program.push_back(op(block ? OpKind::Block : OpKind::Exit));
    TaskTemplate parent{.role = "parent", .comm = "forkstorm", .program = {}, .weight = {}, .cpus = cpus, .numbered = false};
    if (tree) {
        // Each of the first n/2 tasks, the root included, forks two: make -j like.
        const std::vector<Op> two = {{OpKind::ForkTree, 1, n, 1}, {OpKind::ForkTree, 1, n, 2}};
        child.program.insert(child.program.begin(), two.begin(), two.end());
        parent.program = {op(OpKind::Mark), op(OpKind::PadToFork, gap.count()), two[0], two[1]};
    } else {
        fork_train(parent.program, n, gap);
    }
    if (!block) parent.program.push_back(op(OpKind::Reap, tree ? std::min<std::int64_t>(n, 2) : n));
    parent.program.push_back(op(block ? OpKind::Block : OpKind::Exit));
    w.templates = {parent, child};
    w.initial = {{.task_template = 0, .count = 1, .cpu = CpuId{static_cast<std::uint32_t>(parent_cpu)}, .cpu_stated = placed}};
    return w;
}

Workload hogs(GeneratorKeys& keys, const WorkloadContext&) {
    const auto n = keys.integer("n", 1, 1, kMaxTasks);
    const auto nice = keys.integer("nice", 0, -20, 19);
    const auto cpus = keys.cpus("cpus");
    Workload w;
    TaskTemplate hog{.role = "hog", .comm = "hog", .program = {}, .nice = static_cast<std::int8_t>(nice), .weight = {}, .cpus = cpus};
    loop(hog.program, -1, {run(1'000'000'000)});
    hog.program.push_back(op(OpKind::Exit));
    w.templates = {hog};
    const auto first = cpus ? cpus->first().value_or(CpuId{0}) : CpuId{0};
    w.initial = {{.task_template = 0, .count = static_cast<std::uint32_t>(n), .cpu = first}};
    w.endless = true;
    return w;
}

// P(k): k tasks per CPU, 0.6 use per CPU, periods of 10 to 100 ms, phases 370 us apart.
Workload periodic(GeneratorKeys& keys, const WorkloadContext& context) {
    const auto k = keys.integer("k", 4, 1, 64);
    const auto cpus = keys.cpus("cpus");
    static constexpr std::int64_t kPeriodsMs[] = {10, 20, 25, 40, 50, 100};
    Workload w;
    const auto total = static_cast<std::int64_t>(context.online_cpus) * k;
    for (std::int64_t i = 0; i < total; ++i) {
        const auto period = kPeriodsMs[i % 6] * 1'000'000;
        const auto work = period * 6 / 10 / k;
        TaskTemplate t{.role = "task " + std::to_string(i + 1), .comm = "periodic", .program = {}, .weight = {}, .cpus = cpus, .numbered = false};
        const auto phase = i * 370'000 % period;
        if (phase > 0) t.program.push_back(op(OpKind::Timer, phase));
        loop(t.program, -1, {run(work), op(OpKind::Timer, period)});
        t.program.push_back(op(OpKind::Exit));
        w.templates.push_back(t);
        w.initial.push_back({.task_template = static_cast<std::uint32_t>(i), .count = 1, .cpu = CpuId{0}, .spread = true});
    }
    w.endless = true;
    return w;
}

// What stands behind the colon is KEY=VALUE,... for some, a command line for others.
using Generator = std::function<Workload(std::string_view name, std::string_view text, const WorkloadContext&, Problems&)>;

Generator keyed(Workload (*make)(GeneratorKeys&, const WorkloadContext&)) {
    return [make](std::string_view name, std::string_view text, const WorkloadContext& context, Problems& problems) {
        GeneratorKeys keys(name, text, problems);
        auto workload = make(keys, context);
        keys.finish();
        return workload;
    };
}

const std::map<std::string, Generator, std::less<>>& generators() {
    static const std::map<std::string, Generator, std::less<>> kGenerators = {
        {"forkstorm", keyed(forkstorm)}, {"hackbench", hackbench}, {"hogs", keyed(hogs)},
        {"periodic", keyed(periodic)},   {"pound_clock_gettime", pound}, {"pound_times", pound}};
    return kGenerators;
}

// Programs that CONTRACT names and later versions bring.
constexpr std::string_view kLater[] = {"schbench", "tbench", "stream", "blogbench"};

} // namespace

bool looks_like_generator(std::string_view spec) {
    const auto name = spec.substr(0, spec.find(':'));
    if (generators().contains(name)) return true;
    return spec.find(':') != std::string_view::npos && name.find_first_of("/.\\") == std::string_view::npos;
}

const std::vector<std::string>& generator_names() {
    static const std::vector<std::string> kNames = [] {
        std::vector<std::string> names;
        for (const auto& [name, make] : generators()) names.push_back(name);
        return names;
    }();
    return kNames;
}

Result<Workload> generate_workload(std::string_view spec, const WorkloadContext& context) {
    const auto colon = spec.find(':');
    const auto name = spec.substr(0, colon);
    const auto found = generators().find(name);
    if (found == generators().end()) {
        if (std::find(std::begin(kLater), std::end(kLater), name) != std::end(kLater))
            return Problem{"workload", std::string(name) + ": is not available in this version"};
        std::vector<std::string_view> known(generator_names().begin(), generator_names().end());
        return Problem{"workload", "\"" + std::string(name.substr(0, 60)) + "\" is not a workload" + did_you_mean(name, known)};
    }
    Problems problems;
    auto workload = found->second(name, colon == std::string_view::npos ? "" : spec.substr(colon + 1), context, problems);
    if (!problems.empty()) return problems;
    workload.spec = spec;
    return workload;
}

} // namespace rqscope
