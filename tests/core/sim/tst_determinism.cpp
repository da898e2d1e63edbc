// SPDX-License-Identifier: GPL-3.0-or-later
// The same scenario ends in the same state on every run, machine and build type: hashes that this test knows by heart. A
// change of the model changes them; then the new values are written here, knowingly.
#include "sim/sim_state.h"
#include "support/scenarios.h"
#include "trace/run_file.h"

using namespace rqscope;
using namespace rqscope::test;

class TestDeterminism : public QObject {
    Q_OBJECT
private slots:
    void known_hashes_data() {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QString>("workload");
        QTest::addColumn<QString>("era");
        QTest::addColumn<QString>("until");
        QTest::addColumn<QString>("hash");
        QTest::newRow("storm") << "teach-mc8" << "forkstorm:n=9,run=200us,gap=250us,block=1" << "4.8" << "" << "491b49858a3d72ad";
        QTest::newRow("storm with load_avg") << "teach-mc8" << "forkstorm:n=9,run=200us,gap=250us,block=1" << "4.8-load_avg" << "" << "b597883048eca50b";
        QTest::newRow("hogs on SMT and two nodes") << "ivb-ep-40cpu" << "hogs:n=50" << "4.8" << "300ms" << "527f2ae34cecce8e";
        QTest::newRow("periodic on 256") << "zen3-2s-nps1" << "periodic:k=4" << "4.8" << "100ms" << "865fa918a6fbb34b";
        QTest::newRow("tree with jitter") << "xeon-2s-8cpu" << "forkstorm:n=20,run=900us,tree=1,jitter=200us" << "4.8" << "" << "a41d3abab978a6fd";
        QTest::newRow("2016 work in progress") << "ivb-ep-40cpu" << "hackbench:-g 1 -l 20 -p" << "4.8-idle-wip" << "" << "bde50f919256ba3d";
        QTest::newRow("4.9 hackbench") << "ivb-ep-40cpu" << "hackbench:-g 2 -l 20 --threads" << "4.9" << "" << "da09a5fe9cd4a497";
        QTest::newRow("4.19 on four nodes") << "teach-nps4-30" << "hackbench:-g 1 -f 5 -l 20 -p" << "4.19" << "" << "1804b7bd0ae3ffd7";
        QTest::newRow("5.19 processes") << "teach-smt4" << "hackbench:-g 1 -f 8 -l 20" << "5.19" << "" << "8ee2b6c640f6cebb";
        QTest::newRow("6.1 on 256") << "zen3-2s-nps1" << "hackbench:-g 2 -l 20 -p" << "6.1" << "" << "ee1df70ee2ab087d";
        QTest::newRow("6.1 with clusters") << "kunpeng920-96cpu" << "hackbench:-g 2 -l 20" << "6.1-cluster-v7" << "" << "7c0b9ad4133e8690";
        QTest::newRow("6.5 on unequal CPUs") << "trigear-8cpu" << "hackbench:-g 1 -f 6 -l 20 -p" << "6.5" << "" << "76026ac3b044a256";
    }
    void known_hashes() {
        QFETCH(QString, machine);
        QFETCH(QString, workload);
        QFETCH(QString, era);
        QFETCH(QString, until);
        QFETCH(QString, hash);
        auto h = history(scenario(machine.toStdString(), workload.toStdString(), era.toStdString(), {}, until.toStdString()));
        h.run_to_end();
        QVERIFY(!h.fault());
        QCOMPARE(QString::fromStdString(hex_text(h.state_hash())), hash);
    }

    void the_seed_moves_only_what_is_drawn() {
        auto s = scenario("xeon-2s-8cpu", "forkstorm:n=20,run=900us,gap=300us,block=1");
        auto a = history(s);
        s.seed = 2;
        auto b = history(s);
        a.run_to_end();
        b.run_to_end();
        QCOMPARE(a.known_rows(), b.known_rows()); // nothing is drawn without jitter
        QCOMPARE(fork_targets(a), fork_targets(b));
    }
};

QTEST_APPLESS_MAIN(TestDeterminism)
#include "tst_determinism.moc"
