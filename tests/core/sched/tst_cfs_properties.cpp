// SPDX-License-Identifier: GPL-3.0-or-later
// Random operations on two CPUs: whatever happens, the state stays consistent, min_vruntime never goes back, every task
// keeps what it ran, and the same seed gives the same end.
#include "base/hash.h"
#include "base/rng.h"
#include "conformance/cfs_driver.h"
#include "sched/invariants.h"

#include <QTest>

using namespace rqscope;

namespace {

constexpr std::uint32_t kTasks = 24;

class RandomRun {
public:
    RandomRun(Era era, std::uint64_t seed, bool nice_changes) : m_nice_changes(nice_changes), m_driver(era), m_rng(seed, 0, 0) {
        m_driver.set_cpus(2);
        m_driver.set_clock(10'000'000'000ULL);
        m_driver.state().features.set({Feature::NEXT_BUDDY, static_cast<FeatureValue>(seed % 2)});
        if (readable(Feature::BUG_STALE_CLOCK_AT_FORK, era))
            m_driver.state().features.set({Feature::BUG_STALE_CLOCK_AT_FORK, static_cast<FeatureValue>(seed / 2 % 2)});
        m_driver.state().tunables.nr_latency = 2 + static_cast<std::int64_t>(seed % 8);
    }

    void step() {
        m_driver.advance(m_rng.uniform(m_rng.uniform(9) == 0 ? 60'000'000 : 900'000));
        m_driver.select_cpu(pick(2));
        switch (pick(12)) {
        case 0: fork(); break;
        case 1:
        case 2:
        case 3: wake(); break;
        case 4:
            if (m_driver.rq().curr != kIdleTask) m_driver.schedule(true);
            break;
        case 5: m_driver.yield(); break;
        case 6: renice(); break;
        case 7: move(); break;
        case 8: update_blocked_averages(m_driver.state(), m_driver.cpu()); break;
        default: m_driver.tick(); break;
        }
        m_driver.select_cpu(0);
        m_driver.resched();
        m_driver.select_cpu(1);
        m_driver.resched();
    }

    [[nodiscard]] SchedState& state() { return m_driver.state(); }

    [[nodiscard]] std::uint64_t hash() {
        Hasher h;
        for (const auto& se : state().se) {
            h.add(se.vruntime);
            h.add(se.sum_exec_runtime);
            h.add(se.avg.load_sum);
        }
        return h.value();
    }

private:
    std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(m_rng.uniform(n - 1)); }
    std::uint32_t any_task() { return 1 + pick(m_born); }

    void fork() {
        if (m_born == kTasks) return;
        const auto nice = m_nice_changes ? static_cast<int>(pick(40)) - 20 : 0;
        m_driver.fork(++m_born, static_cast<std::int8_t>(nice), pick(2));
    }

    void wake() {
        if (m_born == 0) return;
        const auto id = any_task();
        (void)m_driver.wake(id, m_driver.entity(id).cpu.value);
    }

    void renice() {
        if (m_born == 0 || !m_nice_changes) return;
        m_driver.renice(any_task(), static_cast<std::int8_t>(static_cast<int>(pick(40)) - 20));
    }

    void move() {
        if (m_born == 0) return;
        const auto id = any_task();
        const auto& se = m_driver.entity(id);
        if (!se.on_rq || se.cpu != m_driver.cpu() || m_driver.rq().curr == m_driver.task(id)) return;
        (void)m_driver.move(id, 1 - m_driver.cpu().value);
    }

    bool m_nice_changes;
    CfsDriver m_driver;
    Rng m_rng;
    std::uint32_t m_born = 0;
};

} // namespace

Q_DECLARE_METATYPE(Era)

class TestCfsProperties : public QObject {
    Q_OBJECT
private slots:
    void consistent_data();
    void consistent();
    void repeatable();
};

void TestCfsProperties::consistent_data() {
    QTest::addColumn<Era>("era");
    QTest::addColumn<quint64>("seed");
    QTest::addColumn<bool>("nice_changes");
    for (const Era era : {Era::V4_7, Era::V4_8, Era::V5_19, Era::V6_5})
        for (quint64 seed = 1; seed <= 16; ++seed)
            for (const bool nice : {false, true})
                QTest::addRow("%s seed %llu%s", std::string(era_info(era).key).c_str(), seed, nice ? " mixed weights" : "") << era << seed << nice;
}

void TestCfsProperties::consistent() {
    QFETCH(Era, era);
    QFETCH(quint64, seed);
    QFETCH(bool, nice_changes);
    RandomRun run(era, seed, nice_changes);
    VTime min_vruntime[2] = {run.state().rqs[0].cfs.min_vruntime, run.state().rqs[1].cfs.min_vruntime};
    std::uint64_t executed = 0;
    for (int i = 0; i < 4000; ++i) {
        run.step();
        if (const auto problem = check_sched_invariants(run.state()); problem)
            QFAIL(qPrintable(QString("step %1: %2").arg(i).arg(QString::fromStdString(*problem))));
        for (std::size_t cpu = 0; cpu < 2; ++cpu) {
            const auto now = run.state().rqs[cpu].cfs.min_vruntime;
            QVERIFY2(!vtime_before(now, min_vruntime[cpu]), "min_vruntime went back");
            min_vruntime[cpu] = now;
        }
        std::uint64_t sum = 0;
        for (const auto& se : run.state().se) sum += se.sum_exec_runtime;
        QVERIFY(sum >= executed);
        executed = sum;
    }
    QVERIFY(executed > 0);
}

void TestCfsProperties::repeatable() {
    RandomRun a(Era::V6_5, 7, true);
    RandomRun b(Era::V6_5, 7, true);
    RandomRun c(Era::V6_5, 8, true);
    for (int i = 0; i < 1000; ++i) {
        a.step();
        b.step();
        c.step();
    }
    QCOMPARE(a.hash(), b.hash());
    QVERIFY(a.hash() != c.hash());
}

QTEST_APPLESS_MAIN(TestCfsProperties)
#include "tst_cfs_properties.moc"
