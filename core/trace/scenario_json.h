// SPDX-License-Identifier: GPL-3.0-or-later
// rqscope-scenario/1 (CONTRACT "Scenario file"): reading with every problem listed, writing in canonical form, and finding
// the machine and workload that a scenario or a command line names.
#pragma once

#include "base/result.h"
#include "sim/scenario.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rqscope {

// Where machine files are looked for: the folder of the file that names them first, then these.
using MachineDirs = std::vector<std::filesystem::path>;

// A path, or the id of a machine in one of the folders ("teach-mc8", "teach-mc8.json").
[[nodiscard]] Result<Machine> find_machine(std::string_view reference, const std::filesystem::path& beside, const MachineDirs& dirs);
// An inline generator, or the path of an rqscope-workload/1 file.
[[nodiscard]] Result<Workload> find_workload(std::string_view spec, const std::filesystem::path& beside, const Machine& machine);

// `beside` = folder of the file, for relative paths.
[[nodiscard]] Result<Scenario> read_scenario(std::string_view text, std::string_view origin, const std::filesystem::path& beside, const MachineDirs& dirs);
[[nodiscard]] Result<Scenario> read_scenario_file(const std::filesystem::path& path, const MachineDirs& dirs);

enum class MachineForm : std::uint8_t { Reference, Inline };
// Canonical text with a final newline. Reference: names the machine when the scenario has a reference, else inline.
[[nodiscard]] std::string write_scenario(const Scenario& scenario, MachineForm form);

// Whole file, at most `limit` bytes; problems: not there, a folder, not readable, too large.
[[nodiscard]] Result<std::string> read_text_file(const std::filesystem::path& path, std::size_t limit);
// Beside first, then renamed: the file appears whole or not at all. A problem says why not.
[[nodiscard]] std::optional<Problem> write_text_file(const std::filesystem::path& path, std::string_view text);

} // namespace rqscope
