// SPDX-License-Identifier: GPL-3.0-or-later
// The run as ftrace text: the sched events in the kernel's own payload spelling, so that trace-cmd's and Perfetto's readers
// take it, and lines "# rqscope: ..." with the reason of every decision, which they skip. Times carry nanoseconds and count
// from the start of the run.
#include "trace/export_names.h"

namespace rqscope {

namespace {

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.insert(0, width - text.size(), ' ');
    return text;
}

std::string three_digits(std::uint32_t n) {
    auto text = std::to_string(n);
    if (text.size() < 3) text.insert(0, 3 - text.size(), '0');
    return text;
}

std::string figures(PlaceFigures kind, std::uint32_t first, std::uint32_t second) {
    const auto names = figure_names(kind);
    auto text = std::string(names.first) + ' ' +
                (kind == PlaceFigures::Types ? std::string(name_of(static_cast<GroupType>(first))) : std::to_string(first));
    if (!names.second.empty()) text += ", " + std::string(names.second) + ' ' + std::to_string(second);
    return text;
}

class FtraceWriter final : public TraceWriter {
public:
    FtraceWriter(const TraceContext& context, TextSink sink)
        : m_context(context), m_out(std::move(sink)), m_curr(context.start->cpus.size()) {
        for (std::size_t cpu = 0; cpu < m_curr.size(); ++cpu) m_curr[cpu] = context.start->cpus[cpu].curr;
    }

    void begin() override {
        m_out.put(
            "# tracer: nop\n#\n# rqscope: a simulated run, times from its start   #P:" + std::to_string(m_curr.size()) +
            "\n#\n"
            "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
            "#              | |         |   |||||     |         |\n");
    }
    void row(const LogRow& row) override;
    void end(SimTime) override { m_out.flush(); }

private:
    [[nodiscard]] const TaskInfo& info(TaskId id) const { return (*m_context.tasks)[id.index()]; }
    [[nodiscard]] std::string prio(TaskId id) const { return std::to_string(120 + nice_of(m_context, id)); }
    // "comm=forkstorm pid=1001 prio=120"
    [[nodiscard]] std::string who(TaskId id) const {
        return "comm=" + info(id).comm + " pid=" + std::to_string(info(id).pid) + " prio=" + prio(id);
    }
    // "prev_comm=swapper/2 prev_pid=0 prev_prio=120"
    [[nodiscard]] std::string side(std::string_view which, TaskId id, CpuId cpu) const {
        const auto p = std::string(which);
        if (id == kIdleTask) return p + "_comm=swapper/" + std::to_string(cpu.value) + ' ' + p + "_pid=0 " + p + "_prio=120";
        return p + "_comm=" + info(id).comm + ' ' + p + "_pid=" + std::to_string(info(id).pid) + ' ' + p +
               "_prio=" + prio(id);
    }
    void event(SimTime time, CpuId cpu, const std::string& text);
    void comment(const std::string& text) { m_out.put("# rqscope: " + text + '\n'); }
    void placement(const LogRow& row);
    void decision(const LogRow& row);
    void balance(const BalanceVerdict& b);
    void task_switch(const LogRow& row);
    void migrate(const LogRow& row, CpuId on) {
        event(row.time, on,
              "sched_migrate_task: " + who(row.task) + " orig_cpu=" + std::to_string(row.from.value) +
                  " dest_cpu=" + std::to_string(row.cpu.value));
    }

    TraceContext m_context;
    BufferedSink m_out;
    std::vector<TaskId> m_curr; // by CpuId
};

// The line names whoever runs on the CPU where the event happens, as the kernel's does.
void FtraceWriter::event(SimTime time, CpuId cpu, const std::string& text) {
    const auto curr = m_curr[cpu.index()];
    const auto task = curr == kIdleTask ? std::string("<idle>-0") : info(curr).comm + '-' + std::to_string(info(curr).pid);
    m_out.put(padded(task, 23) + " [" + three_digits(cpu.value) + "] d..2. " + padded(fixed_point(to_ns(time), 9), 14) +
              ": " + text + '\n');
}

void FtraceWriter::decision(const LogRow& row) {
    const auto& p = row.placement;
    auto text = display_name(m_context, row.task) + ": " + std::string(kernel_function(p.reason)) + " CPU " +
                std::to_string(row.cpu.value) + " (";
    if (p.has_figures) {
        text += figures(p.figures, p.chosen_runnable, p.chosen_load);
        if (p.rival != row.cpu)
            text += "; CPU " + std::to_string(p.rival.value) + " has " + figures(p.figures, p.rival_runnable, p.rival_load);
    } else {
        text += std::string(name_of(p.reason)) + ", idle checks " + std::to_string(p.nr_checks);
        if (p.check_cost_ns > 0) text += " in " + std::to_string(p.check_cost_ns) + " ns";
    }
    comment(text + ')');
    if (row.preempt.reason != PreemptReason::NotFarEnough && row.preempt.reason != PreemptReason::Granted) return;
    comment(display_name(m_context, row.task) + ": check_preempt_wakeup " + std::string(name_of(row.preempt.reason)) +
            " (vdiff " + std::to_string(row.preempt.vdiff) + " ns, gran " + std::to_string(row.preempt.gran) + " ns)");
}

void FtraceWriter::placement(const LogRow& row) {
    const bool fork = row.kind == RowKind::Fork;
    const auto on = fork ? row.from : row.waker_cpu;
    decision(row);
    if (fork)
        event(row.time, on,
              "sched_process_fork: comm=" + info(row.other).comm + " pid=" + std::to_string(info(row.other).pid) +
                  " child_comm=" + info(row.task).comm + " child_pid=" + std::to_string(info(row.task).pid));
    else if (row.from != row.cpu) migrate(row, on);
    event(row.time, on,
          std::string(fork ? "sched_wakeup_new: " : "sched_wakeup: ") + who(row.task) +
              " target_cpu=" + three_digits(row.cpu.value));
}

void FtraceWriter::task_switch(const LogRow& row) {
    std::string_view state = "R";
    if (row.end == SwitchEnd::Blocked) state = "S";
    if (row.end == SwitchEnd::Exited) state = "X";
    event(row.time, row.cpu,
          "sched_switch: " + side("prev", row.other, row.cpu) + " prev_state=" + std::string(state) + " ==> " +
              side("next", row.task, row.cpu));
    m_curr[row.cpu.index()] = row.task;
}

void FtraceWriter::balance(const BalanceVerdict& b) {
    const auto& domain = (*m_context.start->domains)[b.domain];
    auto text = "CPU " + std::to_string(b.dst.value) + ": " + std::string(kernel_function(b.reason)) + ' ' +
                std::string(name_of(b.reason)) + " at " + domain.name + ' ' + domain.span.to_list() + " (" +
                std::string(name_of(b.idle)) + ", local avg_load " + std::to_string(b.local_avg) + ", busiest " +
                std::to_string(b.busiest_avg) + ", imbalance " + std::to_string(b.imbalance);
    if (b.moved > 0) text += ", moved " + std::to_string(b.moved) + " from CPU " + std::to_string(b.src.value);
    comment(text + ')');
}

void FtraceWriter::row(const LogRow& row) {
    switch (row.kind) {
    case RowKind::Switch: task_switch(row); break;
    case RowKind::Wakeup:
    case RowKind::Fork: placement(row); break;
    case RowKind::Block: break; // the switch that follows says prev_state=S
    case RowKind::Exit: event(row.time, row.cpu, "sched_process_exit: " + who(row.task)); break;
    case RowKind::TickResched:
        comment("CPU " + std::to_string(row.cpu.value) + ": the tick asks " + display_name(m_context, row.task) +
                " to give way");
        break;
    case RowKind::Exec: decision(row); break;
    case RowKind::Migration: migrate(row, row.cpu); break;
    case RowKind::Balance: balance(row.balance); break;
    case RowKind::Input: comment("input: " + to_string((*m_context.inputs)[row.input])); break;
    }
}

} // namespace

std::unique_ptr<TraceWriter> make_ftrace_writer(const TraceContext& context, TextSink sink) {
    return std::make_unique<FtraceWriter>(context, std::move(sink));
}

} // namespace rqscope
