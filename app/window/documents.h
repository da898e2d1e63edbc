// SPDX-License-Identifier: GPL-3.0-or-later
// What the window opens and saves: scenario and run files, the catalogue of machines, the first-start scenario. Problems come
// back as lists for the banner; nothing half-read is returned.
#pragma once

#include "trace/history.h"
#include "transport/pace.h"

#include <QString>

#include <optional>
#include <vector>

namespace rqscope {

struct MachineEntry {
    QString file, id, name;
    unsigned cpus = 0;
};
// Every readable machine of the installed folders, small ones first.
[[nodiscard]] std::vector<MachineEntry> listMachines();

// "view": {"pace": 0.001} of a scenario file: simulated seconds per second, 0.000001 to 1; anything else asks for nothing.
[[nodiscard]] std::optional<Pace> paceWanted(const Scenario& scenario);

// A shipped scenario. toggle-order-idle.json shows ORDER_IDLE; files of other names show something else.
struct ExampleEntry {
    QString file, title;
    std::optional<Feature> feature; // none: not about one toggle
};
// Toggles in the order of features.def, the rest first and by name.
[[nodiscard]] std::vector<ExampleEntry> listExamples(const QStringList& folders);

// A scenario (.json) or a recorded run (.rqrun); told apart by content. A run stands where it was saved.
[[nodiscard]] Result<History> openDocument(const QString& path);
[[nodiscard]] Result<Scenario> firstStartScenario();

// The scenario with another machine, workload or era; features and numbers that no longer apply are left out.
[[nodiscard]] Result<Scenario> withMachine(Scenario scenario, const QString& machineFile);
[[nodiscard]] Result<Scenario> withWorkload(Scenario scenario, const QString& spec);
[[nodiscard]] Scenario withEra(Scenario scenario, Era era);

[[nodiscard]] std::optional<Problem> saveScenario(const Scenario& scenario, const QString& path);
[[nodiscard]] std::optional<Problem> saveRun(const History& history, const QString& path);

// "storm.json: tasks[3].run: ..." one line per problem.
[[nodiscard]] QStringList problemLines(const QString& what, const Problems& problems);

} // namespace rqscope
