// SPDX-License-Identifier: GPL-3.0-or-later
// Machines and states made by hand, for tests of the machine panel: real domains of files in topologies/ or of a machine
// made from counts, and snapshots with tasks and loads that need no simulation.
#pragma once

#include "base/hash.h"
#include "sim/snapshot.h"
#include "topology/build_domains.h"
#include "topology/machine_json.h"
#include "trace/event_log.h"
#include "trace/history.h"

#include <QtTest>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rqscope::fake {

using Domains = std::shared_ptr<const SchedDomains>;

inline Domains build(const Machine& machine, DomainProfile profile) {
    auto domains = build_domains(machine, profile, machine.online);
    if (!domains.ok()) {
        qWarning("%s", domains.problems().front().message.c_str());
        return nullptr;
    }
    return std::make_shared<const SchedDomains>(std::move(domains).value());
}

inline Domains domainsOf(const char* name, DomainProfile profile = DomainProfile::V4_7) {
    const auto machine = load_machine_file(std::string(RQSCOPE_SOURCE_DIR "/topologies/") + name + ".json");
    if (!machine.ok()) {
        qWarning("%s: %s", machine.problems().front().where.c_str(), machine.problems().front().message.c_str());
        return nullptr;
    }
    return build(*machine, profile);
}

// Packages of nodes of one LLC each, SMT siblings numbered in the upper half as Linux does on x86.
inline Domains domainsOf(std::uint32_t packages, std::uint32_t nodesEach, std::uint32_t cores, std::uint32_t threads) {
    const auto nodes = packages * nodesEach, all = nodes * cores;
    std::string nodeList, rows, tree;
    const auto cpusOf = [&](std::uint32_t from, std::uint32_t count) {
        std::string text;
        for (std::uint32_t t = 0; t < threads; ++t) {
            const auto first = from + t * all;
            text += (t ? "," : "") + std::to_string(first) + (count > 1 ? "-" + std::to_string(first + count - 1) : "");
        }
        return text;
    };
    for (std::uint32_t p = 0; p < packages; ++p) {
        tree += std::string(p ? "," : "") + R"({"type":"package","id":)" + std::to_string(p) + R"(,"children":[)";
        for (std::uint32_t n = 0; n < nodesEach; ++n) {
            const auto node = p * nodesEach + n;
            nodeList += std::string(node ? "," : "") + R"({"id":)" + std::to_string(node) + R"(,"cpus":")" +
                        cpusOf(node * cores, cores) + "\"}";
            rows += node ? ",[" : "[";
            for (std::uint32_t other = 0; other < nodes; ++other)
                rows += std::string(other ? "," : "") + (other == node ? "10" : other / nodesEach == p ? "12" : "32");
            rows += "]";
            tree += std::string(n ? "," : "") + R"({"type":"llc","id":)" + std::to_string(node) + R"(,"children":[)";
            for (std::uint32_t c = 0; c < cores; ++c)
                tree += std::string(c ? "," : "") + R"({"type":"core","id":)" + std::to_string(node * cores + c) +
                        R"(,"cpus":")" + cpusOf(node * cores + c, 1) + "\"}";
            tree += "]}";
        }
        tree += "]}";
    }
    const auto text =
        R"({"schema":"sched-topology/1","id":"made","name":"made","arch":"x86","provenance":{},"cpus":{"possible":"0-)" +
        std::to_string(all * threads - 1) + R"("},"tree":{"type":"machine","children":[)" + tree +
        R"(]},"numa":{"nodes":[)" + nodeList + R"(],"distance":[)" + rows + "]}}";
    const auto machine = load_machine_json(text, "made");
    if (!machine.ok()) {
        qWarning("%s: %s", machine.problems().front().where.c_str(), machine.problems().front().message.c_str());
        return nullptr;
    }
    return build(*machine, DomainProfile::V6_12);
}

struct Run {
    Snapshot snapshot;
    std::vector<TaskInfo> tasks;
    EventLog log;

    explicit Run(Domains domains) {
        snapshot.domains = std::move(domains);
        snapshot.cpus.resize(snapshot.domains->nr_cpu_ids);
        add("idle", 0);
    }
    TaskId add(const std::string& name, std::uint32_t number) {
        TaskInfo info;
        info.name = number ? name + " " + std::to_string(number) : name;
        info.comm = name;
        info.number = number;
        info.pid = 100 + static_cast<std::uint32_t>(tasks.size());
        tasks.push_back(info);
        snapshot.tasks.push_back({});
        return TaskId{static_cast<std::uint32_t>(tasks.size() - 1)};
    }
    void runs(std::uint32_t cpu, TaskId task, Load load) {
        auto& c = snapshot.cpus[cpu];
        c.curr = task;
        c.running_load = load;
        c.runnable_load_avg += load;
        c.load_avg += load;
        c.util_avg = load;
        snapshot.tasks[task.index()].state = TaskState::Running;
        snapshot.tasks[task.index()].cpu = CpuId{cpu};
    }
    void waits(std::uint32_t cpu, TaskId task, Load load) {
        auto& c = snapshot.cpus[cpu];
        c.waiting.push_back(task);
        c.runnable_load_avg += load;
        c.load_avg += load;
        snapshot.tasks[task.index()].state = TaskState::Waiting;
        snapshot.tasks[task.index()].cpu = CpuId{cpu};
    }
    void blocked(std::uint32_t cpu, Load load, Util util) {
        snapshot.cpus[cpu].load_avg += load;
        snapshot.cpus[cpu].util_avg = util;
    }
    LogRow& row(LogRow& r) {
        r.seq = EventSeq{log.size()};
        r.first_of_step = true;
        log.append(r);
        snapshot.rows = log.size();
        return r;
    }
    LogRow fork(TaskId parent, std::uint32_t from, TaskId child, std::uint32_t cpu) {
        LogRow r;
        r.kind = RowKind::Fork;
        r.task = child;
        r.other = parent;
        r.from = CpuId{from};
        r.cpu = r.placement.cpu = CpuId{cpu};
        r.time = snapshot.time;
        return row(r);
    }
    void input() {
        LogRow r;
        r.kind = RowKind::Input;
        r.time = snapshot.time;
        row(r);
    }
};

// The fork storm of the pictures: parent on 0, seventeen children placed, 5 filled nine times before the toggle.
inline Run storm(Domains domains, bool toggled) {
    Run run(std::move(domains));
    const auto parent = run.add("parent", 0);
    std::vector<TaskId> children;
    for (std::uint32_t i = 1; i <= 18; ++i) children.push_back(run.add("child", i));
    for (std::size_t i = 0; i < 9; ++i) run.fork(parent, 0, children[i], 5);
    if (toggled) run.input();
    const std::vector<std::uint32_t> later{6, 7, 4, 6, 7, 4, 6};
    for (std::size_t i = 0; i < later.size(); ++i) run.fork(parent, 0, children[9 + i], later[i]);
    run.runs(0, parent, 1024);
    run.blocked(4, 200, 97);
    run.blocked(5, 900, 450);
    run.blocked(6, 300, 150);
    run.blocked(7, 200, 97);
    return run;
}

// Any machine, busy everywhere and different with each seed.
inline void fill(Run& run, std::uint32_t seed) {
    if (run.tasks.size() < 42)
        for (std::uint32_t i = 1; i <= 41; ++i) run.add("sender", i);
    for (std::uint32_t i = 0; i < run.snapshot.cpus.size(); ++i) {
        auto& cpu = run.snapshot.cpus[i];
        cpu = CpuSnapshot{};
        const auto dice = mix64(seed * 1000003ULL + i);
        if (dice % 3 != 0) run.runs(i, TaskId{1 + static_cast<std::uint32_t>(dice / 7 % 40)}, 300 + dice / 11 % 500);
        if (dice % 5 == 0 && cpu.curr != kIdleTask) run.waits(i, TaskId{41}, 100 + dice / 13 % 200);
        run.blocked(i, dice / 17 % 120, 200 + dice / 19 % 300);
    }
}

} // namespace rqscope::fake
