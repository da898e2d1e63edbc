// SPDX-License-Identifier: GPL-3.0-or-later
// Invariant I1 of load tracking 6.1 on random histories: a queue's sums stay those of the entities attached to it.
#include "base/rng.h"
#include "load/pelt61.h"

#include <QTest>

#include <array>
#include <cmath>

using namespace rqscope;

namespace {

constexpr RqClock kMs = 1'000'000;
constexpr RqClock kStart = 10'000 * kMs;
constexpr std::size_t kQueues = 2;
constexpr std::array<std::uint64_t, 12> kWeights{3, 15, 70, 335, 820, 1024, 1024, 1277, 3121, 9548, 29154, 88761};

// Entities of all weights that run, wait, sleep, wake elsewhere, are moved while queued and change their weight, at random.
class Crowd {
public:
    Crowd(std::uint64_t seed, bool wakes_elsewhere) : m_wakes_elsewhere(wakes_elsewhere), m_rng(seed, 0, 0) {
        for (auto& q : m_queues) q.avg.last_update_time = kStart;
        for (std::size_t i = 0; i < kWeights.size(); ++i) {
            m_entities[i].weight = kWeights[i];
            init61(m_entities[i].avg, kWeights[i]);
        }
    }

    void step() {
        m_now += m_rng.uniform(m_rng.uniform(20) == 0 ? 80 * kMs : 2 * kMs);
        auto& e = m_entities[m_rng.uniform(kWeights.size() - 1)];
        if (!e.queued)
            wake(e);
        else if (const auto what = m_rng.uniform(9); what < 5)
            dequeue(e);
        else if (what < 7)
            move(e);
        else if (what < 8)
            run(e);
        else
            reweight(e);
        auto& q = m_queues[m_rng.uniform(kQueues - 1)];
        if (m_rng.uniform(3) == 0) update_queue61(q.avg, m_now, activity(q));
    }

    struct Gaps {
        double load, util, runnable;
    };
    // |queue - sum of entities| beyond half a per cent of the sum, in units of the average.
    [[nodiscard]] Gaps gaps(std::size_t queue) const {
        double load = 0, util = 0, runnable = 0;
        const auto& q = m_queues[queue].avg;
        for (const auto& e : m_entities) {
            if (e.queue != queue || e.avg.last_update_time == 0) continue;
            auto copy = e.avg;
            update61(copy, q.last_update_time, activity(e));
            load += double(copy.load_sum) * double(e.weight);
            util += double(copy.util_sum);
            runnable += double(copy.runnable_sum);
        }
        const auto gap = [](double have, double left, double entities) {
            const double all = entities + left * kLoadAvgMax;
            return (std::abs(have - all) - all / 200) / kLoadAvgMax;
        };
        return {gap(double(q.load_sum), q.removed_load, load), gap(q.util_sum, q.removed_util, util),
                gap(double(q.runnable_sum), q.removed_runnable, runnable)};
    }

    [[nodiscard]] const CfsAvg& queue(std::size_t i) const { return m_queues[i].avg; }
    [[nodiscard]] Util busiest() const {
        Util most = 0;
        for (const auto& e : m_entities) most = std::max({most, e.avg.util_avg, e.avg.runnable_avg});
        return most;
    }

private:
    struct Entity {
        EntityAvg avg;
        std::uint64_t weight = 0;
        std::size_t queue = 0;
        bool queued = false;
    };
    struct Queue {
        CfsAvg avg;
        std::uint64_t weight = 0, nr = 0;
        const Entity* curr = nullptr;
    };

    Activity61 activity(const Queue& q) const { return queue_activity(q.weight, q.nr, q.curr != nullptr); }
    Activity61 activity(const Entity& e) const {
        return entity_activity(e.weight, e.queued ? 1 : 0, m_queues[e.queue].curr == &e);
    }
    void enqueue(Entity& e) {
        auto& q = m_queues[e.queue];
        enqueue61(q.avg, e.avg, m_now, activity(e), activity(q));
        e.queued = true;
        q.weight += e.weight;
        ++q.nr;
    }
    void dequeue(Entity& e) {
        auto& q = m_queues[e.queue];
        update_load_avg61(q.avg, e.avg, m_now, activity(e), activity(q));
        e.queued = false;
        q.weight -= e.weight;
        --q.nr;
        if (q.curr == &e) q.curr = nullptr;
    }
    void wake(Entity& e) {
        if (m_wakes_elsewhere && m_rng.uniform(2) == 0) {
            remove61(m_queues[e.queue].avg, e.avg, e.weight);
            e.queue = 1 - e.queue;
        }
        enqueue(e);
    }
    void move(Entity& e) {
        dequeue(e);
        detach61(m_queues[e.queue].avg, e.avg, e.weight);
        e.avg.last_update_time = 0;
        e.queue = 1 - e.queue;
        enqueue(e);
    }
    void run(Entity& e) {
        auto& q = m_queues[e.queue];
        for (auto& other : m_entities)
            if (&other == q.curr || &other == &e) update_load_avg61(q.avg, other.avg, m_now, activity(other), activity(q));
        q.curr = &e;
    }
    void reweight(Entity& e) {
        const bool ran = m_queues[e.queue].curr == &e;
        dequeue(e);
        const auto old_weight = e.weight;
        e.weight = kWeights[m_rng.uniform(kWeights.size() - 1)];
        reweight61(m_queues[e.queue].avg, e.avg, old_weight, e.weight);
        enqueue(e);
        if (ran) m_queues[e.queue].curr = &e;
    }

    bool m_wakes_elsewhere;
    Rng m_rng;
    RqClock m_now = kStart;
    std::array<Queue, kQueues> m_queues;
    std::array<Entity, kWeights.size()> m_entities;
};

} // namespace

class TestPelt61Sums : public QObject {
    Q_OBJECT
private slots:
    void queue_is_the_sum_of_its_entities_data();
    void queue_is_the_sum_of_its_entities();
};

void TestPelt61Sums::queue_is_the_sum_of_its_entities_data() {
    QTest::addColumn<quint64>("seed");
    QTest::addColumn<bool>("wakes_elsewhere");
    for (quint64 seed = 1; seed <= 8; ++seed)
        for (const bool elsewhere : {false, true})
            QTest::addRow("seed %llu%s", seed, elsewhere ? " waking elsewhere" : "") << seed << elsewhere;
}

// Tolerance of load.md 2: half a per cent and a unit per entity; for the load also 0.2 % of the heaviest entity, whose sum is
// cut to multiples of its weight. An entity that leaves an unlocked queue takes its average times the divisor of that moment,
// up to 1024 / 46718 more than its sum if the average is from earlier in the period: the queue forgets too much until the
// difference has faded.
void TestPelt61Sums::queue_is_the_sum_of_its_entities() {
    QFETCH(quint64, seed);
    QFETCH(bool, wakes_elsewhere);
    constexpr double kHeaviest = 88761;
    const double units = static_cast<double>(kWeights.size()) + 1;
    const double stale = wakes_elsewhere ? 1024.0 / 46718 : 0;
    Crowd crowd(seed, wakes_elsewhere);
    for (int i = 0; i < 20'000; ++i) {
        crowd.step();
        QVERIFY(crowd.busiest() <= 1024);
        for (std::size_t q = 0; q < kQueues; ++q) {
            const auto gaps = crowd.gaps(q);
            const auto text = QString("step %1: load %2, util %3, runnable %4").arg(i).arg(gaps.load).arg(gaps.util).arg(gaps.runnable);
            QVERIFY2(gaps.load <= units + kHeaviest * (0.002 + stale), qPrintable(text));
            QVERIFY2(gaps.util <= units + 1024 * stale, qPrintable(text));
            QVERIFY2(gaps.runnable <= units + 1024 * stale, qPrintable(text));
            const auto& avg = crowd.queue(q);
            QVERIFY(avg.period_contrib < 1024);
            QVERIFY(avg.util_sum >= avg.util_avg * 46718 && avg.runnable_sum >= avg.runnable_avg * 46718);
            // An underflow would wrap around to far beyond what so few entities can have.
            QVERIFY(avg.util_avg <= 1024 * kWeights.size() && avg.runnable_avg <= 1024 * kWeights.size());
            QVERIFY(avg.load_avg <= 88761 * kWeights.size());
        }
    }
}

QTEST_APPLESS_MAIN(TestPelt61Sums)
#include "tst_pelt61_sums.moc"
