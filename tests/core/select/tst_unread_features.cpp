// SPDX-License-Identifier: GPL-3.0-or-later
// A placement toggle that an era does not read is accepted and changes nothing, given with the scenario or thrown while the
// run goes on (select.md 5).
#include "support/scenarios.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

Scenario probe(const EraInfo& era) {
    return scenario("teach-smt4", "forkstorm:n=9,run=200us,gap=250us,block=1", era.key, {}, "3ms");
}

std::uint64_t outcome(Scenario s) {
    auto h = history(std::move(s));
    h.run_to_end();
    return h.state_hash();
}

} // namespace

class TestUnreadFeatures : public QObject {
    Q_OBJECT
private slots:
    void changeNothing_data() {
        QTest::addColumn<int>("era");
        for (const auto& info : all_eras())
            if (info.available) QTest::addRow("%s", std::string(info.key).c_str()) << static_cast<int>(info.era);
    }
    void changeNothing() {
        QFETCH(int, era);
        const auto& info = era_info(static_cast<Era>(era));
        const auto usual = outcome(probe(info));
        std::optional<std::uint64_t> with_input;
        for (const auto& f : all_features()) {
            const bool placement = f.group == FeatureGroup::ForkPlacement || f.group == FeatureGroup::WakePlacement;
            if (!placement || readable(f.feature, info.era)) continue;
            for (FeatureValue value = 0; value <= value_count(f.feature); ++value) {
                auto given = probe(info);
                given.features.push_back({f.feature, value});
                QCOMPARE(outcome(std::move(given)), usual);
                auto thrown = probe(info);
                thrown.actions.push_back({from_ns(500'000), FeatureSetting{f.feature, value}});
                const auto hash = outcome(std::move(thrown));
                QCOMPARE(hash, with_input.value_or(hash)); // whichever toggle it is
                with_input = hash;
            }
        }
        QVERIFY(with_input.has_value()); // no era reads all of them
    }
};

QTEST_APPLESS_MAIN(TestUnreadFeatures)
#include "tst_unread_features.moc"
