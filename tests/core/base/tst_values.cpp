// SPDX-License-Identifier: GPL-3.0-or-later
// Result, hash and random numbers: what other rooms rely on without saying so.
#include "base/check.h"
#include "base/hash.h"
#include "base/result.h"
#include "base/rng.h"
#include "base/units.h"

#include <QTest>

using namespace rqscope;

class TestValues : public QObject {
    Q_OBJECT
private slots:
    void result();
    void hash_depends_on_order_and_length();
    void random_streams();
    void virtual_time_wraps();
    void failed_check_says_where();
};

void TestValues::result() {
    const Result<int> good(3);
    QVERIFY(good.ok() && static_cast<bool>(good) && good.problems().empty());
    QCOMPARE(*good, 3);
    const Result<int> bad(Problem{"line 2", "wrong"});
    QVERIFY(!bad.ok());
    QCOMPARE(bad.problems().size(), 1U);
    const Result<int> several(Problems{{"a", "b"}, {"c", "d"}});
    QCOMPARE(several.problems().size(), 2U);
}

void TestValues::hash_depends_on_order_and_length() {
    const auto hash = [](auto... words) {
        Hasher h;
        (h.add(words), ...);
        return h.value();
    };
    using U = std::uint64_t;
    QCOMPARE(hash(U{1}, U{2}), hash(U{1}, U{2}));
    QVERIFY(hash(U{1}, U{2}) != hash(U{2}, U{1}));
    QVERIFY(hash(U{0}) != hash(U{0}, U{0}));
    QVERIFY(hash(std::string_view("ab"), std::string_view("c")) != hash(std::string_view("a"), std::string_view("bc")));
}

void TestValues::random_streams() {
    Rng a(1, 2, 3);
    Rng b(1, 2, 3);
    Rng other(1, 3, 2);
    std::uint64_t buckets[10] = {};
    for (int i = 0; i < 10'000; ++i) {
        const auto x = a.uniform(9);
        QVERIFY(x <= 9);
        ++buckets[x];
        QCOMPARE(b.uniform(9), x);
    }
    QVERIFY(a.state() != other.state());
    QCOMPARE(other.uniform(0), std::uint64_t{0});
    (void)other.uniform(~std::uint64_t{0});
    for (const auto n : buckets) QVERIFY(n > 850 && n < 1150);
}

void TestValues::virtual_time_wraps() {
    QVERIFY(vtime_before(~VTime{0}, 0));
    QVERIFY(!vtime_before(0, ~VTime{0}));
    QVERIFY(!vtime_before(5, 5));
    QCOMPARE(to_ns(from_ns(-5)), std::int64_t{-5});
}

void TestValues::failed_check_says_where() {
    try {
        SCHED_CHECK(1 + 1 == 3);
        QFAIL("not raised");
    } catch (const CheckFailure& e) {
        const QString text = e.what();
        QVERIFY(text.startsWith("tst_values.cpp:") && text.contains("1 + 1 == 3"));
    }
}

QTEST_APPLESS_MAIN(TestValues)
#include "tst_values.moc"
