// SPDX-License-Identifier: GPL-3.0-or-later
#include "domains/decision_marks.h"

#include <algorithm>

namespace rqscope {

namespace {

// The box of the group that holds `cpu` in the domain where the two CPUs meet.
std::optional<std::uint32_t> sideBox(const DomainModel& model, CpuId cpu, const SchedDomain& meet) {
    const auto& domains = *model.domains();
    std::optional<std::uint32_t> box;
    for (const auto* d = domains.lowest(cpu); d && d->level < meet.level; d = domains.parent(*d)) {
        const auto node = model.nodeOf(d->id);
        if (node && model.nodes()[*node].framed()) box = node;
    }
    return box;
}

} // namespace

bool DecisionMarks::involves(std::uint32_t node) const { return std::find(nodes.begin(), nodes.end(), node) != nodes.end(); }

DecisionMarks DecisionMarks::of(const LogRow& row, const DomainModel& model) {
    DecisionMarks marks;
    marks.row = row;
    marks.chosen = row.placement.cpu;
    if (row.kind != RowKind::Wakeup) marks.origin = row.from;
    else if (row.other != kIdleTask) marks.origin = row.waker_cpu;

    std::vector<CpuId> parts{marks.chosen};
    const auto& p = row.placement;
    const auto* domains = model.domains();
    if (marks.fork() && p.has_figures && domains && p.rival != p.cpu) {
        parts.push_back(p.rival);
        marks.winner = Side{p.cpu, {}, p.chosen_runnable, p.chosen_load};
        marks.rival = Side{p.rival, {}, p.rival_runnable, p.rival_load};
        if (const auto* meet = domains->common(p.cpu, p.rival)) {
            marks.winner->node = sideBox(model, p.cpu, *meet);
            marks.rival->node = sideBox(model, p.rival, *meet);
            const auto node = model.nodeOf(meet->id);
            if (node && *node < model.nrNested()) marks.arena = node;
        }
    }
    for (const auto cpu : parts)
        for (const auto node : model.chain(cpu))
            if (node < model.nrNested()) marks.nodes.push_back(node);
    return marks;
}

bool isCurrent(const LogRow& decision, const EventLog& log, std::uint32_t cursor, SimTime now) {
    if (decision.seq.value >= cursor) return false;
    if (decision.time == now) return true;
    for (auto i = decision.seq.value + 1; i < cursor; ++i)
        if (log.row(i).first_of_step) return false;
    return true;
}

} // namespace rqscope
