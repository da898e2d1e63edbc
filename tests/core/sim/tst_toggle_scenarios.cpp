// SPDX-License-Identifier: GPL-3.0-or-later
// Each toggle of placement has a scenario in which it shows: a figure of the summary goes the way that select.md 5 says when
// the toggle is flipped, and as played it does so from the flip on.
#include "sched/invariants.h"
#include "sim/simulator.h"
#include "support/toggle_scenarios.h"

#include <nlohmann/json.hpp>

using namespace rqscope;
using namespace rqscope::test;

namespace {

double level(const RunSummary& s, std::string_view name) {
    for (const auto& [key, count] : s.by_level)
        if (key == name) return static_cast<double>(count);
    return 0;
}

struct Case {
    const char* file;
    double (*figure)(const RunSummary&);
    double factor; // flipped figure / unflipped figure is at least this, or at most if below 1
};

double checks(const RunSummary& s) { return static_cast<double>(s.scan.per_wakeup.millionths); }
double makespan(const RunSummary& s) { return static_cast<double>(s.makespan_ns); }
double mean_latency(const RunSummary& s) { return static_cast<double>(s.wakeup_latency.mean.millionths); }
double p95(const RunSummary& s) { return static_cast<double>(s.wakeup_latency.p95); }
double moves(const RunSummary& s) { return static_cast<double>(s.migrations); }

// The factors leave room: they say that the effect is plain to see, not how large it is today.
const Case kCases[] = {
    {"fork-load-avg", [](const RunSummary& s) { return static_cast<double>(*std::max_element(s.fork_per_cpu.begin(), s.fork_per_cpu.end())); }, 0.4},
    {"old-idle", moves, 0.5},
    {"order-idle", p95, 0.3},
    {"idle-core", checks, 0.5},
    {"hint-via-sd-busy", checks, 0.5},
    {"force-core", checks, 1.3},
    {"smt-only", checks, 0.6},
    {"sis-avg-cpu", checks, 1.5},
    {"sis-prop", checks, 1.2},
    {"sis-util", checks, 1.2},
    {"cluster-scan", [](const RunSummary& s) { return level(s, "MC"); }, 2},
    {"wake-affine", mean_latency, 0.8},
    {"wa-idle", mean_latency, 0.8},
    {"wa-weight", mean_latency, 0.8},
    {"wa-bias", mean_latency, 0.5},
    {"wake-wide", [](const RunSummary& s) { return 1 + level(s, "NUMA"); }, 3},
    {"recent-cpu", moves, 0.5},
    {"smt-prev", [](const RunSummary& s) { return level(s, "SMT"); }, 0.5},
    {"numa-allowance", [](const RunSummary& s) { return 1 + level(s, "NUMA"); }, 5},
    {"wakeup-preemption", p95, 10},
    {"ttwu-queue", mean_latency, 0.8},
    {"pipe-exclusive", [](const RunSummary& s) { return static_cast<double>(s.wakeups); }, 2},
    {"cputime-prefetch", makespan, 1.03},
};

std::filesystem::path path_of(const std::string& name) {
    return std::filesystem::path(RQSCOPE_SOURCE_DIR) / "resources" / "scenarios" / ("toggle-" + name + ".json");
}

} // namespace

class TestToggleScenarios : public QObject {
    Q_OBJECT
private slots:
    void every_file_is_a_case() {
        std::vector<std::filesystem::path> expected;
        for (const auto& c : kCases) expected.push_back(path_of(c.file));
        std::sort(expected.begin(), expected.end());
        QCOMPARE(toggle_files(), expected);
    }

    void shows_data() {
        QTest::addColumn<int>("index");
        for (int i = 0; i < int(std::size(kCases)); ++i) QTest::newRow(kCases[i].file) << i;
    }

    void shows() {
        QFETCH(int, index);
        const auto& c = kCases[index];
        const auto s = load_scenario(path_of(c.file));
        QCOMPARE(s.actions.size(), std::size_t{1});
        const auto flip = flip_of(s);
        QVERIFY(readable(flip.feature, s.era));
        QVERIFY(era_info(s.era).available);
        QCOMPARE(std::string(feature_info(flip.feature).name), s.name);
        const auto before = run_and_count(unflipped(s));
        const auto after = run_and_count(flipped(s));
        const auto a = c.figure(before.summary), b = c.figure(after.summary);
        const auto text = QString("%1 at the start, %2 flipped").arg(a).arg(b);
        QVERIFY2(c.factor > 1 ? b >= a * c.factor : b <= a * c.factor, qPrintable(text));
    }

    // What a person sees: the same until the flip, from then on the figure goes the same way.
    void shows_as_played_data() { shows_data(); }
    void shows_as_played() {
        QFETCH(int, index);
        const auto& c = kCases[index];
        const auto s = load_scenario(path_of(c.file));
        const auto at = s.actions.front().at;
        const CountedSpan after{at, SimTime{*s.until}};
        const auto played = run_and_count(s, after);
        const auto plain = run_and_count(unflipped(s), after);
        const auto same = played.history.log().upper_bound(at - Duration{1});
        QVERIFY(same > 0 && same == plain.history.log().upper_bound(at - Duration{1}));
        for (std::uint32_t i = 0; i < same; ++i) {
            const auto a = played.history.log().row(i), b = plain.history.log().row(i);
            QVERIFY(a.time == b.time && a.kind == b.kind && a.cpu == b.cpu && a.task == b.task);
        }
        const auto a = c.figure(plain.summary), b = c.figure(played.summary);
        const auto text = QString("after the flip: %1 without, %2 with").arg(a).arg(b);
        // Half of the whole run's effect is plenty, as its first part is past.
        const auto factor = 1 + (c.factor - 1) / 2;
        QVERIFY2(c.factor > 1 ? b >= a * factor : b <= a * factor, qPrintable(text));
    }

    // As `rqsim run --check` would, over every shipped scenario.
    void invariants_hold() {
        for (const auto& entry : std::filesystem::directory_iterator(RQSCOPE_SOURCE_DIR "/resources/scenarios")) {
            const auto s = std::make_shared<const Scenario>(load_scenario(entry.path()));
            Simulator sim(s, initial_state(*s).value());
            while (sim.step()) {
                const auto broken = check_sched_invariants(sim.state().sched);
                QVERIFY2(!broken, (entry.path().filename().string() + ": " + broken.value_or("")).c_str());
            }
            QVERIFY2(!sim.fault(), sim.fault().value_or("").c_str());
        }
    }

    // The view asks for a pace in simulated seconds per second; at that pace the whole scenario is seen in ten seconds.
    void is_played_in_ten_seconds_data() { shows_data(); }
    void is_played_in_ten_seconds() {
        QFETCH(int, index);
        const auto s = load_scenario(path_of(kCases[index].file));
        QVERIFY(s.until.has_value());
        const auto view = nlohmann::json::parse(s.view_json);
        const auto seconds = static_cast<double>(s.until->count()) / 1e9 / view.at("pace").get<double>();
        QVERIFY2(seconds < 10, qPrintable(QString::number(seconds)));
        QCOMPARE(s.notes.size(), std::size_t{2});
    }
};

QTEST_APPLESS_MAIN(TestToggleScenarios)
#include "tst_toggle_scenarios.moc"
