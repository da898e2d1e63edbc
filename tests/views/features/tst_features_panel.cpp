// SPDX-License-Identifier: GPL-3.0-or-later
// Clicking and typing in the features panel, against a real run.
#include "features/features_panel.h"
#include "features/tunable_row.h"

#include "trace/scenario_json.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <memory>

using namespace rqscope;

namespace {

std::unique_ptr<History> storm(const std::string& era = "4.8") {
    const auto scenario = read_scenario(R"({"schema":"rqscope-scenario/1","machine":"teach-mc8.json",
        "workload":"forkstorm:n=4,run=200us,gap=250us,block=1","era":")" + era + R"("})", "storm", {}, {RQSCOPE_SOURCE_DIR "/topologies"});
    if (!scenario) return nullptr;
    auto history = History::create(*scenario);
    return history ? std::make_unique<History>(std::move(history).value()) : nullptr;
}

} // namespace

class TestFeaturesPanel : public QObject {
    Q_OBJECT
    Theme m_theme;
    RunSource m_source;
    std::unique_ptr<History> m_history;
    std::unique_ptr<FeaturesPanel> m_panel;

private slots:
    void init() {
        m_history = storm();
        QVERIFY(m_history);
        m_source.setHistory(m_history.get());
        m_panel = std::make_unique<FeaturesPanel>(m_theme, m_source);
        m_panel->resize(300, 900);
        m_panel->show();
    }
    void cleanup() {
        m_panel.reset();
        m_source.setHistory(nullptr);
    }
    void switchAsksForTheFlip() {
        QSignalSpy wanted(m_panel.get(), &FeaturesPanel::featureChanged);
        auto* toggle = m_panel->findChild<SwitchControl*>(QStringLiteral("WAKE_AFFINE"));
        QVERIFY(toggle && toggle->isChecked());
        QTest::mouseClick(toggle, Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.front().front().value<FeatureSetting>(), (FeatureSetting{Feature::WAKE_AFFINE, 0}));
        QVERIFY(toggle->isChecked()); // nobody acted on it
    }
    void reconstructionIsSaid() {
        const auto* note = m_panel->findChild<QLabel*>(QStringLiteral("reconstruction"));
        QVERIFY(note && note->isHidden());
        const auto wip = storm("4.8-idle-wip");
        m_source.setHistory(wip.get());
        QVERIFY(note->isVisible());
        QVERIFY(note->text().startsWith(QStringLiteral("Reconstruction of unpublished work")));
        QVERIFY(note->height() >= note->heightForWidth(note->width())); // all of it is in sight
        m_source.setHistory(m_history.get());
        QVERIFY(note->isHidden());
    }
    // Each era offers live what it reads, and nothing else; what it does not read is off and greyed.
    void erasOfferWhatTheyRead_data() {
        QTest::addColumn<int>("era");
        for (const auto& info : all_eras())
            if (info.available) QTest::newRow(std::string(info.key).c_str()) << static_cast<int>(info.era);
    }
    void erasOfferWhatTheyRead() {
        QFETCH(int, era);
        const auto history = storm(std::string(era_info(static_cast<Era>(era)).key));
        QVERIFY(history);
        m_source.setHistory(history.get());
        for (auto* heading : m_panel->findChildren<QToolButton*>())
            if (heading->objectName().startsWith(QStringLiteral("Not read"))) heading->click();
        for (const auto& info : all_features()) {
            const auto name = QString::fromStdString(std::string(info.name));
            const auto* toggle = m_panel->findChild<SwitchControl*>(name);
            QVERIFY2(toggle, qPrintable(name));
            QCOMPARE(toggle->isEnabled(), readable(info.feature, static_cast<Era>(era)));
            if (!toggle->isEnabled()) QVERIFY2(!toggle->isChecked(), qPrintable(name));
            bool combo = false;
            for (const auto* choice : m_panel->findChildren<QComboBox*>())
                combo = combo || choice->accessibleName() == name + QStringLiteral(" value");
            QCOMPARE(combo, toggle->isEnabled() && value_count(info.feature) > 1);
        }
        m_source.setHistory(m_history.get());
    }
    void spacePressesTheSwitch() {
        QSignalSpy wanted(m_panel.get(), &FeaturesPanel::featureChanged);
        auto* toggle = m_panel->findChild<SwitchControl*>(QStringLiteral("NEXT_BUDDY"));
        toggle->setFocus();
        QTest::keyClick(toggle, Qt::Key_Space);
        QCOMPARE(wanted.front().front().value<FeatureSetting>(), (FeatureSetting{Feature::NEXT_BUDDY, 1}));
    }
    void choiceAsksForItsValue() {
        m_history->apply({m_history->time(), FeatureSetting{Feature::FORK_LOAD_AVG, 1}});
        m_source.setCursor();
        auto* choice = m_panel->findChild<QComboBox*>();
        QVERIFY(choice->isVisible());
        QSignalSpy wanted(m_panel.get(), &FeaturesPanel::featureChanged);
        choice->setCurrentIndex(1);
        emit choice->activated(1);
        QCOMPARE(wanted.front().front().value<FeatureSetting>(), (FeatureSetting{Feature::FORK_LOAD_AVG, 2}));
    }
    void changesAreMarkedCountedAndReset() {
        m_history->apply({m_history->time(), FeatureSetting{Feature::WAKE_WIDE, 0}});
        m_source.setCursor();
        QStringList texts;
        for (const auto* label : m_panel->findChildren<QLabel*>()) texts << label->text();
        QVERIFY(texts.contains(QStringLiteral("changed")));
        QVERIFY(texts.contains(QStringLiteral("1 differs from 4.8")));
        QVERIFY(texts.contains(QStringLiteral("2 of 4 on")));
        QSignalSpy wanted(m_panel.get(), &FeaturesPanel::featureChanged);
        for (auto* button : m_panel->findChildren<QPushButton*>()) {
            if (button->accessibleName() == QStringLiteral("Copy as echo lines")) QTest::mouseClick(button, Qt::LeftButton);
            if (button->text() == QStringLiteral("Reset")) QTest::mouseClick(button, Qt::LeftButton);
        }
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("echo NO_WAKE_WIDE > /sys/kernel/debug/sched_features\n"));
        QCOMPARE(wanted.front().front().value<FeatureSetting>(), (FeatureSetting{Feature::WAKE_WIDE, 1}));
    }
    void tunablesOpenAndTakeNumbers() {
        auto* heading = m_panel->findChild<QToolButton*>(QStringLiteral("Tunables"));
        QVERIFY(heading);
        QVERIFY(m_panel->findChildren<TunableRow*>().isEmpty());
        QTest::mouseClick(heading, Qt::LeftButton);
        auto* number = m_panel->findChild<QSpinBox*>(QStringLiteral("latency_ns"));
        QVERIFY(number && number->isVisible());
        QSignalSpy wanted(m_panel.get(), &FeaturesPanel::tunableChanged);
        number->setFocus();
        number->selectAll();
        QTest::keyClicks(number, QStringLiteral("3000000"));
        QTest::keyClick(number, Qt::Key_Return);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.front().front().value<TunableSetting>().value, std::int64_t(3000000));
        QCOMPARE(number->text(), QStringLiteral("3\u00A0000\u00A0000\u00A0ns"));
    }
};

QTEST_MAIN(TestFeaturesPanel)
#include "tst_features_panel.moc"
