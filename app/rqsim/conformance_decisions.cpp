// SPDX-License-Identifier: GPL-3.0-or-later
#include "rqsim/conformance_decisions.h"

#include "conformance/machine_lookup.h"
#include "rqsim/input.h"
#include "topology/machine_json.h"

#include <QFileInfo>

namespace rqscope {

namespace {

Result<Machine> machineOf(const QString& file, const DecisionSource& source, const std::optional<QString>& topology) {
    if (topology) return readMachine(*topology);
    const auto beside = std::filesystem::path(file.toStdString()).parent_path() / source.machine;
    if (const auto found = find_machine_file(beside, machineDirs())) return load_machine_file(*found);
    return Problem{file.toStdString(), "no machine file " + source.machine +
                                           ".topology.json beside it or in ../topologies; --topology names one"};
}

void writeSets(JsonText& json, const char* name, const SetFigures& f) {
    json.key(name).begin_object(JsonText::Layout::Inline);
    json.member("records", f.records).member("agreed", f.agreed).member("set_cpus", f.set_cpus);
    json.member("one_cpu", f.one_cpu).member("one_cpu_agreed", f.one_cpu_agreed).end_object();
}

void writeRules(JsonText& json, const char* name, const RuleCounts& rules) {
    json.key(name).begin_object(JsonText::Layout::Inline);
    for (std::size_t i = 0; i < kHardRules; ++i)
        json.key(name_of(static_cast<HardRule>(i)))
            .begin_array()
            .value(rules.by_rule[i].kept)
            .value(rules.by_rule[i].applies)
            .end_array();
    json.end_object();
}

} // namespace

Result<ScoredRecording> scoreRecording(const QString& file, const std::string& text,
                                       const std::optional<QString>& topology) {
    auto source = decision_source(QFileInfo(file).fileName().toStdString());
    if (!source) return source.problems();
    const auto machine = machineOf(file, *source, topology);
    if (!machine) return machine.problems();
    auto score = score_decisions(text, *machine, source->era);
    if (!score) return score.problems();
    return ScoredRecording{std::move(source).value(), std::move(score).value()};
}

QString figuresText(const DecisionScore& score) {
    QString text;
    for (const auto& line : figures_of(score)) text += "  " + QString::fromStdString(line) + '\n';
    return text;
}

void writeFigures(JsonText& json, const DecisionScore& score) {
    json.key("figures").begin_object();
    writeSets(json, "forks", score.forks);
    writeSets(json, "wakeups", score.wakes);
    json.key("hits").begin_array().value(score.hits.kept).value(score.hits.applies).end_array();
    writeRules(json, "recorded_rules", score.rules);
    json.key("own")
        .begin_object(JsonText::Layout::Inline)
        .member("calls", score.own.calls)
        .member("outside", score.own.outside)
        .member("unreachable", score.own.unreachable)
        .end_object();
    writeRules(json, "own_rules", score.own.rules);
    json.end_object();
}

} // namespace rqscope
