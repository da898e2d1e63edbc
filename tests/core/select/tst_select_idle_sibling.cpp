// SPDX-License-Identifier: GPL-3.0-or-later
// Order of idle tests and choice of the 4.8 walk (select.md 3.a).
#include "core/select/probe.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

class TestSelectIdleSibling : public QObject {
    Q_OBJECT
private slots:
    void targetFirst() { QCOMPARE(sibling(busy(mc4(), ""), 1, 0), (Found{0, R::TargetIdle, {0}})); }
    void thenPrev() { QCOMPARE(sibling(busy(mc4(), "0"), 3, 0), (Found{3, R::PrevIdle, {0, 3}})); }
    void prevInAnotherCache() { QCOMPARE(sibling(busy(two_by_four(), "0"), 4, 0), (Found{1, R::IdleGroup, {0, 1}})); }

    void ringFromTheTarget() {
        QCOMPARE(sibling(busy(mc4(), "2"), 2, 2), (Found{3, R::IdleGroup, {2, 3}}));
        QCOMPARE(sibling(busy(mc4(), "2,3"), 2, 2), (Found{0, R::IdleGroup, {2, 3, 0}}));
        QCOMPARE(sibling(busy(mc4(), "0,1,2,3"), 2, 2), (Found{2, R::NoIdleGroup, {2, 3, 0, 1}}));
    }

    // Top level: a wholly idle core; checking a core stops at its first busy thread.
    void wholeCores() {
        QCOMPARE(sibling(busy(smt4(), "0,1,6"), 0, 0), (Found{3, R::IdleGroup, {0, 1, 2, 6, 3, 7}}));
        QCOMPARE(sibling(busy(smt4(), "1,5"), 1, 1), (Found{2, R::IdleGroup, {1, 2, 6}}));
        QCOMPARE(sibling(busy(smt4(), "1,5"), 5, 5), (Found{2, R::IdleGroup, {5, 1, 2, 6}})); // own core: CPU 1 is looked at first
    }

    // No idle core: only the sibling of the target, never an idle thread elsewhere.
    void siblingOfTargetOnly() {
        QCOMPARE(sibling(busy(smt4(), "0,1,2,3"), 0, 0), (Found{4, R::IdleGroup, {0, 1, 2, 3, 4}}));
        QCOMPARE(sibling(busy(smt4(), "0,1,2,3,4"), 0, 0), (Found{0, R::NoIdleGroup, {0, 1, 2, 3, 4}}));
    }

    void firstAllowedOfAnIdleCore() {
        auto s = busy(smt4(), "1");
        set_affinity(s, kTask, "1,7");
        QCOMPARE(sibling(s, 1, 1), (Found{7, R::IdleGroup, {1, 3, 7}}));
    }

    void cpuWithoutDomains() {
        auto domains = mc4();
        domains.sd_llc[2].reset();
        QCOMPARE(sibling(busy(std::move(domains), "2"), 2, 2), (Found{2, R::NoIdleGroup, {2}}));
    }
};

QTEST_APPLESS_MAIN(TestSelectIdleSibling)
#include "tst_select_idle_sibling.moc"
