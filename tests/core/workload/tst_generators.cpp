// SPDX-License-Identifier: GPL-3.0-or-later
// Inline workloads: keys, defaults, what is refused and in which words.
#include "workload/workload.h"

#include <QTest>

using namespace rqscope;

namespace {

Result<Workload> make(std::string_view spec) { return generate_workload(spec, {.online_cpus = 8}); }
std::string message(std::string_view spec) {
    const auto w = make(spec);
    std::string out;
    for (const auto& p : w.problems()) out += p.where + ": " + p.message + "\n";
    return out;
}

} // namespace

class TestGenerators : public QObject {
    Q_OBJECT
private slots:
    void forkstorm() {
        const auto w = make("forkstorm:n=9,run=200us,gap=250us,block=1,parent=3,weight=512,jitter=10us,cpus=0-3,8");
        QVERIFY(w.ok());
        QCOMPARE(w->templates.size(), std::size_t{2});
        QCOMPARE(w->initial.size(), std::size_t{1});
        QCOMPARE(w->initial[0].cpu.value, 3U);
        const auto& child = w->templates[1];
        QCOMPARE(*child.weight, 512U);
        QCOMPARE(child.cpus->to_list(), std::string("0-3,8"));
        QCOMPARE(child.program.front().amount, 200'000);
        QCOMPARE(child.program.back().kind, OpKind::Block);
        QCOMPARE(child.jitter.count(), 10'000);
        QVERIFY(!w->endless);
    }
    void hogs_and_periodic() {
        QCOMPARE(make("hogs:n=3,nice=5")->initial[0].count, 3U);
        QCOMPARE(int(make("hogs:n=3,nice=5")->templates[0].nice), 5);
        QVERIFY(make("hogs")->endless);
        QCOMPARE(make("periodic:k=4")->templates.size(), std::size_t{32});
        QCOMPARE(make("periodic:k=4")->templates[2].program[2].amount, 25'000'000 * 6 / 10 / 4);
    }
    void refused_data() {
        QTest::addColumn<QString>("spec");
        QTest::addColumn<QString>("part");
        QTest::newRow("no time") << "forkstorm:run=2q0us" << "\"2q0us\" is not a time. Write 200us";
        QTest::newRow("no unit") << "forkstorm:run=200" << "is not a time";
        QTest::newRow("misspelt") << "forkstorm:rum=2us" << "Did you mean run?";
        QTest::newRow("twice") << "forkstorm:n=1,n=2" << "is given twice";
        QTest::newRow("zero") << "forkstorm:n=0" << "1..100000";
        QTest::newRow("no value") << "forkstorm:n" << "KEY=VALUE";
        QTest::newRow("range") << "hogs:nice=20" << "-20..19";
        QTest::newRow("list") << "hogs:cpus=5-3" << "is not a CPU list";
        QTest::newRow("unknown") << "forkstrom:n=3" << "Did you mean forkstorm?";
        QTest::newRow("later") << "schbench:-m 2" << "not available in this version";
        QTest::newRow("common key") << "forkstorm:n=3,version=4" << "not available in this version";
        QTest::newRow("empty") << "" << "is not a workload";
        QTest::newRow("huge") << "forkstorm:n=99999999999999999999" << "is not a whole number";
    }
    void refused() {
        QFETCH(QString, spec);
        QFETCH(QString, part);
        QVERIFY(!make(spec.toStdString()).ok());
        const auto text = QString::fromStdString(message(spec.toStdString()));
        QVERIFY2(text.contains(part), qPrintable(text));
    }
    void all_problems_are_listed() { QCOMPARE(make("forkstorm:n=x,run=y,gap=z,foo=1").problems().size(), std::size_t{4}); }
};

QTEST_APPLESS_MAIN(TestGenerators)
#include "tst_generators.moc"
