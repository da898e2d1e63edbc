// SPDX-License-Identifier: GPL-3.0-or-later
// Channels in a run (workloads.md 0): when writers block and who is woken after how many reads, exclusively or all
// together, with which sync bit and in which order; when a reader is woken; that copying is paid before the wake-up.
#include "sim/sim_state.h"
#include "support/scenarios.h"

using namespace rqscope;
using namespace rqscope::test;

namespace {

std::string channel(const std::string& kind) { return R"({"c": {"kind": ")" + kind + R"("}})"; }

History run(const std::string& tasks, const std::string& channels, std::initializer_list<std::string_view> features = {}) {
    auto h = history(scenario("teach-mc8", workload_json(tasks, channels), "4.8", features, "1s"));
    h.run_to_end();
    if (h.fault()) qFatal("%s", h.fault()->what.c_str());
    return h;
}

std::string name(const History& h, TaskId t) { return h.tasks()[t.index()].name; }

std::vector<LogRow> rows(const History& h, RowKind kind, const std::string& task = {}) {
    std::vector<LogRow> out;
    h.log().for_each(0, h.known_rows(), [&](const LogRow& r) {
        if (r.kind == kind && (task.empty() || name(h, r.task) == task)) out.push_back(r);
    });
    return out;
}

std::uint32_t queued_at_cursor(const History& h) {
    std::uint32_t n = 0;
    for (const auto& m : h.state().channels[0].queue) n += m.count;
    return n;
}

// The tasks that `waker` woke, in order.
QStringList woken_by(const History& h, const std::string& waker) {
    QStringList out;
    for (const auto& r : rows(h, RowKind::Wakeup))
        if (r.other != kIdleTask && name(h, r.other) == waker) out << QString::fromStdString(name(h, r.task));
    return out;
}

// Names of the tasks of a role, in the order in which they first blocked.
QStringList blocked(const History& h, const std::string& role) {
    QStringList out;
    for (const auto& r : rows(h, RowKind::Block)) {
        const auto task = QString::fromStdString(name(h, r.task));
        if (task.startsWith(QString::fromStdString(role + " ")) && !out.contains(task)) out << task;
    }
    return out;
}

// Three writers that block at a full channel of one-page messages, one after the other, then a reader takes one message.
std::string three_writers(int reads) {
    return R"({"filler": {"cpu": 0, "cpus": "0", "program": [["loop", 16, [["send", "c", 4096]]], ["block"]]},
               "w": {"cpu": 1, "cpus": "1-3", "count": 3, "program": [["run", "100us"], ["send", "c", 4096], ["block"]]},
               "reader": {"cpu": 4, "cpus": "4", "program": [["sleep", "20ms"], ["loop", )" + std::to_string(reads) + R"(, [["recv", "c", 4096]]], ["block"]]}})";
}

} // namespace

class TestChannelsRun : public QObject {
    Q_OBJECT
private slots:
    // The measured table: messages that fit, and reads until a blocked writer is woken.
    void a_writer_blocks_when_full_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("bytes");
        QTest::addColumn<int>("fit");
        QTest::addColumn<int>("reads");
        const int pipe[][3] = {{10, 6544, 409}, {100, 640, 40}, {256, 256, 16}, {512, 128, 8}, {1000, 64, 4}, {4096, 16, 1}};
        const int sock[][3] = {{1, 278, 209}, {10, 278, 209}, {100, 278, 209}, {256, 167, 126}, {512, 167, 126}, {1000, 93, 70}, {4096, 44, 34}};
        for (const auto& r : pipe) QTest::addRow("pipe %d", r[0]) << "pipe" << r[0] << r[1] << r[2];
        for (const auto& r : sock) QTest::addRow("unix %d", r[0]) << "unix" << r[0] << r[1] << r[2];
    }
    void a_writer_blocks_when_full() {
        QFETCH(QString, kind);
        QFETCH(int, bytes);
        QFETCH(int, fit);
        QFETCH(int, reads);
        const auto tasks = QString(R"({"w": {"cpu": 0, "cpus": "0", "program": [["loop", %1, [["send", "c", %2]]], ["block"]]},
                                       "r": {"cpu": 1, "cpus": "1", "program": [["sleep", "50ms"], ["loop", %1, [["recv", "c", %2]]], ["block"]]}})").arg(fit + 1).arg(bytes);
        auto h = run(tasks.toStdString(), channel(kind.toStdString()));
        const auto blocked = rows(h, RowKind::Block, "w").front();
        const auto woken = rows(h, RowKind::Wakeup, "w").front();
        QVERIFY(blocked.time < woken.decided_at());
        h.seek_row(blocked.seq.value + 1);
        QCOMPARE(static_cast<int>(queued_at_cursor(h)), fit);
        h.seek_time(woken.decided_at());
        QCOMPARE(static_cast<int>(queued_at_cursor(h)), fit - reads);
        QVERIFY(woken.sync);
        QCOMPARE(name(h, woken.other), std::string("r"));
        // Each read is paid before it wakes: the timer's wake-up, the switch and the reads lie before the call.
        const auto& tun = h.state().sched.tunables;
        const auto cost = kind == "pipe" ? tun.recv_pipe_ns + bytes * 8 / 100 : tun.recv_unix_ns + bytes * 9 / 100;
        const auto began = to_ns(rows(h, RowKind::Wakeup, "r").front().time);
        const auto took = to_ns(woken.decided_at()) - began - 400;
        QVERIFY2(took >= reads * cost && took < reads * cost + 2 * 1350, qPrintable(QString::number(took))); // ticks may fall into it
    }

    void blocked_pipe_writers_all_wake_or_one() {
        const auto all = run(three_writers(1), channel("pipe"), {"NO_PIPE_EXCLUSIVE"});
        QCOMPARE(woken_by(all, "reader"), blocked(all, "w"));
        // One fills the page, the two others block a second time.
        const auto blocks = [](const History& h) { return rows(h, RowKind::Block, "w 1").size() + rows(h, RowKind::Block, "w 2").size() + rows(h, RowKind::Block, "w 3").size(); };
        QCOMPARE(blocks(all), std::size_t{3 + 2 + 1});
        const auto one = run(three_writers(1), channel("pipe"), {"PIPE_EXCLUSIVE"});
        const auto first = blocked(one, "w").front();
        QCOMPARE(woken_by(one, "reader"), QStringList{first});
        QCOMPARE(blocks(one), std::size_t{3 + 1});
        QCOMPARE(woken_by(one, first.toStdString()), QStringList{}); // it left no room
    }
    // A woken writer that leaves room wakes the next, and so on down the queue.
    void an_exclusive_writer_hands_on() {
        const auto tasks = R"({"filler": {"cpu": 0, "cpus": "0", "program": [["loop", 640, [["send", "c", 100]]], ["block"]]},
                               "w": {"cpu": 1, "cpus": "1-3", "count": 3, "program": [["run", "1ms"], ["send", "c", 100], ["block"]]},
                               "reader": {"cpu": 4, "cpus": "4", "program": [["sleep", "20ms"], ["loop", 40, [["recv", "c", 100]]], ["block"]]}})";
        const auto h = run(tasks, channel("pipe"), {"PIPE_EXCLUSIVE"});
        const auto queue = blocked(h, "w");
        QCOMPARE(queue.size(), 3);
        QCOMPARE(woken_by(h, "reader"), QStringList{queue[0]});
        QCOMPARE(woken_by(h, queue[0].toStdString()), QStringList{queue[1]});
        QCOMPARE(woken_by(h, queue[1].toStdString()), QStringList{queue[2]});
    }
    void blocked_socket_writers_all_wake() {
        const auto tasks = R"({"filler": {"cpu": 0, "cpus": "0", "program": [["loop", 278, [["send", "c", 100]]], ["block"]]},
                               "w": {"cpu": 1, "cpus": "1-3", "count": 3, "program": [["run", "1ms"], ["send", "c", 100], ["block"]]},
                               "reader": {"cpu": 4, "cpus": "4", "program": [["sleep", "20ms"], ["loop", 209, [["recv", "c", 100]]], ["block"]]}})";
        for (const auto* feature : {"PIPE_EXCLUSIVE", "NO_PIPE_EXCLUSIVE"}) {
            const auto h = run(tasks, channel("unix"), {feature});
            QCOMPARE(blocked(h, "w").size(), 3);
            QCOMPARE(woken_by(h, "reader"), blocked(h, "w"));
        }
    }

    // Five sends in a row: an awake reader of a pipe is not woken again.
    void a_pipe_wakes_its_reader_when_it_was_empty() {
        const auto tasks = R"({"r": {"cpu": 1, "cpus": "1", "program": [["loop", 5, [["recv", "c", 100], ["run", "30us"]]], ["block"]]},
                               "s": {"cpu": 0, "cpus": "0", "program": [["run", "100us"], ["loop", 5, [["send", "c", 100]]], ["block"]]}})";
        for (const auto* kind : {"pipe", "unix", "tcp"}) {
            const auto h = run(tasks, channel(kind));
            QCOMPARE(woken_by(h, "s").size(), 1); // sockets too, since it does not sleep again
            QVERIFY(rows(h, RowKind::Wakeup).front().sync);
        }
    }
    // A sleeping reader is woken by each send of a socket; a second reader of a pipe with data in it sleeps on.
    void sockets_wake_a_reader_at_each_send() {
        const auto tasks = R"({"r": {"cpu": 1, "cpus": "1-2", "count": 2, "program": [["recv", "c", 100], ["block"]]},
                               "s": {"cpu": 0, "cpus": "0", "program": [["run", "100us"], ["send", "c", 100], ["send", "c", 100], ["block"]]}})";
        for (const auto* kind : {"unix", "tcp"}) {
            const auto h = run(tasks, channel(kind));
            QCOMPARE(woken_by(h, "s").size(), 2);
            QCOMPARE(woken_by(h, "s"), blocked(h, "r"));
        }
        QCOMPARE(woken_by(run(tasks, channel("pipe")), "s").size(), 1);
    }

    void the_writer_copies_before_it_wakes() {
        const auto tasks = R"({"r": {"cpu": 1, "cpus": "1", "program": [["recv", "c", 1000], ["block"]]},
                               "s": {"cpu": 0, "cpus": "0", "program": [["run", "100us"], ["send", "c", 1000], ["block"]]}})";
        const auto called = [&](const char* kind) { return to_ns(rows(run(tasks, channel(kind)), RowKind::Wakeup).front().decided_at()) - 400 - 100'000; };
        QCOMPARE(called("pipe"), 200 + 80);
        QCOMPARE(called("unix"), 680 + 90);
        QCOMPARE(called("tcp"), 2940 + 175);
    }

    void futex_wakes_are_not_sync() {
        const auto h = run(R"({"r": {"cpu": 1, "cpus": "1", "program": [["wait", "c"], ["block"]]},
                               "s": {"cpu": 0, "cpus": "0", "program": [["run", "100us"], ["wake", "c"], ["block"]]}})", channel("futex"));
        QCOMPARE(rows(h, RowKind::Wakeup).size(), std::size_t{1});
        QVERIFY(!rows(h, RowKind::Wakeup).front().sync);
    }

    // They began to poll in the order 3, 1, 2; one send wakes all, each by a wake-up of its own.
    void pollers_wake_in_the_order_in_which_they_began() {
        const auto tasks = R"({"p1": {"cpu": 1, "cpus": "1", "program": [["run", "20us"], ["poll", "c"], ["block"]]},
                               "p2": {"cpu": 2, "cpus": "2", "program": [["run", "30us"], ["poll", "c"], ["block"]]},
                               "p3": {"cpu": 3, "cpus": "3", "program": [["run", "10us"], ["poll", "c"], ["block"]]},
                               "s": {"cpu": 0, "cpus": "0", "program": [["run", "100us"], ["send", "c", 1], ["block"]]}})";
        for (const auto* kind : {"pipe", "unix"}) {
            auto h = run(tasks, channel(kind));
            QCOMPARE(woken_by(h, "s"), (QStringList{"p3", "p1", "p2"}));
            const auto wakes = rows(h, RowKind::Wakeup);
            for (std::size_t i = 0; i < wakes.size(); ++i) {
                QVERIFY(wakes[i].sync);
                if (i > 0) QCOMPARE(wakes[i].decided_at(), wakes[i - 1].time); // back to back
            }
            QCOMPARE(queued_at_cursor(h), 1U); // nobody takes it
        }
    }
};

QTEST_APPLESS_MAIN(TestChannelsRun)
#include "tst_channels_run.moc"
