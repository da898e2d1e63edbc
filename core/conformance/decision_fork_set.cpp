// SPDX-License-Identifier: GPL-3.0-or-later
// Walks all branches of the fork walk at once. A group's type is known up to its worst case only: nr < weight has spare
// capacity, nr = weight may also be fully busy, nr > weight also overloaded, by utilisation and load that nobody recorded.
#include "conformance/decision_fork_set.h"
#include "sched/group_type.h"

#include <algorithm>
#include <array>
#include <limits>

namespace rqscope {

namespace {

constexpr std::array kTypes{GroupType::HasSpare, GroupType::FullyBusy, GroupType::Overloaded};

struct GroupFacts {
    const SchedGroup* group = nullptr;
    GroupType worst = GroupType::HasSpare; // every better type is possible as well
    std::uint32_t nr = 0, idle = 0;
};

GroupFacts facts_of(const Decision& d, const SchedGroup& group) {
    GroupFacts facts{&group, GroupType::HasSpare, 0, (d.idle & group.span).count()};
    for (const auto cpu : group.span) facts.nr += d.nr[cpu.index()];
    facts.worst = facts.nr < group.weight    ? GroupType::HasSpare
                  : facts.nr == group.weight ? GroupType::FullyBusy
                                             : GroupType::Overloaded;
    return facts;
}

// The groups other than the local one, and what the comparison among them has to know.
struct Candidates {
    std::vector<GroupFacts> groups;
    GroupType least_worst = GroupType::Overloaded; // some group is surely no worse than this
    std::uint32_t surely_idle = 0;                 // most idle CPUs of a group that surely has spare capacity

    void add(const GroupFacts& g) {
        groups.push_back(g);
        least_worst = std::min(least_worst, g.worst);
        if (g.worst == GroupType::HasSpare) surely_idle = std::max(surely_idle, g.idle);
    }
    // Whether `g` may be the best of them as a group of this type; ties are open.
    [[nodiscard]] bool may_lead(const GroupFacts& g, GroupType type) const {
        if (type > g.worst || type > least_worst) return false;
        return type != GroupType::HasSpare || g.idle >= surely_idle;
    }
};

struct Outcome {
    bool stay = false;
    bool go = false;
};

// Two groups with spare capacity, judged by idle CPUs; across NUMA nodes a small imbalance is let be.
bool spare_stays(const SchedDomain& sd, const GroupFacts& local, const GroupFacts& best) {
    if (sd.has(SdFlag::NUMA) && local.nr + 1 <= sd.imb_numa_nr) {
        const auto [low, high] = std::minmax(local.idle, best.idle);
        if (high - low <= 2) return true;
    }
    return local.idle >= best.idle;
}

Outcome compare(const SchedDomain& sd, const GroupFacts& local, const GroupFacts& best, GroupType best_type) {
    Outcome out;
    for (const auto type : kTypes) {
        if (type > local.worst) break;
        if (type != best_type) (type < best_type ? out.stay : out.go) = true;
        else if (type == GroupType::HasSpare) (spare_stays(sd, local, best) ? out.stay : out.go) = true;
        else out.stay = out.go = true; // by avg_load, which is not recorded
    }
    return out;
}

struct IdlestGroups {
    bool stay = false;
    std::vector<const SchedGroup*> groups;
};

IdlestGroups idlest_groups(const SchedDomains& domains, const Decision& d, const SchedDomain& sd) {
    GroupFacts local;
    Candidates candidates;
    for (std::size_t i = 0; i < domains.ring_of(sd).size(); ++i) {
        const auto facts = facts_of(d, domains.group(sd, i));
        if (facts.group->span.test(sd.owner)) local = facts; // of overlapping groups the last counts
        else candidates.add(facts);
    }
    IdlestGroups out{candidates.groups.empty(), {}};
    for (const auto& g : candidates.groups) {
        Outcome any;
        for (const auto type : kTypes) {
            if (!candidates.may_lead(g, type)) continue;
            const auto outcome = compare(sd, local, g, type);
            any.stay |= outcome.stay;
            any.go |= outcome.go;
        }
        out.stay |= any.stay;
        if (any.go) out.groups.push_back(g.group);
    }
    return out;
}

CpuMask idlest_cpus(const Decision& d, const SchedGroup& group) {
    auto idle = newest_idle(d, group.span);
    return idle.empty() ? group.span : idle; // no idle CPU: by load, which is not recorded
}

// The widest level of `cpu` that is narrower than the one judged and carries the flag.
const SchedDomain* level_below(const SchedDomains& domains, CpuId cpu, std::uint32_t weight) {
    const SchedDomain* found = nullptr;
    for (const auto* sd = domains.lowest(cpu); sd != nullptr && sd->weight < weight; sd = domains.parent(*sd))
        if (sd->has(SdFlag::BALANCE_FORK)) found = sd;
    return found;
}

class ForkWalk {
public:
    ForkWalk(const SchedDomains& domains, const Decision& d) : m_domains(domains), m_d(d), m_seen(domains.domains.size()) {}

    CpuMask run() {
        const SchedDomain* top = nullptr;
        for (const auto* sd = m_domains.lowest(m_d.waker_cpu); sd != nullptr && sd->has(SdFlag::BALANCE_FORK);
             sd = m_domains.parent(*sd))
            top = sd;
        reach(m_d.waker_cpu, top);
        while (!m_open.empty()) {
            const auto* sd = m_open.back();
            m_open.pop_back();
            judge(*sd);
        }
        return m_result;
    }

private:
    // The walk stands on `cpu` and looks at level `sd` next; nullptr = it ends there.
    void reach(CpuId cpu, const SchedDomain* sd) {
        if (sd == nullptr) {
            m_result.set(cpu);
        } else if (!m_seen[sd->id.index()]) {
            m_seen[sd->id.index()] = true;
            m_open.push_back(sd);
        }
    }
    void judge(const SchedDomain& sd) {
        if (!sd.has(SdFlag::BALANCE_FORK)) return reach(sd.owner, m_domains.child(sd));
        const auto idlest = idlest_groups(m_domains, m_d, sd);
        if (idlest.stay) reach(sd.owner, m_domains.child(sd));
        for (const auto* group : idlest.groups)
            for (const auto cpu : idlest_cpus(m_d, *group)) reach(cpu, level_below(m_domains, cpu, sd.weight));
    }

    const SchedDomains& m_domains;
    const Decision& m_d;
    std::vector<bool> m_seen; // by DomainId
    std::vector<const SchedDomain*> m_open;
    CpuMask m_result;
};

} // namespace

CpuMask newest_idle(const Decision& d, const CpuMask& among) {
    const auto idle = d.idle & among;
    CpuMask newest;
    auto least = std::numeric_limits<std::int64_t>::max();
    for (const auto cpu : idle) {
        const auto age = d.idle_us[cpu.index()];
        if (!d.age_known(cpu) || age > least) continue;
        if (age < least) newest = CpuMask{};
        least = age;
        newest.set(cpu);
    }
    return newest.empty() ? idle : newest;
}

CpuMask fork_reach(const SchedDomains& domains, CpuId parent) {
    auto reach = CpuMask::single(parent);
    for (const auto* sd = domains.lowest(parent); sd != nullptr && sd->has(SdFlag::BALANCE_FORK); sd = domains.parent(*sd))
        reach |= sd->span;
    return reach;
}

CpuMask fork_set(const SchedDomains& domains, const Decision& d) { return ForkWalk(domains, d).run(); }

} // namespace rqscope
