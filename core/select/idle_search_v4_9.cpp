// SPDX-License-Identifier: GPL-3.0-or-later
// The idle search of v4.9 to v4.19 (kernel: select_idle_core, select_idle_cpu, select_idle_smt): an idle core if the hint says
// there is one, then any idle CPU of the cache as far as the waker's idle time pays for the walk, then a sibling of the target.
// v4.9 shuts the walk altogether when avg_idle/512 is below its mean cost; later SIS_PROP makes it shorter instead.
// Source: select.md 3.c, 3.d, 4.
#include "select/selection.h"

namespace rqscope {

std::optional<CpuId> idle_core_walk(PlacementSearch& sel, const CpuMask& llc, CpuId start) {
    auto cpus = sel.mask == nullptr ? llc : llc & *sel.mask;
    std::optional<CpuId> found;
    for_each_cpu_wrap(cpus, start.value, [&](CpuId core) {
        bool idle = true;
        for (const auto cpu : sel.domains.smt[core.index()]) {
            cpus.clear(cpu);
            if (!sel.idle(cpu)) idle = false;
        }
        if (idle) found = core;
        return idle;
    });
    return found;
}

namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kLeastBudget = 4;

std::optional<CpuId> select_idle_core(PlacementSearch& sel, const SchedDomain& llc, CpuId target) {
    if (!sel.domains.smt_active || !test_idle_cores(sel.s, target)) return std::nullopt;
    const auto core = idle_core_walk(sel, llc.span, target);
    if (!core) {
        sel.effects.no_idle_core = sel.domains.llc[target.index()];
        sel.explain({.kind = SelectStep::Kind::HintCleared, .cpu = *llc.span.first()});
    }
    return core;
}

// What one walk may cost: 0 = gate shut, else one more than the number of CPUs it may look at.
std::uint64_t budget(const PlacementSearch& sel, const SchedDomain& llc, DomainId waker_llc, const ScanGate& gate) {
    const auto& f = sel.s.features;
    const bool open = !f.has(Feature::SIS_AVG_CPU) || gate.open();
    if (f.has(Feature::SIS_AVG_CPU))
        sel.explain({.kind = SelectStep::Kind::Gate, .domain = waker_llc, .cpu = sel.walker, .idle = open, .runnable = gate.idle, .load = gate.cost()});
    if (!open) return 0;
    if (placement_profile(sel.s) == PlacementProfile::E49 || !f.has(Feature::SIS_PROP)) return kUnlimited;
    const auto span = llc.weight * gate.idle;
    const auto nr = span > kLeastBudget * gate.cost() ? span / gate.cost() : kLeastBudget;
    sel.explain({.kind = SelectStep::Kind::Budget, .domain = llc.id, .nr = static_cast<std::uint32_t>(nr - 1)});
    return nr;
}

// Sets the reason for giving up when nothing is found.
std::optional<CpuId> select_idle_cpu(PlacementSearch& sel, const SchedDomain& llc, CpuId target, PlaceReason& why) {
    const auto waker_llc = sel.domains.sd_llc[sel.walker.index()];
    const auto gate = scan_gate(sel.s, sel.walker);
    why = PlaceReason::NoBudget;
    if (!waker_llc || !gate) return std::nullopt;
    auto nr = budget(sel, llc, *waker_llc, *gate);
    if (nr == 0) return std::nullopt;
    why = PlaceReason::NoIdleCpu;
    const auto charged = sel.out.check_cost_ns;
    std::optional<CpuId> found;
    for_each_cpu_wrap(llc.span, target.value, [&](CpuId cpu) {
        if (--nr == 0) {
            why = PlaceReason::BudgetOut;
            return true;
        }
        if (sel.allowed(cpu) && sel.idle(cpu)) found = cpu;
        return found.has_value();
    });
    if (why == PlaceReason::BudgetOut) return std::nullopt; // the cost of a walk that was cut short is not learned
    sel.effects.walked = waker_llc;
    sel.effects.walk_ns = sel.out.check_cost_ns - charged;
    return found;
}

std::optional<CpuId> select_idle_smt(PlacementSearch& sel, CpuId target) {
    if (!sel.domains.smt_active) return std::nullopt;
    for (const auto cpu : sel.domains.smt[target.index()])
        if (sel.allowed(cpu) && sel.idle(cpu)) return cpu;
    return std::nullopt;
}

} // namespace

void search_v4_9(PlacementSearch& sel, CpuId target) {
    const auto top = sel.domains.sd_llc[target.index()];
    if (!top) return sel.take(target, PlaceReason::NoIdleCpu);
    const auto& llc = sel.domains[*top];
    if (const auto core = select_idle_core(sel, llc, target)) return sel.take(*core, PlaceReason::IdleCore);
    auto why = PlaceReason::NoIdleCpu;
    if (const auto cpu = select_idle_cpu(sel, llc, target, why)) return sel.take(*cpu, PlaceReason::IdleCpu);
    if (const auto cpu = select_idle_smt(sel, target)) return sel.take(*cpu, PlaceReason::IdleSmt);
    sel.take(target, why);
}

} // namespace rqscope
