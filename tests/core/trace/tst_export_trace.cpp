// SPDX-License-Identifier: GPL-3.0-or-later
// The three exports of the run written by hand: ftrace text and CSV line by line, Chrome JSON as parsed values.
#include "core/metrics/hand_made_run.h"
#include "trace/export_names.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace rqscope;
using namespace rqscope::test;

namespace {

QString exported(const HandMadeRun& run, TraceFormat format) {
    std::string text;
    const auto writer = make_trace_writer(format, {&run.tasks, &run.inputs, &run.scenario, &run.start},
                                          [&text](std::string_view piece) { text += piece; });
    writer->begin();
    for (const auto& row : run.rows) writer->row(row);
    writer->end(from_ns(14'000));
    return QString::fromStdString(text);
}

// Lines without the file's head.
QStringList ftraceLines(const QString& text) {
    auto lines = text.split('\n');
    return lines.mid(6, lines.size() - 7);
}

} // namespace

class TestExportTrace : public QObject {
    Q_OBJECT

private slots:
    void formatByName() {
        QVERIFY(trace_format_of("a.txt") == TraceFormat::Ftrace);
        QVERIFY(trace_format_of("b/a.json") == TraceFormat::Chrome);
        QVERIFY(trace_format_of("a.csv") == TraceFormat::Csv);
        QVERIFY(!trace_format_of("a.dat"));
        QVERIFY(!trace_format_of(""));
    }

    void fixedPoint() {
        QCOMPARE(fixed_point(1'234'567, 3), std::string("1234.567"));
        QCOMPARE(fixed_point(5, 9), std::string("0.000000005"));
        QCOMPARE(fixed_point(0, 3), std::string("0.000"));
        QCOMPARE(fixed_point(-12, 3), std::string("-0.012"));
    }

    void ftraceText() {
        const QStringList expected = {
            "               <idle>-0 [000] d..2.    0.000000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=storm next_pid=1000 next_prio=120",
            "# rqscope: child 1: find_idlest_cpu CPU 0 (runnable_load_avg 0, load_avg 43; CPU 4 has runnable_load_avg 18, load_avg 1024)",
            "             storm-1000 [000] d..2.    0.000001000: sched_process_fork: comm=storm pid=1000 child_comm=storm child_pid=1001",
            "             storm-1000 [000] d..2.    0.000001000: sched_wakeup_new: comm=storm pid=1001 prio=125 target_cpu=000",
            "# rqscope: child 2: find_idlest_cpu CPU 4 (ForkIdlestCpu, idle checks 0)",
            "             storm-1000 [000] d..2.    0.000003000: sched_process_fork: comm=storm pid=1000 child_comm=storm child_pid=1002",
            "             storm-1000 [000] d..2.    0.000003000: sched_wakeup_new: comm=storm pid=1002 prio=125 target_cpu=004",
            "               <idle>-0 [004] d..2.    0.000003000: sched_switch: prev_comm=swapper/4 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=storm next_pid=1002 next_prio=125",
            "# rqscope: CPU 0: the tick asks parent to give way",
            "             storm-1000 [000] d..2.    0.000005000: sched_switch: prev_comm=storm prev_pid=1000 prev_prio=120 prev_state=R ==> next_comm=storm next_pid=1001 next_prio=125",
            "             storm-1002 [004] d..2.    0.000006000: sched_switch: prev_comm=storm prev_pid=1002 prev_prio=125 prev_state=S ==> next_comm=swapper/4 next_pid=0 next_prio=120",
            "# rqscope: child 2: select_idle_sibling CPU 1 (IdleGroup, idle checks 3 in 250 ns)",
            "             storm-1001 [000] d..2.    0.000008000: sched_migrate_task: comm=storm pid=1002 prio=125 orig_cpu=4 dest_cpu=1",
            "             storm-1001 [000] d..2.    0.000008000: sched_wakeup: comm=storm pid=1002 prio=125 target_cpu=001",
            "               <idle>-0 [001] d..2.    0.000008000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=storm next_pid=1002 next_prio=125",
            "# rqscope: input: NO_WAKE_AFFINE",
            "# rqscope: CPU 2: load_balance Moved at MC 0-3 (newly_idle, local avg_load 0, busiest 1024, imbalance 512, moved 1 from CPU 0)",
            "               <idle>-0 [002] d..2.    0.000010000: sched_migrate_task: comm=storm pid=1000 prio=120 orig_cpu=0 dest_cpu=2",
            "               <idle>-0 [002] d..2.    0.000010000: sched_switch: prev_comm=swapper/2 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=storm next_pid=1000 next_prio=120",
            "             storm-1001 [000] d..2.    0.000012000: sched_process_exit: comm=storm pid=1001 prio=125",
            "             storm-1001 [000] d..2.    0.000012000: sched_switch: prev_comm=storm prev_pid=1001 prev_prio=125 prev_state=X ==> next_comm=swapper/0 next_pid=0 next_prio=120",
        };
        const auto lines = ftraceLines(exported(handMadeRun(), TraceFormat::Ftrace));
        for (qsizetype i = 0; i < std::min(lines.size(), expected.size()); ++i) QCOMPARE(lines[i], expected[i]);
        QCOMPARE(lines.size(), expected.size());
    }

    void ftracePreemptionVerdict() {
        auto run = handMadeRun();
        run.rows[1].preempt = {true, PreemptReason::Granted, 1'500'000, 1'000'000};
        QVERIFY(exported(run, TraceFormat::Ftrace)
                    .contains("# rqscope: child 1: check_preempt_wakeup granted (vdiff 1500000 ns, gran 1000000 ns)\n"));
    }

    void csv() {
        const auto lines = exported(handMadeRun(), TraceFormat::Csv).split('\n');
        QCOMPARE(lines.size(), 1 + 16 + 1);
        const auto columns = lines[0].split(',').size();
        for (qsizetype i = 1; i < lines.size() - 1; ++i) QCOMPARE(lines[i].split(',').size(), columns);
        QCOMPARE(lines[1], "0,0,switch,0,parent,1000,idle,0,,was_idle,400" + QString(columns - 11, ','));
        QCOMPARE(lines[2], QString("1,1000,fork,0,child 1,1001,parent,1000,0,,,,,,ForkIdlestCpu,0,0,4,runnable_load_avg,load_avg,0,43,18,1024,0,not_normal,0,0,,,,,,,,,,"));
        QCOMPARE(lines[9], QString("8,8000,wakeup,1,child 2,1002,child 1,1001,4,,700,0,0,0,IdleGroup,3,250,,,,,,,,0,not_normal,0,0,,,,,,,,,,"));
        QVERIFY(lines[11].endsWith(",NO_WAKE_AFFINE"));
        QVERIFY(lines[12].contains(",Moved,"));
        QVERIFY(lines[12].contains(",MC,0-3,newly_idle,0,1,512,0,1024,"));
    }

    void csvQuotesWhatNeedsIt() {
        auto run = handMadeRun();
        run.tasks[1].name = "a,\"b\"";
        QVERIFY(exported(run, TraceFormat::Csv).contains("0,0,switch,0,\"a,\"\"b\"\"\",1000,"));
    }

    void chromeJson() {
        const auto text = exported(handMadeRun(), TraceFormat::Chrome).toStdString();
        const auto json = nlohmann::json::parse(text, nullptr, false);
        QVERIFY(!json.is_discarded());
        std::map<std::string, int> phases;
        std::vector<double> lane0Ends;
        for (const auto& event : json.at("traceEvents")) {
            const auto phase = event.at("ph").get<std::string>();
            ++phases[phase];
            if (phase == "X" && event.at("pid") == 1 && event.at("tid") == 0) {
                // Spans of one lane never overlap.
                if (!lane0Ends.empty()) QVERIFY(event.at("ts").get<double>() >= lane0Ends.back());
                lane0Ends.push_back(event.at("ts").get<double>() + event.at("dur").get<double>());
            }
        }
        QCOMPARE(lane0Ends, (std::vector<double>{5.0, 12.0})); // parent, child 1
        QCOMPARE(phases["s"], 3);
        QCOMPARE(phases["f"], 3);
        QCOMPARE(phases["i"], 2); // the toggle and the pull
        QCOMPARE(phases["M"], 2 + 2 * 8 + 2 * 3);
    }

    void chromeTimesAreMicroseconds() {
        const auto text = exported(handMadeRun(), TraceFormat::Chrome);
        QVERIFY(text.contains("\"ph\":\"X\",\"pid\":1,\"tid\":4,\"ts\":3.000,\"dur\":3.000,\"name\":\"child 2\",\"args\":{\"pid\":1002,\"nice\":5,\"reason\":\"ForkIdlestCpu\"}"));
        QVERIFY(text.contains("\"ph\":\"s\",\"pid\":1,\"tid\":0,\"ts\":7.300,\"id\":8,"));
    }

    // Pieces are handed on before the end, and nothing is lost between them.
    void longRunsLeaveInPieces() {
        auto run = handMadeRun();
        for (int i = 0; i < 2'000; ++i) run.add(RowKind::TickResched, 13'000 + i, 2, 1);
        std::size_t pieces = 0;
        qsizetype size = 0;
        const auto writer = make_trace_writer(TraceFormat::Csv, {&run.tasks, &run.inputs, &run.scenario, &run.start},
                                              [&](std::string_view piece) {
                                                  ++pieces;
                                                  size += static_cast<qsizetype>(piece.size());
                                              });
        writer->begin();
        for (const auto& row : run.rows) writer->row(row);
        writer->end(from_ns(20'000));
        QVERIFY(pieces > 1);
        QCOMPARE(size, exported(run, TraceFormat::Csv).size());
    }
};

QTEST_APPLESS_MAIN(TestExportTrace)
#include "tst_export_trace.moc"
