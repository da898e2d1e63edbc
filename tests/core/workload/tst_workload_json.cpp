// SPDX-License-Identifier: GPL-3.0-or-later
// rqscope-workload/1: what is read, which rule each mistake breaks, and hostile input.
#include "support/hostile.h"
#include "workload/workload.h"

#include <QTest>

using namespace rqscope;

namespace {

const std::string kValid = R"({ "schema": "rqscope-workload/1", "channels": {"c1": {"kind": "pipe"}, "b": {"kind": "barrier"}, "f": {"kind": "futex"}}, "groups": {},
  "tasks": { "parent": {"cpu": 0, "nice": -5, "policy": "batch", "count": 1, "comm": "sh",
             "program": [["run", "200us"], ["fork", "child"], ["loop", -1, [["send", "c1", 100], ["run", "1us"], ["barrier", "b", 2]]]]},
             "child": {"program": [["recv", "c1", 100], ["wake", "f"], ["barrier", "b", 2], ["sleep", "1.5ms"], ["timer", "4ms"], ["exit"]]},
             "x": {"cpus": "1-2", "weight": 512, "program": [["wait", "f"], ["poll", "c1"], ["reap", 1], ["block"]]} } })";

Result<Workload> read(std::string_view text) { return read_workload_json(text, "w.json"); }

} // namespace

class TestWorkloadJson : public QObject {
    Q_OBJECT
private slots:
    void valid() {
        const auto w = read(kValid);
        QVERIFY2(w.ok(), w.ok() ? "" : w.problems().front().message.c_str());
        QCOMPARE(w->templates.size(), std::size_t{3});
        QCOMPARE(w->initial.size(), std::size_t{2}); // child is only forked
        QVERIFY(!w->templates[0].numbered);
        QVERIFY(w->templates[1].numbered);
        QCOMPARE(w->templates[0].comm, std::string("sh"));
        QCOMPARE(int(w->templates[0].policy), 3);
        QVERIFY(w->endless);
        QCOMPARE(w->initial[1].cpu.value, 1U);
        const auto& p = w->templates[0].program;
        QCOMPARE(p[2].kind, OpKind::LoopBegin);
        QCOMPARE(p[2].jump, 7U);
        QCOMPARE(p[6].jump, 3U);
        QCOMPARE(p.back().kind, OpKind::Exit);
    }

    void refused_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("part");
        QTest::newRow("schema") << "workload/1" << "workload/2" << "schema" << "rqscope-workload/1";
        QTest::newRow("time") << "\"200us\"" << "\"2q0us\"" << "tasks.parent.program[0][1]" << "Write 200us";
        QTest::newRow("unit") << "\"200us\"" << "200" << "tasks.parent.program[0][1]" << "is not a time";
        QTest::newRow("step") << "\"fork\"" << "\"frok\"" << "tasks.parent.program[1]" << "Did you mean fork?";
        QTest::newRow("task") << "[\"fork\", \"child\"]" << "[\"fork\", \"chidl\"]" << "tasks.parent.program[1][1]" << "Did you mean child?";
        QTest::newRow("channel") << "[\"send\", \"c1\"" << "[\"send\", \"c2\"" << "tasks.parent.program[2][2][0][1]" << "unknown channel";
        QTest::newRow("kind of channel") << "[\"wake\", \"f\"]" << "[\"wake\", \"c1\"]" << "tasks.child.program[1][1]" << "another kind";
        QTest::newRow("arguments") << "[\"exit\"]" << "[\"exit\", 1]" << "tasks.child.program[5]" << "takes 0 arguments";
        QTest::newRow("nice") << "-5" << "-21" << "tasks.parent.nice" << "-20";
        QTest::newRow("policy") << "batch" << "fifo" << "tasks.parent.policy" << "normal batch idle";
        QTest::newRow("kind") << "barrier\"}" << "fence\"}" << "channels.b.kind" << "pipe unix tcp futex barrier";
        QTest::newRow("key") << "\"weight\"" << "\"wieght\"" << "tasks.x.wieght" << "Did you mean weight?";
        QTest::newRow("weight") << "512" << "1" << "tasks.x.weight" << "2";
        QTest::newRow("cpus") << "\"1-2\"" << "\"2-1\"" << "tasks.x.cpus" << "CPU list";
        QTest::newRow("big message") << "\"c1\", 100], [\"run\"" << "\"c1\", 5000], [\"run\"" << "tasks.parent.program[2][2][0][2]" << "4096";
        QTest::newRow("idle loop") << "[[\"send\", \"c1\", 100], [\"run\", \"1us\"], [\"barrier\", \"b\", 2]]" << "[[\"run\", \"0\"]]" << "tasks.parent.program[2]" << "neither works nor waits";
        QTest::newRow("loop that only polls") << "[[\"send\", \"c1\", 100], [\"run\", \"1us\"], [\"barrier\", \"b\", 2]]" << "[[\"poll\", \"c1\"]]" << "tasks.parent.program[2]" << "neither works nor waits";
        QTest::newRow("timer without period") << "[[\"send\", \"c1\", 100], [\"run\", \"1us\"], [\"barrier\", \"b\", 2]]" << "[[\"timer\", \"0\"]]" << "tasks.parent.program[2]" << "neither works nor waits";
        QTest::newRow("loop of execs") << "[[\"send\", \"c1\", 100], [\"run\", \"1us\"], [\"barrier\", \"b\", 2]]" << "[[\"exec\"]]" << "tasks.parent.program[2]" << "neither works nor waits";
        QTest::newRow("groups") << "\"groups\": {}" << "\"groups\": {\"a\": 1}" << "groups" << "not available";
        QTest::newRow("fractional count") << "\"count\": 1" << "\"count\": 1.5" << "tasks.parent.count" << "";
    }
    void refused() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, where);
        QFETCH(QString, part);
        auto text = QString::fromStdString(kValid);
        QVERIFY(text.contains(from));
        text.replace(text.indexOf(from), from.size(), to);
        const auto w = read(text.toStdString());
        QVERIFY(!w.ok());
        bool found = false;
        QString all;
        for (const auto& p : w.problems()) {
            all += QString::fromStdString(p.where + ": " + p.message + "\n");
            found |= QString::fromStdString(p.where).endsWith(where) && QString::fromStdString(p.message).contains(part);
        }
        QVERIFY2(found, qPrintable(all));
    }

    void deep_loops() {
        std::string inner = R"([["run", "1us"]])";
        for (int i = 0; i < 6; ++i) inner = R"([["loop", 2, )" + inner + "]]";
        QVERIFY(!read(R"({"schema": "rqscope-workload/1", "tasks": {"t": {"program": )" + inner + "}}}").ok());
    }

    void hostile() { test::read_hostile(kValid, [](const std::string& t) { return read_workload_json(t, "w.json"); }, 20'000); }
};

QTEST_APPLESS_MAIN(TestWorkloadJson)
#include "tst_workload_json.moc"
