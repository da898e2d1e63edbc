// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/documents.h"

#include "theme/format.h"
#include "topology/machine_json.h"
#include "trace/run_file.h"
#include "trace/scenario_json.h"
#include "window/resource_paths.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace rqscope {

namespace {

const QLatin1String kTogglePrefix("toggle-");
constexpr std::size_t kMaxDocumentBytes = 64U << 20U;

std::filesystem::path toPath(const QString& path) { return path.toStdU16String(); }

MachineDirs machineDirs() {
    MachineDirs dirs;
    for (const auto& folder : topologyFolders()) dirs.push_back(toPath(folder));
    return dirs;
}

} // namespace

std::vector<MachineEntry> listMachines() {
    std::vector<MachineEntry> machines;
    for (const auto& folder : topologyFolders()) {
        for (const auto& file : QDir(folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
            const auto machine = load_machine_file(toPath(file.filePath()));
            const auto known = [&](const MachineEntry& m) { return m.id == file.completeBaseName(); };
            if (!machine || std::any_of(machines.begin(), machines.end(), known)) continue;
            machines.push_back({file.filePath(), file.completeBaseName(), fromStd(machine->name), machine->online.count()});
        }
    }
    std::stable_sort(machines.begin(), machines.end(), [](const MachineEntry& a, const MachineEntry& b) { return a.cpus < b.cpus; });
    return machines;
}

std::optional<Pace> paceWanted(const Scenario& scenario) {
    const auto view = QJsonDocument::fromJson(QByteArray::fromStdString(scenario.view_json)).object();
    const auto value = view[QStringLiteral("pace")].toDouble();
    if (value < 1e-6 || value > 1) return std::nullopt;
    auto pace = paceOf(Pace::Kind::RealTime);
    pace.realTime = value;
    return pace;
}

std::vector<ExampleEntry> listExamples(const QStringList& folders) {
    std::vector<ExampleEntry> examples;
    for (const auto& folder : folders) {
        for (const auto& file : QDir(folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
            auto title = file.completeBaseName();
            const auto known = [&](const ExampleEntry& e) { return QFileInfo(e.file).fileName() == file.fileName(); };
            if (std::any_of(examples.begin(), examples.end(), known)) continue;
            std::optional<Feature> feature;
            if (title.startsWith(kTogglePrefix)) {
                const auto name = title.mid(kTogglePrefix.size()).toUpper().replace(QLatin1Char('-'), QLatin1Char('_'));
                for (const auto& info : all_features())
                    if (fromStd(info.name) == name) feature = info.feature;
                if (feature) title = name;
            }
            if (!feature) title.replace(QLatin1Char('-'), QLatin1Char(' '));
            examples.push_back({file.filePath(), title, feature});
        }
    }
    std::stable_sort(examples.begin(), examples.end(), [](const ExampleEntry& a, const ExampleEntry& b) { return a.feature < b.feature; });
    return examples;
}

Result<History> openDocument(const QString& path) {
    const auto text = read_text_file(toPath(path), kMaxDocumentBytes);
    if (!text) return text.problems();
    const auto name = QFileInfo(path).fileName().toStdString();
    if (looks_like_run_file(*text)) {
        const auto run = read_run(*text, name);
        if (!run) return run.problems();
        auto history = replay_run(*run);
        if (!history) return history.problems();
        if (const auto difference = verify_run(*run, *history)) return Problem{name, *difference};
        history.value().seek_row(run->cursor);
        return history;
    }
    auto scenario = read_scenario(*text, name, toPath(QFileInfo(path).absolutePath()), machineDirs());
    if (!scenario) return scenario.problems();
    return History::create(std::move(scenario).value());
}

Result<Scenario> firstStartScenario() {
    for (const auto& folder : scenarioFolders())
        if (const QFileInfo file(folder, QStringLiteral("first-start.json")); file.isFile())
            return read_scenario_file(toPath(file.filePath()), machineDirs());
    return Problem{"first-start.json", "not found beside the program; the installation is incomplete"};
}

namespace {

// Name and notes describe the scenario that was opened, not what it has become.
void forget(Scenario& scenario) {
    scenario.name.clear();
    scenario.notes.clear();
}

} // namespace

Result<Scenario> withMachine(Scenario scenario, const QString& machineFile) {
    auto machine = load_machine_file(toPath(machineFile));
    if (!machine) return machine.problems();
    scenario.machine = std::move(machine).value();
    scenario.machine_ref = QFileInfo(machineFile).completeBaseName().toStdString();
    scenario.initial.clear(); // a start state names CPUs and caches of the machine it was made for
    scenario.initial_llcs.clear();
    forget(scenario);
    // Generators look at the number of CPUs; an inline workload does not change.
    if (!looks_like_generator(scenario.workload.spec)) return scenario;
    return withWorkload(std::move(scenario), fromStd(scenario.workload.spec));
}

Result<Scenario> withWorkload(Scenario scenario, const QString& spec) {
    auto workload = find_workload(spec.toStdString(), {}, scenario.machine);
    if (!workload) return workload.problems();
    scenario.workload = std::move(workload).value();
    scenario.workload_json.clear();
    forget(scenario);
    return scenario;
}

Scenario withEra(Scenario scenario, Era era) {
    scenario.era = era;
    forget(scenario);
    std::erase_if(scenario.features, [era](const FeatureSetting& f) { return !readable(f.feature, era) || f.value == default_value(f.feature, era); });
    return scenario;
}

std::optional<Problem> saveScenario(const Scenario& scenario, const QString& path) {
    return write_text_file(toPath(path), write_scenario(scenario, MachineForm::Reference));
}

std::optional<Problem> saveRun(const History& history, const QString& path) { return write_text_file(toPath(path), write_run(history)); }

QStringList problemLines(const QString& what, const Problems& problems) {
    QStringList lines;
    for (const auto& problem : problems) {
        auto where = fromStd(problem.where);
        if (!what.isEmpty() && !where.startsWith(what)) where = where.isEmpty() ? what : what + QStringLiteral(": ") + where;
        lines << (where.isEmpty() ? QString() : where + QStringLiteral(": ")) + fromStd(problem.message);
    }
    return lines;
}

} // namespace rqscope
