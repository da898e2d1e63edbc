// SPDX-License-Identifier: GPL-3.0-or-later
// Hand-made log rows and machines for the timeline's tests: a fork storm on 8 CPUs, dense random runs, domains of two
// levels.
#pragma once

#include "timeline/lane_model.h"
#include "topology/sched_domain.h"
#include "trace/history.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rqscope::test {

class RowMaker {
public:
    explicit RowMaker(LaneModel& model) : m_model(model) {}

    void switchTo(Ns t, std::uint32_t cpu, std::uint32_t prev, std::uint32_t next, SwitchEnd end, std::uint32_t cost = 0) {
        auto row = make(RowKind::Switch, t, cpu, next);
        row.other = TaskId{prev};
        row.end = end;
        row.cost_ns = cost;
        add(row);
    }
    void fork(Ns t, std::uint32_t child, std::uint32_t parent, std::uint32_t from, std::uint32_t to) {
        auto row = make(RowKind::Fork, t, to, child);
        row.other = TaskId{parent};
        row.from = CpuId{from};
        add(row);
    }
    void wake(Ns t, std::uint32_t task, std::uint32_t waker, std::uint32_t wakerCpu, std::uint32_t to,
              std::uint32_t cost = 0, std::uint32_t pending = 0) {
        auto row = make(RowKind::Wakeup, t, to, task);
        row.other = TaskId{waker};
        row.waker_cpu = CpuId{wakerCpu};
        row.from = CpuId{to};
        row.cost_ns = cost;
        row.pending_ns = pending;
        add(row);
    }
    void leave(RowKind kind, Ns t, std::uint32_t cpu, std::uint32_t task) { add(make(kind, t, cpu, task)); }
    void migrate(Ns t, std::uint32_t task, std::uint32_t from, std::uint32_t to) {
        auto row = make(RowKind::Migration, t, to, task);
        row.from = CpuId{from};
        add(row);
    }
    void input(Ns t, std::uint32_t index) {
        auto row = make(RowKind::Input, t, 0, 0);
        row.input = index;
        add(row);
    }
    [[nodiscard]] std::uint32_t rows() const { return m_seq; }

private:
    LogRow make(RowKind kind, Ns t, std::uint32_t cpu, std::uint32_t task) {
        LogRow row;
        row.kind = kind;
        row.time = from_ns(t);
        row.cpu = CpuId{cpu};
        row.task = TaskId{task};
        return row;
    }
    void add(LogRow row) {
        row.seq = EventSeq{m_seq++};
        m_model.add(row);
    }
    LaneModel& m_model;
    std::uint32_t m_seq = 0;
};

// Chains of two levels: groups of `llc` CPUs named MC, all of them named `top`. smt: CPU n and n + cpus/2 share a core.
inline std::shared_ptr<const SchedDomains> makeDomains(std::uint32_t cpus, std::uint32_t llc, const char* top,
                                                       bool smt = false) {
    auto d = std::make_shared<SchedDomains>();
    d->nr_cpu_ids = cpus;
    const auto cores = smt ? cpus / 2 : cpus;
    const auto perGroup = smt ? llc / 2 : llc;
    for (std::uint32_t c = 0; c < cpus; ++c) {
        const auto core = c % cores;
        SchedDomain inner, outer;
        inner.id = DomainId{2 * c};
        outer.id = DomainId{2 * c + 1};
        inner.name = "MC";
        outer.name = top;
        inner.owner = outer.owner = CpuId{c};
        for (std::uint32_t i = 0; i < cpus; ++i) {
            outer.span.set(CpuId{i});
            if (i % cores / perGroup == core / perGroup) inner.span.set(CpuId{i});
        }
        inner.weight = inner.span.count();
        outer.weight = cpus;
        inner.parent = outer.id;
        outer.child = inner.id;
        d->base.emplace_back(inner.id);
        d->sd_llc.emplace_back(inner.id);
        d->core_of.push_back(core);
        d->sd_llc_id.push_back(*inner.span.first());
        d->domains.push_back(inner);
        d->domains.push_back(outer);
    }
    return d;
}

inline std::vector<TaskInfo> makeTasks(const char* first, const char* role, std::uint32_t count) {
    std::vector<TaskInfo> tasks(1);
    if (*first != 0) tasks.push_back({first, "storm", 1000, kIdleTask, 0, 0});
    for (std::uint32_t i = 1; i <= count; ++i) {
        const auto pid = 1000 + static_cast<std::uint32_t>(tasks.size()) - 1;
        tasks.push_back({std::string(role) + " " + std::to_string(i), "storm", pid, TaskId{1}, i, 1});
    }
    return tasks;
}

// A parent on CPU 0 forks 18 children of 200 us, 250 us apart; a toggle at 2.38 ms spreads them. Task n + 1 = child n.
inline void stormRows(LaneModel& model) {
    const LaneModel::StartTask start{TaskId{1}, CpuId{0}};
    model.reset(8, {&start, 1});
    RowMaker rows(model);
    rows.switchTo(0, 0, 0, 1, SwitchEnd::WasIdle, 1000);
    const std::uint32_t target[] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 7, 4, 6, 7, 4, 6, 7, 4};
    struct End {
        Ns t;
        std::uint32_t cpu, task;
    };
    std::vector<End> ends;
    for (std::uint32_t n = 1; n <= 18; ++n) {
        const Ns t = 200000 + static_cast<Ns>(n - 1) * 250000;
        for (const auto& end : ends) {
            rows.leave(RowKind::Exit, end.t, end.cpu, end.task);
            rows.switchTo(end.t, end.cpu, end.task, 0, SwitchEnd::Exited, 700);
        }
        ends.clear();
        if (n == 10) rows.input(2380000, 0);
        rows.fork(t, n + 1, 1, 0, target[n - 1]);
        rows.switchTo(t, target[n - 1], 0, n + 1, SwitchEnd::WasIdle, 1500);
        ends.push_back({t + 201500, target[n - 1], n + 1});
    }
    for (const auto& end : ends) {
        rows.leave(RowKind::Exit, end.t, end.cpu, end.task);
        rows.switchTo(end.t, end.cpu, end.task, 0, SwitchEnd::Exited, 700);
    }
    model.setKnownTime(from_ns(4750000));
}

// xorshift, so that every platform makes the same rows.
class Random {
public:
    std::uint32_t next(std::uint32_t below) {
        m_state ^= m_state << 13;
        m_state ^= m_state >> 7;
        m_state ^= m_state << 17;
        return static_cast<std::uint32_t>(m_state >> 33) % below;
    }

private:
    std::uint64_t m_state = 88172645463325252ULL;
};

// About `switches` runs on `cpus` CPUs with wake-ups, preemptions and migrations; tasks 1..tasks. Lengths around `run` ns.
inline void denseRows(LaneModel& model, std::uint32_t cpus, std::uint32_t switches, std::uint32_t tasks, std::uint32_t run) {
    model.reset(cpus);
    RowMaker rows(model);
    Random random;
    struct Cpu {
        Ns next = 0;
        std::uint32_t curr = 0;
        std::vector<std::uint32_t> queue;
    };
    std::vector<Cpu> all(cpus);
    std::vector<std::uint32_t> sleeping;
    for (std::uint32_t t = tasks; t > 0; --t) sleeping.push_back(t);
    Ns now = 0;
    for (std::uint32_t n = 0; n < switches; ++n) {
        now += 1 + random.next(2 * run / cpus + 1);
        const auto c = random.next(cpus);
        auto& cpu = all[c];
        if (!sleeping.empty() && random.next(5) < 3) {
            const auto t = sleeping.back();
            sleeping.pop_back();
            const auto waker = random.next(cpus);
            rows.wake(now, t, all[waker].curr, waker, c, 800);
            cpu.queue.push_back(t);
        }
        if (cpu.queue.size() > 2 && random.next(3) == 0) {
            const auto to = random.next(cpus);
            rows.migrate(now, cpu.queue.back(), c, to);
            all[to].queue.push_back(cpu.queue.back());
            cpu.queue.pop_back();
        }
        const auto prev = cpu.curr;
        auto end = SwitchEnd::WasIdle;
        if (prev != 0) {
            const auto blocks = random.next(2) == 0;
            end = blocks ? SwitchEnd::Blocked : SwitchEnd::Preempted;
            if (blocks) {
                rows.leave(RowKind::Block, now, c, prev);
                sleeping.insert(sleeping.begin() + static_cast<std::ptrdiff_t>(random.next(static_cast<std::uint32_t>(
                                                       std::min<std::size_t>(sleeping.size(), 8) + 1))),
                                prev);
            } else {
                cpu.queue.push_back(prev);
            }
        }
        std::uint32_t next = 0;
        if (!cpu.queue.empty()) {
            next = cpu.queue.front();
            cpu.queue.erase(cpu.queue.begin());
        }
        cpu.curr = next;
        if (prev != next) rows.switchTo(now, c, prev, next, end, next != 0 ? 500 : 0);
    }
}

} // namespace rqscope::test
