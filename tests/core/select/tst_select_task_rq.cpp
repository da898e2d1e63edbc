// SPDX-License-Identifier: GPL-3.0-or-later
// The entries: walk over levels, masks and fallback, and purity on random states (same answer with and without Explainer).
#include "base/rng.h"
#include "core/select/small_machine.h"
#include "select/select.h"

#include <QtTest>

#include <set>

using namespace rqscope;
using namespace rqscope::test;

namespace {

SchedDomains two_nodes() {
    return preset_domains(16, {{.name = "MC", .spans = masks({"0-3", "4-7", "8-11", "12-15"}), .shares_llc = true},
                               {.name = "DIE", .spans = masks({"0-7", "8-15"}), .imbalance_pct = 125},
                               {.name = "NUMA", .spans = masks({"0-15"}), .imbalance_pct = 125, .is_numa = true}});
}

SchedState random_state(Rng& rng) {
    auto s = idle_state(rng.uniform(1) ? two_nodes() : smt4());
    const auto n = s.domains->nr_cpu_ids;
    for (std::uint32_t cpu = 0; cpu < n; ++cpu) {
        if (rng.uniform(2) != 0) make_busy(s, cpu, rng.uniform(2000));
        s.cfs_avg[cpu].load_avg = s.cfs_avg[cpu].runnable_load_avg + rng.uniform(300);
        s.rqs[cpu].idle_stamp = 1 + rng.uniform(5);
    }
    set_fork_rule(s, static_cast<FeatureValue>(rng.uniform(2)));
    auto& p = s.se[kTask.index()];
    p.cpu = CpuId{static_cast<std::uint32_t>(rng.uniform(n - 1))};
    p.avg.load_avg = rng.uniform(1024);
    p.flips.wakee_flips = static_cast<std::uint32_t>(rng.uniform(20));
    s.se[kWaker.index()].flips.wakee_flips = static_cast<std::uint32_t>(rng.uniform(200));
    s.se[kWaker.index()].avg.load_avg = rng.uniform(1024);
    if (rng.uniform(3) == 0) {
        p.allowed = 0;
        s.affinity.emplace_back();
        for (std::uint32_t cpu = 0; cpu < n; ++cpu)
            if (rng.uniform(2) == 0) s.affinity[0].set(CpuId{cpu});
        if (s.affinity[0].empty()) s.affinity[0].set(CpuId{0});
    }
    return s;
}

bool same(const Placement& a, const Placement& b) {
    return a.cpu == b.cpu && a.reason == b.reason && a.nr_checks == b.nr_checks && a.check_cost_ns == b.check_cost_ns &&
           a.has_figures == b.has_figures && a.rival == b.rival && a.chosen_runnable == b.chosen_runnable &&
           a.chosen_load == b.chosen_load && a.rival_runnable == b.rival_runnable && a.rival_load == b.rival_load;
}

bool same(const SchedState& a, const SchedState& b) {
    for (std::size_t i = 0; i < a.se.size(); ++i)
        if (a.se[i].avg != b.se[i].avg || a.se[i].flips.wakee_flips != b.se[i].flips.wakee_flips || a.se[i].cpu != b.se[i].cpu) return false;
    for (std::size_t i = 0; i < a.rqs.size(); ++i)
        if (a.rqs[i].idle_stamp != b.rqs[i].idle_stamp || a.rqs[i].avg_idle != b.rqs[i].avg_idle) return false;
    return a.cfs_avg == b.cfs_avg && a.idle == b.idle && a.nr_running == b.nr_running;
}

} // namespace

class TestSelectTaskRq : public QObject {
    Q_OBJECT
private slots:
    void outerLevelsFirst() {
        auto s = idle_state(two_nodes());
        make_busy(s, 0, 1024);
        make_busy(s, 8, 300);
        Explainer explainer;
        const auto p = select_task_rq_fork({s, &explainer}, kTask, CpuId{0});
        std::vector<std::string> levels;
        std::set<std::uint32_t> owners;
        for (const auto& step : explainer.steps) {
            if (step.kind != SelectStep::Kind::LevelEntered) continue;
            levels.push_back((*s.domains)[step.domain].name);
            owners.insert(step.cpu.value);
        }
        // NUMA -> CPU 9, DIE of 9 -> its other cache, MC there.
        QCOMPARE(levels, (std::vector<std::string>{"NUMA", "DIE", "MC"}));
        QVERIFY(owners.contains(0) && owners.contains(9) && owners.contains(12));
        QCOMPARE(p.cpu, CpuId{13});
        QCOMPARE(p.reason, PlaceReason::ForkIdlestCpu);
        QCOMPARE(explainer.steps.back().kind, SelectStep::Kind::Returned);
    }

    void levelsWithoutForkFlagEndTheClimb() {
        auto domains = two_nodes();
        for (auto& sd : domains.domains)
            if (sd.name == "DIE") sd.flags &= ~bit(SdFlag::BALANCE_FORK);
        auto s = idle_state(std::move(domains));
        make_busy(s, 0, 1024);
        QCOMPARE(select_task_rq_fork({.s = s}, kTask, CpuId{0}).cpu, CpuId{1});
    }

    void noDomain() {
        auto domains = mc4();
        domains.base[0].reset();
        const auto p = select_task_rq_fork({.s = idle_state(std::move(domains))}, kTask, CpuId{0});
        QCOMPARE(p.cpu, CpuId{0});
        QCOMPARE(p.reason, PlaceReason::ForkNoDomain);
        QVERIFY(!p.has_figures);
    }

    // An exec walks as a fork does, but names its own reasons and remembers no CPU.
    void execReasons() {
        for (const auto era : {Era::V4_8, Era::V4_12, Era::V4_19, Era::V6_1, Era::V6_12}) {
            auto s = idle_state(mc4(), era);
            for (const std::uint32_t cpu : {0U, 1U, 3U}) {
                make_busy(s, cpu, 2000);
                s.cfs_avg[cpu].util_avg = 1024;
            }
            PlaceEffects effects;
            const auto moved = select_task_rq_exec({.s = s, .effects = &effects}, kTask, CpuId{0});
            QCOMPARE(moved.cpu, CpuId{2});
            QCOMPARE(moved.reason, PlaceReason::ExecIdlestCpu);
            QVERIFY(!effects.recent_of_task);
            static_cast<void>(select_task_rq_fork({.s = s, .effects = &effects}, kTask, CpuId{1}));
            QCOMPARE(effects.recent_of_task, std::optional{CpuId{1}});
            QCOMPARE(select_task_rq_exec({.s = s}, kTask, CpuId{2}).reason, PlaceReason::ExecLocalGroup);
            auto domains = mc4();
            domains.base[2].reset();
            s.domains = std::make_shared<const SchedDomains>(std::move(domains));
            QCOMPARE(select_task_rq_exec({.s = s}, kTask, CpuId{2}).reason, PlaceReason::ExecNoDomain);
        }
    }

    // Up to 4.13 the walk is made in vain, later it is not begun; the fallback chooses either way.
    void nothingInReachIsAllowed() {
        auto domains = two_by_four();
        for (auto& sd : domains.domains)
            if (sd.name == "DIE") sd.flags &= ~(bit(SdFlag::BALANCE_FORK) | bit(SdFlag::BALANCE_EXEC));
        for (const auto era : {Era::V4_12, Era::V4_19, Era::V6_1, Era::V6_12}) {
            auto s = idle_state(domains, era);
            set_affinity(s, kTask, "5-6");
            const auto forked = select_task_rq_fork({.s = s}, kTask, CpuId{0}), executed = select_task_rq_exec({.s = s}, kTask, CpuId{0});
            QCOMPARE(forked.cpu, CpuId{5});
            QCOMPARE(executed.cpu, CpuId{5});
            QCOMPARE(forked.reason, era == Era::V4_12 ? PlaceReason::NotAllowed : PlaceReason::ForkOutside);
            QCOMPARE(executed.reason, era == Era::V4_12 ? PlaceReason::NotAllowed : PlaceReason::ExecOutside);
        }
    }

    void resultOutsideTheMask() {
        auto s = idle_state(two_by_four());
        set_affinity(s, kTask, "5-6");
        s.se[kTask.index()].cpu = CpuId{1};
        const auto p = select_task_rq_wake({.s = s}, kTask, kWaker, CpuId{0}, false);
        QCOMPARE(p.reason, PlaceReason::NotAllowed);
        QCOMPARE(p.cpu, CpuId{5});
    }

    void fallbackPrefersTheNode() {
        auto domains = two_nodes();
        for (std::size_t cpu = 8; cpu < 16; ++cpu) domains.node_of[cpu] = NodeId{1};
        auto s = idle_state(std::move(domains));
        set_affinity(s, kTask, "1,9");
        s.se[kTask.index()].cpu = CpuId{12};
        QCOMPARE(select_task_rq_wake({.s = s}, kTask, kWaker, CpuId{12}, false).cpu, CpuId{9});
        s.online.clear(CpuId{9});
        QCOMPARE(select_task_rq_wake({.s = s}, kTask, kWaker, CpuId{12}, false).cpu, CpuId{1});
        s.online.clear(CpuId{1});
        QCOMPARE(select_task_rq_wake({.s = s}, kTask, kWaker, CpuId{12}, false).cpu, CpuId{0});
    }

    void offlineIsNotAllowed() {
        auto s = idle_state(mc4());
        s.se[kTask.index()].cpu = CpuId{3};
        s.online.clear(CpuId{3});
        const auto p = select_task_rq_wake({.s = s}, kTask, kWaker, CpuId{3}, false);
        QCOMPARE(p.reason, PlaceReason::NotAllowed);
        QVERIFY(s.online.test(p.cpu));
    }

    void reasonsHaveNames() {
        QCOMPARE(name_of(PlaceReason::ForkIdlestCpu), "ForkIdlestCpu");
        QCOMPARE(name_of(PlaceReason::NotAllowed), "NotAllowed");
    }

    void pureOnRandomStates() {
        Rng rng(7, 0, 0);
        for (int i = 0; i < 3000; ++i) {
            const auto s = random_state(rng);
            const auto before = s;
            const CpuId walker{static_cast<std::uint32_t>(rng.uniform(s.domains->nr_cpu_ids - 1))};
            const bool fork = rng.uniform(1) != 0, sync = rng.uniform(1) != 0;
            Explainer explainer;
            const auto run = [&](Explainer* e) {
                return fork ? select_task_rq_fork({s, e}, kTask, walker) : select_task_rq_wake({s, e}, kTask, kWaker, walker, sync);
            };
            const auto plain = run(nullptr), explained = run(&explainer);
            QVERIFY(same(plain, explained));
            QVERIFY(same(s, before));
            QVERIFY(s.allowed(kTask, plain.cpu));
            std::uint32_t checks = 0, cost = 0;
            for (const auto& step : explainer.steps) {
                if (step.kind != SelectStep::Kind::Check) continue;
                ++checks;
                cost += check_cost(s, walker, step.cpu);
                QCOMPARE(step.idle, s.idle.test(step.cpu));
            }
            QCOMPARE(std::uint32_t{plain.nr_checks}, checks);
            QCOMPARE(plain.check_cost_ns, fork ? 0 : cost);
        }
    }
};

QTEST_APPLESS_MAIN(TestSelectTaskRq)
#include "tst_select_task_rq.moc"
