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
        QTest::newRow("storm") << "teach-mc8" << "forkstorm:n=9,run=200us,gap=250us,block=1" << "4.8" << "" << "84a6ab2270e1e069";
        QTest::newRow("storm with load_avg") << "teach-mc8" << "forkstorm:n=9,run=200us,gap=250us,block=1" << "4.8-load_avg" << "" << "7b5eeaee75e6161d";
        QTest::newRow("hogs on SMT and two nodes") << "ivb-ep-40cpu" << "hogs:n=50" << "4.8" << "300ms" << "75c617ffdb78196a";
        QTest::newRow("periodic on 256") << "zen3-2s-nps1" << "periodic:k=4" << "4.8" << "100ms" << "57cfd579be555208";
        QTest::newRow("tree with jitter") << "xeon-2s-8cpu" << "forkstorm:n=20,run=900us,tree=1,jitter=200us" << "4.8" << "" << "9497c00b356cf2ea";
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
