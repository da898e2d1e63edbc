// SPDX-License-Identifier: GPL-3.0-or-later
// exec as a step of a program: the running task is placed anew, carried over, counted as a move by exec and explained.
#include "sched/invariants.h"
#include "sim/simulator.h"
#include "support/scenarios.h"

using namespace rqscope;
using namespace rqscope::test;

namespace {

const char* kTwoOnOne = R"({"busy": {"cpu": 0, "program": [["run", "5ms"]]},
                            "starter": {"cpu": 0, "program": [["run", "200us"], ["exec"], ["run", "3ms"]]}})";

std::vector<LogRow> rows_of(const History& h, RowKind kind) {
    std::vector<LogRow> out;
    h.log().for_each(0, h.known_rows(), [&](const LogRow& row) {
        if (row.kind == kind) out.push_back(row);
    });
    return out;
}

} // namespace

class TestExec : public QObject {
    Q_OBJECT
private slots:
    void moves_to_an_idle_cpu_data() {
        QTest::addColumn<QString>("era");
        for (const char* era : {"4.8", "4.8-load_avg", "4.9", "4.12", "4.19", "5.19", "6.1", "6.5"}) QTest::newRow(era) << era;
    }
    void moves_to_an_idle_cpu() {
        QFETCH(QString, era);
        auto h = history(scenario("teach-mc8", workload_json(kTwoOnOne), era.toStdString()));
        h.run_to_end();
        QVERIFY(!h.fault());
        const auto execs = rows_of(h, RowKind::Exec);
        QCOMPARE(execs.size(), std::size_t{1});
        const auto& exec = execs.front();
        QVERIFY(exec.is_decision());
        QCOMPARE(exec.placement.reason, PlaceReason::ExecIdlestCpu);
        std::vector<LogRow> moves;
        for (const auto& row : rows_of(h, RowKind::Migration))
            if (row.cause == MoveCause::Exec) moves.push_back(row);
        QCOMPARE(moves.size(), std::size_t{1});
        QCOMPARE(moves.front().task, exec.task);
        QCOMPARE(moves.front().from, exec.from);
        QCOMPARE(moves.front().cpu, exec.cpu);
        QVERIFY(exec.cpu != exec.from);
        // Both work on CPUs of their own from then on: 3 ms there, no waiting.
        const auto exits = rows_of(h, RowKind::Exit);
        const auto left = std::find_if(exits.begin(), exits.end(), [&](const LogRow& row) { return row.task == exec.task; });
        QVERIFY(left != exits.end());
        QCOMPARE(left->cpu, exec.cpu);
        QVERIFY(left->time - exec.time < std::chrono::microseconds{3'200});
        bool explained = false;
        for (const auto& step : h.explain(exec.seq).steps) explained = explained || step.kind == SelectStep::Kind::Returned;
        QVERIFY(explained);
    }

    // A CPU whose task has just left pulls others; none of them may become a buddy of the one that left.
    void pulls_after_it_left() {
        const auto crowd = workload_json(R"({"t1": {"cpu": 0, "count": 7, "program": [["run", "5us"]]},
                                             "t2": {"cpu": 0, "count": 4, "nice": -20, "program": [["thread", "leaf"], ["exec"], ["run", "5us"]]},
                                             "leaf": {"program": [["exec"], ["run", "5us"]]}})");
        for (const char* era : {"4.8", "4.9", "4.12", "4.19", "6.1"}) {
            const auto s = std::make_shared<const Scenario>(scenario("kunpeng-mini-8cpu", crowd, era, {}, "3ms"));
            Simulator sim(s, initial_state(*s).value());
            while (sim.step()) {
                const auto broken = check_sched_invariants(sim.state().sched);
                QVERIFY2(!broken, broken.value_or("").c_str());
            }
            QVERIFY2(!sim.fault(), sim.fault().value_or("").c_str());
        }
    }

    void stays_when_nothing_is_better() {
        auto h = history(scenario("single-cpu", workload_json(kTwoOnOne)));
        h.run_to_end();
        QVERIFY(!h.fault());
        QCOMPARE(rows_of(h, RowKind::Exec).size(), std::size_t{1});
        QVERIFY(rows_of(h, RowKind::Migration).empty());
    }

    // A task with spare room at home stays under 4.12, where loads alone would send it away under 4.8.
    void spare_capacity_keeps_it_home() {
        const auto lone = workload_json(R"({"starter": {"cpu": 0, "program": [["run", "100us"], ["sleep", "40ms"], ["run", "50us"], ["exec"], ["run", "1ms"]]}})");
        auto old = history(scenario("teach-mc8", lone, "4.8"));
        auto merged = history(scenario("teach-mc8", lone, "4.12"));
        old.run_to_end();
        merged.run_to_end();
        QCOMPARE(rows_of(old, RowKind::Exec).front().placement.reason, PlaceReason::ExecIdlestCpu);
        const auto kept = rows_of(merged, RowKind::Exec).front();
        QCOMPARE(kept.placement.reason, PlaceReason::ExecLocalGroup);
        QCOMPARE(kept.cpu, kept.from);
    }
};

QTEST_APPLESS_MAIN(TestExec)
#include "tst_exec.moc"
