// SPDX-License-Identifier: GPL-3.0-or-later
// features.def and eras.def: every row parses in both directions, defaults per era, mistakes get a suggestion.
#include "sched/features.h"

#include <QTest>

#include <set>

using namespace rqscope;

class TestFeatures : public QObject {
    Q_OBJECT
private slots:
    void round_trip_data();
    void round_trip();
    void choices();
    void defaults();
    void mistakes_data();
    void mistakes();
    void set_follows_era();
    void eras();
};

void TestFeatures::round_trip_data() {
    QTest::addColumn<int>("index");
    for (const auto& info : all_features()) QTest::newRow(std::string(info.name).c_str()) << static_cast<int>(info.feature);
}

void TestFeatures::round_trip() {
    QFETCH(int, index);
    const auto& info = all_features()[static_cast<std::size_t>(index)];
    QCOMPARE(static_cast<int>(info.feature), index);
    for (FeatureValue v = 0; v <= value_count(info.feature); ++v) {
        const FeatureSetting setting{info.feature, v};
        const auto parsed = parse_feature(to_string(setting), Era::V4_8);
        QVERIFY(parsed.ok());
        QCOMPARE(*parsed, setting);
    }
    QVERIFY(!info.summary.empty() && info.summary.back() == '.');
    bool read_somewhere = false;
    for (const auto& era : all_eras()) {
        read_somewhere = read_somewhere || readable(info.feature, era.era);
        QVERIFY(default_value(info.feature, era.era) <= value_count(info.feature));
    }
    QVERIFY(read_somewhere);
}

void TestFeatures::choices() {
    QCOMPARE(parse_feature("FORK_LOAD_AVG", Era::V4_8)->value, FeatureValue{1});
    QCOMPARE(parse_feature("FORK_LOAD_AVG=MERGED", Era::V4_8)->value, FeatureValue{2});
    QCOMPARE(parse_feature("NO_FORK_LOAD_AVG", Era::V4_8_LOAD_AVG)->value, FeatureValue{0});
}

void TestFeatures::defaults() {
    using enum Feature;
    for (const auto& info : all_eras()) {
        const bool stale = info.era == Era::V4_8 || info.era == Era::V4_8_IDLE_WIP;
        QCOMPARE(default_value(BUG_STALE_CLOCK_AT_FORK, info.era) != 0, stale);
    }
    QVERIFY(!readable(FORK_LOAD_AVG, Era::V6_1));
    QVERIFY(readable(START_DEBIT, Era::EEVDF_1) && !readable(START_DEBIT, Era::EEVDF_2));
    QCOMPARE(default_value(LAST_BUDDY, Era::V4_8), FeatureValue{1});
    QCOMPARE(default_value(NEXT_BUDDY, Era::V4_8), FeatureValue{0});
}

void TestFeatures::mistakes_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("misspelt") << "START_DEBTI" << "Did you mean START_DEBIT?";
    QTest::newRow("misspelt negation") << "NO_START_DEBTI" << "Did you mean START_DEBIT?";
    QTest::newRow("lower case") << "start_debit" << "unknown feature";
    QTest::newRow("empty") << "" << "unknown feature";
    QTest::newRow("value for a switch") << "START_DEBIT=ON" << "plain switch";
    QTest::newRow("unknown value") << "FORK_LOAD_AVG=X" << "Values: RFC MERGED";
    QTest::newRow("value and NO_") << "NO_FORK_LOAD_AVG=RFC" << "takes no value";
}

void TestFeatures::mistakes() {
    QFETCH(QString, text);
    QFETCH(QString, words);
    const auto result = parse_feature(text.toStdString(), Era::V4_8);
    QVERIFY(!result.ok());
    const auto message = QString::fromStdString(result.problems().front().message);
    QVERIFY2(message.contains(words), qPrintable(message));
}

void TestFeatures::set_follows_era() {
    FeatureSet set(Era::V4_8);
    QVERIFY(set.has(Feature::BUG_STALE_CLOCK_AT_FORK));
    set.set({Feature::BUG_STALE_CLOCK_AT_FORK, 0});
    QVERIFY(!set.has(Feature::BUG_STALE_CLOCK_AT_FORK));
    QVERIFY(!(set == FeatureSet(Era::V4_8)));
    QVERIFY(!FeatureSet().has(Feature::START_DEBIT));
}

void TestFeatures::eras() {
    std::set<std::string_view> keys;
    for (const auto& info : all_eras()) {
        QVERIFY(keys.insert(info.key).second);
        QCOMPARE(find_era(info.key).value(), info.era);
        QVERIFY(!info.borrows.empty());
    }
    QVERIFY(!find_era("v4.7.4"));
    QCOMPARE(find_era_spelling("v4.7.4").value(), Era::V4_7);
    QCOMPARE(find_era_spelling("4.8+rfc-load_avg").value(), Era::V4_8_LOAD_AVG);
    QCOMPARE(find_era_spelling("series-7").value(), Era::EEVDF_7);
    QVERIFY(!find_era_spelling("v9"));
    QVERIFY(!find_era_spelling(""));
    QCOMPARE(era_info(Era::V4_8).run_queue, RunQueueProfile::V4_7);
    QCOMPARE(name_of(RunQueueProfile::V4_7), std::string_view("v4.7.4"));
}

QTEST_APPLESS_MAIN(TestFeatures)
#include "tst_features.moc"
