// SPDX-License-Identifier: GPL-3.0-or-later
// One toggle in the panel: switch, kernel name, the word "changed" when it differs from the era, one sentence, and a small
// chooser for features with several values. A flip lights the row for a moment.
#pragma once

#include "theme/controls.h"

#include <QModelIndex>
#include <QVariantAnimation>
#include <QWidget>

namespace rqscope {

// Ground of a row that differs from the era, and the flash after a change; shared with the tunables.
class SettingRow : public QWidget {
    Q_OBJECT
public:
    explicit SettingRow(const Theme& theme, QWidget* parent = nullptr);
    virtual void show(const QModelIndex& index) = 0; // new values, no signals
    void flash();

protected:
    void paintEvent(QPaintEvent* event) override;
    void setChanged(bool changed);

    const Theme& m_theme;

private:
    QVariantAnimation m_flash;
    bool m_changed = false;
};

class FeatureRow : public SettingRow {
    Q_OBJECT
public:
    FeatureRow(const Theme& theme, const QModelIndex& index, QWidget* parent = nullptr);
    void show(const QModelIndex& index) override;

signals:
    void valueWanted(int value); // 0 = off, n = n-th value

private:
    void build(const QModelIndex& index);

    SwitchControl* m_switch;
    QLabel* m_changedWord;
    ThemedCombo* m_choice = nullptr;
    int m_usualValue = 1; // what switching on means
};

} // namespace rqscope
