// SPDX-License-Identifier: GPL-3.0-or-later
// `rqsim conformance`: finds out what kind of file each argument is, hands it to the reader of core/conformance and prints
// the first differences.
#include "base/json_text.h"
#include "conformance/balance_vectors.h"
#include "conformance/cfs_vectors.h"
#include "conformance/decision_gzip.h"
#include "conformance/domain_vectors.h"
#include "conformance/machine_lookup.h"
#include "conformance/pelt_vectors.h"
#include "conformance/select_vectors.h"
#include "rqsim/cli.h"
#include "rqsim/conformance_decisions.h"
#include "rqsim/input.h"
#include "rqsim/output.h"
#include "topology/machine_json.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace rqscope {

namespace {

constexpr std::size_t kMaxVectorBytes = 64U << 20U;

struct FileReport {
    QString file;
    QString kind;
    ConformanceReport report;
    std::optional<ScoredRecording> recording; // kind "decisions"
    QString note;                             // what was not checked and why
};

Problem problem(const QString& where, const QString& message) { return {where.toStdString(), message.toStdString()}; }

// The machine: --topology, else beside the file, else (a dump) from the dump itself.
Result<Machine> machineFor(const QString& file, const std::string& text, DomainFileKind kind,
                           const std::optional<QString>& topology) {
    if (topology) return readMachine(*topology);
    if (const auto found = find_machine_file(file.toStdString(), machineDirs())) return load_machine_file(*found);
    if (kind == DomainFileKind::Dump) return machine_of_dump(text);
    return problem(file, "no machine file with this stem beside it or in ../topologies; --topology names one");
}

Result<ConformanceReport> checkDomains(const QString& file, const std::string& text, DomainFileKind kind,
                                       const std::optional<QString>& topology) {
    const auto machine = machineFor(file, text, kind, topology);
    if (!machine) return machine.problems();
    return kind == DomainFileKind::Expected ? check_expected_domains(text, *machine) : check_domain_dump(text, *machine);
}

// What the file is, by the keys on its top level; "" = not known.
QString kindOf(const std::string& text) {
    if (is_decision_text(text)) return "decisions";
    const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(text));
    if (!document.isObject()) return {};
    const auto top = document.object();
    const auto has = [&top](std::initializer_list<const char*> keys) {
        return std::all_of(keys.begin(), keys.end(), [&top](const char* key) { return top.contains(QLatin1String(key)); });
    };
    if (top.value("schema") == "expected-domains/1") return "domains";
    if (has({"domains", "cpu_topology", "kernel"})) return "dump";
    if (has({"topologies", "cases", "sequences"})) return "select";
    if (has({"topologies", "cases"})) return "balance";
    if (has({"vectors", "format"})) return "cfs";
    if (has({"models", "sequences"})) return "pelt";
    if (has({"pure", "bulk"})) return "calcload";
    if (has({"scripts", "script_ops"})) return "integrity";
    return {};
}

Result<ConformanceReport> check(const QString& file, const std::string& text, const QString& kind,
                                const std::optional<QString>& topology) {
    if (kind == "domains" || kind == "dump") return checkDomains(file, text, domain_file_kind(text), topology);
    if (kind == "select") return run_select_vectors(text);
    if (kind == "balance") return run_balance_vectors(text);
    if (kind == "cfs") return run_cfs_vectors(text);
    if (kind == "pelt") return run_pelt_vectors(text);
    if (kind.isEmpty()) {
        QJsonParseError error;
        QJsonDocument::fromJson(QByteArray::fromStdString(text), &error);
        if (error.error != QJsonParseError::NoError)
            return problem(file, "is no JSON: " + error.errorString() + " at byte " + QString::number(error.offset));
        return problem(file, "holds no recorded values of a known kind");
    }
    return problem(file, "values of kind \"" + kind + "\" are not available in this version");
}

// Readers of one text do not know the name of its file.
Problems named(const QString& file, Problems problems) {
    for (auto& p : problems)
        if (!p.where.starts_with(file.toStdString())) p.where = file.toStdString() + (p.where.empty() ? "" : ": " + p.where);
    return problems;
}

Result<FileReport> checkFile(const QString& file, const std::optional<QString>& topology) {
    auto text = read_text_file(file.toStdString(), kMaxVectorBytes);
    if (text && is_gzip(*text)) text = gunzip(*text, kMaxVectorBytes);
    if (!text) return named(file, text.problems());
    const auto kind = kindOf(*text);
    if (kind == "decisions") {
        auto recording = scoreRecording(file, *text, topology);
        if (!recording) return named(file, recording.problems());
        auto cases = cases_of(recording->score);
        return FileReport{file, kind, {std::move(cases)}, std::move(recording).value(), {}};
    }
    auto report = check(file, *text, kind, topology);
    if (!report) return named(file, report.problems());
    return FileReport{file, kind, std::move(report).value(), std::nullopt, {}};
}

// What the recorded decisions of all files say together, one more report each.
void addSummaries(std::vector<FileReport>& reports) {
    std::vector<ScoredRecording> recordings;
    for (const auto& r : reports)
        if (r.recording) recordings.push_back(*r.recording);
    for (auto& s : summaries_of(recordings)) {
        const auto name = QString::fromStdString(s.name);
        QString note;
        if (!s.judged) note = QString("not the %1 forks and %2 wake-ups that limits are known for").arg(kTotalForks).arg(kTotalWakes);
        reports.push_back({name, "decisions", {std::move(s.cases)}, ScoredRecording{{}, std::move(s.score)}, note});
    }
}

struct Totals {
    std::uint64_t passed = 0, failed = 0, notRun = 0;
    [[nodiscard]] int exitCode() const { return failed + notRun == 0 ? kOk : kCheckFailed; }
};

Totals count(const ConformanceReport& report) {
    Totals totals;
    for (const auto& c : report.cases) ++(c.not_run ? totals.notRun : c.passed ? totals.passed : totals.failed);
    return totals;
}

Totals sum(const std::vector<FileReport>& reports) {
    Totals totals;
    for (const auto& r : reports) {
        const auto one = count(r.report);
        totals.passed += one.passed;
        totals.failed += one.failed;
        totals.notRun += one.notRun;
    }
    return totals;
}

void printText(const std::vector<FileReport>& reports, const Totals& totals) {
    QString text;
    for (const auto& r : reports) {
        const auto one = count(r.report);
        text += QString("%1: %2, %3 passed, %4 failed, %5 not run\n")
                    .arg(r.file, r.kind)
                    .arg(one.passed)
                    .arg(one.failed)
                    .arg(one.notRun);
        if (!r.note.isEmpty()) text += "  " + r.note + '\n';
        if (r.recording) text += figuresText(r.recording->score);
        for (const auto& c : r.report.cases) {
            if (c.passed && !c.not_run) continue;
            text += QString("  %1 %2\n").arg(c.not_run ? "not run" : "FAILED", QString::fromStdString(c.name));
            for (const auto& difference : c.differences) text += "    " + QString::fromStdString(difference) + '\n';
        }
    }
    if (totals.notRun > 0) text += QString("%1 not run\n").arg(totals.notRun);
    print(text + QString("%1 passed, %2 failed\n").arg(totals.passed).arg(totals.failed));
}

std::string jsonOf(const std::vector<FileReport>& reports, const Totals& totals) {
    using Layout = JsonText::Layout;
    JsonText json;
    json.begin_object().member("schema", "rqscope-conformance/1").key("files").begin_array(Layout::Lines);
    for (const auto& r : reports) {
        const auto one = count(r.report);
        json.begin_object().member("file", r.file.toStdString()).member("kind", r.kind.toStdString());
        json.member("passed", one.passed).member("failed", one.failed).member("not_run", one.notRun);
        if (!r.note.isEmpty()) json.member("note", r.note.toStdString());
        if (r.recording) writeFigures(json, r.recording->score);
        json.key("cases").begin_array(Layout::Lines); // those that did not pass
        for (const auto& c : r.report.cases) {
            if (c.passed && !c.not_run) continue;
            json.begin_object().member("name", c.name).member("status", c.not_run ? "not run" : "failed");
            json.key("differences").begin_array(Layout::Lines);
            for (const auto& difference : c.differences) json.value(difference);
            json.end_array().end_object();
        }
        json.end_array().end_object();
    }
    json.end_array().member("passed", totals.passed).member("failed", totals.failed).member("not_run", totals.notRun);
    json.end_object();
    return json.text();
}

} // namespace

int runConformance(const QStringList& arguments) {
    VerbParser parser(
        "conformance FILE... [--topology FILE] [--json]",
        "Checks the core against recorded or published values. The kind of each file is seen from its content.\n"
        "Exit 1 when a case failed or could not be run.\n\n"
        "Recorded decisions (MACHINE-61.WORKLOAD.jsonl.gz, MACHINE-612...): for each fork and wake-up the set of CPUs that the\n"
        "rules allow in the recorded state. Printed are the share of real choices in the set, the mean set size, sets of one\n"
        "CPU, hits (previous CPU busy, choice idle) and the hard rules F1 to F4, W1 to W4. What fails the command: a real\n"
        "choice against F1 or W1; a choice of this program, made in a recorded state, outside the set or against F1, F2, F3\n"
        "or W1 to W4; and, where all files of a run or the whole published set were given, agreement more than 0.3 points\n"
        "below or a mean set more than 5 % above the published figures. Other selections of files are reported only.");
    parser.addOption({"topology", "The machine of domain files and decisions; else looked for by name, beside and in ../topologies.",
                      "FILE"});
    parser.addJson();
    if (const auto code = parser.readLine(arguments, 1, 10'000)) return *code;
    std::vector<FileReport> reports;
    int problems = kOk;
    for (const auto& file : parser.positionalArguments()) {
        auto report = checkFile(file, parser.given("topology"));
        if (report) reports.push_back(std::move(report).value());
        else problems = fail(report.problems());
    }
    if (problems != kOk) return problems;
    addSummaries(reports);
    const auto totals = sum(reports);
    if (parser.json()) print(jsonOf(reports, totals));
    else printText(reports, totals);
    return totals.exitCode();
}

} // namespace rqscope
