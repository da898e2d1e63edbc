// SPDX-License-Identifier: GPL-3.0-or-later
// Inline workloads, written as their real command would be (CONTRACT "Workload SPEC", workloads.md 8): forkstorm, hogs and
// the periodic task set of the speed comparison. Each turns its keys into templates and programs; nothing is simulated here.
#include "base/words.h"
#include "workload/workload.h"

#include <algorithm>
#include <functional>
#include <map>

namespace rqscope {

namespace {

constexpr std::int64_t kMaxTasks = 100'000;

// key=value pairs of one spec; remembers which were asked for, so that a misspelt one is found.
class Keys {
public:
    Keys(std::string_view generator, std::string_view text, Problems& problems) : m_generator(generator), m_problems(problems) {
        if (text.empty()) return;
        for (const auto part : split(text, ',')) {
            const auto equals = part.find('=');
            const auto key = part.substr(0, equals);
            // A CPU list holds commas itself: "cpus=0-3,8" continues with parts that have no '='.
            if (equals == std::string_view::npos && m_last == "cpus") m_values["cpus"] += "," + std::string(part);
            else if (equals == std::string_view::npos) problem(part, "is not KEY=VALUE");
            else if (!m_values.emplace(key, part.substr(equals + 1)).second) problem(key, "is given twice");
            if (equals != std::string_view::npos) m_last = key;
        }
    }

    std::int64_t integer(std::string_view key, std::int64_t fallback, std::int64_t min, std::int64_t max) {
        const auto text = take(key);
        if (!text) return fallback;
        const auto value = parse_integer(*text);
        if (value && *value >= min && *value <= max) return *value;
        problem(key, "\"" + *text + "\" is not a whole number in " + std::to_string(min) + ".." + std::to_string(max));
        return fallback;
    }

    Duration time(std::string_view key, Duration fallback) {
        const auto text = take(key);
        if (!text) return fallback;
        const auto value = parse_duration(*text);
        if (value) return *value;
        problem(key, value.problems().front().message);
        return fallback;
    }

    std::optional<CpuMask> cpus(std::string_view key) {
        const auto text = take(key);
        if (!text) return std::nullopt;
        auto mask = CpuMask::parse_list(*text);
        if (mask && !mask->empty()) return std::move(mask).value();
        problem(key, mask ? "is empty" : mask.problems().front().message);
        return std::nullopt;
    }

    [[nodiscard]] bool has(std::string_view key) {
        m_known.push_back(key);
        return m_values.contains(key);
    }

    void finish() {
        for (const auto& [key, value] : m_values) {
            const bool later = key == "version" || key == "calls";
            problem(key, later ? "is not available in this version" : "is not a key of " + m_generator + did_you_mean(key, m_known));
        }
    }

private:
    std::optional<std::string> take(std::string_view key) {
        m_known.push_back(key);
        const auto found = m_values.find(key);
        if (found == m_values.end()) return std::nullopt;
        auto text = std::move(found->second);
        m_values.erase(found);
        return text;
    }
    void problem(std::string_view key, const std::string& what) {
        m_problems.push_back({m_generator + ":" + std::string(key.substr(0, 40)), what});
    }

    std::string m_generator;
    Problems& m_problems;
    std::map<std::string, std::string, std::less<>> m_values;
    std::vector<std::string_view> m_known;
    std::string m_last;
};

Op run(std::int64_t ns) { return {OpKind::Run, 0, ns, 0}; }
Op op(OpKind kind, std::int64_t amount = 0, std::uint32_t target = 0) { return {kind, target, amount, 0}; }

// Appends count rounds (-1 = for ever) of body.
void loop(std::vector<Op>& program, std::int64_t count, const std::vector<Op>& body) {
    const auto begin = program.size();
    program.push_back(op(OpKind::LoopBegin, count));
    program.insert(program.end(), body.begin(), body.end());
    program.push_back(op(OpKind::LoopEnd));
    program.back().jump = static_cast<std::uint32_t>(begin + 1);
    program[begin].jump = static_cast<std::uint32_t>(program.size());
}

// Forks n children `gap` apart, start to start, or as fast as fork() goes.
void fork_train(std::vector<Op>& program, std::int64_t n, Duration gap) {
    program.push_back(op(OpKind::Mark));
    program.push_back(op(OpKind::PadToFork, gap.count()));
    loop(program, n, {op(OpKind::Mark), op(OpKind::Fork, 0, 1), op(OpKind::PadTo, gap.count())});
}

Workload forkstorm(Keys& keys, const WorkloadContext&) {
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

Workload hogs(Keys& keys, const WorkloadContext&) {
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
Workload periodic(Keys& keys, const WorkloadContext& context) {
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

using Generator = Workload (*)(Keys&, const WorkloadContext&);
const std::map<std::string, Generator, std::less<>>& generators() {
    static const std::map<std::string, Generator, std::less<>> kGenerators = {
        {"forkstorm", forkstorm}, {"hogs", hogs}, {"periodic", periodic}};
    return kGenerators;
}

// Programs that CONTRACT names and later versions bring.
constexpr std::string_view kLater[] = {"hackbench", "schbench", "tbench", "stream", "blogbench", "pound_times", "pound_clock_gettime"};

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
    Keys keys(name, colon == std::string_view::npos ? "" : spec.substr(colon + 1), problems);
    auto workload = found->second(keys, context);
    keys.finish();
    if (!problems.empty()) return problems;
    workload.spec = spec;
    return workload;
}

} // namespace rqscope
