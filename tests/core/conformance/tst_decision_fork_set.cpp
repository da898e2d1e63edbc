// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of forks worked out by hand from select.md 1.0, 1.4 and 1.5.
#include "conformance/decision_fork_set.h"

#include "core/conformance/decision_cases.h"

using namespace rqscope;
using namespace rqscope::test;

class TestDecisionForkSet : public QObject {
    Q_OBJECT

    static QString set(const std::string& machine, const Decision& d) { return text(fork_set(*domains_of(machine), d)); }

private slots:
    // Single CPUs tie by idle count, utilisation may order them in any way.
    void tiedGroups() { QCOMPARE(set("uma4-61", fork_by(0, {1, 0, 0, 0})), "1-3"); }

    void busyCpuIsNoCandidateBesideIdleOnes() { QCOMPARE(set("uma4-61", fork_by(0, {1, 1, 0, 0})), "2-3"); }

    // Parent and child are 2 tasks, the allowance of a node of four CPUs is 1: the other node, newest stamp.
    void otherNodeByNewestStamp() {
        QCOMPARE(set("2s4c-numa-61", fork_by(0, {1, 0, 0, 0, 0, 0, 0, 0}).age(4, 500).age(5, 300).age(7, 700)), "5");
    }
    void equalAgesAreBothNewest() {
        QCOMPARE(set("2s4c-numa-61", fork_by(0, {1, 0, 0, 0, 0, 0, 0, 0}).age(4, 300).age(5, 300).age(7, 700)), "4-5");
    }
    void orderOfTheOldestIsUnknown() { QCOMPARE(set("2s4c-numa-61", fork_by(0, {1, 1, 0, 0, 0, 1, 0, 0})), "4,6-7"); }
    // One microsecond of rounding does not make an age known.
    void roundedAgeIsUnknown() {
        QCOMPARE(set("2s4c-numa-61", fork_by(0, {1, 0, 0, 0, 0, 0, 0, 0}).age(4, kNow - 1)), "4-7");
        QCOMPARE(set("2s4c-numa-61", fork_by(0, {1, 0, 0, 0, 0, 0, 0, 0}).age(4, kNow - 2)), "4");
    }
    // The other node has fewer idle CPUs: the walk stays and goes on below.
    void staysWhereMoreCpusAreIdle() { QCOMPARE(set("2s4c-numa-61", fork_by(0, {1, 0, 0, 0, 1, 1, 0, 0})), "1-3"); }

    // 32 CPUs with one cache allow 4 tasks: the child stays on the node, in another core than the parent's.
    void numaAllowanceKeepsTheNode() {
        std::vector<std::uint32_t> nr(64);
        nr[0] = 1;
        QCOMPARE(set("64-2x16x2-61", fork_by(0, nr)), "2-31");
        nr[2] = 1;
        QCOMPARE(set("64-2x16x2-61", fork_by(0, nr)), "4-31"); // 2 idle CPUs fewer than the other node
    }
    void numaAllowanceEnds() {
        std::vector<std::uint32_t> nr(64);
        nr[0] = nr[2] = nr[4] = 1; // 3 idle CPUs fewer
        QCOMPARE(set("64-2x16x2-61", fork_by(0, nr)), "32-63");
        nr[0] = 4; // 7 tasks with the child, 2 idle CPUs fewer
        nr[32] = 1;
        QCOMPARE(set("64-2x16x2-61", fork_by(0, nr)), "34-63"); // an idle core, not the sibling of 32
    }

    // Nothing idle, as many tasks as CPUs: spare, full, lighter or heavier, all is possible.
    void fullMachineIsOpen() { QCOMPARE(set("2s4c-numa-61", fork_by(0, {1, 1, 1, 1, 1, 1, 1, 1})), "0-7"); }

    // More tasks than CPUs can be overloaded, which loses against a group that has room.
    void roomWinsAgainstOverload() {
        QCOMPARE(set("2s4c-numa-61", fork_by(0, {2, 2, 1, 1, 1, 1, 0, 0}).age(6, 10).age(7, 20)), "6");
    }
    void overloadedParentMayStayOrGo() {
        const auto cpus = fork_set(*domains_of("2s4c-numa-61"), fork_by(0, {2, 2, 2, 2, 2, 2, 2, 2}));
        QVERIFY(cpus.test(CpuId{0}) && cpus.test(CpuId{7}));
    }

    // From the newest stamp of the other node on to that node's emptier cluster.
    void walksOnBelowTheChosenNode() {
        const auto d = fork_by(0, {1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}).age(9, 10);
        QCOMPARE(set("clu-2s2m2c2t-numa-61", d), "12-15");
    }

    void reachEndsWithTheFlag() {
        const auto domains = domains_of("nps4-2t-61");
        QCOMPARE(text(fork_reach(*domains, CpuId{0})), "0-15");
        std::vector<std::uint32_t> nr(32, 1);
        nr[20] = 0;
        QVERIFY(fork_set(*domains, fork_by(0, nr)).subset_of(mask("0-15")));
    }
};

QTEST_APPLESS_MAIN(TestDecisionForkSet)
#include "tst_decision_fork_set.moc"
