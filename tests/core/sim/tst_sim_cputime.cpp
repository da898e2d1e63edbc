// SPDX-License-Identifier: GPL-3.0-or-later
// The pound programs in a run against load.md 4's formula and the direction of the published tables. The numbers behind it
// were fitted to those tables, so this tests the mechanism, not the kernel.
#include "sim/sim_state.h"
#include "support/scenarios.h"

#include <algorithm>

using namespace rqscope;
using namespace rqscope::test;

namespace {

constexpr std::int64_t kCalls = 960'000;

std::int64_t makespan(const std::string& program, int n, std::string_view feature, std::string_view machine_id = "snb-2s-32cpu") {
    auto h = history(scenario(machine_id, program + ":" + std::to_string(n) + ",calls=" + std::to_string(kCalls), "4.8", {feature}));
    h.run_to_end();
    if (h.fault()) qFatal("%s", h.fault()->what.c_str());
    return to_ns(h.state().makespan_end);
}

// load.md 4 with R = C = min(N, 32) on 16 cores of two threads, written down anew.
double formula(int n, double own, double other, double smt, double times_extra) {
    const double r = std::min(n, 32);
    return kCalls / r * (own + (r - 1) * other + (r - 1) * smt * std::max(0.0, r - 16) / 16 + times_extra);
}

} // namespace

class TestSimCputime : public QObject {
    Q_OBJECT
private slots:
    void a_run_takes_what_the_formula_says_data() {
        QTest::addColumn<int>("n");
        for (const int n : {2, 5, 12, 48}) QTest::addRow("%d threads", n) << n;
    }
    void a_run_takes_what_the_formula_says() {
        QFETCH(int, n);
        const auto near = [](std::int64_t ns, double expected) { return std::abs(static_cast<double>(ns) / expected - 1.0) < 0.03; };
        QVERIFY(near(makespan("pound_times", n, "CPUTIME_PREFETCH"), formula(n, 567, 671, 0, 34)));
        QVERIFY(near(makespan("pound_clock_gettime", n, "CPUTIME_PREFETCH"), formula(n, 567, 671, 0, 0)));
        QVERIFY(near(makespan("pound_times", n, "NO_CPUTIME_PREFETCH"), formula(n, 702, 689, 84, 34)));
        QVERIFY(near(makespan("pound_clock_gettime", n, "NO_CPUTIME_PREFETCH"), formula(n, 702, 689, 84, 0)));
    }

    // Seed 002's shape: the patch gains most with few threads and with all CPUs taken, least between.
    void the_patch_gains_at_both_ends() {
        const auto gain = [](int n) {
            return 1.0 - static_cast<double>(makespan("pound_clock_gettime", n, "CPUTIME_PREFETCH")) /
                             static_cast<double>(makespan("pound_clock_gettime", n, "NO_CPUTIME_PREFETCH"));
        };
        const auto few = gain(2), middle = gain(12), many = gain(48);
        QVERIFY2(few > 0.09 && many > 0.10, qPrintable(QString("%1 %2").arg(few).arg(many)));
        QVERIFY2(middle > 0 && middle < 0.06, qPrintable(QString::number(middle)));
    }

    // To the nanosecond: the thread's first batch sees main, which is still leaving, so two threads run.
    void one_batch() {
        auto h = history(scenario("teach-mc8", "pound_times:1,calls=1000"));
        h.run_to_end();
        std::int64_t born = -1, left = -1;
        h.log().for_each(0, h.known_rows(), [&](const LogRow& r) {
            if (r.kind == RowKind::Fork) born = to_ns(r.time);
            if (r.kind == RowKind::Exit && h.tasks()[r.task.index()].name == "thread 1") left = to_ns(r.time);
        });
        const std::int64_t batch = 1000 * (567 + 671 + 34);
        QCOMPARE(left - born, 400 + batch + 5'000); // switch from idle, calls, exit of a thread
    }

    void other_processes_do_not_count() {
        // Four single threads of four processes: nobody visits anybody.
        auto s = scenario("teach-mc8", "pound_clock_gettime:1,calls=100000");
        s.workload.initial.front().count = 4;
        s.workload.initial.front().spread = true;
        auto h = history(s);
        h.run_to_end();
        QVERIFY(to_ns(h.state().makespan_end) < 100'000 * 567 * 102LL / 100);
        QVERIFY(to_ns(h.state().makespan_end) > 100'000 * 567);
    }

    void threads_that_wait_cost_what_is_set() {
        const auto run = [](std::int64_t off) {
            auto s = scenario("single-cpu", "pound_clock_gettime:11,calls=1100000");
            s.tunables.push_back(check_tunable("cputime_off_ns", off).value());
            auto h = history(s);
            h.run_to_end();
            return to_ns(h.state().makespan_end);
        };
        const auto more = run(10) - run(0); // 1.1 million calls that visit ten waiting threads of 10 ns
        QVERIFY2(more > 1'100'000 * 10 * 9LL && more < 1'100'000 * 10 * 11LL, qPrintable(QString::number(more)));
    }
};

QTEST_APPLESS_MAIN(TestSimCputime)
#include "tst_sim_cputime.moc"
