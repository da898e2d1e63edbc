// SPDX-License-Identifier: GPL-3.0-or-later
// The search is deterministic once target, recent_used_cpu, hint and budget are fixed, so it is run for each combination.
// A budget in between ends the walk early or not at all: "none" and "unlimited" give the same CPUs.
#include "conformance/decision_wake_set.h"

#include <optional>

namespace rqscope {

namespace {

struct Assumed {
    CpuId target;
    bool idle_core_hint = false;
    bool budget = false;
};

struct Choice {
    CpuId cpu;
    bool recent_renewed = false; // the search came so far that recent_used_cpu became prev
};

class IdleSearch {
public:
    IdleSearch(const SchedDomains& domains, const Decision& d, const Assumed& assumed)
        : m_domains(domains), m_d(d), m_assumed(assumed), m_target(assumed.target), m_llc(llc_span(domains, assumed.target)),
          m_cluster(cluster_span(domains, assumed.target)) {}

    // Whether a recent_used_cpu of this value changes the outcome.
    [[nodiscard]] bool usable(CpuId recent) const {
        return recent != m_d.prev && recent != m_target && m_llc.test(recent) && idle(recent);
    }

    // `recent` = a usable value, empty = one that is not.
    Choice run(std::optional<CpuId> recent) {
        if (idle(m_target)) return {m_target};
        std::optional<CpuId> fallback; // remembered by the cluster scan instead of being taken
        const bool prev_shares = m_d.prev != m_target && m_llc.test(m_d.prev);
        if (prev_shares && idle(m_d.prev)) {
            if (near(m_d.prev)) return {m_d.prev};
            fallback = m_d.prev;
        }
        if (recent) {
            if (near(*recent)) return {*recent, true};
            if (!fallback) fallback = recent;
        }
        if (!m_assumed.idle_core_hint && m_llc.test(m_d.prev))
            if (const auto sibling = idle_sibling_of_prev()) return {*sibling, true};
        if (m_assumed.budget)
            if (const auto found = scan()) return {*found, true};
        return {fallback.value_or(m_target), true};
    }

private:
    [[nodiscard]] bool idle(CpuId cpu) const { return m_d.idle.test(cpu); }

    // The test behind share_cache: with clusters an idle CPU of another one is only remembered.
    [[nodiscard]] bool near(CpuId cpu) const {
        return !m_domains.cluster_active || m_domains.sd_share_id[cpu.index()] == m_domains.sd_share_id[m_target.index()];
    }
    [[nodiscard]] std::optional<CpuId> idle_sibling_of_prev() const {
        for (const auto cpu : m_domains.smt[m_d.prev.index()] & m_llc)
            if (cpu != m_d.prev && idle(cpu)) return cpu;
        return std::nullopt;
    }

    std::optional<CpuId> scan() {
        m_left = m_llc;
        if (const auto found = walk(m_cluster)) return found;
        m_left -= m_cluster;
        if (const auto found = walk(m_llc)) return found;
        return m_idle_thread;
    }
    // From the CPU behind the target round to it.
    std::optional<CpuId> walk(const CpuMask& span) {
        for (const bool wrapped : {false, true})
            for (const auto cpu : span) {
                if ((cpu <= m_target) != wrapped || !m_left.test(cpu)) continue;
                if (m_assumed.idle_core_hint ? core_idle(cpu) : idle(cpu)) return cpu;
            }
        return std::nullopt;
    }
    // Looks at the threads of one core; keeps the first idle one of all cores seen.
    bool core_idle(CpuId cpu) {
        const auto& core = m_domains.smt[cpu.index()];
        m_left -= core;
        bool whole = true;
        for (const auto thread : core) {
            if (!idle(thread)) whole = false;
            else if (!m_idle_thread) m_idle_thread = thread;
        }
        return whole;
    }

    const SchedDomains& m_domains;
    const Decision& m_d;
    const Assumed& m_assumed;
    CpuId m_target;
    CpuMask m_llc, m_cluster, m_left;
    std::optional<CpuId> m_idle_thread;
};

// What wake_affine may answer. Without an idle rule that decides, loads do, which are not recorded.
CpuMask targets(const SchedDomains& domains, const Decision& d) {
    auto out = CpuMask::single(d.prev);
    if (d.waker_cpu == d.prev) return out;
    const auto* sd = domains.lowest(d.waker_cpu);
    while (sd != nullptr && !(sd->has(SdFlag::WAKE_AFFINE) && sd->span.test(d.prev))) sd = domains.parent(*sd);
    if (sd == nullptr) return out;
    const bool prev_idle = d.idle.test(d.prev);
    if (d.idle.test(d.waker_cpu) && domains.share_cache(d.waker_cpu, d.prev))
        return prev_idle ? out : CpuMask::single(d.waker_cpu);
    const bool sync_pulls = d.nr[d.waker_cpu.index()] == 1;
    if (sync_pulls || !prev_idle) out.set(d.waker_cpu);
    return out;
}

bool has_smt(const SchedDomains& domains) {
    for (const auto cpu : domains.map)
        if (domains.smt[cpu.index()].count() > 1) return true;
    return false;
}

class WakeSetBuilder {
public:
    WakeSetBuilder(const SchedDomains& domains, const Decision& d, const CpuMask& recent)
        : m_domains(domains), m_d(d), m_recent(recent), m_out{CpuMask::single(d.prev), {}} {}

    WakeSet run() {
        const bool smt = has_smt(m_domains);
        for (const auto target : targets(m_domains, m_d))
            for (const bool hint : {false, true})
                for (const bool budget : {false, true})
                    if (smt || !hint) search({target, hint, budget});
        if (m_d.chosen == m_d.prev) m_out.recent |= m_recent; // it may have selected nothing
        if (m_out.recent.empty()) m_out.recent = m_recent | CpuMask::single(m_d.prev);
        return std::move(m_out);
    }

private:
    void search(const Assumed& assumed) {
        auto unusable = m_recent;
        for (const auto cpu : m_recent) {
            if (!IdleSearch(m_domains, m_d, assumed).usable(cpu)) continue;
            unusable.clear(cpu);
            note(IdleSearch(m_domains, m_d, assumed).run(cpu), CpuMask::single(cpu));
        }
        if (!unusable.empty()) note(IdleSearch(m_domains, m_d, assumed).run(std::nullopt), unusable);
    }
    void note(const Choice& choice, const CpuMask& recent) {
        m_out.cpus.set(choice.cpu);
        if (choice.cpu != m_d.chosen) return;
        if (choice.recent_renewed) m_out.recent.set(m_d.prev);
        else m_out.recent |= recent;
    }

    const SchedDomains& m_domains;
    const Decision& m_d;
    const CpuMask& m_recent;
    WakeSet m_out;
};

} // namespace

CpuMask llc_span(const SchedDomains& domains, CpuId cpu) {
    const auto& llc = domains.sd_llc[cpu.index()];
    return llc ? domains[*llc].span : CpuMask::single(cpu);
}

CpuMask cluster_span(const SchedDomains& domains, CpuId cpu) {
    const auto& llc = domains.sd_llc[cpu.index()];
    if (!domains.cluster_active || !llc) return {};
    const auto& first = domains.group(domains[*llc], 0); // of the LLC's ring: the one that holds `cpu`
    return (first.flags & bit(SdFlag::CLUSTER)) != 0 ? first.span : CpuMask{};
}

WakeSet wake_set(const SchedDomains& domains, const Decision& d, const CpuMask& recent) {
    return WakeSetBuilder(domains, d, recent).run();
}

} // namespace rqscope
