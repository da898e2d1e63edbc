// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/schedstat.h"

namespace rqscope {

namespace {

// Positions inside the eight numbers of one idle type; the types follow each other as IDLE, NOT_IDLE, NEWLY_IDLE.
enum LbField : std::size_t {
    kCount,
    kBalanced,
    kFailed,
    kImbalance,
    kGained,
    kHotGained,
    kNoBusyQueue,
    kNoBusyGroup,
    kLbFields
};
// Positions behind the three times eight.
constexpr std::size_t kActiveCount = 24;
constexpr std::size_t kActivePushed = 26;
constexpr std::size_t kWakeRemote = 33;
constexpr std::size_t kMoveAffine = 34;

std::string cpu_line(CpuId cpu, const SchedStat& st, bool with_preempt) {
    std::string line = "cpu" + std::to_string(cpu.value);
    const auto put = [&line](std::uint64_t v) { line += ' ' + std::to_string(v); };
    put(st.yld_count);
    put(0);
    for (const auto v :
         {st.sched_count, st.sched_goidle, st.ttwu_count, st.ttwu_local, st.rq_cpu_time, st.run_delay, st.pcount})
        put(v);
    if (with_preempt)
        for (const auto v : {st.check_preempt_count, st.need_preempt_count, st.low_gran_preempt_count}) put(v);
    return line + '\n';
}

} // namespace

void DomainStats::row(const LogRow& row) {
    if (row.kind == RowKind::Balance) balance(row.balance);
    if (row.kind == RowKind::Wakeup) wakeup(row);
    if (row.kind == RowKind::Migration && row.cause == MoveCause::Active)
        if (const auto* d = m_domains->common(row.from, row.cpu)) ++m_counts[d->id.index()][kActivePushed];
}

void DomainStats::balance(const BalanceVerdict& verdict) {
    auto& counts = m_counts[verdict.domain.index()];
    auto* lb = &counts[static_cast<std::size_t>(verdict.idle) * kLbFields];
    ++lb[kCount];
    switch (verdict.reason) {
    case BalanceReason::NoBusiestGroup:
    case BalanceReason::LocalGroupBusier:
    case BalanceReason::LocalAboveBusiest:
    case BalanceReason::LocalAboveAverage:
    case BalanceReason::WithinImbalancePct:
    case BalanceReason::DstNotIdle:
    case BalanceReason::IdleCpusEven:
    case BalanceReason::BusiestHasOneTask:
    case BalanceReason::ImbalanceZero:
    case BalanceReason::NumaImbalanceAllowed:
        ++lb[kBalanced];
        ++lb[kNoBusyGroup];
        return;
    case BalanceReason::NoBusiestQueue:
        ++lb[kBalanced];
        ++lb[kNoBusyQueue];
        return;
    case BalanceReason::AllPinned: ++lb[kBalanced]; break;
    case BalanceReason::CurrPinned:
    case BalanceReason::NothingMoved:
    case BalanceReason::ActiveBalancePending: ++lb[kFailed]; break;
    case BalanceReason::ActiveBalance:
        ++lb[kFailed];
        ++counts[kActiveCount];
        break;
    case BalanceReason::Moved: break;
    }
    lb[kImbalance] += verdict.imbalance;
    lb[kGained] += verdict.moved;
}

// ttwu_stat() counts a wake-up of another CPU at the lowest domain that holds both; select_task_rq_fair() counts a pull
// towards the waker's CPU at the lowest domain that holds waker and previous CPU.
void DomainStats::wakeup(const LogRow& row) {
    if (row.cpu != row.waker_cpu)
        if (const auto* d = m_domains->common(row.waker_cpu, row.cpu)) ++m_counts[d->id.index()][kWakeRemote];
    if (row.cpu == row.waker_cpu && row.cpu != row.from)
        if (const auto* d = m_domains->common(row.waker_cpu, row.from)) ++m_counts[d->id.index()][kMoveAffine];
}

std::string schedstat_text(const SchedState& state, const DomainStats& domains, bool with_preempt) {
    std::string text = "version 15\ntimestamp " + std::to_string(state.jiffies) + '\n';
    const auto& shape = *domains.m_domains;
    for (const auto cpu : state.online) {
        text += cpu_line(cpu, state.rqs[cpu.index()].stat, with_preempt);
        std::size_t number = 0;
        for (const auto* d = shape.lowest(cpu); d != nullptr; d = shape.parent(*d)) {
            text += "domain" + std::to_string(number++) + ' ' + d->span.to_hex(shape.nr_cpu_ids);
            for (const auto v : domains.m_counts[d->id.index()]) text += ' ' + std::to_string(v);
            text += '\n';
        }
    }
    return text;
}

} // namespace rqscope
