// SPDX-License-Identifier: GPL-3.0-or-later
// --screenshot and --headless: one run, one picture, one summary, no user.
#pragma once

#include "window/command_line.h"

namespace rqscope {

class Theme;

// Returns the exit code; messages go to stderr, the summary to stdout.
[[nodiscard]] int renderPicture(const CommandLine& line, Theme& theme);

} // namespace rqscope
