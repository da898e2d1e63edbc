// SPDX-License-Identifier: GPL-3.0-or-later
// Words and small formatting shared by the trace exports.
#pragma once

#include "trace/export_trace.h"

#include <string>
#include <string_view>

namespace rqscope {

[[nodiscard]] std::string_view name_of(RowKind k);             // "switch", "tick_resched"
[[nodiscard]] std::string_view name_of(SwitchEnd e);           // "preempted"
[[nodiscard]] std::string_view name_of(MoveCause c);           // "newidle"
[[nodiscard]] std::string_view name_of(CpuIdleType t);         // "newly_idle"
[[nodiscard]] std::string_view name_of(PreemptReason r);       // "not_far_enough"
[[nodiscard]] std::string_view kernel_function(PlaceReason r); // where the return statement stands: "find_idlest_cpu"
[[nodiscard]] std::string_view kernel_function(BalanceReason r);

// ns as a decimal number of a unit of 10^digits ns: (1234567, 3) = "1234.567", (5, 9) = "0.000000005".
[[nodiscard]] std::string fixed_point(std::int64_t ns, unsigned digits);

[[nodiscard]] int nice_of(const TraceContext& context, TaskId task);
[[nodiscard]] std::string display_name(const TraceContext& context, TaskId task); // "child 3", "idle"

// Collects text and hands it on in pieces of some 64 KiB.
class BufferedSink {
public:
    explicit BufferedSink(TextSink sink) : m_sink(std::move(sink)) {}
    void put(std::string_view text) {
        m_text += text;
        if (m_text.size() >= kPiece) flush();
    }
    void flush() {
        if (!m_text.empty()) m_sink(m_text);
        m_text.clear();
    }

private:
    static constexpr std::size_t kPiece = 64U << 10U;
    TextSink m_sink;
    std::string m_text;
};

[[nodiscard]] std::unique_ptr<TraceWriter> make_ftrace_writer(const TraceContext& context, TextSink sink);
[[nodiscard]] std::unique_ptr<TraceWriter> make_chrome_writer(const TraceContext& context, TextSink sink);
[[nodiscard]] std::unique_ptr<TraceWriter> make_csv_writer(const TraceContext& context, TextSink sink);

} // namespace rqscope
