// SPDX-License-Identifier: GPL-3.0-or-later
// Which group of a domain a new task goes to (kernel: find_idlest_group, v4.8 to v4.19; the load_avg series of September 2016;
// its merged form 6b94780e45c1). Three rules share one walk over the ring; FORK_LOAD_AVG picks, from 4.12 on the merged one is
// fixed. An exec looks for spare capacity first. Source: select.md 1.1 to 1.3; 5.5 and later: find_idlest_group_v5_5.cpp.
// Difference: the group that the chosen one had to beat is remembered, so that the log can name both figures.
#include "select/selection.h"

#include <algorithm>

namespace rqscope {

namespace {

enum class Rule : std::uint8_t { RunnableOnly, Rfc, Merged };

Rule rule_of(const SchedState& s) {
    if (since(s, PlacementProfile::E412)) return Rule::Merged;
    switch (s.features.value(Feature::FORK_LOAD_AVG)) {
    case 0: return Rule::RunnableOnly;
    case 1: return Rule::Rfc;
    default: return Rule::Merged;
    }
}

struct Verdict {
    bool leads;           // becomes the candidate; or, for the local group: stays
    std::string_view key; // SelectStep::verdict
};

// The running comparison: the minima so far and the three ranges around them.
class Contest {
public:
    Contest(Rule rule, std::uint32_t imbalance_pct)
        : m_rule(rule), m_scale(100 + (imbalance_pct - 100) / 2), m_factor(rule == Rule::Rfc ? imbalance_pct : m_scale),
          m_imbalance(1024 * (imbalance_pct - 100) / 100) {}

    Verdict judge(const GroupLoad& g) {
        if (m_rule == Rule::RunnableOnly) {
            if (g.runnable >= m_min_runnable) return {false, "not_lighter"};
            m_min_runnable = g.runnable;
            return {true, "lighter"};
        }
        if (m_min_runnable > g.runnable + m_imbalance) {
            m_min_runnable = g.runnable;
            m_min_load = g.load;
            return {true, "lighter"};
        }
        if (g.runnable >= m_min_runnable + m_imbalance) return {false, "heavier"};
        if (100 * m_min_load <= m_factor * g.load) return {false, "band_not_lighter"};
        // The band stays anchored at the group that last won by a clear margin.
        m_min_load = g.load;
        return {true, "band_lighter"};
    }

    // 4.14+: across nodes the child leaves only for a group that is lighter beyond the band.
    [[nodiscard]] bool near_on_other_node(const GroupLoad& local) const { return m_min_runnable + m_imbalance >= local.runnable; }

    // Against the winner; `local` is all zero when the local group has no allowed CPU.
    [[nodiscard]] Verdict stay(const GroupLoad& local) const {
        if (m_rule == Rule::RunnableOnly)
            return 100 * local.runnable < m_scale * m_min_runnable ? Verdict{true, "local_lighter"} : kGo;
        if (m_min_runnable > local.runnable + m_imbalance) return {true, "local_lighter"};
        if (local.runnable >= m_min_runnable + m_imbalance) return kGo;
        const bool local_wins = m_rule == Rule::Rfc ? 100 * m_min_load > m_factor * local.load
                                                    : 100 * local.load < m_scale * m_min_load;
        return local_wins ? Verdict{true, "band_local_lighter"} : kGo;
    }

private:
    static constexpr Verdict kGo{false, "not_local_lighter"};
    Rule m_rule;
    Load m_scale, m_factor, m_imbalance;
    Load m_min_runnable = std::numeric_limits<Load>::max();
    Load m_min_load = std::numeric_limits<Load>::max();
};

GroupLoad sum_up(const PlacementSearch& sel, const SchedGroup& group) {
    GroupLoad sum{.group = &group};
    for (const auto cpu : group.span) {
        const auto& avg = sel.s.cfs_avg[cpu.index()];
        sum.runnable += avg.runnable_load_avg;
        sum.load += avg.load_avg;
    }
    sum.runnable = sum.runnable * 1024 / group.capacity;
    sum.load = sum.load * 1024 / group.capacity;
    return sum;
}

void explain_group(const PlacementSearch& sel, const SchedDomain& sd, const GroupLoad& g, std::string_view verdict) {
    if (!sel.explains()) return;
    sel.explain({.kind = SelectStep::Kind::Group, .domain = sd.id, .cpu = *g.group->span.first(), .local = verdict == "local",
                 .runnable = g.runnable, .load = g.load, .verdict = verdict});
}

// Who to name beside the candidate: the one it displaced, else the lightest of those that came after it.
struct RivalTracker {
    GroupLoad rival;
    bool displaced = false;

    void candidate(const GroupLoad& previous) {
        rival = previous;
        displaced = previous.group != nullptr;
    }
    void loser(const GroupLoad& g) {
        if (displaced) return;
        const bool lighter = g.runnable < rival.runnable || (g.runnable == rival.runnable && g.load < rival.load);
        if (rival.group == nullptr || lighter) rival = g;
    }
};

// capacity_spare_wake(): what the CPU has left beside the others than p.
Load spare_of(const PlacementSearch& sel, CpuId cpu) {
    const auto& p = sel.s.se[sel.p.index()];
    auto util = sel.s.cfs_avg[cpu.index()].util_avg;
    if (p.cpu == cpu && p.avg.last_update_time != 0) util -= std::min(util, p.avg.util_avg);
    const Load capacity = sel.s.capacity_of(cpu);
    return capacity - std::min(capacity, util);
}

// 4.12 and 4.19, not for forks: the CPU with the most room decides, unless nobody has half of what p uses. Empty = loads decide.
std::optional<IdlestGroup> by_spare_capacity(const PlacementSearch& sel, const SchedDomain& sd, CpuId cpu) {
    GroupLoad local, most;
    const auto count = sel.domains.ring_of(sd).size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto& group = sel.domains.group(sd, i);
        if (!sel.allowed_any(group.span)) continue;
        Load spare = 0;
        for (const auto c : group.span) spare = std::max(spare, spare_of(sel, c));
        if (group.span.test(cpu)) local = {.group = &group, .runnable = spare};
        else if (spare > most.runnable) most = {.group = &group, .runnable = spare};
    }
    const auto half = sel.s.se[sel.p.index()].avg.util_avg / 2;
    const Load scale = 100 + (sd.imbalance_pct - 100) / 2;
    if (local.runnable > half && scale * local.runnable > 100 * most.runnable) {
        sel.explain({.kind = SelectStep::Kind::StayLocal, .domain = sd.id, .cpu = cpu, .runnable = local.runnable, .load = most.runnable, .verdict = "local_spare"});
        return IdlestGroup{.chosen = local, .rival = most, .figures = PlaceFigures::Spare};
    }
    if (most.runnable <= half) return std::nullopt;
    sel.explain({.kind = SelectStep::Kind::GroupChosen, .domain = sd.id, .cpu = *most.group->span.first(), .runnable = most.runnable, .load = local.runnable, .verdict = "most_spare"});
    return IdlestGroup{.group = most.group, .chosen = most, .rival = local, .figures = PlaceFigures::Spare};
}

// Walks the ring; 4.x.
IdlestGroup by_load(PlacementSearch& sel, const SchedDomain& sd, CpuId cpu) {
    const bool v4_14 = since(sel.s, PlacementProfile::E419);
    Contest contest(rule_of(sel.s), sd.imbalance_pct);
    GroupLoad local, best;
    // A local group without an allowed CPU never holds the task from 4.14 on, before it counted as empty.
    if (v4_14) local.runnable = local.load = std::numeric_limits<std::uint32_t>::max();
    RivalTracker rivals;
    const auto count = sel.domains.ring_of(sd).size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto& group = sel.domains.group(sd, i);
        if (!sel.allowed_any(group.span)) {
            explain_group(sel, sd, {.group = &group}, "not_allowed");
            continue;
        }
        const auto g = sum_up(sel, group);
        if (group.span.test(cpu)) {
            local = g;
            explain_group(sel, sd, g, "local");
            continue;
        }
        const auto verdict = contest.judge(g);
        explain_group(sel, sd, g, verdict.key);
        if (verdict.leads) {
            rivals.candidate(best);
            best = g;
        } else {
            rivals.loser(g);
        }
    }

    const auto end = best.group == nullptr                                                                  ? Verdict{true, "no_candidate"}
                     : v4_14 && sd.has(SdFlag::NUMA) && contest.near_on_other_node(local) ? Verdict{true, "numa_near"}
                                                                                          : contest.stay(local);
    if (end.leads) {
        sel.explain({.kind = SelectStep::Kind::StayLocal, .domain = sd.id, .cpu = cpu, .verdict = end.key});
        return {.chosen = local, .rival = best};
    }
    if (sel.explains())
        sel.explain({.kind = SelectStep::Kind::GroupChosen, .domain = sd.id, .cpu = *best.group->span.first(),
                     .runnable = best.runnable, .load = best.load, .verdict = end.key});
    return {.group = best.group, .chosen = best, .rival = rivals.rival.group != nullptr ? rivals.rival : local};
}

} // namespace

IdlestGroup find_idlest_group(PlacementSearch& sel, const SchedDomain& sd, CpuId cpu, SlowPath path) {
    if (modern(sel.s)) return find_idlest_group_v5_5(sel, sd, cpu);
    if (path == SlowPath::Exec && since(sel.s, PlacementProfile::E412))
        if (auto found = by_spare_capacity(sel, sd, cpu)) return *found;
    return by_load(sel, sd, cpu);
}

} // namespace rqscope
