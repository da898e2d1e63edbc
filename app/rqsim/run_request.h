// SPDX-License-Identifier: GPL-3.0-or-later
// What `rqsim run` was asked to do: the run itself, and what is to be written about it. Read from the command line and the
// files it names; nothing is simulated here.
#pragma once

#include "metrics/run_summary.h"
#include "rqsim/cli.h"
#include "trace/export_trace.h"
#include "trace/run_file.h"

#include <optional>
#include <variant>
#include <vector>

namespace rqscope {

struct RunRequest {
    QString source; // how messages name the run: the file, or the machine
    Scenario scenario;
    std::vector<RecordedInput> inputs; // of a run file
    std::optional<RunFile> recorded;   // the run file itself
    std::optional<CountedSpan> window;
    std::optional<QString> trace, schedstat, save; // output files
    TraceFormat traceFormat{};
    bool schedstatPreempt = false;
    bool verify = false, check = false, json = false, force = false;
};

// The options of `rqsim run`.
class RunParser : public VerbParser {
public:
    RunParser();
    // The request, or an exit code after messages were printed.
    [[nodiscard]] std::variant<RunRequest, int> request(const QStringList& arguments);

private:
    [[nodiscard]] std::optional<int> readOutputs(RunRequest& request);
    [[nodiscard]] std::optional<int> readSource(RunRequest& request);
    [[nodiscard]] std::optional<int> readFile(RunRequest& request, const QString& file);
    [[nodiscard]] std::optional<int> applyOptions(RunRequest& request);
    [[nodiscard]] std::optional<int> readWindow(RunRequest& request);
};

} // namespace rqscope
