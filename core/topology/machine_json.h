// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes sched-topology/1 files (topology-schema.md 1). Reading reports every problem found, with the path inside
// the file; writing is canonical, so that load, save, load gives the same bytes. No kernel counterpart: the kernel asks
// firmware instead.
#pragma once

#include "base/result.h"
#include "topology/machine.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace rqscope {

inline constexpr std::size_t kMaxMachineBytes = 8U << 20U;
inline constexpr std::size_t kMaxMachineDepth = 32; // brackets open at once; the nine tree types need 2 each

// `origin` opens each problem's `where` (a file name, or "" for text that is part of something else). `known_costs` are
// the names that `costs` may override; empty accepts every name that ends in _ns.
[[nodiscard]] Result<Machine> load_machine_json(std::string_view text, std::string_view origin,
                                                std::span<const std::string_view> known_costs = {});
[[nodiscard]] Result<Machine> load_machine_file(const std::filesystem::path& path,
                                                std::span<const std::string_view> known_costs = {});

// Canonical text with a final newline. Keys in the order of the schema, children by lowest CPU, sets normalised, defaults
// left out unless they were stated.
[[nodiscard]] std::string save_machine_json(const Machine& machine);

} // namespace rqscope
