// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded run in the formats other tools read: ftrace text (what `trace-cmd report` and /sys/kernel/tracing/trace print,
// with our reasons as comment lines), Chrome trace JSON, and CSV with one line per event. Text leaves in pieces, so that a
// long run never stands in memory as a whole.
#pragma once

#include "sim/log_row.h"
#include "sim/scenario.h"
#include "sim/snapshot.h"
#include "trace/history.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rqscope {

enum class TraceFormat : std::uint8_t { Ftrace, Chrome, Csv };
// By the end of a file name: .txt, .json, .csv.
[[nodiscard]] std::optional<TraceFormat> trace_format_of(std::string_view file_name);

// What the rows refer to. Everything pointed at outlives the writer.
struct TraceContext {
    const std::vector<TaskInfo>* tasks = nullptr; // by TaskId; [0] = idle
    const std::vector<Input>* inputs = nullptr;   // by LogRow::input
    const Scenario* scenario = nullptr;           // nice values of the templates
    const Snapshot* start = nullptr;              // the state before the first row
};

using TextSink = std::function<void(std::string_view)>;

// begin(), then every row in order, then end() with the time up to which the run went.
class TraceWriter : public Observer {
public:
    virtual void begin() = 0;
    virtual void end(SimTime time) = 0;
};

[[nodiscard]] std::unique_ptr<TraceWriter> make_trace_writer(TraceFormat format, const TraceContext& context, TextSink sink);

} // namespace rqscope
