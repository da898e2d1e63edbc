// SPDX-License-Identifier: GPL-3.0-or-later
// Group types and every comparison of them since 5.5 (select.md 1.5), at their boundaries; what a child on another node costs.
#include "core/select/probe.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

// One CPU that stands for its whole group; the other CPUs of the group have no task.
struct Fill {
    std::uint32_t cpu, nr;
    Util util = 0, runnable = 0;
    Load load = 0;
    std::uint32_t idle = 2; // CPUs of the group left idle, the lowest numbers lose it first
};

// Groups of two CPUs: capacity 2048, imbalance_pct 117.
SchedState groups(std::initializer_list<Fill> fills, SchedDomains domains = four_by_two(), Era era = Era::V6_1) {
    auto s = idle_state(std::move(domains), era);
    for (const auto& f : fills) {
        s.nr_running[f.cpu] = f.nr;
        s.cfs_avg[f.cpu].util_avg = f.util;
        s.cfs_avg[f.cpu].runnable_avg = f.runnable;
        s.cfs_avg[f.cpu].load_avg = f.load;
        for (std::uint32_t i = f.idle; i < 2; ++i) s.idle.clear(CpuId{f.cpu + i - f.idle});
    }
    return s;
}

Fill full(std::uint32_t cpu, Load load) { return {cpu, 2, 1800, 0, load, 0}; }
Fill over(std::uint32_t cpu, Load load) { return {cpu, 3, 1800, 0, load, 0}; }

struct Judged {
    int cpu; // first CPU of the group chosen, -1 = the local one
    std::string_view end;
    std::vector<GroupType> types;            // in the order of the groups
    std::vector<std::string_view> verdicts;  // the same
};

Judged judge(const SchedState& s) {
    Explainer explainer;
    const SelectContext ctx{s, &explainer};
    PlacementSearch sel(ctx, kTask, CpuId{0}, false);
    const auto* top = s.domains->lowest(CpuId{0});
    while (const auto* parent = s.domains->parent(*top)) top = parent;
    const auto found = find_idlest_group(sel, *top, CpuId{0}, SlowPath::Fork);
    Judged out{found.group == nullptr ? -1 : static_cast<int>(found.group->span.first()->value), explainer.steps.back().verdict, {}, {}};
    for (const auto& step : explainer.steps) {
        if (step.kind != SelectStep::Kind::Group) continue;
        out.types.push_back(step.type);
        out.verdicts.push_back(step.verdict);
    }
    return out;
}

GroupType type_of(std::initializer_list<Fill> fills) { return judge(groups(fills)).types.at(1); }

SchedDomains with_imb_numa_nr(SchedDomains domains, std::uint32_t nr) {
    for (auto& sd : domains.domains)
        if (sd.has(SdFlag::NUMA)) sd.imb_numa_nr = nr;
    return domains;
}

SchedDomains numa_four_by_two() {
    auto domains = four_by_two();
    for (auto& sd : domains.domains)
        if (sd.name == "DIE") sd.flags |= bit(SdFlag::NUMA);
    return domains;
}

void check(const Judged& j, int cpu, std::string_view end) {
    QCOMPARE(j.end, end);
    QCOMPARE(j.cpu, cpu);
}

} // namespace

class TestFindIdlestGroupV55 : public QObject {
    Q_OBJECT
private slots:
    // Full: 204800 < util * 117, or 239616 < runnable * 100.
    void types() {
        QCOMPARE(type_of({{2, 1, 2048, 5000}}), GroupType::HasSpare); // a CPU without a task
        QCOMPARE(type_of({{2, 2, 1750}}), GroupType::HasSpare);
        QCOMPARE(type_of({{2, 2, 1751}}), GroupType::FullyBusy);
        QCOMPARE(type_of({{2, 2, 0, 2396}}), GroupType::HasSpare);
        QCOMPARE(type_of({{2, 2, 0, 2397}}), GroupType::FullyBusy);
        QCOMPARE(type_of({{2, 3, 1750}}), GroupType::HasSpare);
        QCOMPARE(type_of({{2, 3, 1751}}), GroupType::Overloaded);
        QCOMPARE(type_of({{2, 3, 0, 2396}}), GroupType::HasSpare);
        QCOMPARE(type_of({{2, 3, 0, 2397}}), GroupType::Overloaded);
    }

    void flagOfImbalance() {
        auto s = groups({over(4, 0)});
        for (const std::size_t group : {1U, 2U}) s.group_rt[s.domains->group((*s.domains)[*s.domains->lowest(CpuId{0})->parent], group).sgc].imbalance = true;
        const auto j = judge(s);
        QCOMPARE(j.types, (std::vector{GroupType::HasSpare, GroupType::Imbalanced, GroupType::Overloaded, GroupType::HasSpare}));
        QCOMPARE(j.verdicts, (std::vector<std::string_view>{"local", "better_type", "worse_type", "better_type"}));
    }

    // The local group with the flag sends the child away; two such groups are alike.
    void imbalancedAgainstImbalanced() {
        auto s = groups({});
        const auto flag = [&](std::size_t group) -> bool& {
            return s.group_rt[s.domains->group((*s.domains)[*s.domains->lowest(CpuId{0})->parent], group).sgc].imbalance;
        };
        flag(0) = true;
        check(judge(s), 2, "better_type");
        flag(1) = flag(2) = flag(3) = true;
        const auto j = judge(s);
        QCOMPARE(j.verdicts, (std::vector<std::string_view>{"local", "better_type", "never", "never"}));
        check(j, -1, "same_imbalanced");
    }

    void lowerTypeLeads() {
        const auto j = judge(groups({over(0, 9000), full(2, 10), {4, 1, 0, 0, 0, 1}, full(6, 0)}));
        QCOMPARE(j.verdicts, (std::vector<std::string_view>{"local", "better_type", "better_type", "worse_type"}));
        check(j, 4, "better_type");
        check(judge(groups({full(2, 0), full(4, 0), full(6, 0)})), -1, "local_better_type");
    }

    void moreIdleCpusThenLowerUtil() {
        auto j = judge(groups({{0, 1, 0, 0, 0, 0}, {2, 1, 0, 0, 0, 1}, {4, 0, 0, 0, 0, 2}, {6, 1, 0, 0, 0, 1}}));
        QCOMPARE(j.verdicts, (std::vector<std::string_view>{"local", "better_type", "more_idle", "fewer_idle"}));
        check(j, 4, "more_idle");
        j = judge(groups({{0, 1, 0, 0, 0, 1}, {2, 0, 10}, {4, 0, 10}, {6, 0, 9}}));
        QCOMPARE(j.verdicts, (std::vector<std::string_view>{"local", "better_type", "not_lower_util", "lower_util"}));
        QCOMPARE(j.cpu, 6);
        // Util does not speak against the local group.
        check(judge(groups({{0, 0, 1700}})), -1, "not_more_idle");
    }

    // A wake-up on its way takes the CPU out of idle_cpus though no task is counted yet.
    void pendingIsNotIdle() {
        auto s = groups({{2, 0, 0, 0, 0, 1}});
        s.rqs[2].ttwu_pending = 1;
        const auto j = judge(s);
        QCOMPARE(j.verdicts.at(1), "better_type");
        QCOMPARE(j.verdicts.at(2), "more_idle");
    }

    void loadsOfFullGroups() {
        auto j = judge(groups({full(0, 9000), full(2, 200), full(4, 200), full(6, 198)})); // avg_load = load / 2
        QCOMPARE(j.verdicts, (std::vector<std::string_view>{"local", "better_type", "not_lower_load", "lower_load"}));
        check(j, 6, "lower_load");
        j = judge(groups({over(0, 9000), over(2, 200), over(4, 198), over(6, 198)}));
        QCOMPARE(j.verdicts, (std::vector<std::string_view>{"local", "lower_load", "lower_load", "not_lower_load"}));
        check(j, 4, "lower_load");
    }

    // imbalance = 1024 * 17 / 100 = 174
    void loadAgainstTheLocalGroup_data() {
        QTest::addColumn<int>("local");
        QTest::addColumn<int>("best");
        QTest::addColumn<int>("cpu");
        QTest::addColumn<QByteArray>("end");
        QTest::addColumn<int>("numa_cpu");
        QTest::newRow("lighter by the band") << 826 << 1000 << -1 << QByteArray("local_lighter") << -1;
        QTest::newRow("inside the band") << 827 << 1000 << -1 << QByteArray("load_within_pct") << -1;
        QTest::newRow("17 % heavier") << 117 << 100 << -1 << QByteArray("load_within_pct") << -1;
        QTest::newRow("18 % heavier: off, but not to another node") << 118 << 100 << 2 << QByteArray("lower_load") << -1;
        QTest::newRow("174 heavier on another node") << 574 << 400 << 2 << QByteArray("lower_load") << -1;
        QTest::newRow("175 heavier on another node") << 575 << 400 << 2 << QByteArray("lower_load") << 2;
    }
    void loadAgainstTheLocalGroup() {
        QFETCH(int, local);
        QFETCH(int, best);
        QFETCH(int, cpu);
        QFETCH(QByteArray, end);
        QFETCH(int, numa_cpu);
        const auto load = [](int avg_load) { return static_cast<Load>(2 * avg_load); };
        const std::initializer_list<Fill> fills{full(0, load(local)), full(2, load(best)), full(4, 90'000), full(6, 90'000)};
        check(judge(groups(fills)), cpu, std::string_view(end.constData()));
        QCOMPARE(judge(groups(fills, numa_four_by_two())).cpu, numa_cpu);
    }

    void maskDecidesWhoIsCompared() {
        auto s = groups({});
        set_affinity(s, kTask, "3,6-7");
        const auto j = judge(s);
        QCOMPARE(j.verdicts, (std::vector<std::string_view>{"not_allowed", "better_type", "not_allowed", "more_idle"}));
        check(j, 6, "local_not_allowed");
        set_affinity(s, kTask, "0-1");
        check(judge(s), -1, "no_candidate");
    }

    // The weight is that of the whole group: one allowed CPU with two tasks is not overloaded beside a forbidden idle one.
    void weightOfTheWholeGroup() {
        auto s = groups({{2, 2, 2048}});
        set_affinity(s, kTask, "0,2");
        QCOMPARE(judge(s).types.at(1), GroupType::FullyBusy);
        s.nr_running[3] = 5; // forbidden: not counted
        QCOMPARE(judge(s).types.at(1), GroupType::FullyBusy);
    }

    // Local: one task on CPU 0, so that 3 CPUs are idle against 4.
    void numaAllowance() {
        const auto top = [](std::uint32_t nr) { return with_imb_numa_nr(two_nodes_of_four(), nr); };
        auto s = groups({{0, 1, 0, 0, 0, 1}}, top(2));
        check(judge(s), -1, "numa_allowance"); // 1 + 1 <= 2
        s.domains = std::make_shared<const SchedDomains>(top(1));
        check(judge(s), 4, "more_idle");
        s.domains = std::make_shared<const SchedDomains>(top(2));
        turn(s, Feature::NUMA_ALLOWANCE, 0);
        check(judge(s), 4, "more_idle");
    }

    // Not more than two idle CPUs fewer, however few tasks run; pending wake-ups are no tasks yet.
    void numaAllowanceEndsAtTwo() {
        auto s = groups({}, with_imb_numa_nr(two_nodes_of_four(), 8));
        for (const std::uint32_t cpu : {1U, 2U}) s.idle.clear(CpuId{cpu});
        check(judge(s), -1, "numa_allowance");
        s.idle.clear(CpuId{3});
        check(judge(s), 4, "more_idle");
    }

    void numaAllowanceOfPinnedTasks() {
        auto s = groups({{0, 1, 0, 0, 0, 1}}, with_imb_numa_nr(two_nodes_of_four(), 2));
        set_affinity(s, kTask, "0-1,4-5");
        check(judge(s), -1, "numa_allowance");
        set_affinity(s, kTask, "0,4");
        check(judge(s), 4, "more_idle"); // one CPU allowed here, and one task is there
    }

    // Nothing is allowed for where there is no allowance: equal nodes are simply not better.
    void equalNodesWithoutAllowance() {
        auto s = groups({}, with_imb_numa_nr(two_nodes_of_four(), 2));
        check(judge(s), -1, "numa_allowance");
        turn(s, Feature::NUMA_ALLOWANCE, 0);
        check(judge(s), -1, "not_more_idle");
    }

    // exec: the task itself does not count where it runs.
    void execLeavesItselfOut() {
        auto s = groups({{0, 1, 500, 500, 1024, 1}});
        auto& p = s.se[kTask.index()];
        p.cpu = CpuId{0};
        p.on_rq = true;
        p.avg.last_update_time = 1;
        p.avg.util_avg = p.avg.runnable_avg = 500;
        check(judge(s), -1, "not_more_idle");
        s.rqs[0].ttwu_pending = 1; // somebody else is on the way
        check(judge(s), 2, "more_idle");
    }

    // Capacity 512: a task of util 410 does not fit (410 * 1280 > 512 * 1024), one of 409 does.
    void misfit() {
        auto s = idle_state(big_little(), Era::V6_1);
        s.se[kTask.index()].avg.util_avg = 410;
        check(judge(s), 4, "better_type");
        QCOMPARE(judge(s).types, (std::vector{GroupType::MisfitTask, GroupType::HasSpare}));
        s.se[kTask.index()].avg.util_avg = 409;
        check(judge(s), -1, "not_more_idle");
    }

    // A group is as large as its largest CPU, allowed or not.
    void misfitEverywhere() {
        auto s = idle_state(big_little(), Era::V6_1);
        s.se[kTask.index()].avg.util_avg = 1000;
        check(judge(s), 4, "larger_capacity");
        s.rqs[4].capacity_taken = s.rqs[5].capacity_taken = s.rqs[6].capacity_taken = 600;
        set_affinity(s, kTask, "0-6");
        check(judge(s), 4, "larger_capacity");
        s.rqs[7].capacity_taken = 512;
        check(judge(s), -1, "no_larger_capacity");
    }
};

QTEST_APPLESS_MAIN(TestFindIdlestGroupV55)
#include "tst_find_idlest_group_v5_5.moc"
