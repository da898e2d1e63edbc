// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of wake-ups worked out by hand from select.md 2.3, 3.e and 3.f, and what they tell about recent_used_cpu.
#include "conformance/decision_wake_set.h"

#include "core/conformance/decision_cases.h"

using namespace rqscope;
using namespace rqscope::test;

class TestDecisionWakeSet : public QObject {
    Q_OBJECT

    static QString set(const std::string& machine, const Decision& d, const char* recent) {
        return text(wake_set(*domains_of(machine), d, mask(recent)).cpus);
    }
    static QString recent(const std::string& machine, const Decision& d, const char* before) {
        return text(wake_set(*domains_of(machine), d, mask(before)).recent);
    }

private slots:
    void idlePrevIsTaken() { QCOMPARE(set("uma4-61", wake_by(0, 2, {1, 1, 0, 0}), "0-3"), "2"); }

    // Loads may name waker or previous CPU; from either the walk finds 2 first.
    void busyPrev() {
        QCOMPARE(set("uma4-61", wake_by(0, 1, {2, 1, 0, 0}), "0"), "0-2");
        QCOMPARE(set("uma4-61", wake_by(0, 1, {2, 1, 0, 0}), "0-3"), "0-3"); // 3 as recent_used_cpu
    }
    void walkWrapsBehindTheTarget() {
        QCOMPARE(set("uma4-61", wake_by(3, 3, {0, 0, 1, 1}), "3"), "0,3");
        QCOMPARE(set("uma4-61", wake_by(1, 1, {0, 1, 1, 0}), "1"), "1,3");
    }
    void interruptOnIdleCpu() { QCOMPARE(set("uma4-61", wake_by(2, 3, {0, 0, 0, 1}), "3"), "2-3"); }

    // Only a waker that is alone may pull across caches while prev is idle.
    void syncPullsToTheLoneWaker() {
        QCOMPARE(set("2s4c-numa-61", wake_by(4, 0, {0, 0, 0, 0, 1, 0, 0, 0}), "0"), "0,4-5");
        QCOMPARE(set("2s4c-numa-61", wake_by(4, 0, {0, 0, 0, 0, 2, 0, 0, 0}), "0"), "0");
    }
    void idleWakerInAnotherCacheIsNoRule() {
        QCOMPARE(set("2s4c-numa-61", wake_by(4, 0, {1, 0, 0, 0, 0, 0, 0, 0}), "0"), "0-1,4");
    }

    // Nodes beyond the reclaim distance have no WAKE_AFFINE: the waker is no target.
    void farWakerIsNoTarget() {
        std::vector<std::uint32_t> nr(32);
        nr[0] = nr[16] = 1;
        QCOMPARE(set("nps4-2t-61", wake_by(16, 0, nr), "0"), "0-2");
    }

    // Hint off: sibling of prev. Hint on: the next whole core, or nothing without budget.
    void smtSiblingAndWholeCore() { QCOMPARE(set("1s4c2t-61", wake_by(2, 2, {1, 0, 1, 0, 1, 1, 0, 0}), "2"), "2-3,6"); }
    // No whole core: the first idle thread that the search saw.
    void smtFallbackThread() { QCOMPARE(set("1s4c2t-61", wake_by(2, 2, {1, 0, 1, 1, 1, 1, 1, 0}), "2"), "2,7"); }
    void smtWholeCoreByWalkedThread() { QCOMPARE(set("1s4c2t-61", wake_by(2, 2, {1, 1, 1, 1, 0, 0, 1, 1}), "2"), "2,4"); }

    void clusterScanOf612() {
        const auto d = wake_by(0, 5, {1, 1, 0, 1, 1, 0, 0, 1});
        QCOMPARE(set("clu-1s2m4c-612", d, "5"), "2,5"); // sync: own cluster first, prev when the budget is out
        QCOMPARE(set("clu-1s2m4c-61", d, "5"), "5");
    }
    void clusterScanGoesOnToTheCache() {
        QCOMPARE(set("clu-1s2m4c-612", wake_by(0, 5, {1, 1, 1, 1, 1, 0, 0, 1}), "5"), "5");
    }
    void clusterRemembersRecent() {
        const auto d = wake_by(0, 5, {2, 1, 0, 1, 1, 1, 0, 1});
        QCOMPARE(set("clu-1s2m4c-612", d, "6"), "2,5-6");
        QCOMPARE(set("clu-1s2m4c-61", d, "6"), "5-6"); // recent_used_cpu is taken at once
    }
    void clusterWithCores() {
        std::vector<std::uint32_t> nr(16);
        nr[12] = nr[14] = 1; // the waker's cluster holds idle threads only
        QCOMPARE(set("clu-2s2m2c2t-numa-612", wake_by(12, 10, nr), "8"), "8,10-11");
        QCOMPARE(text(cluster_span(*domains_of("clu-2s2m2c2t-numa-612"), CpuId{12})), "12-15");
        QVERIFY(cluster_span(*domains_of("clu-2s2m2c2t-numa-61"), CpuId{12}).empty());
    }

    void recentBecomesPrevAfterASearch() {
        QCOMPARE(recent("uma4-61", wake_by(0, 1, {2, 1, 0, 0}).chosen(3), "2-3"), "1"); // taken as recent_used_cpu
        QCOMPARE(recent("uma4-61", wake_by(0, 1, {2, 1, 0, 0}).chosen(2), "0"), "1");   // found by the walk
    }
    void recentStaysWithoutASearch() {
        QCOMPARE(recent("uma4-61", wake_by(0, 2, {1, 1, 0, 0}).chosen(2), "0,3"), "0,3"); // idle target
        QCOMPARE(recent("uma4-61", wake_by(0, 1, {2, 1, 0, 0}).chosen(1), "2-3"), "2-3"); // selected nothing
    }
    void recentOfAChoiceOutsideStaysOpen() {
        QCOMPARE(recent("uma4-61", wake_by(0, 1, {2, 1, 0, 1}).chosen(3), "0"), "0-1");
    }

    void llcOfACpu() { QCOMPARE(text(llc_span(*domains_of("2s4c-numa-61"), CpuId{5})), "4-7"); }
};

QTEST_APPLESS_MAIN(TestDecisionWakeSet)
#include "tst_decision_wake_set.moc"
