// SPDX-License-Identifier: GPL-3.0-or-later
// When passes of 5.19 and 6.12 happen and what they cost (topology.md 2.1, 2.5, 2.7-5; select.md 4), misfit status, and
// properties on random states.
#include "base/rng.h"
#include "core/balance/queues61.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

using I = CpuIdleType;

// CPU 4 of 2x4 is about to go idle, CPU 0 has four tasks.
struct NewIdle {
    SchedState s = state61("hikey-8cpu");
    BalanceLog log;

    NewIdle() {
        add61(s, {0, 0, 0, 0});
        make_leaving(s, 4);
    }
    Rq& rq() { return s.rqs[4]; }
    int run() { return newidle_balance(s, CpuId{4}, log); }
};

std::uint32_t tasks_of(const SchedState& s) {
    std::uint32_t n = 0;
    for (const auto nr : s.nr_running) n += nr;
    return n;
}

SchedState random_state(Rng& rng, Era era) {
    constexpr const char* kMachines[] = {"hikey-8cpu", "teach-smt4", "teach-2x4-numa", "trigear-8cpu", "teach-cls8"};
    auto s = state61(kMachines[rng.uniform(std::size(kMachines) - 1)], era);
    s.preemptible = rng.uniform(1) != 0;
    for (auto i = 1 + rng.uniform(30); i-- > 0;) {
        const auto cpu = static_cast<std::uint32_t>(rng.uniform(7));
        const auto p = add61(s, cpu, 1 + rng.uniform(3000), rng.uniform(900));
        auto& se = s.se[p.index()];
        se.exec_start = kStart - rng.uniform(1'000'000);
        se.policy = rng.uniform(4) == 0 ? Policy::Idle : Policy::Normal;
        if (rng.uniform(3) != 0) continue;
        set_affinity(s, p, rng.uniform(1) != 0 ? "0-3" : "2-5");
        s.affinity.back().set(CpuId{cpu});
    }
    for (std::uint32_t cpu = 0; cpu < 8; ++cpu) update_misfit_status(s, CpuId{cpu}, s.rqs[cpu].curr);
    return s;
}

// A walk of a random CPU, as the engine would make it.
void walk(SchedState& s, Rng& rng, BalanceLog& log) {
    const CpuId cpu{static_cast<std::uint32_t>(rng.uniform(7))};
    s.now += 1'000'000;
    s.jiffies += 1 + rng.uniform(40);
    rebalance_domains(s, cpu, s.idle.test(cpu) ? I::Idle : I::NotIdle, log);
    for (const auto src : log.active) {
        active_load_balance(s, src, log);
        s.rqs[src.index()].curr = kIdleTask;
        if (s.nr_running[src.index()] == 0) s.idle.set(src);
    }
    log.active.clear();
    for (std::uint32_t c = 0; c < 8; ++c) {
        auto& rq = s.rqs[c];
        if (rq.cfs.curr == kIdleTask && s.nr_running[c] != 0) {
            rq.curr = TaskId{list_of(s, c).back()};
            set_next_entity(s, CpuId{c}, rq.curr);
        }
        set_sums(s, c);
        update_misfit_status(s, CpuId{c}, rq.curr);
    }
}

} // namespace

class TestRebalance61 : public QObject {
    Q_OBJECT
private slots:
    void intervalOfABusyCpu() { // 2.7-5: 24 * 16 - 1 = 383 ticks, then 767
        auto s = state61("xeon-2s-48cpu");
        for (std::uint32_t cpu = 0; cpu < 48; ++cpu) add61(s, cpu);
        auto& smt = runtime(s, 0, "SMT");
        smt.balance_interval = 1'000'000; // out of the way
        runtime(s, 0, "NUMA").balance_interval = 1'000'000;
        BalanceLog log;
        const auto start = s.jiffies;
        s.jiffies = start + 382;
        rebalance_domains(s, CpuId{0}, I::NotIdle, log);
        QVERIFY(log.passes.empty());
        QCOMPARE(s.rqs[0].next_balance, start + 383);
        s.jiffies = start + 383;
        rebalance_domains(s, CpuId{0}, I::NotIdle, log);
        QCOMPARE(log.passes.size(), std::size_t{1});
        QCOMPARE(runtime(s, 0, "MC").balance_interval, std::uint64_t{48});
        QCOMPARE(s.rqs[0].next_balance, start + 383 + 767);
    }

    void idleTasksLeaveTheCpuIdle() {
        auto s = state61("box-4cpu");
        for (int i = 0; i < 2; ++i) {
            s.se[add61(s, 0).index()].policy = Policy::Idle;
            ++s.rqs[0].cfs.idle_nr_running;
        }
        BalanceLog log;
        rebalance_domains(s, CpuId{0}, I::NotIdle, log);
        QCOMPARE(s.rqs[0].next_balance, s.jiffies + 4);
        add61(s, 0);
        rebalance_domains(s, CpuId{0}, I::NotIdle, log);
        QCOMPARE(s.rqs[0].next_balance, s.jiffies + 63);
        s.se.back().policy = Policy::Idle;
        s.rqs[0].nr_other = 1;
        rebalance_domains(s, CpuId{0}, I::NotIdle, log);
        QCOMPARE(s.rqs[0].next_balance, s.jiffies + 63);
    }

    // The decay of the level visited last decides whether the queue's own figure follows.
    void costsDecay() {
        auto s = state61("hikey-8cpu");
        for (const auto* name : {"MC", "PKG"}) {
            runtime(s, 1, name).max_newidle_lb_cost = 512'000;
            runtime(s, 1, name).decay_stamp = s.jiffies - 1000;
        }
        BalanceLog log;
        rebalance_domains(s, CpuId{1}, I::Idle, log);
        QCOMPARE(runtime(s, 1, "MC").max_newidle_lb_cost, std::uint64_t{512'000}); // due a second after the stamp, not yet
        ++s.jiffies;
        runtime(s, 1, "PKG").decay_stamp = s.jiffies;
        rebalance_domains(s, CpuId{1}, I::Idle, log);
        QCOMPARE(runtime(s, 1, "MC").max_newidle_lb_cost, std::uint64_t{506'000});
        QCOMPARE(runtime(s, 1, "MC").decay_stamp, s.jiffies);
        QCOMPARE(s.rqs[1].max_idle_balance_cost, std::uint64_t{500'000});
        s.jiffies += 1001;
        rebalance_domains(s, CpuId{1}, I::Idle, log);
        QCOMPARE(s.rqs[1].max_idle_balance_cost, std::uint64_t{500'070 + 506'000}); // MC once more, PKG for the first time
    }

    void newIdlePulls() {
        NewIdle n;
        QVERIFY(n.run() > 0);
        QCOMPARE(n.rq().idle_stamp, RqClock{0}); // it does not go idle after all
        QVERIFY(n.s.nr_running[4] > 0);
        QCOMPARE(n.log.moves[0].cause, MoveCause::NewIdle);
    }

    void newIdleGates_data() {
        QTest::addColumn<bool>("overload");
        QTest::addColumn<int>("avgIdle");
        QTest::addColumn<int>("levelCost");
        QTest::addColumn<int>("passes");
        QTest::newRow("open") << true << 1'000'000 << 0 << 2;
        QTest::newRow("nobody has two tasks") << false << 1'000'000 << 0 << 0;
        QTest::newRow("no idle time at all, but costs nothing yet") << true << 0 << 0 << 1; // MC's 540 ns are too much for PKG
        QTest::newRow("shorter than the lowest level takes") << true << 9'999 << 10'000 << 0;
        QTest::newRow("what it may cost") << true << 10'000 << 10'000 << 1;
        QTest::newRow("both levels") << true << 10'540 << 10'000 << 2;
    }
    void newIdleGates() {
        QFETCH(bool, overload);
        QFETCH(int, avgIdle);
        QFETCH(int, levelCost);
        QFETCH(int, passes);
        NewIdle n;
        n.s.root_overload = overload;
        n.rq().avg_idle = static_cast<std::uint64_t>(avgIdle);
        for (const auto* name : {"MC", "PKG"}) runtime(n.s, 4, name).max_newidle_lb_cost = static_cast<std::uint64_t>(levelCost);
        static_cast<void>(n.run());
        QCOMPARE(static_cast<int>(n.log.passes.size()), passes);
        if (passes == 0) QCOMPARE(n.rq().idle_stamp, n.s.now);
    }

    void newIdleCosts() {
        NewIdle n;
        n.rq().max_idle_balance_cost = 0;
        const auto pulled = static_cast<std::uint64_t>(n.run());
        QVERIFY(pulled > 0);
        QCOMPARE(runtime(n.s, 4, "MC").max_newidle_lb_cost, std::uint64_t{300 + 60 * 4});
        QCOMPARE(runtime(n.s, 4, "PKG").max_newidle_lb_cost, 300 + 60 * 8 + 1500 * pulled);
        QCOMPARE(n.rq().max_idle_balance_cost, 540 + 780 + 1500 * pulled);
    }

    void newIdleWhileAWakeUpIsComing() {
        NewIdle n;
        n.rq().ttwu_pending = 1;
        n.rq().misfit_task_load = 5;
        const auto stamp = n.rq().idle_stamp, next = n.rq().next_balance;
        QCOMPARE(n.run(), 0);
        QCOMPARE(n.rq().idle_stamp, stamp); // before anything is stamped
        QCOMPARE(n.rq().next_balance, next);
        QCOMPARE(n.rq().misfit_task_load, Load{0});
        QVERIFY(n.log.passes.empty());
    }

    void newIdleOfAnInactiveCpu() {
        NewIdle n;
        n.s.online.clear(CpuId{4});
        QCOMPARE(n.run(), 0);
        QCOMPARE(n.rq().idle_stamp, n.s.now);
        QVERIFY(n.log.passes.empty());
    }

    void newIdleWithTasksOfOtherClasses() {
        NewIdle n;
        n.rq().nr_other = 1;
        QCOMPARE(n.run(), -1);
        QCOMPARE(n.rq().idle_stamp, RqClock{0});
        QVERIFY(n.log.moves.empty());
    }

    void newIdleMovesTheNextBalanceForward() {
        NewIdle n;
        n.s.root_overload = false;
        static_cast<void>(n.run());
        QCOMPARE(n.rq().next_balance, n.s.jiffies + 4); // lowest level only
    }

    void withoutDomains() {
        auto domains = mc4();
        domains.base[0].reset();
        auto s = balance_state(std::move(domains));
        s.era = Era::V6_12;
        BalanceLog log;
        QCOMPARE(newidle_balance(s, CpuId{0}, log), 0);
        QCOMPARE(s.rqs[0].next_balance, s.jiffies + s.hz);
        rebalance_domains(s, CpuId{0}, I::Idle, log);
        QVERIFY(log.passes.empty());
    }

    void endOfAnIdleSpan() {
        auto s = state61("box-4cpu");
        auto& rq = s.rqs[0];
        rq.avg_idle = 1'000'000;
        rq.idle_stamp = s.now - 199'999;
        account_idle_end(s, CpuId{0});
        QCOMPARE(rq.avg_idle, std::uint64_t{900'000}); // -800001 / 8 rounds towards zero
        QCOMPARE(rq.wake_avg_idle, std::uint64_t{450'000});
        QCOMPARE(rq.wake_stamp, s.jiffies);
        QCOMPARE(rq.idle_stamp, RqClock{0});
        rq.idle_stamp = s.now - 900'000'000;
        account_idle_end(s, CpuId{0});
        QCOMPARE(rq.avg_idle, std::uint64_t{1'000'000}); // twice max_idle_balance_cost
    }

    void misfitStatus() {
        auto s = state61("trigear-8cpu");
        const auto p = add61(s, 0, 500, 128); // 128 * 1280 = 160 * 1024
        update_misfit_status(s, CpuId{0}, p);
        QCOMPARE(s.rqs[0].misfit_task_load, Load{500});
        s.se[p.index()].avg.util_avg = 127;
        update_misfit_status(s, CpuId{0}, p);
        QCOMPARE(s.rqs[0].misfit_task_load, Load{0});
        s.se[p.index()].util_est = 900;
        s.se[p.index()].avg.load_avg = 0;
        update_misfit_status(s, CpuId{0}, p);
        QCOMPARE(s.rqs[0].misfit_task_load, Load{1});
        set_affinity(s, p, "0"); // nobody can help
        update_misfit_status(s, CpuId{0}, p);
        QCOMPARE(s.rqs[0].misfit_task_load, Load{0});
        auto plain = state61("box-4cpu");
        update_misfit_status(plain, CpuId{0}, add61(plain, 0));
        QCOMPARE(plain.rqs[0].misfit_task_load, Load{0});
    }

    // Whatever the state: no task is lost or doubled, masks hold, counters and lists agree, a judgement repeats.
    void tasksAreConserved_data() {
        QTest::addColumn<int>("era");
        QTest::newRow("6.1") << static_cast<int>(Era::V6_1);
        QTest::newRow("6.12") << static_cast<int>(Era::V6_12);
    }
    void tasksAreConserved() {
        QFETCH(int, era);
        Rng rng(61, static_cast<std::uint64_t>(era), 0);
        std::size_t moves = 0;
        for (int round = 0; round < 300; ++round) {
            auto s = random_state(rng, static_cast<Era>(era));
            const auto tasks = tasks_of(s);
            BalanceLog log;
            for (int pass = 0; pass < 40; ++pass) walk(s, rng, log);
            QCOMPARE(tasks_of(s), tasks);
            for (std::uint32_t cpu = 0; cpu < 8; ++cpu) {
                const auto list = list_of(s, cpu);
                QCOMPARE(s.nr_running[cpu], static_cast<std::uint32_t>(list.size()));
                QVERIFY(list.empty() || !s.idle.test(CpuId{cpu}));
                for (const auto p : list) {
                    QCOMPARE(s.se[p].cpu, CpuId{cpu});
                    QVERIFY(s.se[p].on_rq && s.allowed(TaskId{p}, CpuId{cpu}));
                }
            }
            for (const auto& move : log.moves) QVERIFY(s.allowed(move.task, move.to) && move.from != move.to);
            moves += log.moves.size();
        }
        QVERIFY(moves > 1000);
    }

    void judgingIsPureOnRandomStates() {
        Rng rng(7, 0, 0);
        BalanceLog log;
        for (int round = 0; round < 500; ++round) {
            auto s = random_state(rng, rng.uniform(1) != 0 ? Era::V6_1 : Era::V6_12);
            const auto& sd = s.domains->domains[rng.uniform(s.domains->domains.size() - 1)];
            LbEnv61 env(s, log, sd, static_cast<I>(rng.uniform(2)), MoveCause::Periodic, sd.owner);
            const auto before = s.root_overload;
            env.sds = gather_sd_lb_stats(env);
            const auto a = find_busiest_group(env), b = find_busiest_group(env);
            QVERIFY(a.busiest == b.busiest && a.imbalance == b.imbalance && a.reason == b.reason && a.local_avg == b.local_avg);
            QCOMPARE(gather_sd_lb_stats(env).total_load, env.sds.total_load);
            QCOMPARE(s.root_overload, before);
            QVERIFY(a.imbalance >= 0 && (a.busiest == nullptr) == (a.imbalance == 0));
            QVERIFY(a.busiest == nullptr || !a.busiest->span.test(env.dst));
        }
    }

    // One equal task per CPU, or the same number on every CPU: nobody moves anything, however long it goes on.
    void balancedMachinesStayQuiet() {
        for (const auto era : {Era::V6_1, Era::V6_12})
            for (const auto* id : {"hikey-8cpu", "teach-smt4", "teach-2x4-numa", "teach-cls8"})
                for (int each = 0; each <= 3; ++each) {
                    auto s = state61(id, era);
                    for (int i = 0; i < each; ++i) add61(s, {0, 1, 2, 3, 4, 5, 6, 7});
                    BalanceLog log;
                    Rng rng(3, static_cast<std::uint64_t>(each), 0);
                    for (int pass = 0; pass < 300; ++pass) walk(s, rng, log);
                    QVERIFY2(log.moves.empty(), id);
                }
    }

    // Everything starts on one CPU; in the end no CPU idles beside a queue of two.
    void aHeapIsSpread() {
        for (const auto era : {Era::V6_1, Era::V6_12})
            for (const auto* id : {"hikey-8cpu", "teach-smt4", "teach-cls8"}) {
                auto s = state61(id, era);
                for (int i = 0; i < 8; ++i) add61(s, 0);
                BalanceLog log;
                Rng rng(5, 0, 0);
                for (int pass = 0; pass < 2000; ++pass) walk(s, rng, log);
                for (const auto nr : s.nr_running) QCOMPARE(nr, 1U);
            }
    }
};

QTEST_APPLESS_MAIN(TestRebalance61)
#include "tst_rebalance61.moc"
