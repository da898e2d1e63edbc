// SPDX-License-Identifier: GPL-3.0-or-later
// rqscope-run/1, *.rqrun: scenario with the machine inside, the user's inputs with the engine step each came after, and
// where the run stood with its hash. A few kB, complete: also the form of a bug report.
#pragma once

#include "base/result.h"
#include "trace/history.h"

#include <string>
#include <string_view>
#include <vector>

namespace rqscope {

struct RunFile {
    Scenario scenario;
    std::vector<RecordedInput> inputs;
    std::uint64_t steps = 0; // engine steps of the known run
    std::uint32_t rows = 0;
    std::uint32_t cursor = 0; // row the user stood at
    bool finished = false;
    std::uint64_t state_hash = 0; // at the end of the known run
};

[[nodiscard]] bool looks_like_run_file(std::string_view text);
[[nodiscard]] Result<RunFile> read_run(std::string_view text, std::string_view origin);
[[nodiscard]] std::string write_run(const History& history);

// Replays the file's run to its end. The hash is not compared: verify_run() does.
[[nodiscard]] Result<History> replay_run(const RunFile& file);
// Nothing when rows and hash of the replayed run equal the file's; else what differs.
[[nodiscard]] std::optional<std::string> verify_run(const RunFile& file, const History& replayed);

} // namespace rqscope
