// SPDX-License-Identifier: GPL-3.0-or-later
// Ties inside the chosen group (select.md 1.4): idle state, then newest stamp, then lowest number; load only without idle CPUs.
#include "select/selection.h"

#include "core/select/small_machine.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

// find_idlest_cpu() over the CPUs 0-3 as one group.
std::uint32_t idlest(const SchedState& s, std::uint32_t this_cpu) {
    const SelectContext ctx{s};
    PlacementSearch sel(ctx, kTask, CpuId{this_cpu}, false);
    SchedGroup group;
    group.span = mask("0-3");
    return find_idlest_cpu(sel, group, CpuId{this_cpu}).value;
}

} // namespace

class TestFindIdlestCpu : public QObject {
    Q_OBJECT
private slots:
    void lowestOfEqualStamps() { QCOMPARE(idlest(idle_state(mc4()), 3), 0U); }

    void newestStamp() {
        auto s = idle_state(mc4());
        s.rqs[2].idle_stamp = 5000;
        s.rqs[3].idle_stamp = 5000;
        QCOMPARE(idlest(s, 0), 2U);
    }

    void shallowestStateBeforeStamp() {
        auto s = idle_state(mc4());
        for (auto& rq : s.rqs) rq.exit_latency = 200;
        s.rqs[0].idle_stamp = 9000;
        s.rqs[1].exit_latency = s.rqs[2].exit_latency = 2;
        s.rqs[1].idle_stamp = 2000;
        s.rqs[2].idle_stamp = 3000;
        QCOMPARE(idlest(s, 0), 2U);
    }

    // Without a stated latency only the stamp counts, against the latency seen so far too.
    void unknownLatency() {
        auto s = idle_state(mc4());
        s.rqs[0].exit_latency = 2;
        s.rqs[1].idle_stamp = 5000;
        QCOMPARE(idlest(s, 0), 1U);
    }

    void stampZeroIsNeverPicked() {
        auto s = idle_state(mc4());
        for (auto& rq : s.rqs) rq.idle_stamp = 0;
        QCOMPARE(idlest(s, 2), 2U);
    }

    void loadOnlyWithoutIdleCpus() {
        auto s = idle_state(mc4());
        make_busy(s, 0, 30);
        make_busy(s, 1, 20);
        make_busy(s, 2, 20);
        make_busy(s, 3, 50);
        QCOMPARE(idlest(s, 0), 1U);
        QCOMPARE(idlest(s, 2), 2U); // the own CPU wins a tie
        s.idle.set(CpuId{3});
        QCOMPARE(idlest(s, 2), 3U);
    }

    // From 4.19 on the own CPU has no advantage, later load_avg counts.
    void equalLoadsByEra() {
        for (const auto era : {Era::V4_8, Era::V4_12, Era::V4_19, Era::V6_1}) {
            auto s = idle_state(mc4(), era);
            for (std::uint32_t cpu = 0; cpu < 4; ++cpu) make_busy(s, cpu, 20, 20);
            QCOMPARE(idlest(s, 2), era < Era::V4_19 ? 2U : 0U);
            s.cfs_avg[3].load_avg = 10;
            QCOMPARE(idlest(s, 2), era == Era::V6_1 ? 3U : era < Era::V4_19 ? 2U : 0U);
            s.cfs_avg[1].runnable_load_avg = 10;
            QCOMPARE(idlest(s, 2), era == Era::V6_1 ? 3U : 1U);
        }
    }

    // A CPU with SCHED_IDLE tasks only ends the walk, even behind an idle one.
    void schedIdleWinsAtOnce() {
        for (const auto era : {Era::V4_19, Era::V6_1, Era::V6_12}) {
            auto s = idle_state(mc4(), era);
            make_busy(s, 0, 5);
            make_busy(s, 2, 900);
            s.rqs[2].cfs.nr_running = 3;
            s.rqs[2].cfs.idle_nr_running = 2;
            QCOMPARE(idlest(s, 0), 1U);
            s.rqs[2].cfs.idle_nr_running = 3;
            QCOMPARE(idlest(s, 0), era == Era::V4_19 ? 1U : 2U);
        }
    }

    // Only before 4.9 is a group of one CPU looked at, so that a stamp of 0 there keeps the task at home.
    void groupOfOne() {
        for (const auto era : {Era::V4_8, Era::V4_8_LOAD_AVG, Era::V4_8_IDLE_WIP, Era::V4_9, Era::V4_12, Era::V4_19, Era::V6_1}) {
            auto s = idle_state(mc4(), era);
            s.rqs[1].idle_stamp = 0;
            const SelectContext ctx{s};
            PlacementSearch sel(ctx, kTask, CpuId{0}, false);
            const auto& group = s.domains->group(*s.domains->lowest(CpuId{0}), 1);
            const bool looked = era < Era::V4_9;
            QCOMPARE(find_idlest_cpu(sel, group, CpuId{0}).value, looked ? 0U : 1U);
            QCOMPARE(sel.out.nr_checks, looked ? 1 : 0);
        }
    }

    void allowedCpusOnly() {
        auto s = idle_state(mc4());
        set_affinity(s, kTask, "2");
        QCOMPARE(idlest(s, 0), 2U);
    }
};

QTEST_APPLESS_MAIN(TestFindIdlestCpu)
#include "tst_find_idlest_cpu.moc"
