// SPDX-License-Identifier: GPL-3.0-or-later
// The model from hand-made rows: run intervals, queues, phases, arrows; its sums and votes against brute force.
#include "rows.h"

#include <QTest>

#include <algorithm>
#include <map>

using namespace rqscope;
using namespace rqscope::test;

namespace {
constexpr CpuId kCpu0{0}, kCpu1{1};
}

class TestLaneModel : public QObject {
    Q_OBJECT
private slots:
    void runsBeginAfterTheSwitchCost() {
        LaneModel model;
        model.reset(2);
        RowMaker rows(model);
        rows.switchTo(100, 0, 0, 1, SwitchEnd::WasIdle, 7);
        QVERIFY(model.runs(kCpu0).open());
        rows.switchTo(500, 0, 1, 2, SwitchEnd::Preempted, 10);
        rows.leave(RowKind::Block, 900, 0, 2);
        rows.switchTo(900, 0, 2, 1, SwitchEnd::Blocked, 10);
        const auto& lane = model.runs(kCpu0);
        QCOMPARE(lane.size(), std::size_t{3});
        QCOMPARE(lane.begin(0), Ns{107});
        QCOMPARE(lane.end(0), Ns{500});
        QCOMPARE(lane.begin(1), Ns{510});
        QCOMPARE(lane.end(1), Ns{900});
        QCOMPARE(lane.task(1), TaskId{2});
        QVERIFY(lane.open());
        QCOMPARE(model.runEnd(kCpu0, 2), Ns{910}); // its first instruction is still to come
        model.setKnownTime(from_ns(1500));
        QCOMPARE(model.runEnd(kCpu0, 2), Ns{1500});
        QCOMPARE(lane.endingAfter(499), std::size_t{0});
        QCOMPARE(lane.endingAfter(500), std::size_t{1});
        QCOMPARE(lane.busyBefore(520, lane.endingAfter(520)), Ns{393 + 10});
    }

    void queueShowsWhoWaits() {
        LaneModel model;
        const LaneModel::StartTask start[] = {{TaskId{1}, kCpu0}, {TaskId{2}, kCpu0}};
        model.reset(2, start);
        QCOMPARE(model.queue(kCpu0).step(0).depth, 2U);
        RowMaker rows(model);
        rows.switchTo(0, 0, 0, 1, SwitchEnd::WasIdle);
        rows.wake(100, 3, 1, 0, 0);
        rows.wake(150, 4, 1, 0, 0);
        rows.fork(200, 5, 1, 0, 0);
        rows.migrate(300, 3, 0, 1);
        rows.switchTo(300, 1, 0, 3, SwitchEnd::WasIdle);
        const auto& queue = model.queue(kCpu0);
        QCOMPARE(queue.step(0).depth, 1U); // both waited, one was picked at once
        QCOMPARE(queue.step(0).tasks[0], 2U);
        const auto at = [&](Ns t) { return queue.step(queue.stepsUntil(t) - 1); };
        QCOMPARE(at(120).depth, 2U);
        QCOMPARE(at(250).depth, 4U);
        QCOMPARE(at(250).tasks[2], 4U);
        QCOMPARE(at(300).depth, 3U);
        QCOMPARE(at(300).tasks[1], 4U);
        QCOMPARE(model.queue(kCpu1).size(), std::size_t{0}); // arrived and ran at the same instant
        QCOMPARE(queue.waitBefore(200, queue.stepsUntil(200)), Ns{100 * 1 + 50 * 2 + 50 * 3});
    }

    void phasesTellTheTasksLife() {
        LaneModel model;
        model.reset(2);
        RowMaker rows(model);
        rows.fork(100, 3, 1, 0, 1);
        rows.switchTo(100, 1, 0, 3, SwitchEnd::WasIdle, 50);
        rows.leave(RowKind::Block, 400, 1, 3);
        rows.switchTo(400, 1, 3, 0, SwitchEnd::Blocked);
        rows.wake(600, 3, 0, 0, 0);
        rows.switchTo(700, 0, 0, 3, SwitchEnd::WasIdle);
        rows.switchTo(800, 0, 3, 4, SwitchEnd::Preempted);
        rows.leave(RowKind::Exit, 900, 0, 4);
        rows.switchTo(900, 0, 4, 3, SwitchEnd::Exited);
        const auto& life = model.phases(TaskId{3});
        const std::vector<std::pair<Ns, TaskPhase>> expected{
            {100, TaskPhase::Waiting}, {150, TaskPhase::Running}, {400, TaskPhase::Blocked}, {600, TaskPhase::Waiting},
            {700, TaskPhase::Running}, {800, TaskPhase::Waiting}, {900, TaskPhase::Running}};
        QCOMPARE(life.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE(life.time(i), expected[i].first);
            QCOMPARE(life.phase(i), expected[i].second);
        }
        QCOMPARE(life.cpu(1), kCpu1);
        QCOMPARE(life.cpu(4), kCpu0);
        QCOMPARE(life.ranBefore(750, life.stepsUntil(750)), Ns{250 + 50});
        QCOMPARE(model.phases(TaskId{4}).phase(model.phases(TaskId{4}).size() - 1), TaskPhase::Absent);
    }

    void aWakeUpAtTheInstantOfBlockingWins() {
        LaneModel model;
        model.reset(1);
        RowMaker rows(model);
        rows.switchTo(0, 0, 0, 1, SwitchEnd::WasIdle);
        rows.leave(RowKind::Block, 500, 0, 1);
        rows.wake(500, 1, 0, 0, 0);
        rows.switchTo(500, 0, 1, 2, SwitchEnd::Blocked);
        const auto& life = model.phases(TaskId{1});
        QCOMPARE(life.phase(life.size() - 1), TaskPhase::Waiting);
        QCOMPARE(model.queue(kCpu0).step(0).tasks[0], 1U);
    }

    void decisionsAndFlags() {
        LaneModel model;
        stormRows(model);
        QCOMPARE(model.decisions().size(), std::size_t{18});
        const auto& hop = model.decisions()[16];
        QCOMPARE(hop.task, TaskId{18});
        QCOMPARE(hop.from, CpuId{0});
        QCOMPARE(hop.to, CpuId{7});
        QCOMPARE(hop.time, Ns{4200000});
        QCOMPARE(model.flags().size(), std::size_t{1});
        QCOMPARE(model.flags()[0].time, Ns{2380000});
        QCOMPARE(LaneModel::firstHop(model.decisions(), 4200000), std::size_t{16});
        QCOMPARE(LaneModel::firstHop(model.decisions(), 4200001), std::size_t{17});

        model.reset(2);
        RowMaker rows(model);
        rows.wake(1000, 2, 1, 1, 0, 300);
        QCOMPARE(model.decisions().front().begin, Ns{700}); // decided before the task was on the queue
        QCOMPARE(model.decisions().front().from, kCpu1);
        rows.migrate(1200, 2, 0, 1);
        QCOMPARE(model.migrations().front().to, kCpu1);
    }

    void resetForgetsEverything() {
        LaneModel model;
        stormRows(model);
        model.reset(4);
        QCOMPARE(model.cpuCount(), 4U);
        QCOMPARE(model.rows(), 0U);
        QCOMPARE(model.knownTime(), Ns{0});
        QVERIFY(model.decisions().empty() && model.flags().empty());
        QCOMPARE(model.runs(kCpu0).size(), std::size_t{0});
    }

    void rowsForUnknownCpusAreIgnored() {
        LaneModel model;
        model.reset(1);
        RowMaker rows(model);
        rows.switchTo(10, 5, 0, 1, SwitchEnd::WasIdle);
        QCOMPARE(model.runs(kCpu0).size(), std::size_t{0});
    }

    void gallopEqualsUpperBound() {
        Random random;
        std::vector<Ns> times;
        for (Ns t = 0, i = 0; i < 5000; ++i) times.push_back(t += random.next(4));
        for (int i = 0; i < 4000; ++i) {
            const auto t = static_cast<Ns>(random.next(8000));
            const auto expected = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin());
            const auto hint = random.next(static_cast<std::uint32_t>(expected) + 1);
            QCOMPARE(gallopAfter(times, t, hint), expected);
        }
        QCOMPARE(gallopAfter({}, 5, 0), std::size_t{0});
    }

    void dominantAgainstBruteForce() {
        Random random;
        RunLane lane;
        Ns t = 0;
        for (std::uint32_t i = 0; i < 3000; ++i) {
            // long stretches of one task between others, so that both answers occur
            const auto task = random.next(3) != 0 ? 1 + i / 400 : 20 + random.next(6);
            t += random.next(30);
            lane.start(t, TaskId{task});
            t += 1 + random.next(60);
            lane.finish(t);
        }
        lane.start(t + 5, TaskId{3});
        int named = 0, mixed = 0;
        for (int i = 0; i < 3000; ++i) {
            const Ns from = random.next(static_cast<std::uint32_t>(t));
            const Ns to = std::min<Ns>(t + 50, from + 1 + random.next(random.next(2) != 0 ? 200 : 20000));
            std::map<std::uint32_t, Ns> held;
            Ns busy = 0;
            for (std::size_t r = 0; r < lane.size(); ++r) {
                const auto part = std::min(lane.end(r), to) - std::max(lane.begin(r), from);
                if (part <= 0) continue;
                held[lane.task(r).value] += part;
                busy += part;
            }
            std::uint32_t expected = 0;
            for (const auto& [task, part] : held)
                if (part * 100 >= busy * 60) expected = task;
            QCOMPARE(lane.dominant(from, to, 60).value, expected);
            ++(expected != 0 ? named : mixed);
        }
        QVERIFY(named > 200 && mixed > 200);
    }

    void sumsAgainstBruteForce() {
        LaneModel model;
        denseRows(model, 4, 4000, 12, 5000);
        Random random;
        for (std::uint32_t c = 0; c < 4; ++c) {
            const auto& runs = model.runs(CpuId{c});
            const auto& queue = model.queue(CpuId{c});
            for (int i = 0; i < 100; ++i) {
                const Ns t = random.next(static_cast<std::uint32_t>(model.knownTime()));
                Ns busy = 0, waited = 0;
                for (std::size_t r = 0; r < runs.size(); ++r)
                    busy += std::max<Ns>(0, std::min(runs.end(r), t) - runs.begin(r));
                for (std::size_t q = 0; q < queue.size(); ++q) {
                    const auto end = q + 1 < queue.size() ? queue.time(q + 1) : model.knownTime();
                    waited += std::max<Ns>(0, std::min(end, t) - queue.time(q)) * static_cast<Ns>(queue.step(q).depth);
                }
                QCOMPARE(runs.busyBefore(t, runs.endingAfter(t)), busy);
                QCOMPARE(queue.waitBefore(t, queue.stepsUntil(t)), waited);
            }
        }
    }

    void lanesAreConsistent() {
        // What runs on a CPU in its lane runs there in the task's lane, and intervals never overlap.
        LaneModel model;
        denseRows(model, 8, 6000, 20, 3000);
        for (std::uint32_t c = 0; c < 8; ++c) {
            const auto& runs = model.runs(CpuId{c});
            for (std::size_t r = 0; r < runs.size(); ++r) {
                if (r > 0) QVERIFY(runs.begin(r) >= runs.end(r - 1));
                const auto end = model.runEnd(CpuId{c}, r);
                if (end <= runs.begin(r) + 1) continue;
                const auto& life = model.phases(runs.task(r));
                const auto at = life.stepsUntil(runs.begin(r)) - 1;
                QCOMPARE(life.phase(at), TaskPhase::Running);
                QCOMPARE(life.cpu(at), CpuId{c});
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestLaneModel)
#include "tst_lane_model.moc"
