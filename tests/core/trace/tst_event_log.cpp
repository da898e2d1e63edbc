// SPDX-License-Identifier: GPL-3.0-or-later
// Every field of every kind of row survives packing; random access, cutting and sharing of chunks.
#include "base/rng.h"
#include "trace/event_log.h"

#include <QTest>

using namespace rqscope;

namespace {

LogRow random_row(Rng& rng, std::uint32_t seq, std::int64_t& time) {
    const auto pick = [&](std::uint64_t bound) { return static_cast<std::uint32_t>(rng.uniform(bound)); };
    LogRow r;
    r.seq = EventSeq{seq};
    time += static_cast<std::int64_t>(rng.uniform(rng.uniform(9) == 0 ? 1'000'000'000'000 : 50'000));
    r.time = from_ns(time);
    r.kind = static_cast<RowKind>(pick(static_cast<std::uint32_t>(RowKind::Input)));
    r.first_of_step = rng.uniform(1) == 0;
    if (r.kind == RowKind::Input) {
        r.input = pick(1000);
        return r;
    }
    r.cpu = CpuId{pick(4095)};
    if (r.kind == RowKind::Balance) {
        r.balance = {r.cpu, DomainId{pick(3000)}, static_cast<CpuIdleType>(pick(2)), static_cast<BalanceReason>(pick(5)), CpuId{pick(4095)}, pick(32), rng.next() >> 20, pick(4000), pick(4000)};
        return r;
    }
    r.task = TaskId{pick(100'000)};
    if (r.kind == RowKind::Switch) {
        r.other = TaskId{pick(100'000)};
        r.end = static_cast<SwitchEnd>(pick(3));
        r.cost_ns = pick(1'000'000);
    }
    if (r.kind == RowKind::Migration) {
        r.from = CpuId{pick(4095)};
        r.cause = static_cast<MoveCause>(pick(2));
    }
    if (!(r.kind == RowKind::Wakeup || r.kind == RowKind::Fork || r.kind == RowKind::Exec)) return r;
    if (r.kind != RowKind::Exec) r.other = TaskId{pick(100'000)};
    r.from = CpuId{pick(4095)};
    if (r.kind == RowKind::Wakeup) {
        r.waker_cpu = CpuId{pick(4095)};
        r.cost_ns = pick(1'000'000);
        r.sync = pick(1) == 1;
        r.pending_ns = pick(1) ? pick(1'000'000) : 0;
    }
    auto& p = r.placement;
    p = {.cpu = r.cpu, .reason = static_cast<PlaceReason>(pick(static_cast<std::uint32_t>(PlaceReason::StillQueued))), .nr_checks = static_cast<std::uint16_t>(pick(65535)), .check_cost_ns = pick(100'000)};
    if (r.kind != RowKind::Wakeup && pick(1)) {
        p.has_figures = true;
        p.figures = static_cast<PlaceFigures>(pick(4));
        p.rival = CpuId{pick(4095)};
        p.chosen_runnable = pick(~0U);
        p.chosen_load = pick(5000);
        p.rival_runnable = pick(5000);
        p.rival_load = pick(~0U);
    }
    r.preempt = {pick(1) == 1, static_cast<PreemptReason>(pick(6)), static_cast<std::int64_t>(rng.next()), rng.next() >> 30};
    return r;
}

bool equal(const LogRow& a, const LogRow& b) {
    const auto& p = a.placement;
    const auto& q = b.placement;
    return a.seq == b.seq && a.time == b.time && a.kind == b.kind && a.first_of_step == b.first_of_step && a.cpu == b.cpu && a.task == b.task &&
           a.other == b.other && a.from == b.from && a.end == b.end && a.cost_ns == b.cost_ns && a.waker_cpu == b.waker_cpu && a.sync == b.sync &&
           a.cause == b.cause && a.input == b.input && p.cpu == q.cpu && p.reason == q.reason && p.nr_checks == q.nr_checks &&
           p.check_cost_ns == q.check_cost_ns && p.has_figures == q.has_figures && p.figures == q.figures && a.pending_ns == b.pending_ns && p.rival == q.rival && p.chosen_runnable == q.chosen_runnable &&
           p.chosen_load == q.chosen_load && p.rival_runnable == q.rival_runnable && p.rival_load == q.rival_load &&
           a.preempt.preempt == b.preempt.preempt && a.preempt.reason == b.preempt.reason && a.preempt.vdiff == b.preempt.vdiff &&
           a.preempt.gran == b.preempt.gran && a.balance.domain == b.balance.domain && a.balance.idle == b.balance.idle &&
           a.balance.reason == b.balance.reason && a.balance.src == b.balance.src && a.balance.moved == b.balance.moved &&
           a.balance.imbalance == b.balance.imbalance && a.balance.local_avg == b.balance.local_avg && a.balance.busiest_avg == b.balance.busiest_avg;
}

} // namespace

class TestEventLog : public QObject {
    Q_OBJECT
    std::vector<LogRow> m_rows;
    EventLog m_log;

private slots:
    void initTestCase() {
        Rng rng(3, 0, 0);
        std::int64_t time = 0;
        for (std::uint32_t i = 0; i < 30'000; ++i) {
            m_rows.push_back(random_row(rng, i, time));
            m_log.append(m_rows.back());
        }
        QCOMPARE(m_log.size(), 30'000U);
    }

    void rows_come_back() {
        std::uint32_t i = 0;
        m_log.for_each(0, m_log.size(), [&](const LogRow& r) { QVERIFY2(equal(r, m_rows[i]), qPrintable(QString::number(i))); ++i; });
        QCOMPARE(i, 30'000U);
        for (std::uint32_t k = 0; k < 30'000; k += 997) QVERIFY(equal(m_log.row(k), m_rows[k]));
        i = 12'345;
        m_log.for_each(12'345, 12'350, [&](const LogRow& r) { QVERIFY(equal(r, m_rows[i++])); });
    }

    void upper_bound_is_the_first_later_row() {
        for (std::uint32_t k = 0; k < 30'000; k += 611) {
            auto expected = k;
            while (expected < m_rows.size() && m_rows[expected].time <= m_rows[k].time) ++expected;
            QCOMPARE(m_log.upper_bound(m_rows[k].time), expected);
        }
        QCOMPARE(m_log.upper_bound(from_ns(-1)), 0U);
        QCOMPARE(m_log.upper_bound(SimTime::max()), 30'000U);
    }

    void a_cut_copy_grows_on_its_own() {
        Rng rng(4, 0, 0);
        for (const std::uint32_t cut : {0U, 1U, 777U, 15'000U, 29'999U, 30'000U}) {
            auto copy = m_log;
            copy.truncate(cut);
            QCOMPARE(copy.size(), cut);
            auto time = cut ? to_ns(m_rows[cut - 1].time) : 0;
            const auto extra = random_row(rng, cut, time);
            copy.append(extra);
            QVERIFY(equal(copy.row(cut), extra));
            if (cut) QVERIFY(equal(copy.row(cut - 1), m_rows[cut - 1]));
            QVERIFY(equal(m_log.row(29'999), m_rows[29'999]));
        }
        QCOMPARE(m_log.size(), 30'000U);
    }
};

QTEST_APPLESS_MAIN(TestEventLog)
#include "tst_event_log.moc"
