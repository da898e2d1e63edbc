// SPDX-License-Identifier: GPL-3.0-or-later
#include "features/tunable_row.h"

#include "features/features_model.h"
#include "theme/format.h"

#include <QGridLayout>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace rqscope {

namespace {

QString plainNumber(QString text, const QString& suffix) {
    if (text.endsWith(suffix)) text.chop(suffix.size());
    text.replace(QChar(0x2212), QLatin1Char('-'));
    text.remove(QChar(0x00A0));
    return text.remove(QLatin1Char(' '));
}

} // namespace

TickSlider::TickSlider(const Theme& theme, QWidget* parent) : QSlider(Qt::Horizontal, parent), m_theme(theme) {
    setFocusPolicy(Qt::StrongFocus);
    connect(&m_theme, &Theme::changed, this, [this] { update(); });
}

void TickSlider::setTick(int position) {
    m_tick = position;
    update();
}

void TickSlider::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const auto half = m_theme.px(7); // half the handle of the style sheet
    const auto span = width() - 2 * half;
    const auto x = half + (span * (m_tick - minimum())) / std::max(1, maximum() - minimum());
    painter.fillRect(QRect(x, height() / 2 - m_theme.px(7), m_theme.px(2), m_theme.px(14)), m_theme.colour(Token::Ink2));
    painter.end();
    QSlider::paintEvent(event);
}

QString GroupedSpinBox::textFromValue(int value) const { return grouped(value); }

int GroupedSpinBox::valueFromText(const QString& text) const { return plainNumber(text, suffix()).toInt(); }

QValidator::State GroupedSpinBox::validate(QString& text, int&) const {
    const auto number = plainNumber(text, suffix());
    if (number.isEmpty() || number == QStringLiteral("-")) return QValidator::Intermediate;
    bool isNumber = false;
    const auto value = number.toLongLong(&isNumber);
    if (!isNumber || value > maximum()) return QValidator::Invalid;
    return value < minimum() ? QValidator::Intermediate : QValidator::Acceptable;
}

int TunableRow::toPosition(qint64 value, qint64 minimum, qint64 maximum) {
    const auto span = std::log(static_cast<double>(maximum - minimum) + 1.0);
    if (span <= 0) return 0;
    const auto part = std::log(static_cast<double>(std::clamp(value, minimum, maximum) - minimum) + 1.0) / span;
    return static_cast<int>(std::lround(part * kSteps));
}

qint64 TunableRow::toValue(int position, qint64 minimum, qint64 maximum) {
    if (position <= 0) return minimum;
    if (position >= kSteps) return maximum;
    const auto span = std::log(static_cast<double>(maximum - minimum) + 1.0);
    const auto exact = std::exp(span * position / kSteps) - 1.0;
    // Two significant figures: a slider cannot aim better, and round numbers read well.
    const auto unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(std::max(1.0, exact))) - 1.0));
    return std::clamp(minimum + static_cast<qint64>(std::llround(exact / unit) * std::llround(unit)), minimum, maximum);
}

TunableRow::TunableRow(const Theme& theme, const QModelIndex& index, QWidget* parent)
    : SettingRow(theme, parent), m_minimum(index.data(FeaturesModel::MinimumRole).toLongLong()),
      m_maximum(index.data(FeaturesModel::MaximumRole).toLongLong()), m_number(new GroupedSpinBox),
      m_slider(new TickSlider(theme)), m_reset(new QToolButton) {
    build(index);
    connect(m_slider, &QSlider::sliderMoved, this, [this](int position) {
        const QSignalBlocker quiet(m_number);
        m_number->setValue(static_cast<int>(toValue(position, m_minimum, m_maximum)));
    });
    connect(m_slider, &QSlider::valueChanged, this, [this](int position) {
        if (position != toPosition(m_value, m_minimum, m_maximum)) emit valueWanted(toValue(position, m_minimum, m_maximum));
    });
    connect(m_number, &QSpinBox::valueChanged, this, [this](int value) {
        if (value != m_value) emit valueWanted(value);
    });
    connect(m_reset, &QToolButton::clicked, this, [this] { emit valueWanted(m_default); });
    show(index);
}

void TunableRow::build(const QModelIndex& index) {
    const auto name = index.data(FeaturesModel::NameRole).toString();
    const auto unit = index.data(FeaturesModel::UnitRole).toString();
    m_number->setRange(static_cast<int>(m_minimum), static_cast<int>(m_maximum));
    m_number->setSuffix(unit.isEmpty() ? QString() : QChar(0x00A0) + unit);
    m_number->setKeyboardTracking(false);
    m_number->setAlignment(Qt::AlignRight);
    m_number->setFixedWidth(m_theme.px(122));
    m_number->setAccessibleName(name);
    m_number->setObjectName(name);
    m_slider->setRange(0, kSteps);
    m_slider->setTracking(false);
    m_slider->setPageStep(kSteps / 20);
    m_slider->setAccessibleName(name);
    m_reset->setProperty("kind", "icon");
    m_reset->setToolTip(QStringLiteral("Back to the default"));
    m_reset->setAccessibleName(QStringLiteral("Reset %1").arg(name));
    bindIcon(m_reset, m_theme, QStringLiteral("reset"), Token::Accent);

    auto* summary = makeLabel(index.data(FeaturesModel::SummaryRole).toString(), {.text = "small", .ink = "2"});
    summary->setWordWrap(true);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(m_theme.px(14), m_theme.px(6), m_theme.px(10), m_theme.px(6));
    grid->setHorizontalSpacing(m_theme.px(6));
    grid->setVerticalSpacing(m_theme.px(2));
    grid->addWidget(makeLabel(name, {.text = "small", .strong = true, .kernel = true}), 0, 0, 1, 3);
    grid->addWidget(summary, 1, 0, 1, 3);
    grid->addWidget(m_slider, 2, 0);
    grid->addWidget(m_number, 2, 1);
    grid->addWidget(m_reset, 2, 2);
    grid->setColumnStretch(0, 1);
}

void TunableRow::show(const QModelIndex& index) {
    m_value = index.data(FeaturesModel::ValueRole).toLongLong();
    m_default = index.data(FeaturesModel::DefaultRole).toLongLong();
    const auto changed = index.data(FeaturesModel::ChangedRole).toBool();
    const QSignalBlocker quietNumber(m_number);
    const QSignalBlocker quietSlider(m_slider);
    m_number->setValue(static_cast<int>(m_value));
    m_slider->setValue(toPosition(m_value, m_minimum, m_maximum));
    m_slider->setTick(toPosition(m_default, m_minimum, m_maximum));
    m_reset->setEnabled(changed);
    setToolTip(QStringLiteral("default %1").arg(index.data(FeaturesModel::DefaultTextRole).toString()));
    setChanged(changed);
}

} // namespace rqscope
