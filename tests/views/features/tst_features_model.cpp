// SPDX-License-Identifier: GPL-3.0-or-later
#include "features/features_model.h"
#include "features/tunable_row.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <vector>

using namespace rqscope;

class TestFeaturesModel : public QObject {
    Q_OBJECT
private slots:
    void sectionsKeepTheirOrder() {
        for (const auto& info : all_eras()) {
            FeaturesModel model;
            model.reset(info.era, default_tunables(8));
            std::vector<int> groups;
            for (int row = 0; row < model.rowCount(); ++row)
                for (int group = 0; group <= static_cast<int>(FeatureGroup::LoadTracking); ++group)
                    if (model.index(row, 0).data().toString().toStdString() == name_of(static_cast<FeatureGroup>(group))) groups.push_back(group);
            QVERIFY2(groups.size() >= 4, std::string(info.key).c_str());
            QVERIFY2(std::is_sorted(groups.begin(), groups.end()), std::string(info.key).c_str());
        }
    }

    void structureHoldsInEveryEra() {
        FeaturesModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        for (const auto& era : all_eras()) {
            model.reset(era.era, default_tunables(8));
            int features = 0, tunables = 0;
            for (int s = 0; s < model.rowCount(); ++s) {
                const auto section = model.index(s, 0);
                const bool numbers = section.data(FeaturesModel::KindRole).toInt() == int(FeaturesModel::Kind::Tunable);
                (numbers ? tunables : features) += model.rowCount(section);
                QCOMPARE(section.data(FeaturesModel::CountRole).toInt(), model.rowCount(section));
            }
            QCOMPARE(features, int(kFeatureCount));
            QCOMPARE(tunables, int(all_tunables().size()));
            QCOMPARE(model.changedCount(), 0);
        }
    }
    void flipIsReportedOnce() {
        FeaturesModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.reset(Era::V4_8, default_tunables(8));
        FeatureSet features(Era::V4_8);
        features.set({Feature::FORK_LOAD_AVG, 2});
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.setValues(features, default_tunables(8));
        QCOMPARE(changed.count(), 2); // the entry and its section's count
        model.setValues(features, default_tunables(8));
        QCOMPARE(changed.count(), 2);
        const auto entry = changed.front().front().toModelIndex();
        QCOMPARE(entry.data(FeaturesModel::NameRole).toString(), QStringLiteral("FORK_LOAD_AVG"));
        QCOMPARE(entry.data(FeaturesModel::ValueRole).toInt(), 2);
        QVERIFY(entry.data(FeaturesModel::ChangedRole).toBool());
        QCOMPARE(entry.data(FeaturesModel::DefaultTextRole).toString(), QStringLiteral("off"));
        QCOMPARE(model.changedCount(), 1);
        QCOMPARE(model.featuresToReset().front(), (FeatureSetting{Feature::FORK_LOAD_AVG, 0}));
    }
    void echoLinesNameTheEra() {
        FeaturesModel model;
        model.reset(Era::V4_8, default_tunables(8));
        FeatureSet old(Era::V4_8);
        old.set({Feature::WAKE_AFFINE, 0});
        model.setValues(old, default_tunables(8));
        QCOMPARE(model.echoLines(), QStringList{QStringLiteral("echo NO_WAKE_AFFINE > /sys/kernel/debug/sched_features")});
        model.reset(Era::V6_12, default_tunables(8));
        FeatureSet recent(Era::V6_12);
        recent.set({Feature::NEXT_BUDDY, 1});
        model.setValues(recent, default_tunables(8));
        QCOMPARE(model.echoLines(), QStringList{QStringLiteral("echo NEXT_BUDDY > /sys/kernel/debug/sched/features")});
    }
    void unreadFeaturesSayWhy() {
        FeaturesModel model;
        model.reset(Era::V6_12, default_tunables(8));
        const auto last = model.index(model.rowCount() - 1, 0);
        QCOMPARE(last.data(FeaturesModel::KindRole).toInt(), int(FeaturesModel::Kind::Unread));
        QCOMPARE(model.index(0, 0, last).data(FeaturesModel::SummaryRole).toString(), QStringLiteral("6.12 does not read it."));
    }
    void tunablesAreCounted() {
        FeaturesModel model;
        const auto defaults = default_tunables(8);
        model.reset(Era::V4_8, defaults);
        auto now = defaults;
        now.latency_ns = 3000000;
        model.setValues(FeatureSet(Era::V4_8), now);
        QCOMPARE(model.changedCount(), 1);
        QCOMPARE(model.tunablesToReset().front().value, defaults.latency_ns);
    }
    void sliderIsExactAtBothEnds() {
        for (const auto& info : all_tunables()) {
            QCOMPARE(TunableRow::toValue(TunableRow::toPosition(info.min, info.min, info.max), info.min, info.max), info.min);
            QCOMPARE(TunableRow::toValue(TunableRow::toPosition(info.max, info.min, info.max), info.min, info.max), info.max);
            qint64 previous = info.min;
            for (int position = 0; position <= TunableRow::kSteps; position += 10) {
                const auto value = TunableRow::toValue(position, info.min, info.max);
                QVERIFY(value >= previous && value <= info.max);
                previous = value;
            }
        }
    }
};

QTEST_MAIN(TestFeaturesModel)
#include "tst_features_model.moc"
