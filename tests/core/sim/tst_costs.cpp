// SPDX-License-Identifier: GPL-3.0-or-later
// What takes how long: switches, ticks, sleep path, wake-ups, SMT shares, to the nanosecond (engine.md 3, costs.md 0).
#include "sim/sim_state.h"
#include "support/scenarios.h"

#include <map>

using namespace rqscope;
using namespace rqscope::test;

namespace {

std::vector<LogRow> rows(const History& h) {
    std::vector<LogRow> out;
    h.log().for_each(0, h.known_rows(), [&](const LogRow& r) { out.push_back(r); });
    return out;
}

std::int64_t time_of(const History& h, RowKind kind, int nth = 0) {
    for (const auto& r : rows(h))
        if (r.kind == kind && nth-- == 0) return to_ns(r.time);
    return -1;
}

} // namespace

class TestCosts : public QObject {
    Q_OBJECT
private slots:
    // From idle: half a switch, then 1 ms of work, then exit cost; no tick comes before 4 ms.
    void one_task_alone() {
        auto h = history(scenario("single-cpu", workload_json(R"({"t": {"program": [["run", "1ms"]]}})")));
        h.run_to_end();
        QCOMPARE(time_of(h, RowKind::Exit), 400 + 1'000'000 + 60'000);
        QCOMPARE(to_ns(h.time()), 400 + 1'060'000 + 400);
        // The switch is charged to nobody.
        QCOMPARE(h.state().sched.se[1].sum_exec_runtime, 1'060'000ULL);
    }

    // A tick costs 1350 ns of interrupt time: work stands still, and so do vruntime and load tracking.
    void ticks_stretch_work() {
        auto h = history(scenario("single-cpu", workload_json(R"({"t": {"program": [["run", "10ms"], ["block"]]}})")));
        h.run_to_end();
        QCOMPARE(time_of(h, RowKind::Block), 400 + 10'000'000 + 2 * 1350 + 390);
        QCOMPARE(h.state().sched.se[1].sum_exec_runtime, 10'000'390ULL);
    }

    // A tick that falls into the sleep path waits for its end: the task leaves the queue first.
    void ticks_wait_for_windows() {
        auto h = history(scenario("single-cpu", workload_json(R"({"t": {"program": [["run", "3999400ns"], ["sleep", "1us"], ["run", "1us"], ["block"]]}})")));
        h.run_to_end();
        QCOMPARE(time_of(h, RowKind::Block), 400 + 3'999'400 + 390);
    }

    void sleep_is_measured_from_its_start() {
        auto h = history(scenario("single-cpu", workload_json(R"({"t": {"program": [["run", "100us"], ["sleep", "1ms"], ["run", "1us"], ["block"]]}})")));
        h.run_to_end();
        // Timer at 100.4 us + 1 ms; the interrupt selects for 200 ns plus one check of its own CPU and wakes for 450 ns.
        QCOMPARE(time_of(h, RowKind::Wakeup), 400 + 100'000 + 1'000'000 + 650);
    }

    // A wake-up that arrives during the sleep path finds the task still queued: nothing is selected, it goes on.
    void a_task_on_its_way_to_sleep_is_not_placed() {
        // b's sleep path lasts from 100.400 to 100.790 us; a's wake-up call begins at 100.650 us.
        const auto pair = workload_json(R"({"a": {"cpu": 0, "cpus": "0", "program": [["run", "100us"], ["wake", "f"], ["block"]]},
                                            "b": {"cpu": 1, "cpus": "1", "program": [["run", "100us"], ["wait", "f"], ["run", "1us"], ["block"]]}})",
                                        R"({"f": {"kind": "futex"}})");
        auto h = history(scenario("teach-mc8", pair));
        h.run_to_end();
        int still_queued = 0;
        int blocks = 0;
        for (const auto& r : rows(h)) {
            still_queued += r.kind == RowKind::Wakeup && r.placement.reason == PlaceReason::StillQueued;
            blocks += r.kind == RowKind::Block && h.tasks()[r.task.index()].name == "b";
        }
        QCOMPARE(still_queued, 1);
        QCOMPARE(h.decisions().size(), std::size_t{0});
        QCOMPARE(blocks, 1); // the final one
    }

    // Two busy threads of a core run at 635/1024 each; a burst ends at the ceiling.
    void smt_siblings_share_a_core() {
        const auto two = workload_json(R"({"a": {"cpu": 0, "cpus": "0", "program": [["run", "1ms"], ["block"]]},
                                           "b": {"cpu": 4, "cpus": "4", "program": [["run", "1ms"], ["block"]]}})");
        auto h = history(scenario("teach-smt4", two));
        h.run_to_end();
        const std::int64_t shared = (1'000'000LL * 1024 + 634) / 635;
        QCOMPARE(time_of(h, RowKind::Block, 0), 400 + shared + 390);
        // vruntime runs on wall time: each is charged the stretched time.
        QCOMPARE(h.state().sched.se[1].sum_exec_runtime, static_cast<std::uint64_t>(shared + 390));
    }

    void a_lone_thread_runs_at_full_speed() {
        auto h = history(scenario("teach-smt4", workload_json(R"({"a": {"program": [["run", "1ms"], ["block"]]}})")));
        h.run_to_end();
        QCOMPARE(time_of(h, RowKind::Block), 400 + 1'000'000 + 390);
    }

    // Checks are charged by distance: own CPU 0, SMT 20, cluster 40, LLC 100, beyond 250.
    void a_wake_up_takes_selection_and_path() {
        const auto pair = workload_json(R"({"a": {"cpu": 0, "cpus": "0", "program": [["run", "300us"], ["wake", "f"], ["run", "1us"], ["block"]]},
                                            "b": {"cpu": 1, "cpus": "1", "program": [["wait", "f"], ["run", "1us"], ["block"]]}})",
                                        R"({"f": {"kind": "futex"}})");
        auto h = history(scenario("teach-mc8", pair));
        h.run_to_end();
        for (const auto& r : rows(h)) {
            if (r.kind != RowKind::Wakeup) continue;
            QCOMPARE(to_ns(r.decided_at()), 400 + 300'000 + 250);
            QCOMPARE(r.cost_ns, 200U + r.placement.check_cost_ns + 450U);
            QVERIFY(r.placement.nr_checks > 0);
            QVERIFY(r.placement.check_cost_ns % 100 == 0); // one LLC: own CPU 0, all others 100
        }
    }

    void a_tree_has_n_children_by_half_of_them_data() {
        QTest::addColumn<int>("n");
        for (const int n : {1, 2, 7, 8, 20, 33}) QTest::addRow("%d", n) << n;
    }
    void a_tree_has_n_children_by_half_of_them() {
        QFETCH(int, n);
        for (const auto* block : {"0", "1"}) {
            auto h = history(scenario("xeon-2s-8cpu", "forkstorm:n=" + std::to_string(n) + ",run=300us,tree=1,block=" + block));
            h.run_to_end();
            std::map<std::uint32_t, int> forks;
            for (const auto& r : rows(h))
                if (r.kind == RowKind::Fork) ++forks[r.other.value];
            int children = 0;
            for (const auto& [parent, count] : forks) {
                QVERIFY(count <= 2);
                children += count;
            }
            QCOMPARE(children, n);
            QCOMPARE(static_cast<int>(forks.size()), (n + 1) / 2);
        }
    }

    void forks_are_at_least_the_fork_cost_apart() {
        for (const std::int64_t cost : {45'000, 5'000}) {
            auto s = scenario("teach-mc8", "forkstorm:n=4,run=50us,gap=1us,block=1");
            s.tunables.push_back(check_tunable("fork_process_ns", cost).value());
            auto h = history(s);
            h.run_to_end();
            std::vector<std::int64_t> times;
            for (const auto& r : rows(h))
                if (r.kind == RowKind::Fork) times.push_back(to_ns(r.time));
            QCOMPARE(times[0], 400 + 2 * cost); // begins one fork cost after the start
            for (std::size_t i = 1; i < times.size(); ++i) QCOMPARE(times[i] - times[i - 1], cost);
        }
    }

    // Whatever is set to its least value, time moves and the run ends.
    void a_fork_bomb_stops() {
        auto s = scenario("teach-mc8", workload_json(R"({"p": {"program": [["loop", -1, [["fork", "c"]]]]}, "c": {"program": [["block"]]}})"), "4.8", {}, "100ms");
        for (const auto& t : all_tunables())
            if (t.group == TunableGroup::Cost) s.tunables.push_back({&t, std::max<std::int64_t>(t.min, 0)});
        auto h = history(s);
        h.run_to_end();
        QVERIFY(h.fault());
        QVERIFY(QString::fromStdString(h.fault()->what).contains("too many tasks"));
    }

    void forks_start_a_gap_apart() {
        auto h = history(scenario("teach-mc8", "forkstorm:n=5,run=50us,gap=250us,block=1"));
        h.run_to_end();
        std::vector<std::int64_t> times;
        for (const auto& r : rows(h))
            if (r.kind == RowKind::Fork) times.push_back(to_ns(r.time));
        QCOMPARE(times.size(), std::size_t{5});
        QCOMPARE(times[0], 400 + 200'000 + 45'000); // first at 200 us, placed when fork() is paid
        for (std::size_t i = 1; i < times.size(); ++i) QCOMPARE(times[i] - times[i - 1], 250'000);
    }
};

QTEST_APPLESS_MAIN(TestCosts)
#include "tst_costs.moc"
