// SPDX-License-Identifier: GPL-3.0-or-later
// `rqsim run`: simulates what a RunRequest says, counts it, writes the files asked for and prints the summary.
#include "base/json_text.h"
#include "base/words.h"
#include "metrics/run_metrics.h"
#include "metrics/schedstat.h"
#include "rqsim/advance.h"
#include "rqsim/output.h"
#include "rqsim/run_request.h"
#include "sched/invariants.h"
#include "sim/sim_state.h"

#include <QFileInfo>

namespace rqscope {

namespace {

QString toQt(const std::string& text) { return QString::fromStdString(text); }

std::vector<SchedStat> counters(const History& history) {
    std::vector<SchedStat> stats;
    for (const auto& rq : history.state().sched.rqs) stats.push_back(rq.stat);
    return stats;
}

std::optional<std::string> checkInvariants(const History& history) {
    const auto wrong = check_sched_invariants(history.state().sched);
    if (!wrong) return std::nullopt;
    return "after " + std::to_string(history.cursor()) + " events, at " +
           format_duration(history.time().time_since_epoch()) + ": " + *wrong;
}

// One simulated run and the counters its window began with.
struct Run {
    History history;
    Snapshot start;
    std::vector<SchedStat> before;
    std::optional<std::string> broken; // an invariant
};

void sayEndless(const RunRequest& request) {
    if (request.scenario.workload.endless && !request.scenario.until && !request.recorded)
        warn("the workload never ends by itself; 1 s is simulated (--until says otherwise)");
}

// To where a run file ends, which need not be the end of the run.
std::optional<std::string> advanceToRecordedEnd(History& history, const RunFile& file, const StepCheck& check) {
    if (check) {
        for (auto step = history.state().steps + 1; step <= file.steps && history.advance_steps(step); ++step)
            if (auto wrong = check(history)) return wrong;
    }
    history.advance_steps(file.steps);
    if (file.finished) history.run_to_end(); // no step is left, but the clock goes on to the end
    return std::nullopt;
}

// Runs as far as was asked.
void simulate(const RunRequest& request, Run& run) {
    const StepCheck check = request.check ? StepCheck(checkInvariants) : StepCheck();
    if (request.window && request.window->from > SimTime{}) {
        run.broken = advanceTo(run.history, request.window->from - Duration{1}, check);
        run.before = counters(run.history);
    }
    if (run.broken || run.history.fault()) return;
    if (request.recorded) run.broken = advanceToRecordedEnd(run.history, *request.recorded, check);
    else if (request.window) run.broken = advanceTo(run.history, request.window->to, check);
    else run.broken = advanceToEnd(run.history, check);
}

RunSummary summarise(const RunRequest& request, const Run& run) {
    RunMetrics metrics(run.start, request.window);
    run.history.log().for_each(0, run.history.cursor(), [&metrics](const LogRow& row) { metrics.row(row); });
    const auto& state = run.history.state();
    return metrics.summary(run.history.scenario(), state.sched,
                           run_end(state, run.history.time()), run.before);
}

constexpr qint64 kMuchForABrowser = 200LL << 20;

bool writeTrace(const RunRequest& request, const Run& run) {
    if (!request.trace) return true;
    const auto& history = run.history;
    const bool written = writeFile(*request.trace, request.force, [&](const TextSink& sink) {
        const auto writer = make_trace_writer(request.traceFormat,
                                              {&history.tasks(), &history.inputs(), &history.scenario(), &run.start}, sink);
        writer->begin();
        history.log().for_each(0, history.cursor(), [&writer](const LogRow& row) { writer->row(row); });
        writer->end(history.time());
    });
    const auto size = QFileInfo(*request.trace).size();
    if (written && request.traceFormat == TraceFormat::Chrome && size > kMuchForABrowser)
        warn(QString("%1 has %2 MiB; viewers in a browser may not open it (a shorter run, or .txt)")
                 .arg(*request.trace)
                 .arg(size >> 20));
    return written;
}

bool writeSchedstat(const RunRequest& request, const Run& run) {
    if (!request.schedstat) return true;
    DomainStats domains(run.history.domains());
    run.history.log().for_each(0, run.history.cursor(), [&domains](const LogRow& row) { domains.row(row); });
    const auto text = schedstat_text(run.history.state().sched, domains, request.schedstatPreempt);
    return writeFile(*request.schedstat, request.force, [&text](const auto& sink) { sink(text); });
}

bool writeRun(const RunRequest& request, const Run& run) {
    if (!request.save) return true;
    return writeFile(*request.save, request.force, [&run](const auto& sink) { sink(write_run(run.history)); });
}

int reportVerification(const RunRequest& request, const History& history) {
    const auto difference = verify_run(*request.recorded, history);
    if (request.json) {
        JsonText json;
        json.begin_object().member("schema", "rqscope-verify/1").member("file", request.source.toStdString());
        json.member("verified", !difference.has_value()).member("events", history.cursor());
        json.member("state_hash", hex_text(history.state_hash())).end_object();
        print(json.text());
    }
    if (difference) {
        complain(request.source, toQt(*difference));
        return kCheckFailed;
    }
    if (!request.json) print(request.source + ": verified, state hash " + toQt(hex_text(history.state_hash())) + '\n');
    return kOk;
}

// Our own mistakes: an invariant that broke, a check that stopped the simulator.
bool isSound(const RunRequest& request, const Run& run) {
    if (run.broken) complain(request.source, toQt(*run.broken));
    if (const auto& fault = run.history.fault())
        complain(request.source, QString("the simulator failed after %1 events, at %2: %3")
                                     .arg(fault->seq.value)
                                     .arg(toQt(format_duration(fault->time.time_since_epoch())), toQt(fault->what)));
    return !run.broken && !run.history.fault();
}

} // namespace

int runRun(const QStringList& arguments) {
    RunParser parser;
    auto parsed = parser.request(arguments);
    if (const auto* code = std::get_if<int>(&parsed)) return *code;
    const auto& request = std::get<RunRequest>(parsed);
    auto history = History::create(request.scenario, request.inputs);
    if (!history) {
        for (const auto& p : history.problems()) complain(request.source + ": " + toQt(p.where), toQt(p.message));
        return kBadInput;
    }
    sayEndless(request);
    auto start = history->snapshot();
    Run run{std::move(history).value(), std::move(start), {}, {}};
    simulate(request, run);
    const bool sound = isSound(request, run);
    // A faulty run is written all the same: the run file is what a report needs.
    if (!writeTrace(request, run) || !writeSchedstat(request, run) || !writeRun(request, run)) return kBadInput;
    if (!sound) return kCheckFailed;
    if (request.verify) return reportVerification(request, run.history);
    const auto summary = summarise(request, run);
    print(request.json ? summary_json(summary) : summary_text(summary));
    return kOk;
}

} // namespace rqscope
