// SPDX-License-Identifier: GPL-3.0-or-later
// Looks in each folder for stem + ".topology.json", then ".json". Never throws: what cannot be read does not exist.
#include "conformance/machine_lookup.h"

#include <string>
#include <vector>

namespace rqscope {

std::optional<std::filesystem::path> find_machine_file(const std::filesystem::path& file,
                                                       std::span<const std::filesystem::path> more_folders) {
    auto stem = file.filename().string();
    for (const std::string_view ending : {".expected.json", ".json"})
        if (stem.size() > ending.size() && stem.ends_with(ending)) {
            stem.resize(stem.size() - ending.size());
            break;
        }
    std::vector<std::filesystem::path> folders{file.parent_path(), file.parent_path() / ".." / "topologies"};
    folders.insert(folders.end(), more_folders.begin(), more_folders.end());
    for (const auto& folder : folders)
        for (const char* ending : {".topology.json", ".json"}) {
            const auto candidate = folder / (stem + ending);
            std::error_code ec;
            if (std::filesystem::is_regular_file(candidate, ec) && !std::filesystem::equivalent(candidate, file, ec)) return candidate;
        }
    return std::nullopt;
}

} // namespace rqscope
