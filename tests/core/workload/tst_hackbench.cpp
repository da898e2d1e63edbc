// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of hackbench in its spellings, what is refused and in which words, and the programs of the three roles.
#include "workload/workload.h"

#include <QTest>

#include <algorithm>

using namespace rqscope;

namespace {

Result<Workload> make(const std::string& options) { return generate_workload("hackbench:" + options, {.online_cpus = 8}); }

// "groups fan-out loops bytes kind birth" as the programs show them.
QString shape(const Workload& w) {
    const auto& parent = w.templates[0].program;
    const auto& sender = w.templates[2].program;
    const auto groups = (w.templates.size() - 1) / 2;
    const auto fan_out = (w.channels.size() - 2) / groups;
    const auto loops = std::find_if(sender.begin(), sender.end(), [](const Op& o) { return o.kind == OpKind::LoopBegin; })->amount;
    const bool threads = std::any_of(parent.begin(), parent.end(), [](const Op& o) { return o.kind == OpKind::Thread; });
    return QString("%1 %2 %3 %4 %5 %6").arg(groups).arg(fan_out).arg(loops).arg(sender[4].amount)
        .arg(w.channels[0].kind == ChannelKind::Pipe ? "pipe" : "unix", threads ? "threads" : "processes");
}

} // namespace

class TestHackbench : public QObject {
    Q_OBJECT
private slots:
    void options_data() {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* options, const char* expected) { QTest::newRow(*options ? options : "none") << options << expected; };
        row("", "10 20 100 100 unix processes");
        row("-g 4 -f 20 -l 100 --threads --pipe", "4 20 100 100 pipe threads");
        row("-g4 -f3 -l7 -s1000", "4 3 7 1000 unix processes");
        row("--groups 4 --fds=3 --loops 7 --datasize=1 --process", "4 3 7 1 unix processes");
        row("-T -p", "10 20 100 100 pipe threads");
        row("-pT -g 2", "2 20 100 100 pipe threads");
        row("-P -g 2", "2 20 100 100 unix processes");
        row("-p -t -l 100000 -g 1", "1 20 100000 100 pipe threads"); // perf bench sched messaging
        row("--group 3 --nr_loops 9 --thread", "3 20 9 100 unix threads");
        row("-pipe 30 process 1000", "30 20 1000 100 pipe processes"); // the old form
        row("25 thread", "25 20 100 100 unix threads");
        row("-g 2,cpus=0-3,6", "2 20 100 100 unix processes");
    }
    void options() {
        QFETCH(QString, options);
        QFETCH(QString, expected);
        const auto w = make(options.toStdString());
        QVERIFY(w.ok());
        QCOMPARE(shape(*w), expected);
        QVERIFY(!w->endless);
    }

    void refused_data() {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* options, const char* where, const char* part) { QTest::newRow(options) << options << where << part; };
        row("-g x", "-g", "\"x\" is not a whole number in 1..");
        row("-g 0", "-g", "\"0\" is not");
        row("-g -4", "-g", "\"-4\" is not");
        row("-l", "-l", "needs a whole number");
        row("--loops=", "--loops", "needs a whole number");
        row("-g 4 -g 5", "-g", "is given twice");
        row("-g 4 5", "GROUPS", "is given twice");
        row("4 process 5 6", "LOOPS", "is given twice");
        row("-q", "-q", "is not an option");
        row("--grops 3", "--grops", "Did you mean groups?");
        row("--pipe=1", "--pipe", "takes no value");
        row("-T -P", "-P", "contradicts");
        row("-i", "-i", "not available in this version");
        row("--fifo", "--fifo", "not available in this version");
        row("-p -s 5000", "-s", "at most 4096");
        row("-g 5000", "-g", "200000 tasks; at most 100000");
        row("cpus=", "cpus", "is empty");
        row("cpu=3", "cpu", "Did you mean cpus?");
        row("version=2", "version", "not available in this version");
    }
    void refused() {
        QFETCH(QString, options);
        QFETCH(QString, where);
        QFETCH(QString, part);
        const auto w = make(options.toStdString());
        QVERIFY(!w.ok());
        QCOMPARE(QString::fromStdString(w.problems().front().where), "hackbench:" + where);
        QVERIFY2(QString::fromStdString(w.problems().front().message).contains(part), w.problems().front().message.c_str());
    }
    void all_problems_are_listed() { QCOMPARE(make("-g x -l y --foo -s 0").problems().size(), std::size_t{4}); }

    void programs() {
        const auto w = make("-g 2 -f 3 -l 5 -s 50");
        QCOMPARE(w->channels.size(), std::size_t{2 + 6});
        QCOMPARE(w->messages, std::uint64_t{2 * 3 * 3 * 5});
        const auto kinds = [](const TaskTemplate& t) {
            std::vector<OpKind> out;
            for (const auto& o : t.program) out.push_back(o.kind);
            return out;
        };
        using enum OpKind;
        QCOMPARE(kinds(w->templates[3]), (std::vector<OpKind>{FirstRun, Send, Poll, LoopBegin, Recv, LoopEnd, Exit}));
        QCOMPARE(kinds(w->templates[4]), (std::vector<OpKind>{FirstRun, Send, Poll, LoopBegin, Send, Send, Send, LoopEnd, Exit}));
        std::vector<OpKind> parent;
        for (int i = 0; i < 4; ++i)
            for (const auto k : {LoopBegin, Fork, ForkWork, LoopEnd}) parent.push_back(k);
        for (const auto k : {LoopBegin, Recv, LoopEnd, Release, Send, Reap, Exit}) parent.push_back(k);
        QCOMPARE(kinds(w->templates[0]), parent);
        // A receiver reads all that its group's senders send to it, from its own channel on.
        const auto& receiver = w->templates[3];
        QCOMPARE(receiver.program[3].amount, 15);
        QCOMPARE(receiver.program[4].target, 2U + 3U);
        QCOMPARE(receiver.program[4].jump, 1U);
        QCOMPARE(w->templates[4].program[6].target, 2U + 5U);
        QCOMPARE(*w->templates[4].group, 1U);
        QCOMPARE(w->templates[0].program[w->templates[0].program.size() - 2].amount, 12); // reaps all
    }
    void cpus_bind_everybody() {
        const auto w = make("-g 1 cpus=4-6,9");
        for (const auto& t : w->templates) QCOMPARE(t.cpus->to_list(), std::string("4-6,9"));
        QCOMPARE(w->initial[0].cpu.value, 4U);
    }
};

QTEST_APPLESS_MAIN(TestHackbench)
#include "tst_hackbench.moc"
