// SPDX-License-Identifier: GPL-3.0-or-later
// Which machine a conformance file means when none is named: the file's stem + .topology.json or .json, in its own folder,
// in ../topologies/, then in the folders given (installed machines). The file itself is never its own machine.
#pragma once

#include <filesystem>
#include <optional>
#include <span>

namespace rqscope {

[[nodiscard]] std::optional<std::filesystem::path> find_machine_file(const std::filesystem::path& file,
                                                                     std::span<const std::filesystem::path> more_folders = {});

} // namespace rqscope
