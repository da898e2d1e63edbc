// SPDX-License-Identifier: GPL-3.0-or-later
// A run written by hand: two nodes of four CPUs, a parent that forks two children, a wake-up across nodes, a pull back.
// Small enough to compute every figure on paper; used by the tests of the metrics and of the exports.
#pragma once

#include "topology/build_domains.h"
#include "topology/machine_json.h"
#include "trace/history.h"

#include <memory>
#include <vector>

namespace rqscope::test {

inline std::shared_ptr<const SchedDomains> twoNodes() {
    const auto machine = load_machine_file(RQSCOPE_SOURCE_DIR "/topologies/teach-2x4-numa.json");
    auto domains = build_domains(*machine, DomainProfile::V4_7, machine->online);
    return std::make_shared<const SchedDomains>(std::move(domains).value());
}

struct HandMadeRun {
    Scenario scenario;
    Snapshot start;
    std::vector<TaskInfo> tasks;
    std::vector<Input> inputs;
    std::vector<LogRow> rows;

    LogRow& add(RowKind kind, std::int64_t ns, std::uint32_t cpu, std::uint32_t task) {
        LogRow row;
        row.seq = EventSeq{static_cast<std::uint32_t>(rows.size())};
        row.time = from_ns(ns);
        row.kind = kind;
        row.cpu = CpuId{cpu};
        row.task = TaskId{task};
        return rows.emplace_back(row);
    }
    void switchTo(std::int64_t ns, std::uint32_t cpu, std::uint32_t prev, std::uint32_t next, SwitchEnd end) {
        auto& row = add(RowKind::Switch, ns, cpu, next);
        row.other = TaskId{prev};
        row.end = end;
        row.cost_ns = 400;
    }
    LogRow& fork(std::int64_t ns, std::uint32_t cpu, std::uint32_t child, std::uint32_t parent, std::uint32_t from) {
        auto& row = add(RowKind::Fork, ns, cpu, child);
        row.other = TaskId{parent};
        row.from = CpuId{from};
        row.placement.cpu = CpuId{cpu};
        row.placement.reason = PlaceReason::ForkIdlestCpu;
        return row;
    }
    LogRow& wake(std::int64_t ns, std::uint32_t cpu, std::uint32_t task, std::uint32_t waker, std::uint32_t wakerCpu,
                 std::uint32_t from, std::uint32_t cost) {
        auto& row = add(RowKind::Wakeup, ns, cpu, task);
        row.other = TaskId{waker};
        row.waker_cpu = CpuId{wakerCpu};
        row.from = CpuId{from};
        row.cost_ns = cost;
        row.placement.cpu = CpuId{cpu};
        row.placement.reason = PlaceReason::IdleGroup;
        row.placement.nr_checks = 3;
        row.placement.check_cost_ns = 250;
        return row;
    }
};

inline HandMadeRun handMadeRun() {
    HandMadeRun run;
    run.start.domains = twoNodes();
    run.start.cpus.resize(8);
    run.start.cpus[0].waiting = {TaskId{1}};
    run.tasks = {{.name = "swapper", .comm = "swapper"},
                 {.name = "parent", .comm = "storm", .pid = 1000, .role = 0},
                 {.name = "child 1", .comm = "storm", .pid = 1001, .parent = TaskId{1}, .number = 1, .role = 1},
                 {.name = "child 2", .comm = "storm", .pid = 1002, .parent = TaskId{1}, .number = 2, .role = 1}};
    run.scenario.workload.templates.resize(2);
    run.scenario.workload.templates[1].nice = 5;
    run.inputs = {{from_ns(9'000), FeatureSetting{Feature::WAKE_AFFINE, 0}}};

    run.switchTo(0, 0, 0, 1, SwitchEnd::WasIdle);
    auto& first = run.fork(1'000, 0, 2, 1, 0); // waits behind its parent while seven CPUs are idle
    first.placement.has_figures = true;
    first.placement.rival = CpuId{4};
    first.placement.chosen_load = 43;
    first.placement.rival_runnable = 18;
    first.placement.rival_load = 1024;
    run.fork(3'000, 4, 3, 1, 0);
    run.switchTo(3'000, 4, 0, 3, SwitchEnd::WasIdle);
    run.add(RowKind::TickResched, 4'000, 0, 1);
    run.switchTo(5'000, 0, 1, 2, SwitchEnd::Preempted);
    run.add(RowKind::Block, 6'000, 4, 3);
    run.switchTo(6'000, 4, 3, 0, SwitchEnd::Blocked);
    run.wake(8'000, 1, 3, 2, 0, 4, 700);
    run.switchTo(8'000, 1, 0, 3, SwitchEnd::WasIdle);
    run.add(RowKind::Input, 9'000, 0, 0);
    auto& pass = run.add(RowKind::Balance, 10'000, 2, 0);
    pass.balance = {.dst = CpuId{2},
                    .domain = *run.start.domains->base[2],
                    .idle = CpuIdleType::NewlyIdle,
                    .reason = BalanceReason::Moved,
                    .src = CpuId{0},
                    .moved = 1,
                    .imbalance = 512,
                    .local_avg = 0,
                    .busiest_avg = 1024};
    auto& move = run.add(RowKind::Migration, 10'000, 2, 1);
    move.from = CpuId{0};
    move.cause = MoveCause::NewIdle;
    run.switchTo(10'000, 2, 0, 1, SwitchEnd::WasIdle);
    run.add(RowKind::Exit, 12'000, 0, 2);
    run.switchTo(12'000, 0, 2, 0, SwitchEnd::Exited);
    return run;
}

} // namespace rqscope::test
