// SPDX-License-Identifier: GPL-3.0-or-later
// Where rqsim writes: results to stdout, messages to stderr, files whole or not at all.
#pragma once

#include "base/result.h"

#include <QString>

#include <functional>
#include <optional>
#include <string_view>

namespace rqscope {

void print(const QString& text);      // stdout
void print(std::string_view text);    // stdout
void printError(const QString& text); // stderr, as it is

// "rqsim: WHERE: MESSAGE" to stderr.
void complain(const QString& where, const QString& message);
// The same as a warning, for what does not stop the run.
void warn(const QString& message);
// complain() and the exit code for bad input, for return statements.
int fail(const QString& where, const QString& message);
// One line per problem; returns the exit code for bad input.
int fail(const Problems& problems);

// Refuses before a long run what writing would refuse after it: a file that exists without `force`, a folder that is not
// there. Nothing = fine, else an exit code.
[[nodiscard]] std::optional<int> checkOutput(const QString& path, bool force);

using Writer = std::function<void(const std::function<void(std::string_view)>& sink)>;
// Writes beside the target and renames, so that the file appears complete or not at all. Complains on failure.
[[nodiscard]] bool writeFile(const QString& path, bool force, const Writer& writer);

} // namespace rqscope
