// SPDX-License-Identifier: GPL-3.0-or-later
// The idle search of v5.12 to v6.12 (kernel: select_idle_sibling after its first tests, select_idle_smt, select_idle_cpu,
// select_idle_core, select_idle_capacity). One walk from target + 1 that ends with the target: it asks for idle cores while the
// hint is lit, else for idle CPUs within a budget from the cache's fill level (SIS_UTIL) or the waker's idle time (SIS_PROP).
// CLUSTER_SCAN lets it visit the target's cluster first. Source: select.md 3.d to 3.g, 4.
#include "select/selection.h"

namespace rqscope {

namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kLeastBudget = 4;

class IdleScan {
public:
    IdleScan(PlacementSearch& sel, const SchedDomain& llc, CpuId target, bool core_hint)
        : m_sel(sel), m_llc(llc), m_target(target), m_hint(core_hint),
          m_cpus(sel.mask == nullptr ? llc.span : llc.span & *sel.mask) {}

    // True: out is set. False: nothing, and why() says how it ended.
    bool run() {
        if (!set_budget()) return false;
        const auto charged = m_sel.out.check_cost_ns;
        if (const auto* cluster = cluster_span()) {
            if (const auto end = walk(*cluster, PlaceReason::IdleCpuOfCluster); end != End::Nothing) return end == End::Found;
            m_cpus -= *cluster;
        }
        const auto end = walk(m_cpus, PlaceReason::IdleCpu);
        if (end == End::OutOfBudget || (end == End::Found && m_hint)) return end == End::Found;
        if (m_hint) clear_hint();
        if (m_waker_llc) {
            m_sel.effects.walked = m_waker_llc;
            m_sel.effects.walk_ns = m_sel.out.check_cost_ns - charged;
            m_sel.effects.spends_wake_avg_idle = true;
        }
        if (end == End::Found) return true;
        if (m_idle_thread) m_sel.take(*m_idle_thread, PlaceReason::IdleThread);
        return m_idle_thread.has_value();
    }

    [[nodiscard]] PlaceReason why() const { return m_why; }

private:
    enum class End : std::uint8_t { Found, Nothing, OutOfBudget };

    // False: not a single CPU may be looked at.
    bool set_budget() {
        const auto& f = m_sel.s.features;
        if (f.has(Feature::SIS_PROP) && !m_hint && !prop_budget()) return false;
        if (f.has(Feature::SIS_UTIL)) {
            m_nr = std::int64_t{m_sel.s.llc_rt[m_sel.domains.llc[m_target.index()].index()].nr_idle_scan} + 1;
            explain_budget();
            if (m_nr == 1) {
                m_why = PlaceReason::NoBudget;
                return false;
            }
        }
        return true;
    }

    bool prop_budget() {
        m_waker_llc = m_sel.domains.sd_llc[m_sel.walker.index()];
        if (!m_waker_llc) {
            m_why = PlaceReason::NoBudget;
            return false;
        }
        m_sel.effects.ages_wake_avg_idle = true;
        const auto cost = m_sel.s.domain_rt[m_waker_llc->index()].avg_scan_cost + 1;
        const auto span = m_llc.weight * aged_wake_avg_idle(m_sel.s, m_sel.walker);
        m_nr = static_cast<std::int64_t>(span > kLeastBudget * cost ? span / cost : kLeastBudget);
        explain_budget();
        return true;
    }

    void explain_budget() const {
        if (m_sel.explains())
            m_sel.explain({.kind = SelectStep::Kind::Budget, .domain = m_llc.id, .cpu = m_target, .nr = static_cast<std::uint32_t>(m_nr - 1)});
    }

    // As posted: the lowest domain that is a cluster. As merged: the target's group of the cache domain, if that is a cluster.
    [[nodiscard]] const CpuMask* cluster_span() const {
        const auto mode = m_sel.s.features.value(Feature::CLUSTER_SCAN);
        if (mode == 0 || !m_sel.domains.cluster_active) return nullptr;
        if (mode == kScanMerged) {
            const auto& group = m_sel.domains.group(m_llc, 0);
            return (group.flags & bit(SdFlag::CLUSTER)) != 0 ? &group.span : nullptr;
        }
        for (const auto* sd = m_sel.domains.lowest(m_target); sd != nullptr; sd = m_sel.domains.parent(*sd))
            if (sd->has(SdFlag::CLUSTER)) return &sd->span;
        return nullptr;
    }

    End walk(const CpuMask& span, PlaceReason reason) {
        auto end = End::Nothing;
        for_each_cpu_wrap(span, m_target.value + 1, [&](CpuId cpu) {
            if (!m_cpus.test(cpu)) return false;
            if (m_hint) {
                if (core_idle(cpu)) end = found(cpu, PlaceReason::IdleCore);
            } else if (--m_nr <= 0) {
                m_why = PlaceReason::BudgetOut;
                end = End::OutOfBudget;
            } else if (m_sel.idle_or_sched_idle(cpu)) {
                end = found(cpu, reason);
            }
            return end != End::Nothing;
        });
        return end;
    }

    End found(CpuId cpu, PlaceReason reason) {
        m_sel.take(cpu, reason);
        return End::Found;
    }

    // Looks at the threads of the core until the answer is clear and an idle thread is known to fall back on; a core that is
    // not idle leaves the walk.
    bool core_idle(CpuId core) {
        const auto& threads = m_sel.domains.smt[core.index()];
        bool idle = true;
        for (const auto cpu : threads) {
            if (m_sel.idle(cpu)) {
                if (!m_idle_thread && m_cpus.test(cpu)) m_idle_thread = cpu;
                continue;
            }
            idle = false;
            if (m_idle_thread) break;
            if (m_sel.sched_idle(cpu) && m_cpus.test(cpu)) {
                m_idle_thread = cpu;
                break;
            }
        }
        if (!idle) m_cpus -= threads;
        return idle;
    }

    void clear_hint() {
        m_sel.effects.no_idle_core = m_sel.domains.llc[m_target.index()];
        m_sel.explain({.kind = SelectStep::Kind::HintCleared, .cpu = *m_llc.span.first()});
    }

    PlacementSearch& m_sel;
    const SchedDomain& m_llc;
    CpuId m_target;
    bool m_hint;
    CpuMask m_cpus; // still to be looked at
    std::int64_t m_nr = kUnlimited; // one more than the CPUs that may still be looked at
    std::optional<CpuId> m_idle_thread;
    std::optional<DomainId> m_waker_llc; // set while SIS_PROP keeps accounts
    PlaceReason m_why = PlaceReason::NoIdleCpu;
};

// Asymmetric capacity: the whole asymmetric domain is walked instead of the cache.
void select_idle_capacity(PlacementSearch& sel, const SchedDomain& sd, CpuId target) {
    std::optional<CpuId> fits, largest;
    for_each_cpu_wrap(sd.span, target.value, [&](CpuId cpu) {
        if (!sel.allowed(cpu) || !sel.idle_or_sched_idle(cpu)) return false;
        if (task_fits_cpu(sel.s, sel.p, cpu)) fits = cpu;
        else if (!largest || sel.s.capacity_of(cpu) > sel.s.capacity_of(*largest)) largest = cpu;
        return fits.has_value();
    });
    if (fits) return sel.take(*fits, PlaceReason::CapacityFits);
    if (largest) return sel.take(*largest, PlaceReason::CapacityLargest);
    sel.take(target, PlaceReason::NoIdleCpu);
}

// The other threads of prev's core, as far as they are in target's cache.
std::optional<CpuId> select_idle_smt(PlacementSearch& sel, const SchedDomain& llc, CpuId prev) {
    for (const auto cpu : sel.domains.smt[prev.index()])
        if (cpu != prev && sel.allowed(cpu) && llc.span.test(cpu) && sel.idle_or_sched_idle(cpu)) return cpu;
    return std::nullopt;
}

} // namespace

void search_v6_1(PlacementSearch& sel, CpuId prev, CpuId target, std::optional<CpuId> prev_aside) {
    const auto recent = sel.s.se[sel.p.index()].recent_used_cpu;
    sel.effects.recent_of_task = prev;
    std::optional<CpuId> recent_aside;
    if (recent_is_idle(sel, recent, prev, target)) {
        if (!only_aside(sel, recent, target)) return sel.take(recent, PlaceReason::RecentIdle);
        recent_aside = recent;
    }
    if (const auto asym = sel.domains.sd_asym_cpucapacity[target.index()]) return select_idle_capacity(sel, sel.domains[*asym], target);
    const auto top = sel.domains.sd_llc[target.index()];
    if (!top) return sel.take(target, PlaceReason::NoIdleCpu);
    const auto& llc = sel.domains[*top];
    bool hint = false;
    if (sel.domains.smt_active) {
        hint = test_idle_cores(sel.s, target);
        if (!hint && sel.s.features.has(Feature::SMT_PREV) && sel.domains.share_cache(prev, target))
            if (const auto cpu = select_idle_smt(sel, llc, prev)) return sel.take(*cpu, PlaceReason::IdleSmt);
    }
    IdleScan scan(sel, llc, target, hint);
    if (scan.run()) return;
    if (prev_aside) return sel.take(*prev_aside, PlaceReason::FallbackPrev);
    if (recent_aside) return sel.take(*recent_aside, PlaceReason::FallbackRecent);
    sel.take(target, scan.why());
}

} // namespace rqscope
