// SPDX-License-Identifier: GPL-3.0-or-later
// The three rules of fork placement at their boundaries (select.md 1.1 to 1.3), the storms of select.md 9, and the pair of
// groups that the log names.
#include "base/check.h"
#include "core/select/small_machine.h"
#include "select/select.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

constexpr FeatureValue kOff = 0, kRfc = 1, kMerged = 2;

struct Loads {
    Load runnable, load;
};

// mc4 with a parent on CPU 0; CPU 3 is far too loaded to matter.
SchedState three(Loads local, Loads first, Loads second, FeatureValue rule) {
    auto s = idle_state(mc4());
    set_fork_rule(s, rule);
    make_busy(s, 0, local.runnable, local.load);
    make_busy(s, 1, first.runnable, first.load);
    make_busy(s, 2, second.runnable, second.load);
    make_busy(s, 3, 100'000, 100'000);
    return s;
}

std::uint32_t chosen(const SchedState& s) { return select_task_rq_fork({.s = s}, kTask, CpuId{0}).cpu.value; }

// The verdict on the group that begins with `cpu`, or of the last decision (cpu < 0).
std::string_view verdict(const SchedState& s, int cpu) {
    Explainer explainer;
    static_cast<void>(select_task_rq_fork({s, &explainer}, kTask, CpuId{0}));
    std::string_view found;
    for (const auto& step : explainer.steps) {
        const bool group = step.kind == SelectStep::Kind::Group && cpu >= 0 && step.cpu.value == static_cast<std::uint32_t>(cpu);
        const bool end = (step.kind == SelectStep::Kind::GroupChosen || step.kind == SelectStep::Kind::StayLocal) && cpu < 0;
        if (group || end) found = step.verdict;
    }
    return found;
}

} // namespace

class TestFindIdlestGroup : public QObject {
    Q_OBJECT
private slots:
    void runnableOnly_data() {
        QTest::addColumn<int>("local");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("second");
        QTest::addColumn<int>("cpu");
        QTest::newRow("first wins ties") << 1024 << 0 << 0 << 1;
        QTest::newRow("strictly lighter takes over") << 1024 << 18 << 17 << 2;
        QTest::newRow("all idle still leaves the CPU") << 0 << 0 << 0 << 1;
        QTest::newRow("local 100 * 107 < 108 * 100 stays") << 107 << 100 << 100 << 0;
        QTest::newRow("local 100 * 108 = 108 * 100 goes") << 108 << 100 << 100 << 1;
    }
    void runnableOnly() {
        QFETCH(int, local);
        QFETCH(int, first);
        QFETCH(int, second);
        const auto as = [](int v) { return static_cast<Load>(v); };
        const auto s = three({as(local), 0}, {as(first), 5000}, {as(second), 0}, kOff); // blocked load is invisible
        QTEST(static_cast<int>(chosen(s)), "cpu");
    }

    // imbalance = 1024 * 17 / 100 = 174
    void bandOfTheLoop() {
        QCOMPARE(verdict(three({5000, 5000}, {174, 100}, {0, 100}, kRfc), 2), "band_not_lighter"); // R == min - imb: still close
        QCOMPARE(verdict(three({5000, 5000}, {175, 100}, {0, 100}, kRfc), 2), "lighter");
        QCOMPARE(verdict(three({5000, 5000}, {0, 1000}, {173, 0}, kRfc), 2), "band_lighter");
        QCOMPARE(verdict(three({5000, 5000}, {0, 1000}, {174, 0}, kRfc), 2), "heavier"); // R == min + imb: out
    }

    void bandOfTheFinalTest() {
        // Local clearly lighter in load_avg: it wins as soon as it is close, R == min - imb included.
        QCOMPARE(verdict(three({10, 0}, {185, 500}, {185, 500}, kRfc), -1), "local_lighter");
        QCOMPARE(verdict(three({10, 0}, {184, 500}, {184, 500}, kRfc), -1), "band_local_lighter");
        QCOMPARE(verdict(three({183, 0}, {10, 500}, {10, 500}, kRfc), -1), "band_local_lighter");
        QCOMPARE(verdict(three({184, 0}, {10, 500}, {10, 500}, kRfc), -1), "not_local_lighter"); // R == min + imb
    }

    // The band stays where a group last won clearly: CPU 2 takes over at 150, CPU 3 is measured against 0.
    void bandStaysAnchored() {
        auto s = three({5000, 5000}, {0, 1000}, {150, 100}, kRfc);
        make_busy(s, 3, 300, 0);
        QCOMPARE(verdict(s, 2), "band_lighter");
        QCOMPARE(verdict(s, 3), "heavier");
        QCOMPARE(chosen(s), 2U);
    }

    void rfcAndMergedDiffer_data() {
        QTest::addColumn<int>("local");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("second");
        QTest::addColumn<int>("rfc");
        QTest::addColumn<int>("merged");
        QTest::newRow("10 % less load: only the merged factor moves on") << 5000 << 110 << 100 << 1 << 2;
        QTest::newRow("17 % less: neither") << 5000 << 108 << 100 << 1 << 1;
        QTest::newRow("18 % less: both") << 5000 << 118 << 100 << 2 << 2;
        QTest::newRow("tie with local") << 100 << 100 << 100 << 1 << 0;
        QTest::newRow("local 7 % heavier") << 107 << 100 << 100 << 1 << 0;
        QTest::newRow("local 8 % heavier") << 108 << 100 << 100 << 1 << 1;
        QTest::newRow("local lighter, not clearly") << 86 << 100 << 100 << 1 << 0;
        QTest::newRow("local clearly lighter") << 85 << 100 << 100 << 0 << 0;
    }
    void rfcAndMergedDiffer() {
        QFETCH(int, local);
        QFETCH(int, first);
        QFETCH(int, second);
        const auto at = [&](FeatureValue rule) {
            const auto load = [](int v) { return Loads{0, static_cast<Load>(v)}; };
            return static_cast<int>(chosen(three(load(local), load(first), load(second), rule)));
        };
        QTEST(at(kRfc), "rfc");
        QTEST(at(kMerged), "merged");
    }

    void storms_data() {
        QTest::addColumn<int>("machine");
        QTest::addColumn<int>("rule");
        QTest::addColumn<QString>("cpus");
        QTest::newRow("mc8 off") << 0 << int{kOff} << "111111111";
        QTest::newRow("mc8 rfc") << 0 << int{kRfc} << "123456712";
        QTest::newRow("mc8 merged") << 0 << int{kMerged} << "123456712";
        QTest::newRow("2x4 off") << 1 << int{kOff} << "555555555";
        QTest::newRow("2x4 rfc") << 1 << int{kRfc} << "567456745";
        QTest::newRow("2x4 merged") << 1 << int{kMerged} << "567445674";
        QTest::newRow("smt4 off") << 2 << int{kOff} << "555555555";
        QTest::newRow("smt4 rfc") << 2 << int{kRfc} << "567123567";
        QTest::newRow("smt4 merged") << 2 << int{kMerged} << "567123123";
    }
    void storms() {
        QFETCH(int, machine);
        QFETCH(int, rule);
        auto s = idle_state(machine == 0 ? mc8() : machine == 1 ? two_by_four() : smt4());
        set_fork_rule(s, static_cast<FeatureValue>(rule));
        make_busy(s, 0, 1024);
        QString cpus;
        for (int i = 0; i < 9; ++i) {
            const auto cpu = chosen(s);
            cpus += QString::number(cpu);
            s.cfs_avg[cpu].load_avg += 100;
        }
        QTEST(cpus, "cpus");
    }

    void figuresNameWhomItBeat() {
        const auto s = three({1024, 1024}, {18, 30}, {0, 7}, kOff);
        const auto p = select_task_rq_fork({.s = s}, kTask, CpuId{0});
        QVERIFY(p.has_figures);
        QCOMPARE(p.cpu, CpuId{2});
        QCOMPARE(p.rival, CpuId{1});
        QCOMPARE(p.rival_runnable, 18U);
        QCOMPARE(p.rival_load, 30U);
        QCOMPARE(p.chosen_runnable, 0U);
        QCOMPARE(p.chosen_load, 7U);
    }

    // Nobody came before it: the lightest of those after it is named.
    void figuresOfAFirstWinner() {
        auto s = idle_state(mc4());
        make_busy(s, 0, 1024);
        make_busy(s, 2, 5);
        const auto p = select_task_rq_fork({.s = s}, kTask, CpuId{0});
        QCOMPARE(p.cpu, CpuId{1});
        QCOMPARE(p.rival, CpuId{3});
        QCOMPARE(p.rival_runnable, 0U);
    }

    void figuresWhenItStays() {
        const auto p = select_task_rq_fork({.s = three({10, 10}, {100, 100}, {90, 90}, kOff)}, kTask, CpuId{0});
        QCOMPARE(p.reason, PlaceReason::ForkLocalGroup);
        QVERIFY(p.has_figures);
        QCOMPARE(p.chosen_runnable, 10U);
        QCOMPARE(p.rival, CpuId{2});
        QCOMPARE(p.rival_runnable, 90U);
    }

    void loadsAreScaledByCapacity() {
        auto domains = mc4();
        domains.rings[0][1].capacity = 512;
        auto s = idle_state(std::move(domains));
        make_busy(s, 0, 5000);
        make_busy(s, 1, 100);
        make_busy(s, 2, 150);
        make_busy(s, 3, 300);
        const auto p = select_task_rq_fork({.s = s}, kTask, CpuId{0});
        QCOMPARE(p.cpu, CpuId{2});
        QCOMPARE(p.rival_runnable, 200U);
    }

    void groupsWithoutAnAllowedCpuAreSkipped() {
        auto s = idle_state(two_by_four());
        make_busy(s, 0, 1024);
        set_affinity(s, kTask, "0-3");
        Explainer explainer;
        const auto p = select_task_rq_fork({s, &explainer}, kTask, CpuId{0});
        QCOMPARE(p.cpu, CpuId{1});
        QCOMPARE(explainer.steps.at(2).kind, SelectStep::Kind::Group);
        QCOMPARE(explainer.steps.at(2).verdict, "not_allowed");
        QCOMPARE(explainer.steps.at(3).verdict, "no_candidate");
    }
};

QTEST_APPLESS_MAIN(TestFindIdlestGroup)
#include "tst_find_idlest_group.moc"
