// SPDX-License-Identifier: GPL-3.0-or-later
// Every toggle that this version's eras read changes the outcome of at least one scenario, and one that an era does not
// read changes nothing (DESIGN 3).
#include "support/toggle_scenarios.h"

using namespace rqscope;
using namespace rqscope::test;

namespace {

std::string on_cpu_0(std::string text) {
    const std::string from = R"("cpu": 1)";
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from)) text[at + from.size() - 1] = '0';
    return text;
}

// Scenarios in which the features show; each is cheap.
std::vector<Scenario> probes() {
    const auto pingpong = workload_json(R"({"a": {"cpu": 0, "count": 3, "nice": -2, "program": [["loop", 200, [["run", "30us"], ["send", "p", 100], ["recv", "q", 100]]]]},
                                            "b": {"cpu": 1, "count": 4, "program": [["loop", 200, [["recv", "p", 100], ["run", "50us"], ["send", "q", 100]]]]},
                                            "sleeper": {"cpu": 0, "count": 3, "program": [["loop", 40, [["run", "2ms"], ["sleep", "1ms"]]]]}})",
                                        R"({"p": {"kind": "pipe"}, "q": {"kind": "pipe"}})");
    const auto writers = workload_json(R"({"w": {"cpu": 0, "count": 6, "program": [["loop", 60, [["send", "p", 4000]]]]},
                                           "r": {"cpu": 1, "program": [["loop", 360, [["recv", "p", 4000], ["run", "20us"]]]]}})",
                                       R"({"p": {"kind": "pipe"}})");
    const auto fan_out = workload_json(R"({"master": {"cpu": 0, "program": [["loop", 300, [["run", "20us"], ["send", "j", 100]]]]},
                                           "worker": {"cpu": 4, "count": 9, "program": [["loop", -1, [["recv", "j", 100], ["run", "300us"]]]]}})",
                                       R"({"j": {"kind": "unix"}})");
    // Eight and more queued tasks, so that buddies count; the runners preempt each other.
    const auto crowd = workload_json(R"({"runner": {"cpu": 0, "count": 8, "program": [["loop", 60, [["run", "2ms"]]]]},
                                         "waker": {"cpu": 0, "count": 4, "nice": -5, "program": [["loop", 80, [["run", "300us"], ["sleep", "700us"]]]]},
                                         "mate": {"cpu": 0, "count": 3, "nice": -3, "program": [["loop", 80, [["run", "200us"], ["sleep", "3ms"]]]]}})");
    // A crowd beside busy CPUs: periodic balancing looks at tasks that are somebody's buddy.
    const auto beside = workload_json(R"({"hog": {"cpu": 1, "cpus": "1", "program": [["run", "900ms"]]},
                                          "wall": {"cpu": 2, "cpus": "2", "nice": -20, "program": [["run", "900ms"]]},
                                          "wall2": {"cpu": 3, "cpus": "3", "nice": -20, "program": [["run", "900ms"]]},
                                          "runner": {"cpu": 0, "count": 9, "program": [["loop", 60, [["run", "3ms"]]]]},
                                          "waker": {"cpu": 0, "count": 9, "nice": -5, "program": [["loop", 90, [["run", "300us"], ["sleep", "2ms"]]]]}})");
    // Heavy sleepers leave much load and little util behind, so that the weight in a newborn's first util shows.
    const auto heavy = workload_json(R"({"parent": {"nice": -15, "program": [["loop", 12, [["run", "1ms"], ["sleep", "3ms"], ["fork", "child"]]]]},
                                         "child": {"program": [["run", "300us"], ["sleep", "2ms"], ["run", "300us"]]}})");
    const auto mixed = workload_json(R"({"a": {"cpu": 0, "count": 7, "program": [["loop", 99, [["run", "9ms"], ["sleep", "1ms"]]]]},
                                         "b": {"cpu": 1, "count": 5, "nice": 3, "program": [["loop", 99, [["run", "7ms"], ["sleep", "3ms"]]]]}})");
    const auto light = workload_json(R"({"light": {"cpu": 0, "nice": 19, "count": 12, "program": [["loop", 30, [["run", "1ms"], ["sleep", "2ms"]]]]}})");
    return {
        scenario("teach-mc8", kStorm),
        scenario("single-cpu", "forkstorm:n=6,run=3ms,gap=2ms,block=1", "4.8", {}, "40ms"),
        scenario("box-4cpu", pingpong, "4.8", {}, "80ms"),
        scenario("single-cpu", on_cpu_0(pingpong), "4.8", {}, "80ms"),
        scenario("single-cpu", "forkstorm:n=20,run=6ms,gap=500us", "4.8", {}, "150ms"),
        scenario("box-4cpu", writers, "4.8", {}, "80ms"),
        scenario("xeon-2s-8cpu", fan_out, "4.8", {}, "80ms"),
        scenario("teach-2x4-numa", pingpong, "4.8", {}, "80ms"),
        scenario("xeon-2s-8cpu", "periodic:k=3", "4.8", {}, "300ms"),
        scenario("single-cpu", heavy, "4.8", {}, "80ms"),
        scenario("xeon-2s-8cpu", mixed, "4.8", {}, "600ms"),
        scenario("xeon-2s-8cpu", "hogs:n=11", "4.8", {}, "900ms"),
        scenario("xeon-2s-8cpu", light, "4.8", {}, "200ms"),
        scenario("single-cpu", crowd, "4.8", {}, "150ms"),
        scenario("box-4cpu", crowd, "4.8", {}, "150ms"),
        scenario("box-4cpu", beside, "4.8", {"NEXT_BUDDY"}, "400ms"),
        scenario("xeon-2s-8cpu", "forkstorm:n=40,run=9ms,gap=1ms", "4.8", {}, "150ms"),
        scenario("xeon-2s-8cpu", "forkstorm:n=40,run=900us,gap=100us,block=1", "4.8", {}, "150ms"),
        scenario("teach-mc8", "forkstorm:n=12,run=3ms,gap=2ms,block=1", "4.8", {}, "40ms"),
        scenario("teach-mc8", "pound_times:4,calls=4000"),
    };
}

std::uint64_t outcome(Scenario s, FeatureSetting f) {
    s.features.push_back(f);
    auto h = history(std::move(s));
    h.run_to_end();
    return h.state_hash();
}

} // namespace

class TestFeaturesMatter : public QObject {
    Q_OBJECT
    // Neither from the start nor thrown while the run goes on.
    static void unread_changes_nothing(Feature feature) {
        for (const auto& s : probes()) {
            QCOMPARE(outcome(s, {feature, 1}), outcome(s, {feature, 0}));
            auto thrown = s;
            thrown.actions.push_back({from_ns(1'000'000), FeatureSetting{feature, 1}});
            auto other = s;
            other.actions.push_back({from_ns(1'000'000), FeatureSetting{feature, 0}});
            QCOMPARE(outcome(thrown, {feature, 0}), outcome(other, {feature, 0}));
        }
    }
    // Later toggles: the scenario made for it, or a crowd of light tasks where it belongs to the queue.
    static void matters_where_it_is_read(Feature feature) {
        const std::string crowd = workload_json(R"({"light": {"cpu": 0, "nice": 19, "count": 12, "program": [["loop", 30, [["run", "3ms"], ["sleep", "2ms"]]]]},
                                                    "hog": {"cpu": 0, "program": [["run", "60ms"]]}})");
        std::vector<Scenario> all{scenario("single-cpu", crowd, "6.5", {}, "90ms"), load_scenario(RQSCOPE_SOURCE_DIR "/resources/scenarios/toggle-old-idle.json")};
        all.back().features.push_back({Feature::OLD_IDLE, 1});
        all.back().features.push_back({Feature::ORDER_IDLE, 1});
        all.back().actions.clear();
        for (const auto& file : toggle_files()) {
            auto s = load_scenario(file);
            if (flip_of(s).feature == feature) all.push_back(unflipped(s));
        }
        bool changed = false;
        for (const auto& s : all) {
            if (!readable(feature, s.era)) continue;
            for (FeatureValue v = 1; v <= value_count(feature); ++v) changed = changed || outcome(s, {feature, v}) != outcome(s, {feature, 0});
        }
        QVERIFY2(changed, std::string(feature_info(feature).name).c_str());
    }
private slots:
    void flipping_changes_an_outcome_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < all_features().size(); ++i) QTest::addRow("%s", std::string(all_features()[i].name).c_str()) << int(i);
    }
    void flipping_changes_an_outcome() {
        QFETCH(int, index);
        const auto feature = static_cast<Feature>(index);
        if (!readable(feature, Era::V4_8)) {
            unread_changes_nothing(feature);
            matters_where_it_is_read(feature);
            return;
        }
        const auto usual = default_value(feature, Era::V4_8);
        for (FeatureValue v = 0; v <= value_count(feature); ++v) {
            if (v == usual) continue;
            bool changed = false;
            for (const auto& s : probes()) changed = changed || outcome(s, {feature, v}) != outcome(s, {feature, usual});
            QVERIFY2(changed, qPrintable(QString::fromStdString(to_string(FeatureSetting{feature, v}))));
        }
    }
};

QTEST_APPLESS_MAIN(TestFeaturesMatter)
#include "tst_features_matter.moc"
