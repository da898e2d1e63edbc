// SPDX-License-Identifier: GPL-3.0-or-later
// Time travel: the same state comes back however one gets there, toggles are undone by stepping back across them, branches
// part where they should, and explaining changes nothing.
#include "base/rng.h"
#include "sim/sim_state.h"
#include "support/scenarios.h"

using namespace rqscope;
using namespace rqscope::test;

namespace {

Input feature(std::string_view text) { return {SimTime{}, parse_feature(text, Era::V4_8).value()}; }

Scenario busy() { return scenario("teach-smt4", "periodic:k=3", "4.8", {}, "60ms"); }

// Hash at every event boundary of a straight run.
std::vector<std::pair<std::uint32_t, std::uint64_t>> hashes(Scenario s) {
    auto h = history(std::move(s));
    std::vector<std::pair<std::uint32_t, std::uint64_t>> out;
    do out.emplace_back(h.cursor(), h.state_hash());
    while (h.step_forward(StepUnit::Event));
    return out;
}

} // namespace

class TestHistory : public QObject {
    Q_OBJECT
private slots:
    // The run ends later than its last row: standing behind that row is not yet the end, and going on leads there again.
    void the_end_lies_behind_the_last_row() {
        auto h = history(scenario("teach-mc8", "forkstorm:n=3,run=200us,gap=250us,block=1", "4.8", {}, "50ms"));
        h.run_to_end();
        const auto end = h.state_hash();
        QVERIFY(h.step_back(StepUnit::Event));
        h.seek_row(h.known_rows());
        QVERIFY(h.state_hash() != end);
        QVERIFY(!h.at_frontier() && !h.at_end());
        h.seek_time(h.end_limit());
        QVERIFY(h.at_end());
        QCOMPARE(h.state_hash(), end);
        h.seek_row(0);
        h.seek_row(h.known_rows());
        QVERIFY(!h.step_forward(StepUnit::Event)); // no row is left, but the end is
        QVERIFY(h.at_end());
        QCOMPARE(h.state_hash(), end);
    }
    void equal_runs_are_equal() {
        auto a = history(busy());
        auto b = history(busy());
        a.run_to_end();
        while (b.step_forward(StepUnit::Event)) {}
        QCOMPARE(a.state_hash(), b.state_hash());
        QCOMPARE(a.known_rows(), b.known_rows());
        QVERIFY(a.at_end());
    }

    void every_event_back_and_forth() {
        const auto straight = hashes(busy());
        auto h = history(busy());
        h.run_to_end();
        for (auto it = straight.rbegin() + 1; it != straight.rend(); ++it) {
            if (it->first == h.cursor()) continue; // the end of the run has no row of its own
            QVERIFY(h.step_back(StepUnit::Event));
            QCOMPARE(h.cursor(), it->first);
            QCOMPARE(h.state_hash(), it->second);
        }
        QVERIFY(!h.step_back(StepUnit::Event));
    }

    void random_seeks() {
        const auto straight = hashes(busy());
        auto h = history(busy());
        h.run_to_end();
        const auto end = h.state_hash();
        Rng rng(11, 0, 0);
        for (int i = 0; i < 300; ++i) {
            const auto& [row, hash] = straight[rng.uniform(straight.size() - 2)];
            h.seek_row(row);
            QCOMPARE(h.cursor(), row);
            QCOMPARE(h.state_hash(), hash);
            if (i % 10 == 0) {
                h.run_to_end();
                QCOMPARE(h.state_hash(), end);
            }
        }
    }

    void seek_time_has_all_events_up_to_it() {
        auto h = history(busy());
        h.run_to_end();
        Rng rng(5, 0, 0);
        for (int i = 0; i < 200; ++i) {
            const auto t = from_ns(static_cast<std::int64_t>(rng.uniform(60'000'000)));
            h.seek_time(t);
            QCOMPARE(h.time(), t);
            QCOMPARE(h.cursor(), h.log().upper_bound(t));
            auto fresh = history(busy());
            fresh.seek_time(t);
            if (i % 20 == 0) QCOMPARE(h.state_hash(), fresh.state_hash());
        }
    }

    void decisions_and_ticks() {
        auto h = history(scenario("teach-mc8", kStorm));
        for (std::uint32_t n = 1; n <= 9; ++n) {
            QVERIFY(h.step_forward(StepUnit::Decision));
            QCOMPARE(h.decisions().size(), std::size_t{n});
            QCOMPARE(h.current_decision()->seq.value, h.decisions().back());
        }
        QVERIFY(!h.step_forward(StepUnit::Decision));
        for (std::size_t n = 9; n-- > 0;) {
            QVERIFY(h.step_back(StepUnit::Decision));
            QCOMPARE(h.current_decision()->seq.value, h.decisions()[n]);
        }
        QVERIFY(h.step_back(StepUnit::Decision));
        QCOMPARE(h.cursor(), 0U);
        auto t = history(busy());
        for (int i = 1; i <= 5; ++i) {
            QVERIFY(t.step_forward(StepUnit::Tick));
            QCOMPARE(to_ns(t.time()), i * 4'000'000LL);
        }
        for (int i = 4; i >= 0; --i) {
            QVERIFY(t.step_back(StepUnit::Tick));
            QCOMPARE(to_ns(t.time()), i * 4'000'000LL);
        }
    }

    void a_toggle_takes_effect_with_the_next_event() {
        auto h = history(scenario("teach-mc8", kStorm));
        for (int i = 0; i < 3; ++i) h.step_forward(StepUnit::Decision);
        const auto before = h.state_hash();
        const auto at = h.cursor();
        h.apply(feature("FORK_LOAD_AVG"));
        QCOMPARE(h.cursor(), at + 1);
        h.run_to_end();
        QCOMPARE(fork_targets(h), (std::vector<std::uint32_t>{1, 1, 1, 2, 3, 4, 5, 6, 7}));
        const auto end = h.state_hash();
        // Back across it the toggle is undone, forward again it is re-applied.
        h.seek_row(at);
        QCOMPARE(h.state_hash(), before);
        QVERIFY(!h.state().sched.features.has(Feature::FORK_LOAD_AVG));
        h.step_forward(StepUnit::Event);
        QVERIFY(h.state().sched.features.has(Feature::FORK_LOAD_AVG));
        h.run_to_end();
        QCOMPARE(h.state_hash(), end);
        QCOMPARE(h.log().row(at).kind, RowKind::Input);
        QCOMPARE(to_string(h.inputs()[h.log().row(at).input]), std::string("FORK_LOAD_AVG=RFC"));
    }

    void a_toggle_between_two_events_stands_where_it_was_made() {
        auto h = history(scenario("teach-mc8", kStorm));
        const auto t = from_ns(300'000);
        h.seek_time(t);
        QVERIFY(h.log().row(h.cursor() - 1).time < t);
        h.apply(feature("FORK_LOAD_AVG"));
        const auto row = h.log().row(h.cursor() - 1);
        QCOMPARE(row.kind, RowKind::Input);
        QCOMPARE(row.time, t);
        const auto after = h.state_hash();
        h.run_to_end();
        h.seek_row(h.log().upper_bound(t));
        QCOMPARE(h.state_hash(), after);
        h.seek_time(from_ns(299'999));
        QVERIFY(!h.state().sched.features.has(Feature::FORK_LOAD_AVG));
        h.seek_time(t);
        QVERIFY(h.state().sched.features.has(Feature::FORK_LOAD_AVG));
    }

    void a_change_in_the_past_is_a_branch() {
        auto a = history(scenario("teach-mc8", kStorm));
        a.run_to_end();
        const auto end = a.state_hash();
        a.seek_row(a.decisions()[3] + 1);
        auto b = a.branch();
        QVERIFY(b.at_frontier());
        QCOMPARE(b.cursor(), a.cursor());
        QCOMPARE(b.state_hash(), a.state_hash());
        b.apply(feature("FORK_LOAD_AVG"));
        b.run_to_end();
        QCOMPARE(fork_targets(b), (std::vector<std::uint32_t>{1, 1, 1, 1, 2, 3, 4, 5, 6}));
        // The first run is untouched.
        a.run_to_end();
        QCOMPARE(a.state_hash(), end);
        QCOMPARE(fork_targets(a), std::vector<std::uint32_t>(9, 1));
    }

    void actions_of_a_scenario() {
        auto s = scenario("teach-mc8", kStorm);
        s.actions.push_back({from_ns(1'000'000), parse_feature("FORK_LOAD_AVG", s.era).value()});
        auto h = history(s);
        h.run_to_end();
        QCOMPARE(fork_targets(h), (std::vector<std::uint32_t>{1, 1, 1, 1, 2, 3, 4, 5, 6}));
        const auto end = h.state_hash();
        // A user's input before the action: each row names its own.
        h.seek_time(from_ns(500'000));
        auto b = h.branch();
        b.apply(feature("NO_WAKE_AFFINE"));
        b.run_to_end();
        std::vector<std::string> names;
        b.log().for_each(0, b.known_rows(), [&](const LogRow& r) {
            if (r.kind == RowKind::Input) names.push_back(to_string(b.inputs()[r.input]));
        });
        QCOMPARE(names, (std::vector<std::string>{"NO_WAKE_AFFINE", "FORK_LOAD_AVG=RFC"}));
        h.seek_time(from_ns(999'999));
        QVERIFY(!h.state().sched.features.has(Feature::FORK_LOAD_AVG));
        h.seek_time(from_ns(1'000'000));
        QVERIFY(h.state().sched.features.has(Feature::FORK_LOAD_AVG));
        h.run_to_end();
        QCOMPARE(h.state_hash(), end);
    }

    void explaining_changes_nothing() {
        auto h = history(busy());
        h.run_to_end();
        const auto end = h.state_hash();
        QVERIFY(!h.decisions().empty());
        for (const auto row : h.decisions()) {
            const auto why = h.explain(EventSeq{row});
            QCOMPARE(why.row.seq.value, row);
            QVERIFY(!why.steps.empty());
            QCOMPARE(static_cast<int>(why.steps.back().kind), static_cast<int>(SelectStep::Kind::Returned));
            QCOMPARE(why.steps.back().cpu, why.row.placement.cpu);
        }
        QCOMPARE(h.state_hash(), end);
        QVERIFY(h.at_end());
    }

    void slices_equal_one_go() {
        auto a = history(busy());
        while (!a.advance(from_ns(30'000'000), 7)) {}
        auto b = history(busy());
        b.seek_time(from_ns(30'000'000));
        QCOMPARE(a.state_hash(), b.state_hash());
        QCOMPARE(a.time(), b.time());
    }

    void keyframes_stay_below_the_log() {
        auto h = history(scenario("teach-mc8", "periodic:k=4", "4.8", {}, "2s"));
        h.run_to_end();
        QVERIFY(h.log_bytes() > 0);
        QVERIFY2(h.keyframe_bytes() < h.log_bytes() * 22 / 10, qPrintable(QString::number(h.keyframe_bytes())));
        QVERIFY2(h.log_bytes() <= 16 * std::size_t{h.known_rows()}, qPrintable(QString::number(h.log_bytes())));
    }

    void era_that_is_not_built() {
        QVERIFY(!History::create(scenario("teach-mc8", kStorm, "6.12")).ok());
    }
};

QTEST_APPLESS_MAIN(TestHistory)
#include "tst_history.moc"
