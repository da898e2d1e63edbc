// SPDX-License-Identifier: GPL-3.0-or-later
// Fork and exec groups of 4.12 and 4.19 (select.md 1.3): the merged rule is fixed there, an exec looks for spare capacity
// first, and 4.19 is shy of other nodes.
#include "core/select/probe.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

struct Judged {
    int cpu; // first CPU of the group chosen, -1 = the local one
    std::string_view end;
    bool operator==(const Judged&) const = default;
};

[[maybe_unused]] char* toString(const Judged& j) { return qstrdup(qPrintable(QString::number(j.cpu) + " " + QString::fromStdString(std::string(j.end)))); }

Judged judge(const SchedState& s, SlowPath path) {
    Explainer explainer;
    const SelectContext ctx{s, &explainer};
    PlacementSearch sel(ctx, kTask, CpuId{0}, false);
    const auto* top = s.domains->lowest(CpuId{0});
    while (const auto* parent = s.domains->parent(*top)) top = parent;
    const auto found = find_idlest_group(sel, *top, CpuId{0}, path);
    return {found.group == nullptr ? -1 : static_cast<int>(found.group->span.first()->value), explainer.steps.back().verdict};
}
Judged forked(const SchedState& s) { return judge(s, SlowPath::Fork); }
Judged executed(const SchedState& s) { return judge(s, SlowPath::Exec); }

// mc4 with CPUs 0 to 2 as given and CPU 3 far too loaded.
SchedState loads(Era era, std::initializer_list<std::pair<Load, Load>> runnable_and_load) {
    auto s = idle_state(mc4(), era);
    std::uint32_t cpu = 0;
    for (const auto& [runnable, load] : runnable_and_load) make_busy(s, cpu++, runnable, load);
    make_busy(s, 3, 100'000, 100'000);
    return s;
}

// Two groups of four CPUs, imbalance_pct 125: scale 112. The task uses 200 on CPU 0.
SchedState spares(Era era, Util local_used, Util other_used) {
    auto s = busy(two_by_four(), "0-7", era);
    for (std::uint32_t cpu = 0; cpu < 8; ++cpu) s.cfs_avg[cpu].util_avg = 1024;
    s.cfs_avg[1].util_avg = local_used;
    s.cfs_avg[5].util_avg = other_used;
    auto& p = s.se[kTask.index()];
    p.avg.util_avg = 200;
    p.avg.last_update_time = 1;
    p.cpu = CpuId{0};
    return s;
}

constexpr Era kBoth[] = {Era::V4_12, Era::V4_19};

} // namespace

class TestFindIdlestGroupV412 : public QObject {
    Q_OBJECT
private slots:
    // imbalance = 174, scale 108; FORK_LOAD_AVG is not read any more.
    void mergedRule() {
        for (const auto era : kBoth) {
            for (const auto value : {FeatureValue{0}, FeatureValue{1}, FeatureValue{2}}) {
                const auto end = [&](std::pair<Load, Load> local) {
                    auto s = loads(era, {local, {200, 100}, {200, 100}});
                    set_fork_rule(s, value);
                    return forked(s);
                };
                QCOMPARE(end({25, 9000}), (Judged{-1, "local_lighter"}));       // 200 > 25 + 174
                QCOMPARE(end({26, 108}), (Judged{1, "not_local_lighter"}));     // close, 100 * 108 = 108 * 100
                QCOMPARE(end({26, 107}), (Judged{-1, "band_local_lighter"}));
                QCOMPARE(end({373, 107}), (Judged{-1, "band_local_lighter"}));
                QCOMPARE(end({374, 0}), (Judged{1, "not_local_lighter"}));      // 374 = 200 + 174
            }
        }
    }

    void mergedLoop() {
        for (const auto era : kBoth) {
            const auto cpu = [&](std::pair<Load, Load> first, std::pair<Load, Load> second) {
                return forked(loads(era, {{5000, 5000}, first, second})).cpu;
            };
            QCOMPARE(cpu({174, 100}, {0, 100}), 1); // R == min - imb: close
            QCOMPARE(cpu({175, 100}, {0, 100}), 2);
            QCOMPARE(cpu({0, 1000}, {173, 0}), 2);
            QCOMPARE(cpu({0, 1000}, {174, 0}), 1); // R == min + imb: out
            QCOMPARE(cpu({0, 108}, {0, 100}), 1);  // 100 * 108 > 108 * 100 does not hold
            QCOMPARE(cpu({0, 109}, {0, 100}), 2);
        }
    }

    // A local group without an allowed CPU counts as empty before 4.19 and as full from then on.
    void localGroupNotAllowed() {
        for (const auto era : kBoth) {
            auto s = busy(two_by_four(), "5-7", era);
            set_affinity(s, kTask, "5-7");
            QCOMPARE(forked(s), era == Era::V4_12 ? (Judged{-1, "local_lighter"}) : (Judged{4, "not_local_lighter"}));
            for (std::uint32_t cpu = 5; cpu < 8; ++cpu) make_busy(s, cpu, 0, 0);
            QCOMPARE(forked(s).cpu, 4); // nothing is less than nothing
        }
    }

    // 174 is the band of a margin of 117; the child goes only beyond it. runnable of the groups: a quarter of the sum.
    void otherNode() {
        const auto local = [](Era era, Load runnable) {
            auto s = busy(two_nodes_of_four(), "", era);
            make_busy(s, 0, 4 * runnable);
            make_busy(s, 4, 400);
            return forked(s);
        };
        QCOMPARE(local(Era::V4_19, 274), (Judged{-1, "numa_near"})); // 100 + 174
        QCOMPARE(local(Era::V4_19, 275), (Judged{4, "not_local_lighter"}));
        QCOMPARE(local(Era::V4_12, 274), (Judged{4, "not_local_lighter"}));
    }

    // Half of what the task uses is 100.
    void spareCapacity() {
        for (const auto era : kBoth) {
            QCOMPARE(executed(spares(era, 1024 - 500, 1024 - 500)), (Judged{-1, "local_spare"}));
            QCOMPARE(executed(spares(era, 1024 - 500, 1024 - 560)), (Judged{4, "most_spare"}));  // 112 * 500 = 100 * 560
            QCOMPARE(executed(spares(era, 1024 - 500, 1024 - 559)), (Judged{-1, "local_spare"}));
        }
    }

    // The task's own use is taken off its CPU, where it is the largest spare of the group.
    void withoutTheTask() {
        for (const auto era : kBoth) {
            auto s = spares(era, 1024, 1024 - 230); // 200 here: 112 * 200 < 100 * 230
            QCOMPARE(executed(s), (Judged{4, "most_spare"}));
            s = spares(era, 1024, 1024 - 223);
            QCOMPARE(executed(s), (Judged{-1, "local_spare"}));
            s.se[kTask.index()].avg.last_update_time = 0; // never tracked: nothing to take off
            QCOMPARE(executed(s), (Judged{4, "most_spare"}));
        }
    }

    // Nobody has room: the loads decide, as they do for every fork.
    void loadsWithoutRoom() {
        for (const auto era : kBoth) {
            auto s = spares(era, 1024, 1024 - 100);
            s.se[kTask.index()].cpu = CpuId{7}; // its own use is elsewhere, and less than all of it
            s.cfs_avg[7].util_avg = 1200;
            make_busy(s, 4, 0, 0);
            QCOMPARE(executed(s), (Judged{4, "not_local_lighter"}));
            s = spares(era, 0, 1024);
            make_busy(s, 4, 0, 0);
            QCOMPARE(executed(s), (Judged{-1, "local_spare"}));
            QCOMPARE(forked(s), (Judged{4, "not_local_lighter"}));
        }
    }

    void firstOfEqualSpares() {
        auto s = idle_state(mc4(), Era::V4_12);
        s.cfs_avg[0].util_avg = 1024;
        QCOMPARE(executed(s).cpu, 1);
        s.cfs_avg[1].util_avg = 1;
        QCOMPARE(executed(s).cpu, 2);
    }

    // 4.9 has no such step yet.
    void noSpareStepBefore() {
        auto s = spares(Era::V4_9, 0, 1024);
        make_busy(s, 4, 0, 0);
        QCOMPARE(executed(s), (Judged{4, "not_local_lighter"}));
    }
};

QTEST_APPLESS_MAIN(TestFindIdlestGroupV412)
#include "tst_find_idlest_group_v4_12.moc"
