// SPDX-License-Identifier: GPL-3.0-or-later
// Lays the written levels out as one chain per CPU. Unlike build_domains() nothing is derived, checked or removed.
#include "conformance/preset_domains.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace rqscope {

namespace {

using enum SdFlag;

SdFlags flags_of(const PresetLevel& level) {
    SdFlags flags = bit(LOAD_BALANCE) | bit(BALANCE_NEWIDLE) | bit(BALANCE_EXEC) | bit(BALANCE_FORK) | bit(WAKE_AFFINE);
    if (level.shares_llc) flags |= bit(SHARE_LLC);
    if (level.is_smt) flags |= bit(SHARE_CPUCAPACITY);
    if (level.is_cluster) flags |= bit(CLUSTER);
    if (level.is_numa) flags |= bit(NUMA) | bit(SERIALIZE) | bit(OVERLAP);
    if (level.is_smt || (!level.shares_llc && !level.is_numa)) flags |= bit(PREFER_SIBLING);
    return flags;
}

class Builder {
public:
    Builder(std::uint32_t nr_cpus, const std::vector<PresetLevel>& levels) : m_levels(levels) {
        d.nr_cpu_ids = nr_cpus;
        d.map = CpuMask::first_n(nr_cpus);
        d.base.resize(nr_cpus);
        d.cpu_capacity.assign(nr_cpus, 1024);
        d.cpu_capacity_orig.assign(nr_cpus, 1024);
        d.max_cpu_capacity = 1024;
        d.node_of.resize(nr_cpus);
        for (auto* table : {&d.sd_llc, &d.sd_busy, &d.sd_numa, &d.sd_asym_cpucapacity}) table->resize(nr_cpus);
        d.sd_llc_size.assign(nr_cpus, 1);
        d.llc.resize(nr_cpus);
        for (std::uint32_t i = 0; i < nr_cpus; ++i) {
            d.smt.push_back(CpuMask::single(CpuId{i}));
            d.core_of.push_back(i);
            d.sd_llc_id.push_back(CpuId{i});
        }
        for (std::size_t i = 0; i < levels.size(); ++i)
            for (const auto& span : levels[i].spans) add_span(i, span);
        d.sd_share_id = d.sd_llc_id;
        shortcuts();
    }

    SchedDomains d;

private:
    // One ring for all owners of the span, then one domain per owner.
    void add_span(std::size_t level, const CpuMask& span) {
        const auto ring = static_cast<std::uint32_t>(d.rings.size());
        d.rings.push_back(groups_of(level, span));
        for (const auto cpu : span) {
            auto sd = parameters(level, span);
            sd.id = DomainId{static_cast<std::uint32_t>(d.domains.size())};
            sd.owner = cpu;
            sd.ring = ring;
            const auto& groups = d.rings[ring];
            const auto own = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.span.test(cpu); });
            SCHED_CHECK(own != groups.end());
            sd.ring_first = static_cast<std::uint32_t>(own - groups.begin());
            link(sd);
            d.domains.push_back(std::move(sd));
        }
    }

    SchedDomain parameters(std::size_t level, const CpuMask& span) const {
        const auto& written = m_levels[level];
        SchedDomain sd;
        sd.name = written.name;
        sd.level = static_cast<std::uint32_t>(level);
        sd.span = span;
        sd.weight = span.count();
        sd.flags = flags_of(written);
        sd.imbalance_pct = written.imbalance_pct;
        sd.min_interval = sd.weight;
        sd.max_interval = 2 * sd.weight;
        sd.cache_nice_tries = written.is_smt ? 0 : written.is_numa ? 2 : 1;
        sd.busy_idx = written.is_smt ? 0 : written.is_numa ? 3 : 2;
        sd.idle_idx = written.is_numa ? 2 : written.is_smt || written.shares_llc ? 0 : 1;
        return sd;
    }

    std::vector<SchedGroup> groups_of(std::size_t level, const CpuMask& span) {
        std::vector<SchedGroup> groups;
        CpuMask covered;
        for (const auto cpu : span) {
            if (covered.test(cpu)) continue;
            SchedGroup g;
            g.span = level == 0 ? CpuMask::single(cpu) : child_span(level, cpu);
            g.balance_mask = g.span;
            g.flags = level == 0 ? 0 : flags_of(m_levels[level - 1]);
            g.weight = g.span.count();
            g.cores = g.weight;
            g.capacity = 1024 * g.weight;
            g.sgc = d.nr_sgc++;
            covered |= g.span;
            groups.push_back(std::move(g));
        }
        return groups;
    }

    const CpuMask& child_span(std::size_t level, CpuId cpu) const {
        const auto& spans = m_levels[level - 1].spans;
        const auto found = std::find_if(spans.begin(), spans.end(), [&](const auto& s) { return s.test(cpu); });
        SCHED_CHECK(found != spans.end());
        return *found;
    }

    void link(SchedDomain& sd) {
        const auto cpu = sd.owner.index();
        if (!d.base[cpu]) {
            d.base[cpu] = sd.id;
            return;
        }
        auto* below = &d.domains[d.base[cpu]->index()];
        while (below->parent) below = &d.domains[below->parent->index()];
        below->parent = sd.id;
        sd.child = below->id;
    }

    void shortcuts() {
        for (const auto& sd : d.domains) {
            const auto cpu = sd.owner.index();
            if (sd.has(SHARE_CPUCAPACITY)) {
                d.smt[cpu] = sd.span;
                d.smt_active = true;
                d.core_of[cpu] = sd.span.first()->value;
            }
            if (sd.has(NUMA) && !d.sd_numa[cpu]) d.sd_numa[cpu] = sd.id;
            if (!sd.has(SHARE_LLC)) continue;
            d.sd_llc[cpu] = sd.id;
            d.sd_llc_id[cpu] = *sd.span.first();
            d.sd_llc_size[cpu] = sd.weight;
        }
        for (std::uint32_t cpu = 0; cpu < d.nr_cpu_ids; ++cpu) {
            const auto first = d.sd_llc_id[cpu].index();
            d.llc[cpu] = first == cpu ? LlcId{d.nr_llc++} : d.llc[first];
            if (d.sd_llc[cpu]) d.sd_busy[cpu] = d[*d.sd_llc[cpu]].parent;
            d.sd_share_id[cpu] = d.sd_llc_id[cpu];
        }
        d.cluster_of = d.core_of;
        for (const auto& sd : d.domains) {
            if (!sd.has(CLUSTER)) continue;
            d.cluster_active = true;
            d.sd_share_id[sd.owner.index()] = *sd.span.first();
            d.cluster_of[sd.owner.index()] = sd.span.first()->value;
        }
    }

    const std::vector<PresetLevel>& m_levels;
};

} // namespace

SchedDomains preset_domains(std::uint32_t nr_cpus, const std::vector<PresetLevel>& levels) {
    return std::move(Builder(nr_cpus, levels).d);
}

} // namespace rqscope
