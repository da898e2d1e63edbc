// SPDX-License-Identifier: GPL-3.0-or-later
// One number a user may change: kernel name, number field with unit, slider with a tick at the default, reset. The slider is
// logarithmic, because most ranges span six powers of ten, and asks for a change only when it is let go.
#pragma once

#include "features/feature_row.h"

#include <QSlider>
#include <QSpinBox>

class QToolButton;

namespace rqscope {

// A slider that shows where the default is.
class TickSlider : public QSlider {
    Q_OBJECT
public:
    explicit TickSlider(const Theme& theme, QWidget* parent = nullptr);
    void setTick(int position);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    int m_tick = 0;
};

// Groups digits as the rest of the window does, and reads them back.
class GroupedSpinBox : public QSpinBox {
    Q_OBJECT
public:
    using QSpinBox::QSpinBox;

protected:
    [[nodiscard]] QString textFromValue(int value) const override;
    [[nodiscard]] int valueFromText(const QString& text) const override;
    [[nodiscard]] QValidator::State validate(QString& text, int& position) const override;
};

class TunableRow : public SettingRow {
    Q_OBJECT
public:
    TunableRow(const Theme& theme, const QModelIndex& index, QWidget* parent = nullptr);
    void show(const QModelIndex& index) override;

    // Slider positions 0..kSteps <-> values, exact at both ends.
    static constexpr int kSteps = 1000;
    [[nodiscard]] static int toPosition(qint64 value, qint64 minimum, qint64 maximum);
    [[nodiscard]] static qint64 toValue(int position, qint64 minimum, qint64 maximum);

signals:
    void valueWanted(qint64 value);

private:
    void build(const QModelIndex& index);

    qint64 m_minimum, m_maximum, m_default = 0, m_value = 0;
    GroupedSpinBox* m_number;
    TickSlider* m_slider;
    QToolButton* m_reset;
};

} // namespace rqscope
