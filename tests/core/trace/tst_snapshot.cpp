// SPDX-License-Identifier: GPL-3.0-or-later
// What views are shown of a state: parts of the load in every era, and what wake-up searches remember.
#include "sim/sim_state.h"
#include "support/scenarios.h"

#include <QtTest>

#include <algorithm>

using namespace rqscope;
using namespace rqscope::test;

class TestSnapshot : public QObject {
    Q_OBJECT
private slots:
    void partsStayWithinTheWhole_data();
    void partsStayWithinTheWhole();
    void sleepersAreNoQueuedLoad();
    void hintOfEras();
    void gateFollowsTheSearch();
};

void TestSnapshot::partsStayWithinTheWhole_data() {
    QTest::addColumn<QString>("era");
    for (const auto& info : all_eras())
        if (info.available) QTest::newRow(std::string(info.key).c_str()) << QString::fromStdString(std::string(info.key));
}

void TestSnapshot::partsStayWithinTheWhole() {
    QFETCH(QString, era);
    auto h = history(scenario("teach-2x4-numa", "hogs:n=11", era.toStdString(), {}, "60ms"));
    std::size_t running = 0, waiting = 0;
    for (int ms = 1; ms < 60; ms += 3) {
        h.seek_time(SimTime{std::chrono::milliseconds{ms}});
        const auto snapshot = h.snapshot();
        QCOMPARE(snapshot.era, h.scenario().era);
        for (const auto& cpu : snapshot.cpus) {
            QVERIFY(cpu.running_load <= cpu.runnable_load_avg);
            if (load_profile(snapshot.era) == LoadProfile::L6_1) QVERIFY(cpu.runnable_load_avg <= cpu.load_avg);
            running += cpu.curr != kIdleTask && cpu.running_load > 0;
            waiting += !cpu.waiting.empty() && cpu.runnable_load_avg > cpu.running_load;
        }
    }
    // Hogs that run and hogs that wait are both seen, whatever the era tracks.
    QVERIFY(running > 100);
    QVERIFY(waiting > 20);
}

void TestSnapshot::sleepersAreNoQueuedLoad() {
    // Children that have exited or sleep leave load_avg behind, which must show as blocked.
    auto h = history(scenario("teach-mc8", "periodic:k=2", "6.1", {}, "300ms"));
    std::size_t blocked = 0, queued = 0;
    for (int ms = 100; ms < 300; ms += 7) {
        h.seek_time(SimTime{std::chrono::milliseconds{ms}});
        for (const auto& cpu : h.snapshot().cpus) {
            if (cpu.curr == kIdleTask && cpu.waiting.empty()) {
                QCOMPARE(cpu.runnable_load_avg, Load{0});
                blocked += cpu.load_avg > 0;
            } else {
                queued += cpu.runnable_load_avg > 0;
            }
        }
    }
    QVERIFY(blocked > 0);
    QVERIFY(queued > 0);
}

void TestSnapshot::hintOfEras() {
    const auto hint = [](const char* machine, const char* era) {
        return history(scenario(machine, "hogs:n=1", era, {}, "5ms")).snapshot().llcs.front();
    };
    QVERIFY(!hint("teach-smt4", "4.8").keeps_hint); // nothing there reads it
    QVERIFY(!hint("teach-smt4", "4.8").has_idle_cores);
    QVERIFY(hint("teach-smt4", "4.9").keeps_hint);
    QVERIFY(hint("teach-smt4", "4.9").has_idle_cores); // an idle machine
    QVERIFY(!hint("teach-mc8", "6.1").keeps_hint); // no SMT
    QCOMPARE(hint("teach-mc8", "6.1").nr_idle_scan, 8U);
    // In that reading one cache has no level above it to keep the hint on.
    auto quirk = scenario("teach-smt4", "hogs:n=1", "4.8-idle-wip", {"HINT_VIA_SD_BUSY"}, "5ms");
    QVERIFY(!history(std::move(quirk)).snapshot().llcs.front().has_idle_cores);
    QVERIFY(hint("teach-smt4", "4.8-idle-wip").has_idle_cores);
}

void TestSnapshot::gateFollowsTheSearch() {
    auto h = history(scenario("teach-mc8", "hackbench:-g 1 -l 5", "4.9", {}, "20ms"));
    const auto fresh = h.snapshot().cpus.front();
    QVERIFY(fresh.gate);
    QCOMPARE(fresh.avg_idle, std::uint64_t{1'000'000});
    QCOMPARE(fresh.gate->idle, std::uint64_t{1'000'000 / 512});
    QCOMPARE(fresh.gate->cost(), std::uint64_t{0});
    QVERIFY(fresh.gate->open());
    h.run_to_end();
    const auto& state = h.state().sched;
    const auto later = h.snapshot();
    bool learned = false;
    for (std::uint32_t c = 0; c < later.cpus.size(); ++c) {
        const auto llc = *state.domains->sd_llc[c];
        QCOMPARE(later.cpus[c].gate->avg_scan_cost, state.domain_rt[llc.index()].avg_scan_cost);
        learned = learned || later.cpus[c].gate->avg_scan_cost > 0;
    }
    QVERIFY(learned);
    // From 4.12 on the mean counts one more, so that it never is 0.
    QCOMPARE(history(scenario("teach-mc8", "hogs:n=1", "4.12", {}, "1ms")).snapshot().cpus.front().gate->cost(), std::uint64_t{1});
}

QTEST_APPLESS_MAIN(TestSnapshot)
#include "tst_snapshot.moc"
