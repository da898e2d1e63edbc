// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario and run files: reading, canonical writing, replay with the stored hash, and hostile input.
#include "support/hostile.h"
#include "support/scenarios.h"
#include "trace/run_file.h"

#include <QTemporaryDir>

using namespace rqscope;
using namespace rqscope::test;

namespace {

const std::string kValid = R"({
  "schema": "rqscope-scenario/1", "name": "storm", "machine": "teach-mc8", "workload": "forkstorm:n=9,run=200us,gap=250us,block=1",
  "era": "4.8", "features": ["NO_WAKE_AFFINE", "FORK_LOAD_AVG=MERGED"], "set": {"latency_ns": 12000000},
  "seed": 7, "until": "6ms", "jitter": "1us", "start_clock": "11s", "initial": {"cpus": [{"cpu": 6, "idle_stamp": "newest"}, {"cpu": 2, "avg_idle": 5000}]},
  "actions": [{"at": "5ms", "feature": "NO_FORK_LOAD_AVG"}, {"at": "1ms", "set": {"latency_ns": 8000000}}], "notes": ["a"], "view": {"zoom": 2}, "x-mine": 1})";

Result<Scenario> read(std::string_view text) { return read_scenario(text, "s.json", {}, machine_dirs()); }

} // namespace

class TestScenarioFiles : public QObject {
    Q_OBJECT
private slots:
    void valid() {
        const auto s = read(kValid);
        QVERIFY2(s.ok(), text_of(s.problems()).c_str());
        QCOMPARE(s->machine.id, std::string("teach-mc8"));
        QCOMPARE(s->features.size(), std::size_t{2});
        QCOMPARE(int(s->features[1].value), 2);
        QCOMPARE(s->actions.size(), std::size_t{2});
        QCOMPARE(to_ns(s->actions[0].at), 1'000'000); // sorted by time
        QCOMPARE(s->seed, 7ULL);
        QCOMPARE(s->until->count(), 6'000'000);
        QVERIFY(s->initial[0].idle_stamp_newest);
    }

    void write_read_write_data() {
        QTest::addColumn<int>("form");
        QTest::newRow("reference") << int(MachineForm::Reference);
        QTest::newRow("inline") << int(MachineForm::Inline);
    }
    void write_read_write() {
        QFETCH(int, form);
        const auto first = write_scenario(read(kValid).value(), static_cast<MachineForm>(form));
        const auto again = read(first);
        QVERIFY2(again.ok(), text_of(again.problems()).c_str());
        QCOMPARE(write_scenario(*again, static_cast<MachineForm>(form)), first);
        auto a = history(read(kValid).value());
        auto b = history(*again);
        a.run_to_end();
        b.run_to_end();
        QCOMPARE(a.state_hash(), b.state_hash());
    }

    void inline_workload_survives() {
        auto s = scenario("teach-mc8", workload_json(R"({"t": {"program": [["run", "1ms"], ["block"]]}})"));
        const auto again = read(write_scenario(s, MachineForm::Reference));
        QVERIFY2(again.ok(), text_of(again.problems()).c_str());
        QCOMPARE(again->workload.templates[0].role, std::string("t"));
    }

    void refused_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("part");
        QTest::newRow("schema") << "scenario/1" << "scenario/2" << "schema: must be";
        QTest::newRow("machine") << "teach-mc8" << "teach-mc9" << "Did you mean teach-mc8?";
        QTest::newRow("workload") << "run=200us" << "run=2q0us" << "\"2q0us\" is not a time. Write 200us";
        QTest::newRow("era") << "\"4.8\"" << "\"4.88\"" << "unknown era";
        QTest::newRow("feature") << "NO_WAKE_AFFINE" << "NO_WAKE_AFINE" << "Did you mean WAKE_AFFINE?";
        QTest::newRow("choice") << "=MERGED" << "=OTHER" << "Values: RFC MERGED";
        QTest::newRow("tunable") << "latency_ns\": 12" << "latency_nss\": 12" << "Did you mean latency_ns?";
        QTest::newRow("range") << "12000000" << "1" << "is outside";
        QTest::newRow("seed") << "\"seed\": 7" << "\"seed\": -7" << "seed: must be";
        QTest::newRow("until") << "6ms" << "6 parsecs" << "is not a time";
        QTest::newRow("key") << "\"notes\"" << "\"note\"" << "Did you mean notes?";
        QTest::newRow("idle action") << "{\"at\": \"5ms\", \"feature\": \"NO_FORK_LOAD_AVG\"}" << "{\"at\": \"5ms\"}" << "does nothing";
        QTest::newRow("later feature") << "NO_WAKE_AFFINE" << "NO_PLACE_LAG" << "not available in this version";
        QTest::newRow("action") << "\"feature\": \"NO_FORK" << "\"offline\": \"NO_FORK" << "not available in this version";
    }
    void refused() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, part);
        auto text = QString::fromStdString(kValid);
        QVERIFY(text.contains(from));
        text.replace(text.indexOf(from), from.size(), to);
        const auto s = read(text.toStdString());
        QVERIFY(!s.ok());
        QVERIFY2(QString::fromStdString(text_of(s.problems())).contains(part), text_of(s.problems()).c_str());
        QVERIFY(QString::fromStdString(s.problems().front().where).startsWith("s.json"));
    }

    void hostile_scenarios() { read_hostile(kValid, [](const std::string& t) { return read(t); }, 3'000); }

    void a_run_replays_to_its_hash() {
        auto h = history(read(kValid).value());
        for (int i = 0; i < 4; ++i) h.step_forward(StepUnit::Decision);
        h.apply({SimTime{}, parse_feature("NO_FORK_LOAD_AVG", Era::V4_8).value()});
        h.apply({SimTime{}, parse_tunable("wakeup_granularity_ns=1").value()});
        for (int i = 0; i < 2; ++i) h.step_forward(StepUnit::Decision);
        h.step_back(StepUnit::Decision);
        const auto text = write_run(h);
        QVERIFY(looks_like_run_file(text));
        const auto file = read_run(text, "r.rqrun");
        QVERIFY2(file.ok(), text_of(file.problems()).c_str());
        QCOMPARE(file->inputs.size(), std::size_t{2});
        QCOMPARE(file->cursor, h.cursor());
        auto replayed = replay_run(*file);
        QVERIFY(replayed.ok());
        QCOMPARE(verify_run(*file, *replayed), std::optional<std::string>());
        QCOMPARE(write_run(*replayed).substr(0, 500), text.substr(0, 500));
        auto wrong = *file;
        wrong.state_hash ^= 1;
        QVERIFY(verify_run(wrong, *replayed).has_value());
    }

    void a_finished_run_replays_too() {
        auto h = history(read(kValid).value());
        h.run_to_end();
        const auto file = read_run(write_run(h), "r.rqrun");
        QVERIFY(file->finished);
        QCOMPARE(verify_run(*file, replay_run(*file).value()), std::optional<std::string>());
    }

    void hostile_runs() {
        auto h = history(read(kValid).value());
        h.step_forward(StepUnit::Decision);
        h.apply({SimTime{}, parse_feature("NO_FORK_LOAD_AVG", Era::V4_8).value()});
        read_hostile(write_run(h), [](const std::string& t) { return read_run(t, "r.rqrun"); }, 3'000);
    }

    void files_appear_whole_or_not_at_all() {
        QTemporaryDir dir;
        const auto base = std::filesystem::path(dir.path().toStdString());
        QVERIFY(!write_text_file(base / "a.json", "hello"));
        QCOMPARE(read_text_file(base / "a.json", 100).value(), std::string("hello"));
        QVERIFY(write_text_file(base / "no" / "a.json", "hello"));
        QVERIFY(write_text_file(base, "hello"));
        QCOMPARE(std::distance(std::filesystem::directory_iterator(base), std::filesystem::directory_iterator()), std::ptrdiff_t{1});
        QVERIFY(!read_text_file(base, 100).ok());
        QVERIFY(!read_text_file(base / "b", 100).ok());
        QVERIFY(!read_text_file(base / "a.json", 4).ok());
    }
};

QTEST_APPLESS_MAIN(TestScenarioFiles)
#include "tst_scenario_files.moc"
