// SPDX-License-Identifier: GPL-3.0-or-later
// The indexed heap against a sorted list: order by time, class and time of scheduling, replacing and cancelling.
#include "base/rng.h"
#include "sim/calendar.h"

#include <QTest>

#include <map>
#include <tuple>

using namespace rqscope;

class TestCalendar : public QObject {
    Q_OBJECT
private slots:
    void classes_order_one_instant() {
        Calendar c;
        c.grow(4);
        c.set(0, from_ns(5), EventClass::BurstEnd);
        c.set(1, from_ns(5), EventClass::Wake);
        c.set(2, from_ns(5), EventClass::BurstEnd);
        c.set(3, from_ns(5), EventClass::Input);
        std::vector<std::uint32_t> order;
        while (!c.empty()) {
            order.push_back(c.top().slot);
            c.cancel(c.top().slot);
        }
        QCOMPARE(order, (std::vector<std::uint32_t>{3, 1, 0, 2}));
    }

    void against_a_sorted_list() {
        Rng rng(7, 0, 0);
        Calendar c;
        c.grow(300);
        std::map<std::tuple<std::int64_t, int, std::uint64_t>, std::uint32_t> model;
        std::map<std::uint32_t, std::tuple<std::int64_t, int, std::uint64_t>> by_slot;
        std::uint64_t seq = 0;
        for (int i = 0; i < 50'000; ++i) {
            const auto slot = static_cast<std::uint32_t>(rng.uniform(299));
            if (const auto old = by_slot.find(slot); old != by_slot.end()) {
                model.erase(old->second);
                by_slot.erase(old);
            }
            if (rng.uniform(3) == 0) {
                c.cancel(slot);
            } else {
                const auto time = static_cast<std::int64_t>(rng.uniform(100));
                const auto klass = static_cast<int>(rng.uniform(2));
                c.set(slot, from_ns(time), static_cast<EventClass>(klass));
                model[{time, klass, seq}] = slot;
                by_slot[slot] = {time, klass, seq++};
            }
            QCOMPARE(c.empty(), model.empty());
            if (!model.empty()) QCOMPARE(c.top().slot, model.begin()->second);
        }
    }
};

QTEST_APPLESS_MAIN(TestCalendar)
#include "tst_calendar.moc"
