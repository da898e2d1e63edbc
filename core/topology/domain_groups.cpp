// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of a domain and the removal of redundant domains (topology.md 1.4, 1.6; kernel: build_sched_groups,
// build_overlap_sched_groups, build_balance_mask, cpu_attach_domain). In profile 4.7 NUMA groups follow the repaired rule of
// 5.12, because the old one let groups leave their domain.
#include "topology/domain_draft.h"

#include <algorithm>

namespace rqscope {

namespace {

class GroupBuilder {
public:
    GroupBuilder(DraftDomains& draft, const CpuMask& map) : m_draft(draft), m_map(map) {}

    void run() {
        for (const auto cpu : m_map)
            for (auto& d : m_draft.chains[cpu.index()])
                if ((d.flags & bit(SdFlag::OVERLAP)) != 0) overlapping(d, cpu);
                else plain(d, cpu);
    }

private:
    [[nodiscard]] const CpuMask& span(std::uint32_t id) const { return m_draft.spans[id]; }
    [[nodiscard]] bool old() const { return m_draft.profile == DomainProfile::V4_7; }
    [[nodiscard]] const DraftDomain* at(CpuId cpu, std::uint32_t level) const {
        const auto& chain = m_draft.chains[cpu.index()];
        return level < chain.size() ? &chain[level] : nullptr;
    }

    // Members of `set` from `start` upwards, then from the lowest (for_each_cpu_wrap).
    template <class Visit>
    static void wrap_from(const CpuMask& set, CpuId start, Visit visit) {
        for (auto cpu = set.next(start.value); cpu; cpu = set.next(cpu->value + 1)) visit(*cpu);
        for (auto cpu = set.first(); cpu && *cpu < start; cpu = set.next(cpu->value + 1)) visit(*cpu);
    }

    // All CPUs of the span share one ring. Each CPU's pass links it anew, so the last one's order stays; before 4.13 only the
    // first CPU linked it.
    void plain(DraftDomain& d, CpuId cpu) {
        const auto [it, fresh] = m_plain.try_emplace({d.level, d.span}, 0U);
        if (fresh) {
            it->second = static_cast<std::uint32_t>(m_draft.rings.size());
            const auto& cpus = span(d.span);
            m_draft.rings.push_back(plain_ring(d, *(old() ? cpus.first() : cpus.last())));
        }
        d.ring = it->second;
        d.ring_first = position_of(m_draft.rings[d.ring], cpu);
    }

    [[nodiscard]] std::vector<DraftGroup> plain_ring(const DraftDomain& d, CpuId start) {
        std::vector<DraftGroup> ring;
        CpuMask covered;
        wrap_from(span(d.span), start, [&](CpuId i) {
            if (covered.test(i)) return;
            DraftGroup g;
            g.level = d.level;
            const auto* child = d.level > 0 ? at(i, d.level - 1) : nullptr;
            g.span = child != nullptr ? child->span : m_draft.spans.intern(CpuMask::single(i));
            g.balance_mask = g.span;
            g.flags = child != nullptr ? child->flags : 0;
            covered |= span(g.span);
            ring.push_back(g);
        });
        // Read from the group with the lowest CPU; a ring has no beginning.
        std::rotate(ring.begin(), ring.begin() + position_of(ring, *span(d.span).first()), ring.end());
        return ring;
    }

    // NUMA levels: the groups are the neighbours' child spans and may overlap; each CPU has its own ring.
    void overlapping(DraftDomain& d, CpuId cpu) {
        std::vector<DraftGroup> ring;
        const auto& cpus = span(d.span);
        CpuMask covered;
        wrap_from(cpus, old() ? *cpus.first() : cpu, [&](CpuId i) {
            if (covered.test(i)) return;
            const auto* sibling = at(i, d.level);
            if (sibling == nullptr || !span(sibling->span).test(i)) return;
            sibling = descend(i, sibling, cpus);
            const auto* child = sibling->level > 0 ? at(i, sibling->level - 1) : nullptr;
            DraftGroup g;
            g.level = sibling->level;
            g.span = child != nullptr ? child->span : sibling->span;
            g.balance_mask = balance_mask(g.level, g.span);
            g.flags = child != nullptr ? child->flags : 0;
            covered |= span(g.span);
            ring.push_back(g);
        });
        d.ring = static_cast<std::uint32_t>(m_draft.rings.size());
        d.ring_first = position_of(ring, cpu);
        m_draft.rings.push_back(std::move(ring));
    }

    // A neighbour may see farther than this domain; then a smaller domain of it provides the group (5.12 and later).
    [[nodiscard]] const DraftDomain* descend(CpuId i, const DraftDomain* sibling, const CpuMask& cpus) const {
        const auto child = [&] { return sibling->level > 0 ? at(i, sibling->level - 1) : nullptr; };
        if (child() == nullptr || span(child()->span).subset_of(cpus)) return sibling;
        while (child() != nullptr && !span(child()->span).subset_of(cpus)) sibling = child();
        while (child() != nullptr && child()->span == sibling->span) sibling = child();
        return sibling;
    }

    // CPUs whose own domain of this level has the group as its child: only they see the groups as this ring has them.
    std::uint32_t balance_mask(std::uint32_t level, std::uint32_t group) {
        const auto [it, fresh] = m_balance.try_emplace({level, group}, group);
        if (fresh && level > 0) {
            CpuMask mask;
            for (const auto k : span(group))
                if (const auto* child = at(k, level - 1); at(k, level) != nullptr && child->span == group) mask.set(k);
            if (!mask.empty()) it->second = m_draft.spans.intern(std::move(mask));
        }
        return it->second;
    }

    [[nodiscard]] std::uint32_t position_of(const std::vector<DraftGroup>& ring, CpuId cpu) const {
        const auto it = std::find_if(ring.begin(), ring.end(), [&](const auto& g) { return span(g.span).test(cpu); });
        return it == ring.end() ? 0 : static_cast<std::uint32_t>(it - ring.begin());
    }

    DraftDomains& m_draft;
    const CpuMask& m_map;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_plain, m_balance;
};

class Remover {
public:
    explicit Remover(DraftDomains& draft) : m_draft(draft) {
        if (draft.profile == DomainProfile::V4_7)
            m_groupless |= bit(SdFlag::SERIALIZE) | bit(SdFlag::NUMA) | bit(SdFlag::OVERLAP) | bit(SdFlag::ASYM_PACKING);
    }

    void run(CpuId cpu) {
        auto& chain = m_draft.chains[cpu.index()];
        for (std::size_t d = 0; d + 1 < chain.size();) {
            auto& low = chain[d];
            const auto high = chain[d + 1];
            const bool same = high.span == low.span;
            if (!useless(high) && !(same && covers(low, high))) {
                ++d;
                continue;
            }
            m_draft.note_removed(high, cpu, same ? "same CPUs as " + m_draft.masks.levels[low.level].name + ", which stays" : why_useless(high));
            chain.erase(chain.begin() + static_cast<std::ptrdiff_t>(d) + 1);
            low.flags |= high.flags & bit(SdFlag::PREFER_SIBLING);
            if (d + 1 < chain.size()) own_group(chain[d + 1]).flags = low.flags;
        }
        if (!chain.empty() && useless(chain.front())) {
            m_draft.note_removed(chain.front(), cpu, why_useless(chain.front()));
            chain.erase(chain.begin());
            if (!chain.empty()) own_group(chain.front()).flags = 0;
        }
    }

private:
    [[nodiscard]] bool one_group(const DraftDomain& d) const { return m_draft.rings[d.ring].size() <= 1; }
    [[nodiscard]] DraftGroup& own_group(const DraftDomain& d) { return m_draft.rings[d.ring][d.ring_first]; }

    [[nodiscard]] bool useless(const DraftDomain& d) const {
        if (m_draft.spans.weight(d.span) == 1) return true;
        if ((d.flags & ~m_groupless) != 0 && !one_group(d)) return false;
        return (d.flags & bit(SdFlag::WAKE_AFFINE)) == 0;
    }
    [[nodiscard]] std::string why_useless(const DraftDomain& d) const {
        return m_draft.spans.weight(d.span) == 1 ? "one CPU only" : "one group only, nothing to balance";
    }
    // Does the lower level do everything the upper one could do?
    [[nodiscard]] bool covers(const DraftDomain& low, const DraftDomain& high) const {
        const auto wanted = one_group(high) ? high.flags & m_groupless : high.flags;
        return (wanted & ~low.flags) == 0;
    }

    DraftDomains& m_draft;
    SdFlags m_groupless = bit(SdFlag::WAKE_AFFINE); // flags that mean something with one group
};

} // namespace

void DraftDomains::note_removed(const DraftDomain& d, CpuId owner, const std::string& reason) {
    const auto& level = masks.levels[d.level];
    const auto [it, fresh] = removed_index.try_emplace({d.level, d.span, reason}, removed.size());
    if (fresh) removed.push_back({level.name, spans[d.span], {}, level.numa() ? "distance " + std::to_string(level.distance) + ", " + reason : reason});
    removed[it->second].owners.set(owner);
}

void build_groups(DraftDomains& draft, const CpuMask& map) { GroupBuilder(draft, map).run(); }

void remove_degenerate(DraftDomains& draft, const CpuMask& map) {
    Remover remover(draft);
    for (const auto cpu : map) remover.run(cpu);
}

} // namespace rqscope
