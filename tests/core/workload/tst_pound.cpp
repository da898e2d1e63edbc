// SPDX-License-Identifier: GPL-3.0-or-later
// pound_times and pound_clock_gettime: how the calls are shared out, and what is refused.
#include "workload/workload.h"

#include <QTest>

using namespace rqscope;

namespace {

Result<Workload> make(const std::string& spec) { return generate_workload(spec, {.online_cpus = 8}); }

std::int64_t calls_of_a_thread(const Workload& w) {
    std::int64_t calls = 0, rounds = 1;
    for (const auto& o : w.templates[1].program) {
        if (o.kind == OpKind::LoopBegin) rounds = o.amount;
        if (o.kind == OpKind::CpuTime) calls += rounds * o.amount;
        if (o.kind == OpKind::LoopEnd) rounds = 1;
    }
    return calls;
}

} // namespace

class TestPound : public QObject {
    Q_OBJECT
private slots:
    void calls_are_shared() {
        for (const std::int64_t n : {1, 2, 48, 128}) {
            const auto w = make("pound_times:" + std::to_string(n));
            QVERIFY(w.ok());
            QCOMPARE(w->templates[0].program[0].amount, n);
            QCOMPARE(calls_of_a_thread(*w), 5'000'000 / n);
        }
        QCOMPARE(calls_of_a_thread(*make("pound_clock_gettime:3,calls=2500")), 833);
    }
    void the_call_is_in_the_name() {
        QCOMPARE(make("pound_times:2")->templates[1].program[1].jump, 1U);
        QCOMPARE(make("pound_clock_gettime:2")->templates[1].program[1].jump, 0U);
    }
    void cpus_bind_everybody() { QCOMPARE(make("pound_times:2,cpus=1-2,5")->templates[1].cpus->to_list(), std::string("1-2,5")); }
    void refused_data() {
        QTest::addColumn<QString>("spec");
        QTest::addColumn<QString>("part");
        QTest::newRow("nothing") << "pound_times" << "must come first, as in pound_times:32";
        QTest::newRow("empty") << "pound_times:" << "must come first";
        QTest::newRow("word") << "pound_clock_gettime:many" << "as in pound_clock_gettime:32";
        QTest::newRow("none") << "pound_times:0" << "1..4096";
        QTest::newRow("key") << "pound_times:2,call=3" << "Did you mean calls?";
        QTest::newRow("version") << "pound_times:2,version=1" << "not available in this version";
    }
    void refused() {
        QFETCH(QString, spec);
        QFETCH(QString, part);
        const auto w = make(spec.toStdString());
        QVERIFY(!w.ok());
        QVERIFY2(QString::fromStdString(w.problems().front().message).contains(part), w.problems().front().message.c_str());
    }
};

QTEST_APPLESS_MAIN(TestPound)
#include "tst_pound.moc"
