// SPDX-License-Identifier: GPL-3.0-or-later
// What rqsim reads from its command line: machines and workloads by path or by name, eras, features, times.
#pragma once

#include "base/result.h"
#include "sim/scenario.h"
#include "trace/scenario_json.h"

#include <QString>

namespace rqscope {

// Folders searched for machines named without a path: installed ones, then those of the source tree.
[[nodiscard]] MachineDirs machineDirs();

// INPUT of `topology`, `domains` and --topology: a path from the current folder, else the name of an installed machine.
[[nodiscard]] Result<Machine> readMachine(const QString& input);
// --workload: an inline generator or a path from the current folder.
[[nodiscard]] Result<Workload> readWorkload(const QString& spec, const Machine& machine);

[[nodiscard]] Result<Era> readEra(const QString& key);

// The era that is meant when none is named.
inline constexpr Era kDefaultEra = Era::V4_8;

} // namespace rqscope
