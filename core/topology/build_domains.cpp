// SPDX-License-Identifier: GPL-3.0-or-later
// Entry of the domain builder: partitions, chains with their flags, allowed imbalance (kernel: build_sched_domains,
// sd_init; topology.md 1.2, 1.3, 1.5). Parameters that follow from level and flags alone are filled in by finish_domains().
#include "topology/build_domains.h"

#include "topology/domain_draft.h"

#include <algorithm>
#include <set>

namespace rqscope {

std::uint32_t effective_reclaim_distance(const Machine& machine, DomainProfile profile) {
    if (machine.arch == Arch::X86Zen && profile == DomainProfile::V4_7) return 30;
    if (machine.node_reclaim_distance) return *machine.node_reclaim_distance;
    switch (machine.arch) {
    case Arch::X86Zen: return 32;
    case Arch::PowerPC: return 10;
    case Arch::Ia64: return 15;
    default: return 30;
    }
}

namespace {

// ASYM_CPUCAPACITY for spans that hold several capacities, _FULL when they hold all of the partition's (5.14 and later).
class AsymClassifier {
public:
    AsymClassifier(const DraftDomains& draft, const CpuMask& map) : m_draft(draft), m_all(capacities(map)) {}

    SdFlags flags(std::uint32_t span) {
        if (m_all.size() < 2 || m_draft.profile == DomainProfile::V4_7) return 0;
        const auto [it, fresh] = m_known.try_emplace(span, 0U);
        if (fresh) {
            const auto own = capacities(m_draft.spans[span]).size();
            if (own >= 2) it->second = bit(SdFlag::ASYM_CPUCAPACITY);
            if (own == m_all.size()) it->second |= bit(SdFlag::ASYM_CPUCAPACITY_FULL);
        }
        return it->second;
    }

private:
    [[nodiscard]] std::set<Capacity> capacities(const CpuMask& cpus) const {
        std::set<Capacity> out;
        for (const auto cpu : cpus) out.insert(m_draft.machine.capacity(cpu));
        return out;
    }
    const DraftDomains& m_draft;
    std::set<Capacity> m_all;
    std::map<std::uint32_t, SdFlags> m_known;
};

SdFlags initial_flags(const TopologyLevel& level, DomainProfile profile, std::uint32_t reclaim_distance) {
    auto flags = bit(SdFlag::BALANCE_NEWIDLE) | bit(SdFlag::BALANCE_EXEC) | bit(SdFlag::BALANCE_FORK) | bit(SdFlag::WAKE_AFFINE) | level.flags;
    const bool old = profile == DomainProfile::V4_7;
    if (old) flags |= bit(SdFlag::LOAD_BALANCE);
    if (level.numa()) {
        flags |= bit(SdFlag::SERIALIZE) | bit(SdFlag::OVERLAP);
        if (level.distance > reclaim_distance)
            flags &= ~(bit(SdFlag::BALANCE_EXEC) | bit(SdFlag::BALANCE_FORK) | bit(SdFlag::WAKE_AFFINE));
        return flags;
    }
    // Until 4.19 caches below the package did not spread: only SMT and DIE preferred siblings.
    const bool smt = (flags & bit(SdFlag::SHARE_CPUCAPACITY)) != 0;
    const bool cache = !smt && (flags & bit(SdFlag::SHARE_LLC)) != 0;
    if (!old || !cache) flags |= bit(SdFlag::PREFER_SIBLING);
    return flags;
}

void build_chain(DraftDomains& draft, CpuId cpu, std::uint32_t map_id, std::uint32_t reclaim_distance, AsymClassifier& asym) {
    auto& chain = draft.chains[cpu.index()];
    for (std::uint32_t i = 0; i < draft.masks.levels.size(); ++i) {
        const auto& level = draft.masks.levels[i];
        const auto mask = level.mask[cpu.index()];
        DraftDomain d;
        d.level = i;
        d.span = draft.spans.intern(draft.spans[mask] & draft.spans[map_id]);
        if (!chain.empty() && chain.back().span == map_id) {
            // Nothing is above a domain of the whole partition; people still ask where the level is.
            if (!level.numa()) draft.note_removed(d, cpu, "not built: " + draft.masks.levels[chain.back().level].name + " already holds all CPUs");
            continue;
        }
        d.weight0 = draft.spans.weight(mask);
        if (!chain.empty() && !draft.spans[chain.back().span].subset_of(draft.spans[d.span])) {
            draft.warnings.push_back("CPU " + std::to_string(cpu.value) + ": " + level.name + " " + draft.spans[d.span].to_list() +
                                     " does not hold the level below; widened.");
            d.span = draft.spans.intern(draft.spans[d.span] | draft.spans[chain.back().span]);
        }
        d.flags = initial_flags(level, draft.profile, reclaim_distance) | asym.flags(d.span);
        if ((d.flags & bit(SdFlag::ASYM_CPUCAPACITY)) != 0) {
            if (!chain.empty()) chain.back().flags &= ~bit(SdFlag::PREFER_SIBLING);
            if ((d.flags & bit(SdFlag::SHARE_CPUCAPACITY)) != 0)
                draft.warnings.push_back("CPU " + std::to_string(cpu.value) + ": threads of one core have different capacities.");
        }
        chain.push_back(d);
    }
}

} // namespace

void build_chains(DraftDomains& draft, const CpuMask& map) {
    AsymClassifier asym(draft, map);
    const auto map_id = draft.spans.intern(map);
    const auto reclaim = effective_reclaim_distance(draft.machine, draft.profile);
    for (const auto cpu : map) build_chain(draft, cpu, map_id, reclaim, asym);
}

void set_imb_numa_nr(DraftDomains& draft, const CpuMask& map) {
    if (draft.profile == DomainProfile::V4_7) return;
    const auto llc = bit(SdFlag::SHARE_LLC);
    for (const auto cpu : map) {
        auto& chain = draft.chains[cpu.index()];
        std::uint32_t imb = 0;
        std::uint32_t base = 1;
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const auto weight = draft.spans.weight(chain[i].span);
            if ((chain[i].flags & llc) != 0 || i == 0 || (chain[i - 1].flags & llc) == 0) {
                chain[i].imb_numa_nr = imb * std::max(1U, weight / base);
                continue;
            }
            // The first level above the last-level cache sets the scale.
            const auto llcs = weight / draft.spans.weight(chain[i - 1].span);
            imb = std::max(1U, llcs == 1 ? weight / 8 : llcs);
            chain[i].imb_numa_nr = imb;
            const auto numa = std::find_if(chain.begin() + static_cast<std::ptrdiff_t>(i) + 1, chain.end(),
                                           [](const auto& d) { return (d.flags & bit(SdFlag::NUMA)) != 0; });
            base = numa == chain.end() ? weight : draft.spans.weight(numa->span);
        }
    }
}

Result<SchedDomains> build_domains(const Machine& machine, DomainProfile profile, const CpuMask& online, const DomainOptions& options) {
    if (const auto extra = online - machine.possible; !extra.empty())
        return Problem{"online", "CPU " + extra.to_list() + " does not exist on this machine (possible: " + machine.possible.to_list() + ")."};
    DraftDomains draft{machine, profile, options, online};
    draft.masks = level_masks(machine, profile, online, options, draft.spans);
    draft.chains.resize(machine.nr_cpu_ids());
    if (const auto text = partial_overlap(draft.masks, draft.spans, online); !text.empty()) return Problem{"tree", text};

    auto partitions = machine.partitions;
    if (!machine.partitions_stated) partitions = {online};
    for (const auto& partition : partitions) {
        const auto map = (partition & online) - machine.isolated;
        if (map.empty()) continue;
        draft.map |= map;
        build_chains(draft, map);
        build_groups(draft, map);
        set_imb_numa_nr(draft, map);
        remove_degenerate(draft, map);
    }
    if (draft.map.empty()) return Problem{"online", "no CPU is left for scheduling domains."};
    return finish_domains(draft);
}

} // namespace rqscope
