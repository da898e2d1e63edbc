// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/export_names.h"

#include <array>

namespace rqscope {

namespace {

template <class E, std::size_t N>
std::string_view pick(const std::array<std::string_view, N>& names, E value) {
    return names[static_cast<std::size_t>(value)];
}

constexpr std::array<std::string_view, 10> kKinds = {"switch",       "wakeup",    "fork",    "block", "exit",
                                                     "tick_resched", "migration", "balance", "exec",  "input"};
constexpr std::array<std::string_view, 4> kEnds = {"preempted", "blocked", "exited", "was_idle"};
constexpr std::array<std::string_view, 4> kCauses = {"periodic", "newidle", "active", "exec"};
constexpr std::array<std::string_view, 3> kIdleTypes = {"idle", "not_idle", "newly_idle"};
constexpr std::array<std::string_view, 7> kPreempts = {"curr_idle",  "same_task",      "already_pending", "idle_policy_curr",
                                                       "not_normal", "not_far_enough", "granted"};
static_assert(static_cast<std::size_t>(RowKind::Input) + 1 == kKinds.size());
static_assert(static_cast<std::size_t>(MoveCause::Exec) + 1 == kCauses.size());
static_assert(static_cast<std::size_t>(PreemptReason::Granted) + 1 == kPreempts.size());

} // namespace

std::string_view name_of(RowKind k) { return pick(kKinds, k); }
std::string_view name_of(SwitchEnd e) { return pick(kEnds, e); }
std::string_view name_of(MoveCause c) { return pick(kCauses, c); }
std::string_view name_of(CpuIdleType t) { return pick(kIdleTypes, t); }
std::string_view name_of(PreemptReason r) { return pick(kPreempts, r); }

std::string_view kernel_function(PlaceReason r) {
    static constexpr std::string_view kFunctions[] = {
#define PLACE_REASON(id, function) function,
#include "select/reasons.def"
#undef PLACE_REASON
    };
    return kFunctions[static_cast<std::size_t>(r)];
}

std::string_view kernel_function(BalanceReason r) {
    static constexpr std::string_view kFunctions[] = {
#define BALANCE_REASON(id, function) function,
#include "balance/reasons.def"
#undef BALANCE_REASON
    };
    return kFunctions[static_cast<std::size_t>(r)];
}

std::string fixed_point(std::int64_t ns, unsigned digits) {
    auto text = std::to_string(ns < 0 ? -ns : ns);
    if (text.size() <= digits) text.insert(0, digits + 1 - text.size(), '0');
    text.insert(text.size() - digits, 1, '.');
    return ns < 0 ? "-" + text : text;
}

int nice_of(const TraceContext& context, TaskId task) {
    const auto role = (*context.tasks)[task.index()].role;
    const auto& templates = context.scenario->workload.templates;
    return task == kIdleTask || role >= templates.size() ? 0 : templates[role].nice;
}

std::string display_name(const TraceContext& context, TaskId task) {
    return task == kIdleTask ? "idle" : (*context.tasks)[task.index()].name;
}

std::optional<TraceFormat> trace_format_of(std::string_view file_name) {
    if (file_name.ends_with(".txt")) return TraceFormat::Ftrace;
    if (file_name.ends_with(".json")) return TraceFormat::Chrome;
    if (file_name.ends_with(".csv")) return TraceFormat::Csv;
    return std::nullopt;
}

std::unique_ptr<TraceWriter> make_trace_writer(TraceFormat format, const TraceContext& context, TextSink sink) {
    switch (format) {
    case TraceFormat::Ftrace: return make_ftrace_writer(context, std::move(sink));
    case TraceFormat::Chrome: return make_chrome_writer(context, std::move(sink));
    case TraceFormat::Csv: break;
    }
    return make_csv_writer(context, std::move(sink));
}

} // namespace rqscope
