// SPDX-License-Identifier: GPL-3.0-or-later
// Last step of the domain builder: final tables with parameters, capacities and per-CPU shortcuts (topology.md 1.3, 1.7;
// kernel: sd_init, init_sched_groups_capacity, update_top_cache_domain). Equal rings are kept once, whatever their rotation.
#include "topology/domain_draft.h"

#include <algorithm>

namespace rqscope {

namespace {

class Finisher {
public:
    explicit Finisher(DraftDomains& draft) : m_draft(draft), m_n(draft.machine.nr_cpu_ids()) {}

    SchedDomains run() {
        m_out.profile = m_draft.profile;
        m_out.map = m_draft.map;
        m_out.nr_cpu_ids = m_n;
        m_out.removed = std::move(m_draft.removed);
        if (!m_draft.masks.no_package_level.empty())
            m_out.removed.push_back({m_draft.profile == DomainProfile::V6_12 ? "PKG" : "DIE", {}, m_draft.map, m_draft.masks.no_package_level});
        m_out.warnings = std::move(m_draft.warnings);
        per_cpu_facts();
        m_out.base.assign(m_n, std::nullopt);
        for (const auto cpu : m_out.map) add_chain(cpu);
        m_out.nr_sgc = static_cast<std::uint32_t>(m_sgc.size());
        shortcuts();
        return std::move(m_out);
    }

private:
    [[nodiscard]] bool old() const { return m_draft.profile == DomainProfile::V4_7; }

    void per_cpu_facts() {
        m_out.node_of = m_draft.masks.node;
        for (std::uint32_t c = 0; c < m_n; ++c) {
            const auto& threads = m_draft.spans[m_draft.masks.core[c]];
            m_out.smt.push_back(threads);
            m_out.core_of.push_back(threads.first()->value);
            const auto cluster = m_draft.machine.enclosing(CpuId{c}, TreeType::Cluster).first();
            m_out.cluster_of.push_back(cluster ? cluster->value : threads.first()->value);
            const auto own = m_draft.machine.capacity(CpuId{c});
            m_out.cpu_capacity_orig.push_back(own);
            m_out.smt_active = m_out.smt_active || threads.count() > 1;
            // smt_gain: a core with threads was worth 15 % more than one without, shared by them.
            const auto siblings = (threads & m_out.map).count();
            m_out.cpu_capacity.push_back(old() && siblings > 1 && m_out.map.test(CpuId{c}) ? 1178 / siblings : own);
            if (m_out.map.test(CpuId{c})) m_out.max_cpu_capacity = std::max(m_out.max_cpu_capacity, m_out.cpu_capacity.back());
        }
    }

    void add_chain(CpuId cpu) {
        const auto& chain = m_draft.chains[cpu.index()];
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const auto id = DomainId{static_cast<std::uint32_t>(m_out.domains.size())};
            auto d = make(chain[i]);
            d.id = id;
            d.owner = cpu;
            if (i == 0) m_out.base[cpu.index()] = id;
            else {
                d.child = DomainId{id.value - 1};
                m_out.domains.back().parent = id;
            }
            m_out.domains.push_back(std::move(d));
        }
    }

    [[nodiscard]] SchedDomain make(const DraftDomain& draft) {
        SchedDomain d;
        d.name = m_draft.masks.levels[draft.level].name;
        d.level = draft.level;
        d.span = m_draft.spans[draft.span];
        d.weight = m_draft.spans.weight(draft.span);
        d.flags = draft.flags;
        d.min_interval = draft.weight0;
        d.max_interval = 2 * draft.weight0;
        d.busy_factor = old() ? 32 : 16;
        d.imb_numa_nr = draft.imb_numa_nr;
        if (d.has(SdFlag::SHARE_CPUCAPACITY)) {
            d.imbalance_pct = 110;
        } else if (d.has(SdFlag::SHARE_LLC)) {
            d.imbalance_pct = 117;
            d.cache_nice_tries = 1;
            d.busy_idx = old() ? 2 : 0;
        } else {
            d.imbalance_pct = old() ? 125 : 117;
            d.cache_nice_tries = d.has(SdFlag::NUMA) ? 2 : 1;
            d.busy_idx = !old() ? 0 : d.has(SdFlag::NUMA) ? 3 : 2;
            d.idle_idx = !old() ? 0 : d.has(SdFlag::NUMA) ? 2 : 1;
        }
        place_ring(draft, d);
        return d;
    }

    // Rings that differ only in where they begin are one.
    void place_ring(const DraftDomain& draft, SchedDomain& d) {
        const auto& ring = m_draft.rings[draft.ring];
        const auto lowest = static_cast<std::uint32_t>(
            std::min_element(ring.begin(), ring.end(), [](const auto& a, const auto& b) { return a.span < b.span; }) - ring.begin());
        const auto size = static_cast<std::uint32_t>(ring.size());
        std::vector<DraftGroup> key(ring.begin() + lowest, ring.end());
        key.insert(key.end(), ring.begin(), ring.begin() + lowest);
        const auto [it, fresh] = m_rings.try_emplace(std::move(key), std::pair{0U, lowest});
        auto& [index, shift] = it->second;
        if (fresh) {
            index = static_cast<std::uint32_t>(m_out.rings.size());
            auto& groups = m_out.rings.emplace_back();
            for (const auto& g : ring) groups.push_back(make(g));
        }
        d.ring = index;
        d.ring_first = (draft.ring_first + size - lowest + shift) % size;
    }

    [[nodiscard]] SchedGroup make(const DraftGroup& draft) {
        SchedGroup g;
        g.span = m_draft.spans[draft.span];
        g.balance_mask = m_draft.spans[draft.balance_mask];
        g.flags = draft.flags;
        g.weight = m_draft.spans.weight(draft.span);
        const auto [it, fresh] = m_totals.try_emplace(draft.span);
        if (fresh) {
            auto rest = g.span;
            for (const auto cpu : g.span) it->second.second += m_out.cpu_capacity[cpu.index()];
            for (auto cpu = rest.first(); cpu; cpu = rest.first(), ++it->second.first) rest -= m_out.smt[cpu->index()];
        }
        g.cores = it->second.first;
        g.capacity = it->second.second;
        g.sgc = m_sgc.try_emplace({draft.level, *g.balance_mask.first()}, static_cast<std::uint32_t>(m_sgc.size())).first->second;
        return g;
    }

    void shortcuts() {
        m_out.sd_llc.assign(m_n, std::nullopt);
        m_out.sd_busy = m_out.sd_numa = m_out.sd_asym_cpucapacity = m_out.sd_llc;
        m_out.sd_llc_size.assign(m_n, 1);
        for (std::uint32_t c = 0; c < m_n; ++c) m_out.sd_llc_id.emplace_back(c);
        m_out.sd_share_id = m_out.sd_llc_id;
        for (const auto cpu : m_out.map) shortcuts_of(cpu);
        number_llcs();
    }

    void shortcuts_of(CpuId cpu) {
        const auto c = cpu.index();
        bool below_llc = true;
        std::optional<DomainId> cluster;
        for (const auto* d = m_out.lowest(cpu); d != nullptr; d = m_out.parent(*d)) {
            below_llc = below_llc && d->has(SdFlag::SHARE_LLC);
            if (below_llc) m_out.sd_llc[c] = d->id;
            if (d->has(SdFlag::NUMA) && !m_out.sd_numa[c]) m_out.sd_numa[c] = d->id;
            if (d->has(SdFlag::ASYM_CPUCAPACITY_FULL) && !m_out.sd_asym_cpucapacity[c]) m_out.sd_asym_cpucapacity[c] = d->id;
            if (d->has(SdFlag::CLUSTER) && !cluster) cluster = d->id;
        }
        if (m_out.sd_llc[c]) {
            const auto& llc = m_out[*m_out.sd_llc[c]];
            m_out.sd_llc_id[c] = *llc.span.first();
            m_out.sd_llc_size[c] = llc.weight;
            if (old() && m_draft.options.sd_busy) m_out.sd_busy[c] = llc.parent;
        }
        m_out.sd_share_id[c] = cluster ? *m_out[*cluster].span.first() : m_out.sd_llc_id[c];
        m_out.cluster_active = m_out.cluster_active || cluster.has_value();
    }

    // Caches first, by lowest CPU; then a record for each CPU without one, so that every CPU can index the table.
    void number_llcs() {
        m_out.llc.assign(m_n, LlcId{0});
        for (std::uint32_t c = 0; c < m_n; ++c)
            if (m_out.sd_llc[c]) {
                const auto first = m_out.sd_llc_id[c].index();
                m_out.llc[c] = first == c ? LlcId{m_out.nr_llc++} : m_out.llc[first];
            }
        for (std::uint32_t c = 0; c < m_n; ++c)
            if (!m_out.sd_llc[c]) m_out.llc[c] = LlcId{m_out.nr_llc++};
    }

    DraftDomains& m_draft;
    std::uint32_t m_n;
    SchedDomains m_out;
    std::map<std::vector<DraftGroup>, std::pair<std::uint32_t, std::uint32_t>> m_rings; // rotated ring -> index, rotation
    std::map<std::uint32_t, std::pair<std::uint32_t, Capacity>> m_totals;               // span -> cores, capacity
    std::map<std::pair<std::uint32_t, CpuId>, std::uint32_t> m_sgc;                     // level, balance CPU -> record
};

} // namespace

SchedDomains finish_domains(DraftDomains& draft) { return Finisher(draft).run(); }

} // namespace rqscope
