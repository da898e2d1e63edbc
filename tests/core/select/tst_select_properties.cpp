// SPDX-License-Identifier: GPL-3.0-or-later
// What holds in every state, tried on random ones: which eras agree, where a task may land, that choosing changes nothing, and
// that 6.1 and 6.12 stay inside the sets that decisions-format.md allows.
#include "base/rng.h"
#include "conformance/decision_fork_set.h"
#include "conformance/decision_wake_set.h"
#include "core/select/probe.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

constexpr int kStates = 1000;
enum class Op { Fork, Exec, Wake, SyncWake };
constexpr Op kOps[] = {Op::Fork, Op::Exec, Op::Wake, Op::SyncWake};

SchedDomains with_allowance(SchedDomains domains) {
    for (auto& sd : domains.domains)
        if (sd.has(SdFlag::NUMA)) sd.imb_numa_nr = 2;
    return domains;
}

SchedDomains machine(std::uint64_t which) {
    switch (which) {
    case 0: return mc8();
    case 1: return smt4();
    case 2: return two_by_four();
    case 3: return four_by_two();
    case 4: return with_allowance(two_nodes_of_four());
    case 5: return two_clusters();
    case 6: return two_smt_clusters();
    default: return big_little();
    }
}
constexpr std::uint64_t kNoNuma = 3, kNoCluster = 4, kEqualCapacity = 6, kAny = 7; // last of machine()

std::uint32_t cpu_below(Rng& rng, std::uint32_t n) { return static_cast<std::uint32_t>(rng.uniform(n - 1)); }

void random_mask(SchedState& s, Rng& rng) {
    CpuMask allowed = CpuMask::single(CpuId{cpu_below(rng, 8)});
    for (std::uint32_t cpu = 0; cpu < 8; ++cpu)
        if (rng.uniform(1) == 0) allowed.set(CpuId{cpu});
    s.se[kTask.index()].allowed = 0;
    s.affinity = {allowed};
}

SchedState random_state(Rng& rng, std::uint64_t last_machine) {
    auto s = idle_state(machine(rng.uniform(last_machine)), Era::V6_1);
    s.jiffies = 5;
    const auto most_tasks = 1 + rng.uniform(2);
    for (std::uint32_t cpu = 0; cpu < 8; ++cpu) {
        auto& rq = s.rqs[cpu];
        auto& avg = s.cfs_avg[cpu];
        const auto nr = rng.uniform(1) == 0 ? 0 : static_cast<std::uint32_t>(rng.uniform(most_tasks));
        if (nr != 0) make_busy(s, cpu, rng.uniform(300));
        s.nr_running[cpu] = rq.cfs.nr_running = nr;
        avg.load_avg = avg.runnable_load_avg + rng.uniform(2) * rng.uniform(200);
        avg.util_avg = rng.uniform(1024);
        avg.runnable_avg = rng.uniform(1400);
        rq.idle_stamp = 1000 * (1 + rng.uniform(5));
        rq.avg_idle = rng.uniform(1'000'000);
        rq.wake_avg_idle = rng.uniform(10'000);
        rq.wake_stamp = rng.uniform(5);
    }
    for (auto& sd : s.domain_rt) sd.avg_scan_cost = rng.uniform(3000);
    for (auto& llc : s.llc_rt) llc = {.has_idle_cores = rng.uniform(1) == 0, .nr_idle_scan = static_cast<std::uint32_t>(rng.uniform(8))};
    for (const auto id : {kTask, kWaker}) {
        auto& se = s.se[id.index()];
        se.cpu = CpuId{cpu_below(rng, 8)};
        se.recent_used_cpu = CpuId{cpu_below(rng, 8)};
        se.avg.load_avg = rng.uniform(1024);
        se.avg.util_avg = rng.uniform(1024);
        se.flips.wakee_flips = static_cast<std::uint32_t>(rng.uniform(3) * rng.uniform(30));
    }
    return s;
}

void set_era(SchedState& s, Era era) {
    s.era = era;
    s.features = FeatureSet(era);
}

Placement place(const SelectContext& ctx, Op op, std::uint32_t cpu) {
    switch (op) {
    case Op::Fork: return select_task_rq_fork(ctx, kTask, CpuId{cpu});
    case Op::Exec: return select_task_rq_exec(ctx, kTask, CpuId{cpu});
    default: return select_task_rq_wake(ctx, kTask, kWaker, CpuId{cpu}, op == Op::SyncWake);
    }
}
Found place(const SchedState& s, Op op, std::uint32_t cpu) {
    Explainer explainer;
    const auto p = place({s, &explainer}, op, cpu);
    return found(p, explainer);
}

bool same(const PlaceEffects& a, const PlaceEffects& b) {
    return a.no_idle_core == b.no_idle_core && a.walked == b.walked && a.walk_ns == b.walk_ns && a.recent_of_task == b.recent_of_task &&
           a.ages_wake_avg_idle == b.ages_wake_avg_idle && a.spends_wake_avg_idle == b.spends_wake_avg_idle && a.recent_of_waker == b.recent_of_waker;
}

bool unchanged(const SchedState& a, const SchedState& b) {
    bool same = a.idle == b.idle && a.nr_running == b.nr_running && a.cfs_avg == b.cfs_avg && a.affinity == b.affinity;
    for (std::size_t i = 0; i < a.se.size(); ++i)
        same = same && a.se[i].avg == b.se[i].avg && a.se[i].cpu == b.se[i].cpu && a.se[i].recent_used_cpu == b.se[i].recent_used_cpu &&
               a.se[i].flips.wakee_flips == b.se[i].flips.wakee_flips;
    for (std::size_t i = 0; i < a.rqs.size(); ++i)
        same = same && a.rqs[i].idle_stamp == b.rqs[i].idle_stamp && a.rqs[i].wake_avg_idle == b.rqs[i].wake_avg_idle && a.rqs[i].wake_stamp == b.rqs[i].wake_stamp;
    for (std::size_t i = 0; i < a.llc_rt.size(); ++i) same = same && a.llc_rt[i].has_idle_cores == b.llc_rt[i].has_idle_cores;
    for (std::size_t i = 0; i < a.domain_rt.size(); ++i) same = same && a.domain_rt[i].avg_scan_cost == b.domain_rt[i].avg_scan_cost;
    return same;
}

// The state as a recording would tell it, at 100 us, so that every idle age is known.
Decision decision(const SchedState& s, Op op, std::uint32_t cpu) {
    Decision d;
    d.kind = op == Op::Fork ? DecisionKind::Fork : DecisionKind::Wake;
    d.t_us = 100;
    d.waker_pid = 1;
    d.waker_cpu = CpuId{cpu};
    d.prev = op == Op::Fork ? d.waker_cpu : s.se[kTask.index()].cpu;
    d.nr = s.nr_running;
    d.idle = s.idle;
    for (std::uint32_t c = 0; c < 8; ++c)
        d.idle_us.push_back(s.idle.test(CpuId{c}) ? d.t_us - static_cast<std::int64_t>(s.rqs[c].idle_stamp / 1000) : -1);
    return d;
}

} // namespace

class TestSelectProperties : public QObject {
    Q_OBJECT
private slots:
    void newErasAgreeWithoutClusters() {
        Rng rng(11, 0, 0);
        for (int i = 0; i < kStates; ++i) {
            auto s = random_state(rng, kNoCluster);
            if (rng.uniform(2) == 0) random_mask(s, rng);
            const auto cpu = cpu_below(rng, 8);
            for (const auto op : kOps) {
                set_era(s, Era::V6_1);
                const auto v6_1 = place(s, op, cpu);
                set_era(s, Era::V6_1_CLUSTER_V7);
                QCOMPARE(place(s, op, cpu), v6_1);
                set_era(s, Era::V6_12);
                QCOMPARE(place(s, op, cpu), v6_1);
            }
        }
    }

    // 4.12 and 4.19 part only where the local group of some level has no allowed CPU (empty for the one, full for the other);
    // a parent's own CPU is always allowed. Their other rule, the tie of find_idlest_cpu(), needs the own CPU in a group
    // that is not the local one: never, where groups do not overlap.
    void forksOf412And419Agree() {
        Rng rng(12, 0, 0);
        int parted = 0;
        for (int i = 0; i < kStates; ++i) {
            auto s = random_state(rng, kNoNuma);
            const bool pinned = rng.uniform(1) == 0;
            if (pinned) random_mask(s, rng);
            const auto cpu = cpu_below(rng, 8);
            const bool own_allowed = s.allowed(kTask, CpuId{cpu});
            set_era(s, Era::V4_12);
            const auto v4_12 = place(s, Op::Fork, cpu);
            set_era(s, Era::V4_19);
            const auto v4_19 = place(s, Op::Fork, cpu);
            if (own_allowed) QCOMPARE(v4_19, v4_12);
            else parted += v4_19 != v4_12;
        }
        QVERIFY(parted > 0);
    }

    void landsOnAnAllowedOnlineCpu() {
        Rng rng(13, 0, 0);
        for (int i = 0; i < kStates; ++i) {
            auto s = random_state(rng, kAny);
            if (rng.uniform(1) == 0) random_mask(s, rng);
            s.online.clear(CpuId{cpu_below(rng, 8)});
            const auto cpu = cpu_below(rng, 8);
            for (const auto& info : all_eras()) {
                set_era(s, info.era);
                const auto possible = s.se[kTask.index()].allowed < 0 ? s.online : s.online & s.affinity.front();
                for (const auto op : kOps) {
                    const auto p = place({.s = s}, op, cpu);
                    QVERIFY(s.online.test(p.cpu));
                    QVERIFY(possible.empty() || possible.test(p.cpu));
                }
            }
        }
    }

    void choosingChangesNothing() {
        Rng rng(14, 0, 0);
        for (int i = 0; i < kStates / 2; ++i) {
            auto s = random_state(rng, kAny);
            if (rng.uniform(1) == 0) random_mask(s, rng);
            const auto cpu = cpu_below(rng, 8);
            for (const auto& info : all_eras()) {
                set_era(s, info.era);
                const auto before = s;
                for (const auto op : kOps) {
                    Explainer explainer;
                    PlaceEffects silent_effects, told_effects;
                    const auto silent = place({s, nullptr, &silent_effects}, op, cpu);
                    const auto told = place({s, &explainer, &told_effects}, op, cpu);
                    QCOMPARE(told.cpu, silent.cpu);
                    QCOMPARE(told.reason, silent.reason);
                    QCOMPARE(told.check_cost_ns, silent.check_cost_ns);
                    QCOMPARE(found(told, explainer).checks.size(), std::size_t{silent.nr_checks});
                    QVERIFY(same(told_effects, silent_effects));
                    QVERIFY(unchanged(before, s));
                }
            }
        }
    }

    // F1, W1, W2, and the whole allowed sets: unpinned tasks, walks that go all the way or nowhere.
    void staysInsideTheAllowedSets() {
        Rng rng(15, 0, 0);
        for (int i = 0; i < 2 * kStates; ++i) {
            auto s = random_state(rng, kEqualCapacity);
            for (const auto id : {kTask, kWaker}) s.se[id.index()].flips.wakee_flips = 0;
            for (auto& llc : s.llc_rt) llc.nr_idle_scan = rng.uniform(1) == 0 ? 0 : 8;
            const auto cpu = cpu_below(rng, 8);
            set_era(s, s.domains->cluster_active || rng.uniform(1) == 0 ? Era::V6_12 : Era::V6_1);
            for (const auto op : {Op::Fork, Op::Wake, Op::SyncWake}) {
                if (op != Op::Fork && s.idle.test(CpuId{cpu})) continue; // a running task wakes
                const auto d = decision(s, op, cpu);
                const auto chosen = place(s, op, cpu).cpu;
                const auto& p = s.se[kTask.index()];
                const auto allowed = op == Op::Fork ? fork_set(*s.domains, d) : wake_set(*s.domains, d, CpuMask::single(p.recent_used_cpu)).cpus;
                QVERIFY2(allowed.test(CpuId{chosen}), allowed.to_list().c_str());
                if (op != Op::Fork && !s.domains->cluster_active && s.idle.test(p.cpu) && s.domains->share_cache(p.cpu, CpuId{cpu}))
                    QCOMPARE(chosen, p.cpu.value); // W2
                if (op == Op::Fork) QVERIFY(fork_reach(*s.domains, CpuId{cpu}).test(CpuId{chosen}));
                else QVERIFY(s.domains->share_cache(CpuId{chosen}, p.cpu) || s.domains->share_cache(CpuId{chosen}, CpuId{cpu}));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestSelectProperties)
#include "tst_select_properties.moc"
