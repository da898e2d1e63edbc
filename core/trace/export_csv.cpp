// SPDX-License-Identifier: GPL-3.0-or-later
// The run as a table, one line per event, for spreadsheets and data frames. A cell that means nothing for the kind of event
// is empty. Names are quoted only where they need it.
#include "trace/export_names.h"

namespace rqscope {

namespace {

constexpr std::string_view kHeader =
    "seq,time_ns,kind,cpu,task,pid,other_task,other_pid,from_cpu,end,cost_ns,pending_ns,waker_cpu,sync,reason,checks,check_cost_ns,"
    "rival_cpu,figure_1,figure_2,chosen_1,chosen_2,rival_1,rival_2,preempt,preempt_reason,"
    "vdiff_ns,gran_ns,cause,domain,domain_span,idle_type,src_cpu,moved,imbalance,local_avg_load,busiest_avg_load,input\n";

enum Column : std::size_t {
    kSeq,
    kTime,
    kKind,
    kCpu,
    kTask,
    kPid,
    kOther,
    kOtherPid,
    kFrom,
    kEnd,
    kCost,
    kPending,
    kWakerCpu,
    kSync,
    kReason,
    kChecks,
    kCheckCost,
    kRival,
    kFigure1,
    kFigure2,
    kChosen1,
    kChosen2,
    kRival1,
    kRival2,
    kPreempt,
    kPreemptReason,
    kVdiff,
    kGran,
    kCause,
    kDomain,
    kDomainSpan,
    kIdleType,
    kSrc,
    kMoved,
    kImbalance,
    kLocalAvg,
    kBusiestAvg,
    kInput,
    kColumns
};

std::string cell(std::string_view text) {
    if (text.find_first_of(",\"\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

class CsvWriter final : public TraceWriter {
public:
    CsvWriter(const TraceContext& context, TextSink sink) : m_context(context), m_out(std::move(sink)), m_cells(kColumns) {}

    void begin() override { m_out.put(kHeader); }
    void row(const LogRow& row) override;
    void end(SimTime) override { m_out.flush(); }

private:
    void set(Column c, std::string_view text) { m_cells[c] = cell(text); }
    template <class N>
    void number(Column c, N n) {
        m_cells[c] = std::to_string(n);
    }
    void name(Column text, Column pid, TaskId id) {
        set(text, display_name(m_context, id));
        number(pid, (*m_context.tasks)[id.index()].pid);
    }
    void placement(const LogRow& row);
    void balance(const BalanceVerdict& b);
    void details(const LogRow& row);

    TraceContext m_context;
    BufferedSink m_out;
    std::vector<std::string> m_cells;
};

void CsvWriter::placement(const LogRow& row) {
    const auto& p = row.placement;
    name(kOther, kOtherPid, row.other);
    number(kFrom, row.from.value);
    if (row.kind == RowKind::Wakeup) {
        number(kCost, row.cost_ns);
        number(kPending, row.pending_ns);
        number(kWakerCpu, row.waker_cpu.value);
        number(kSync, row.sync ? 1 : 0);
    }
    set(kReason, name_of(p.reason));
    number(kChecks, p.nr_checks);
    number(kCheckCost, p.check_cost_ns);
    if (p.has_figures) {
        number(kRival, p.rival.value);
        const auto names = figure_names(p.figures);
        set(kFigure1, names.first);
        set(kFigure2, names.second);
        number(kChosen1, p.chosen_runnable);
        number(kChosen2, p.chosen_load);
        number(kRival1, p.rival_runnable);
        number(kRival2, p.rival_load);
    }
    number(kPreempt, row.preempt.preempt ? 1 : 0);
    set(kPreemptReason, name_of(row.preempt.reason));
    number(kVdiff, row.preempt.vdiff);
    number(kGran, row.preempt.gran);
}

void CsvWriter::balance(const BalanceVerdict& b) {
    const auto& domain = (*m_context.start->domains)[b.domain];
    set(kReason, name_of(b.reason));
    set(kDomain, domain.name);
    set(kDomainSpan, domain.span.to_list());
    set(kIdleType, name_of(b.idle));
    number(kSrc, b.src.value);
    number(kMoved, b.moved);
    number(kImbalance, b.imbalance);
    number(kLocalAvg, b.local_avg);
    number(kBusiestAvg, b.busiest_avg);
}

void CsvWriter::details(const LogRow& row) {
    switch (row.kind) {
    case RowKind::Switch:
        name(kOther, kOtherPid, row.other);
        set(kEnd, name_of(row.end));
        number(kCost, row.cost_ns);
        break;
    case RowKind::Wakeup:
    case RowKind::Fork:
    case RowKind::Exec: placement(row); break;
    case RowKind::Migration:
        number(kFrom, row.from.value);
        set(kCause, name_of(row.cause));
        break;
    case RowKind::Balance: balance(row.balance); break;
    case RowKind::Input: set(kInput, to_string((*m_context.inputs)[row.input])); break;
    case RowKind::Block:
    case RowKind::Exit:
    case RowKind::TickResched: break;
    }
}

void CsvWriter::row(const LogRow& row) {
    m_cells.assign(kColumns, {});
    number(kSeq, row.seq.value);
    number(kTime, to_ns(row.time));
    set(kKind, name_of(row.kind));
    if (row.kind != RowKind::Input) number(kCpu, row.cpu.value);
    if (row.kind != RowKind::Input && row.kind != RowKind::Balance) name(kTask, kPid, row.task);
    details(row);
    std::string line;
    for (const auto& text : m_cells) line += text + ',';
    line.back() = '\n';
    m_out.put(line);
}

} // namespace

std::unique_ptr<TraceWriter> make_csv_writer(const TraceContext& context, TextSink sink) {
    return std::make_unique<CsvWriter>(context, std::move(sink));
}

} // namespace rqscope
