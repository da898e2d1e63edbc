// SPDX-License-Identifier: GPL-3.0-or-later
// The run as Chrome trace JSON ("Trace Event Format"), for ui.perfetto.dev and chrome://tracing. Process 1 has a lane per
// CPU with what ran there, process 2 a lane per task with its states; counters are queue depths, flows lead from a waker to
// the wakee's first run, instants are toggles and moves. Times are microseconds with the nanoseconds as decimals.
#include "base/json_text.h"
#include "trace/export_names.h"

namespace rqscope {

namespace {

constexpr std::string_view kCpus = "1";  // process number of the CPU lanes
constexpr std::string_view kTasks = "2"; // and of the task lanes

enum class Lane : std::uint8_t { None, Running, Runnable, Sleeping };

std::string micros(SimTime t) { return fixed_point(to_ns(t), 3); }

class ChromeWriter final : public TraceWriter {
public:
    ChromeWriter(const TraceContext& context, TextSink sink)
        : m_context(context), m_out(std::move(sink)), m_cpus(context.start->cpus.size()), m_tasks(context.tasks->size()) {}

    void begin() override;
    void row(const LogRow& row) override;
    void end(SimTime time) override;

private:
    struct Cpu {
        TaskId curr{0};
        SimTime since{};
        std::uint32_t depth = 0; // queued and running
    };
    struct Task {
        Lane lane = Lane::None;
        SimTime since{};
        std::string_view reason;                   // of its last placement
        std::optional<std::uint32_t> woken_by_row; // flow to end at its next run
    };

    void event(const std::string& members) {
        m_out.put(std::string(m_first ? "" : ",") + "\n{" + members + '}');
        m_first = false;
    }
    void span(std::string_view process, std::uint32_t thread, const std::string& name, SimTime from, SimTime to,
              const std::string& args);
    void instant(std::string_view process, std::uint32_t thread, const std::string& name, SimTime at, char scope);
    void flow(char phase, std::uint32_t cpu, SimTime at, std::uint32_t id);
    void name_lane(std::string_view process, std::uint32_t thread, const std::string& name);
    void enter(TaskId id, Lane lane, SimTime at);
    void leave_cpu(CpuId cpu, SimTime at);
    void depth(CpuId cpu, int change, SimTime at);
    void task_switch(const LogRow& row);
    void placement(const LogRow& row);

    TraceContext m_context;
    BufferedSink m_out;
    std::vector<Cpu> m_cpus;
    std::vector<Task> m_tasks;
    bool m_first = true;
};

void ChromeWriter::span(std::string_view process, std::uint32_t thread, const std::string& name, SimTime from, SimTime to,
                        const std::string& args) {
    event("\"ph\":\"X\",\"pid\":" + std::string(process) + ",\"tid\":" + std::to_string(thread) + ",\"ts\":" + micros(from) +
          ",\"dur\":" + fixed_point((to - from).count(), 3) + ",\"name\":" + json_quote(name) +
          (args.empty() ? "" : ",\"args\":{" + args + '}'));
}

void ChromeWriter::instant(std::string_view process, std::uint32_t thread, const std::string& name, SimTime at, char scope) {
    event("\"ph\":\"i\",\"pid\":" + std::string(process) + ",\"tid\":" + std::to_string(thread) + ",\"ts\":" + micros(at) +
          ",\"s\":\"" + scope + "\",\"name\":" + json_quote(name));
}

void ChromeWriter::flow(char phase, std::uint32_t cpu, SimTime at, std::uint32_t id) {
    event(std::string("\"ph\":\"") + phase + "\",\"pid\":" + std::string(kCpus) + ",\"tid\":" + std::to_string(cpu) +
          ",\"ts\":" + micros(at) + ",\"id\":" + std::to_string(id) + ",\"cat\":\"wakeup\",\"name\":\"wakeup\"" +
          (phase == 'f' ? ",\"bp\":\"e\"" : ""));
}

void ChromeWriter::name_lane(std::string_view process, std::uint32_t thread, const std::string& name) {
    const auto head = "\"ph\":\"M\",\"pid\":" + std::string(process) + ",\"tid\":" + std::to_string(thread);
    event(head + ",\"name\":\"thread_name\",\"args\":{\"name\":" + json_quote(name) + '}');
    event(head + ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":" + std::to_string(thread) + '}');
}

void ChromeWriter::begin() {
    m_out.put("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"generator\":\"rqscope\"},\"traceEvents\":[");
    event("\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"CPUs\"}");
    event("\"ph\":\"M\",\"pid\":2,\"name\":\"process_name\",\"args\":{\"name\":\"Tasks\"}");
    for (std::uint32_t cpu = 0; cpu < m_cpus.size(); ++cpu) name_lane(kCpus, cpu, "CPU " + std::to_string(cpu));
    for (std::uint32_t id = 1; id < m_tasks.size(); ++id) name_lane(kTasks, id, display_name(m_context, TaskId{id}));
    const auto& start = *m_context.start;
    for (std::uint32_t cpu = 0; cpu < m_cpus.size(); ++cpu) {
        for (const auto id : start.cpus[cpu].waiting) {
            enter(id, Lane::Runnable, start.time);
            depth(CpuId{cpu}, 1, start.time);
        }
    }
}

void ChromeWriter::enter(TaskId id, Lane lane, SimTime at) {
    static constexpr std::string_view kNames[] = {"", "Running", "Runnable", "Sleeping"};
    auto& t = m_tasks[id.index()];
    if (t.lane != Lane::None && at > t.since)
        span(kTasks, id.value, std::string(kNames[static_cast<std::size_t>(t.lane)]), t.since, at, "");
    t.lane = lane;
    t.since = at;
}

void ChromeWriter::leave_cpu(CpuId cpu, SimTime at) {
    auto& c = m_cpus[cpu.index()];
    if (c.curr != kIdleTask) {
        const auto& t = m_tasks[c.curr.index()];
        auto args = "\"pid\":" + std::to_string((*m_context.tasks)[c.curr.index()].pid) +
                    ",\"nice\":" + std::to_string(nice_of(m_context, c.curr));
        if (!t.reason.empty()) args += ",\"reason\":" + json_quote(t.reason);
        span(kCpus, cpu.value, display_name(m_context, c.curr), c.since, at, args);
    }
    c.since = at;
}

void ChromeWriter::depth(CpuId cpu, int change, SimTime at) {
    auto& c = m_cpus[cpu.index()];
    c.depth = static_cast<std::uint32_t>(static_cast<int>(c.depth) + change);
    event("\"ph\":\"C\",\"pid\":1,\"ts\":" + micros(at) + ",\"name\":\"queue of CPU " + std::to_string(cpu.value) +
          "\",\"args\":{\"tasks\":" + std::to_string(c.depth) + '}');
}

void ChromeWriter::task_switch(const LogRow& row) {
    leave_cpu(row.cpu, row.time);
    m_cpus[row.cpu.index()].curr = row.task;
    if (row.other != kIdleTask && row.end == SwitchEnd::Preempted) enter(row.other, Lane::Runnable, row.time);
    if (row.task == kIdleTask) return;
    enter(row.task, Lane::Running, row.time);
    auto& t = m_tasks[row.task.index()];
    if (t.woken_by_row) flow('f', row.cpu.value, row.time, *t.woken_by_row);
    t.woken_by_row.reset();
}

void ChromeWriter::placement(const LogRow& row) {
    if (!row.is_decision()) return; // a wake-up of a task that was runnable still
    auto& t = m_tasks[row.task.index()];
    enter(row.task, Lane::Runnable, row.time);
    t.reason = name_of(row.placement.reason);
    depth(row.cpu, 1, row.time);
    if (row.other == kIdleTask) return; // a timer has no slice from which a flow could start
    const auto waker_cpu = row.kind == RowKind::Fork ? row.from : row.waker_cpu;
    flow('s', waker_cpu.value, row.decided_at(), row.seq.value);
    t.woken_by_row = row.seq.value;
}

void ChromeWriter::row(const LogRow& row) {
    switch (row.kind) {
    case RowKind::Switch: task_switch(row); break;
    case RowKind::Wakeup:
    case RowKind::Fork: placement(row); break;
    case RowKind::Block:
    case RowKind::Exit:
        enter(row.task, row.kind == RowKind::Block ? Lane::Sleeping : Lane::None, row.time);
        depth(row.cpu, -1, row.time);
        break;
    case RowKind::Migration:
        depth(row.from, -1, row.time);
        depth(row.cpu, 1, row.time);
        instant(kTasks, row.task.value,
                "moved from CPU " + std::to_string(row.from.value) + " to " + std::to_string(row.cpu.value) + " (" +
                    std::string(name_of(row.cause)) + ')',
                row.time, 't');
        break;
    case RowKind::Input: instant(kCpus, 0, to_string((*m_context.inputs)[row.input]), row.time, 'g'); break;
    case RowKind::Exec: // its move follows
    case RowKind::TickResched:
    case RowKind::Balance: break;
    }
}

void ChromeWriter::end(SimTime time) {
    for (std::uint32_t cpu = 0; cpu < m_cpus.size(); ++cpu) leave_cpu(CpuId{cpu}, time);
    for (std::uint32_t id = 1; id < m_tasks.size(); ++id) enter(TaskId{id}, Lane::None, time);
    m_out.put("\n]}\n");
    m_out.flush();
}

} // namespace

std::unique_ptr<TraceWriter> make_chrome_writer(const TraceContext& context, TextSink sink) {
    return std::make_unique<ChromeWriter>(context, std::move(sink));
}

} // namespace rqscope
