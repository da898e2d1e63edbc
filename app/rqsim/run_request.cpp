// SPDX-License-Identifier: GPL-3.0-or-later
#include "rqsim/run_request.h"

#include "base/words.h"
#include "rqsim/input.h"
#include "rqsim/output.h"

#include <QFileInfo>

#include <array>

namespace rqscope {

namespace {

constexpr std::size_t kMaxScenarioBytes = 16U << 20U;

// Options that change the run; a run file is replayed as it is.
constexpr std::array kChanging = {"era", "feature", "set", "seed", "until", "topology", "workload"};

QString toQt(const std::string& text) { return QString::fromStdString(text); }

// Problems of an option's value: named by the option and what was typed.
int failOption(const QString& option, const QString& value, const Problems& problems) {
    for (const auto& p : problems) complain("--" + option + ' ' + value, toQt(p.message));
    return kBadInput;
}

// Readers of one text do not know the name of the file that it came from.
int failIn(const QString& source, const Problems& problems) {
    for (const auto& p : problems) {
        const auto where = toQt(p.where);
        complain(where.startsWith(source) ? where : where.isEmpty() ? source : source + ": " + where, toQt(p.message));
    }
    return kBadInput;
}

void warnUnread(const Scenario& scenario) {
    for (const auto& setting : scenario.features)
        if (!readable(setting.feature, scenario.era))
            warn(toQt(to_string(setting)) + " is not read by era " + toQt(std::string(era_info(scenario.era).key)) +
                 " and changes nothing");
}

} // namespace

RunParser::RunParser()
    : VerbParser("run SCENARIO.json|RUN.rqrun | --topology INPUT --workload SPEC  [OPTIONS]",
                 "Simulates and prints the figures of the run. A run file is replayed as it was recorded.") {
    addOption({"topology", "The machine: a file, or the name of an installed one.", "INPUT"});
    addOption({"workload", "The tasks: a file, or a generator: forkstorm:n=64,run=200us  hackbench:-g 4 --pipe  hogs:n=3  periodic:k=4  pound_times:32.", "SPEC"});
    addOption({"era", "The kernel (rqsim eras).", "ERA"});
    addOption({"feature", "A toggle: NAME, NO_NAME or NAME=VALUE. May be repeated.", "F"});
    addOption({"set", "A tunable: NAME=VALUE. May be repeated.", "NAME=VALUE"});
    addOption({"seed", "Seed of the random numbers.", "N"});
    addOption({"until", "Simulated time at which the run ends, as in 6ms.", "TIME"});
    addOption({"window", "Count only what happens from A up to B, as in 1ms..5ms; the run ends at B.", "A..B"});
    addOption({"check", "Check the invariants after every event."});
    addOption({"verify", "Replay a run file and compare its final hash."});
    addOption({"trace", "Write the run as .txt (ftrace text), .json (Chrome trace) or .csv.", "OUT"});
    addOption({"schedstat", "Write /proc/schedstat text, version 15.", "OUT"});
    addOption({"schedstat-preempt", "With three preemption counters at the end of each CPU line."});
    addOption({"save", "Write a run file.", "OUT.rqrun"});
    addForce();
    addJson();
}

std::variant<RunRequest, int> RunParser::request(const QStringList& arguments) {
    if (const auto code = readLine(arguments, 0, 1)) return *code;
    RunRequest request;
    request.json = json();
    request.force = isSet("force");
    request.check = isSet("check");
    request.verify = isSet("verify");
    request.schedstatPreempt = isSet("schedstat-preempt");
    if (const auto code = readOutputs(request)) return *code;
    if (const auto code = readSource(request)) return *code;
    if (const auto code = applyOptions(request)) return *code;
    if (const auto code = readWindow(request)) return *code;
    warnUnread(request.scenario);
    return request;
}

std::optional<int> RunParser::readOutputs(RunRequest& request) {
    request.trace = given("trace");
    request.schedstat = given("schedstat");
    request.save = given("save");
    if (request.trace) {
        const auto format = trace_format_of(request.trace->toStdString());
        if (!format) return fail("--trace " + *request.trace, "the name has to end with .txt, .json or .csv");
        request.traceFormat = *format;
    }
    QStringList outputs;
    for (const auto& out : {request.trace, request.schedstat, request.save}) {
        if (!out) continue;
        if (const auto code = checkOutput(*out, request.force)) return *code;
        const auto path = QFileInfo(*out).absoluteFilePath();
        if (outputs.contains(path)) return fail(*out, "is named for two outputs");
        outputs << path;
    }
    return std::nullopt;
}

std::optional<int> RunParser::readSource(RunRequest& request) {
    const bool parts = isSet("topology") || isSet("workload");
    const auto files = positionalArguments();
    if (!files.isEmpty() && parts) return fail("run", "either a file or --topology and --workload, not both");
    if (!files.isEmpty()) return readFile(request, files.first());
    if (!isSet("topology") || !isSet("workload"))
        return fail("run", "a scenario file is missing, or --topology with --workload");
    if (request.verify) return fail("run", "--verify needs a run file");
    const auto input = *given("topology");
    auto machine = readMachine(input);
    if (!machine) return fail(machine.problems());
    auto workload = readWorkload(*given("workload"), *machine);
    if (!workload) return failIn(*given("workload"), workload.problems());
    request.source = input;
    request.scenario.machine_ref = QFileInfo::exists(input) ? "" : input.toStdString();
    request.scenario.machine = std::move(machine).value();
    request.scenario.workload = std::move(workload).value();
    return std::nullopt;
}

std::optional<int> RunParser::readFile(RunRequest& request, const QString& file) {
    request.source = file;
    const std::filesystem::path path(file.toStdString());
    const auto text = read_text_file(path, kMaxScenarioBytes);
    if (!text) return fail(text.problems());
    if (!looks_like_run_file(*text)) {
        if (request.verify) return fail(file, "is no run file; --verify needs one");
        auto scenario = read_scenario(*text, file.toStdString(), path.parent_path(), machineDirs());
        if (!scenario) return failIn(file, scenario.problems());
        request.scenario = std::move(scenario).value();
        return std::nullopt;
    }
    for (const auto* option : kChanging)
        if (isSet(option))
            return fail(file, QString("a run file is replayed as it is; --%1 cannot be combined with it").arg(option));
    auto run = read_run(*text, file.toStdString());
    if (!run) return failIn(file, run.problems());
    request.recorded = std::move(run).value();
    request.scenario = request.recorded->scenario;
    request.inputs = request.recorded->inputs;
    return std::nullopt;
}

std::optional<int> RunParser::applyOptions(RunRequest& request) {
    auto& scenario = request.scenario;
    if (const auto key = given("era")) {
        const auto era = readEra(*key);
        if (!era) return fail(era.problems());
        scenario.era = *era;
    }
    for (const auto& text : values("feature")) {
        const auto setting = parse_feature(text.toStdString(), scenario.era);
        if (!setting) return failOption("feature", text, setting.problems());
        scenario.features.push_back(*setting);
    }
    for (const auto& text : values("set")) {
        const auto setting = parse_tunable(text.toStdString());
        if (!setting) return failOption("set", text, setting.problems());
        scenario.tunables.push_back(*setting);
    }
    if (const auto text = given("seed")) {
        bool understood = false;
        scenario.seed = text->toULongLong(&understood);
        if (!understood) return fail("--seed " + *text, "a whole number from 0 to 18446744073709551615 was expected");
    }
    if (const auto text = given("until")) {
        const auto until = parse_duration(text->toStdString());
        if (!until) return failOption("until", *text, until.problems());
        scenario.until = *until;
    }
    return std::nullopt;
}

std::optional<int> RunParser::readWindow(RunRequest& request) {
    const auto text = given("window");
    if (!text) return std::nullopt;
    const auto parts = text->split("..");
    if (parts.size() != 2) return fail("--window " + *text, "two times were expected, as in 1ms..5ms");
    const auto from = parse_duration(parts[0].toStdString());
    if (!from) return failOption("window", *text, from.problems());
    const auto to = parse_duration(parts[1].toStdString());
    if (!to) return failOption("window", *text, to.problems());
    if (*to <= *from) return fail("--window " + *text, "the second time has to be after the first");
    request.window = CountedSpan{SimTime{*from}, SimTime{*to}};
    if (!request.scenario.until && !request.recorded) request.scenario.until = *to;
    return std::nullopt;
}

} // namespace rqscope
