// SPDX-License-Identifier: GPL-3.0-or-later
// hackbench in a run (workloads.md 1): names and births, the barrier of ready and wake channels, the storm, the end, and
// what the run is timed by.
#include "metrics/run_metrics.h"
#include "sim/sim_state.h"
#include "support/scenarios.h"

#include <algorithm>
#include <map>

using namespace rqscope;
using namespace rqscope::test;

namespace {

History run(std::string_view machine_id, const std::string& options, std::initializer_list<std::string_view> features = {}) {
    auto h = history(scenario(machine_id, "hackbench:" + options, "4.8", features));
    h.run_to_end();
    if (h.fault()) qFatal("%s", h.fault()->what.c_str());
    return h;
}

std::vector<LogRow> rows(const History& h, RowKind kind) {
    std::vector<LogRow> out;
    h.log().for_each(0, h.known_rows(), [&](const LogRow& r) {
        if (r.kind == kind) out.push_back(r);
    });
    return out;
}

std::uint32_t queued(const Channel& c) {
    std::uint32_t n = 0;
    for (const auto& m : c.queue) n += m.count;
    return n;
}

constexpr const char* kVariants[] = {"-g 2 -f 5 -l 40", "-g 2 -f 5 -l 40 -p", "-g 2 -f 5 -l 40 -T", "-g 2 -f 5 -l 40 -T -p"};

} // namespace

class TestHackbenchRun : public QObject {
    Q_OBJECT
private slots:
    void names_and_pids() {
        const auto h = run("teach-mc8", "-g 2 -f 3 -l 1");
        QStringList names;
        for (std::size_t t = 1; t < h.tasks().size(); ++t) {
            names << QString::fromStdString(h.tasks()[t].name);
            QCOMPARE(h.tasks()[t].comm, std::string("hackbench"));
            QCOMPARE(h.tasks()[t].pid, 999U + static_cast<unsigned>(t));
        }
        QCOMPARE(names, (QStringList{"parent", "receiver 0.0", "receiver 0.1", "receiver 0.2", "sender 0.0", "sender 0.1", "sender 0.2",
                                     "receiver 1.0", "receiver 1.1", "receiver 1.2", "sender 1.0", "sender 1.1", "sender 1.2"}));
    }

    // fork() and the program's own work, each on its own clock; ticks may fall between two.
    void births_data() {
        QTest::addColumn<QString>("options");
        QTest::addColumn<int>("apart");
        QTest::addColumn<int>("first_run");
        QTest::newRow("processes") << "-g 1 -f 10 -l 1 -p" << 54'000 << 27'000;
        QTest::newRow("threads") << "-g 1 -f 10 -l 1 -p -T" << 15'000 << 6'000;
    }
    void births() {
        QFETCH(QString, options);
        QFETCH(int, apart);
        QFETCH(int, first_run);
        const auto h = run("teach-mc8", options.toStdString());
        const auto forks = rows(h, RowKind::Fork);
        QCOMPARE(forks.size(), std::size_t{20});
        for (std::size_t i = 1; i < forks.size(); ++i) {
            const auto distance = (forks[i].time - forks[i - 1].time).count();
            QVERIFY2(distance == apart || distance == apart + 1350, qPrintable(QString::number(distance)));
        }
        // The first child: switch from idle, first run, one byte to the ready channel, sleep path.
        for (const auto& r : rows(h, RowKind::Block)) {
            if (r.task != forks[0].task) continue;
            QCOMPARE((r.time - forks[0].time).count(), 400 + first_run + 200 + 390);
            break;
        }
    }

    void everybody_works_and_leaves_data() {
        QTest::addColumn<QString>("options");
        for (const auto* v : kVariants) QTest::newRow(v) << v;
    }
    void everybody_works_and_leaves() {
        QFETCH(QString, options);
        for (const auto* machine_id : {"single-cpu", "teach-mc8", "ivb-ep-40cpu"}) {
            for (const auto* feature : {"PIPE_EXCLUSIVE", "NO_PIPE_EXCLUSIVE"}) {
                const auto h = run(machine_id, options.toStdString(), {feature});
                for (std::size_t t = 1; t < h.state().tasks.size(); ++t) QCOMPARE(h.state().tasks[t].state, TaskState::Exited);
                QCOMPARE(rows(h, RowKind::Exit).back().task.value, 1U); // the parent reaps them all
                for (std::size_t c = 0; c < h.state().channels.size(); ++c) {
                    const auto& channel = h.state().channels[c];
                    QCOMPARE(queued(channel), c == 1 ? 1U : 0U); // nobody reads the wake byte
                    QVERIFY(channel.readers.empty() && channel.writers.empty() && channel.pollers.empty());
                }
            }
        }
    }

    // One send releases all: back to back, in the order in which the children began to poll.
    void the_storm() {
        for (const std::string options : {"-g 2 -f 20 -l 2 -p", "-g 2 -f 20 -l 2"}) {
            const auto h = run("ivb-ep-40cpu", options);
            const auto release = h.state().release;
            std::map<std::uint32_t, SimTime> last_block;
            for (const auto& r : rows(h, RowKind::Block))
                if (r.time < release) last_block[r.task.value] = r.time;
            std::vector<LogRow> storm;
            for (const auto& r : rows(h, RowKind::Wakeup))
                if (r.other == TaskId{1} && r.decided_at() >= release) storm.push_back(r);
            QCOMPARE(storm.size(), std::size_t{80});
            // Messages arrive when their CPUs can take them; the waker goes on as soon as it has sent one.
            std::stable_sort(storm.begin(), storm.end(), [](const auto& a, const auto& b) { return a.decided_at() < b.decided_at(); });
            const auto done = [](const LogRow& r) { return r.time - Duration{r.pending_ns}; };
            QCOMPARE((storm[0].decided_at() - release).count(), options.ends_with("-p") ? 200 : 680);
            for (std::size_t i = 0; i < storm.size(); ++i) {
                QVERIFY(storm[i].sync);
                if (i == 0) continue;
                QVERIFY(storm[i].decided_at() >= done(storm[i - 1]));
                QVERIFY(last_block[storm[i].task.value] >= last_block[storm[i - 1].task.value]);
            }
        }
    }

    void timed_from_the_wake_byte() {
        auto h = run("teach-mc8", "-g 1 -f 5 -l 20 -p");
        const auto fork_end = rows(h, RowKind::Fork).back().time;
        QVERIFY(h.state().release >= fork_end + Duration{27'000});
        const auto summary = [&] {
            const auto start = history(h.scenario());
            RunMetrics metrics(start.snapshot());
            h.log().for_each(0, h.cursor(), [&](const LogRow& r) { metrics.row(r); });
            return metrics.summary(h.scenario(), h.state().sched, run_end(h.state(), h.time()));
        };
        const auto s = summary();
        QCOMPARE(s.makespan_ns, (rows(h, RowKind::Exit).back().time - h.state().release).count());
        QCOMPARE(s.messages, std::uint64_t{500});
        QCOMPARE(to_string(*s.ns_per_message), to_string(ratio(static_cast<std::uint64_t>(s.makespan_ns), 500)));
        QVERIFY(summary_json(s).find(R"("extra": {"messages": 500, "ns_per_message": )") != std::string::npos);
        // A part of a run has no time per message, and before the release nothing has been timed.
        h.seek_time(fork_end);
        QVERIFY(!summary().ns_per_message);
        QCOMPARE(summary().makespan_ns, 0);
    }

    // Nobody can run ahead of what the channels hold: 20 L messages per pipe fit while L <= 32, per socket while L <= 13.
    void senders_block_only_when_the_channel_is_full() {
        const auto sender_blocks = [](const History& h) {
            int n = 0;
            for (const auto& r : rows(h, RowKind::Block)) n += h.tasks()[r.task.index()].name.starts_with("sender") && r.time > h.state().release;
            return n;
        };
        QCOMPARE(sender_blocks(run("single-cpu", "-g 1 -f 20 -l 32 -p")), 0);
        QCOMPARE(sender_blocks(run("single-cpu", "-g 1 -f 20 -l 13")), 0);
        // Readers that come late find full channels.
        QVERIFY(sender_blocks(run("single-cpu", "-g 1 -f 20 -l 200 -p", {"NO_WAKEUP_PREEMPTION"})) > 0);
        QVERIFY(sender_blocks(run("single-cpu", "-g 1 -f 20 -l 100", {"NO_WAKEUP_PREEMPTION"})) > 0);
    }
};

QTEST_APPLESS_MAIN(TestHackbenchRun)
#include "tst_hackbench_run.moc"
