// SPDX-License-Identifier: GPL-3.0-or-later
#include "features/feature_row.h"

#include "features/features_model.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QSignalBlocker>

#include <algorithm>

namespace rqscope {

namespace {
constexpr int kFlashMs = 400;
}

SettingRow::SettingRow(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    m_flash.setDuration(kFlashMs);
    m_flash.setStartValue(1.0);
    m_flash.setEndValue(0.0);
    connect(&m_flash, &QVariantAnimation::valueChanged, this, [this] { update(); });
    connect(&m_theme, &Theme::changed, this, [this] { update(); });
}

void SettingRow::flash() {
    if (m_theme.reducedMotion()) return;
    m_flash.stop();
    m_flash.start();
}

void SettingRow::setChanged(bool changed) {
    m_changed = changed;
    update();
}

void SettingRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (m_changed) painter.fillRect(rect(), m_theme.colour(Token::AccentSoft));
    if (m_flash.state() != QAbstractAnimation::Running) return;
    auto light = m_theme.colour(Token::Accent);
    light.setAlphaF(0.35F * static_cast<float>(m_flash.currentValue().toDouble()));
    painter.fillRect(rect(), light);
}

FeatureRow::FeatureRow(const Theme& theme, const QModelIndex& index, QWidget* parent)
    : SettingRow(theme, parent), m_switch(new SwitchControl(theme)), m_changedWord(makeLabel({}, {.text = "small", .ink = "accent"})) {
    build(index);
    connect(m_switch, &QAbstractButton::clicked, this, [this](bool on) { emit valueWanted(on ? m_usualValue : 0); });
    show(index);
}

void FeatureRow::build(const QModelIndex& index) {
    const auto name = index.data(FeaturesModel::NameRole).toString();
    const auto unread = index.data(FeaturesModel::KindRole).toInt() == static_cast<int>(FeaturesModel::Kind::Unread);
    m_switch->setAccessibleName(name);
    m_switch->setAccessibleDescription(index.data(FeaturesModel::SummaryRole).toString());
    m_switch->setObjectName(name);

    auto* title = new QHBoxLayout;
    title->setSpacing(m_theme.px(6));
    title->addWidget(makeLabel(name, {.text = "small", .ink = unread ? "3" : "", .strong = true, .kernel = true}));
    title->addWidget(m_changedWord);
    title->addStretch(1);
    const auto choices = index.data(FeaturesModel::ChoicesRole).toStringList();
    if (!choices.isEmpty() && !unread) {
        m_choice = new ThemedCombo(m_theme);
        m_choice->addItems(choices);
        m_choice->setAccessibleName(name + QStringLiteral(" value"));
        m_choice->setProperty("textSize", "tiny");
        m_choice->setProperty("kind", "compact");
        connect(m_choice, &QComboBox::activated, this, [this](int row) { emit valueWanted(row + 1); });
    }
    auto* summary = makeLabel(index.data(FeaturesModel::SummaryRole).toString(), {.text = "small", .ink = unread ? "3" : "2"});
    summary->setWordWrap(true);

    auto* words = new QVBoxLayout;
    words->setSpacing(m_theme.px(1));
    words->setContentsMargins(0, m_theme.px(5), 0, 0); // the name beside the middle of the switch
    words->addLayout(title);
    words->addWidget(summary);
    if (m_choice) words->addWidget(m_choice, 0, Qt::AlignLeft);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(m_theme.px(8), 0, m_theme.px(8), m_theme.px(6));
    row->setSpacing(m_theme.px(4));
    row->addWidget(m_switch, 0, Qt::AlignTop);
    row->addLayout(words, 1);
    setEnabled(!unread);
}

void FeatureRow::show(const QModelIndex& index) {
    const auto value = index.data(FeaturesModel::ValueRole).toInt();
    const auto normal = index.data(FeaturesModel::DefaultRole).toInt();
    const auto changed = index.data(FeaturesModel::ChangedRole).toBool();
    m_usualValue = std::max(1, normal);
    m_switch->setChecked(value != 0);
    const auto text = QStringLiteral("changed, default %1").arg(index.data(FeaturesModel::DefaultTextRole).toString());
    m_changedWord->setText(changed ? QStringLiteral("changed") : QString());
    setToolTip(changed ? text : QString());
    if (m_choice) {
        const QSignalBlocker quiet(m_choice);
        m_choice->setCurrentIndex(value > 0 ? value - 1 : m_usualValue - 1);
        m_choice->setVisible(value > 0); // a feature that is off has no value to choose
    }
    setChanged(changed);
}

} // namespace rqscope
