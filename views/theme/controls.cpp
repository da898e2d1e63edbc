// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/controls.h"

#include <QIcon>
#include <QPainter>
#include <QStyle>
#include <QVariant>

namespace rqscope {

QLabel* makeLabel(const QString& text, LabelRole role, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    if (*role.text) label->setProperty("textSize", QLatin1String(role.text));
    if (*role.ink) label->setProperty("ink", QLatin1String(role.ink));
    if (role.strong) label->setProperty("weight", QStringLiteral("strong"));
    if (role.kernel) label->setProperty("face", QStringLiteral("kernel"));
    return label;
}

void setStyleProperty(QWidget* widget, const char* name, const QVariant& value) {
    if (widget->property(name) == value) return;
    widget->setProperty(name, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

QIcon themedIcon(const Theme& theme, const QString& name, Token colour, int size) {
    QIcon icon;
    for (const qreal ratio : {1.0, 1.5, 2.0, 3.0}) {
        icon.addPixmap(theme.icon(name, theme.colour(colour), theme.px(size), ratio));
        icon.addPixmap(theme.icon(name, theme.colour(Token::Ink3), theme.px(size), ratio), QIcon::Disabled);
    }
    return icon;
}

void bindIcon(QAbstractButton* button, const Theme& theme, const QString& name, Token colour, int size) {
    const auto reload = [button, &theme, name, colour, size] {
        button->setIcon(themedIcon(theme, name, colour, size));
        button->setIconSize(QSize(theme.px(size), theme.px(size)));
    };
    // A second call replaces the first picture, for buttons with two states.
    button->disconnect(button->property("iconBinding").value<QMetaObject::Connection>());
    const auto connection = QObject::connect(&theme, &Theme::changed, button, reload);
    button->setProperty("iconBinding", QVariant::fromValue(connection));
    reload();
}

void setTicked(QAction* action, const Theme& theme, bool on) {
    action->setCheckable(true);
    action->setChecked(on);
    action->setIcon(on ? themedIcon(theme, QStringLiteral("tick")) : QIcon());
}

IconLabel::IconLabel(const Theme& theme, QString name, Token colour, int size, QWidget* parent)
    : QLabel(parent), m_theme(theme), m_name(std::move(name)), m_colour(colour), m_size(size) {
    connect(&m_theme, &Theme::changed, this, &IconLabel::reload);
    reload();
}

void IconLabel::reload() {
    setPixmap(m_theme.icon(m_name, m_theme.colour(m_colour), m_theme.px(m_size), devicePixelRatioF()));
}

ThemedCombo::ThemedCombo(const Theme& theme, QWidget* parent) : QComboBox(parent), m_theme(theme) {}

void ThemedCombo::paintEvent(QPaintEvent* event) {
    QComboBox::paintEvent(event);
    const auto size = m_theme.px(12);
    const auto arrow = m_theme.icon(QStringLiteral("chevron-down"), m_theme.colour(isEnabled() ? Token::Ink2 : Token::Ink3), size, devicePixelRatioF());
    QPainter(this).drawPixmap(width() - size - m_theme.px(5), (height() - size) / 2, arrow);
}

SwitchControl::SwitchControl(const Theme& theme, QWidget* parent) : QAbstractButton(parent), m_theme(theme) {
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(&m_theme, &Theme::changed, this, [this] { updateGeometry(); });
}

QSize SwitchControl::sizeHint() const { return {m_theme.px(34), m_theme.px(28)}; }

void SwitchControl::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto height = m_theme.px(16);
    QRectF track(0, 0, m_theme.px(28), height);
    track.moveCenter(QRectF(rect()).center());
    const auto on = isChecked();
    const auto enabled = isEnabled();
    const auto edge = m_theme.colour(enabled ? (on ? Token::Accent : Token::LineStrong) : Token::Line);
    painter.setPen(QPen(edge, 1));
    painter.setBrush(on && enabled ? m_theme.colour(Token::Accent) : m_theme.colour(Token::Surface));
    track.adjust(0.5, 0.5, -0.5, -0.5);
    painter.drawRoundedRect(track, height / 2.0, height / 2.0);
    const auto knob = height - m_theme.px(6);
    const auto inset = m_theme.px(3) - 0.5;
    const QRectF circle(on ? track.right() - inset - knob : track.left() + inset, track.center().y() - knob / 2.0, knob, knob);
    painter.setPen(Qt::NoPen);
    painter.setBrush(on && enabled ? m_theme.colour(Token::OnAccent) : edge);
    painter.drawEllipse(circle);
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.colour(Token::Accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(track.adjusted(-3, -3, 3, 3), height / 2.0 + 3, height / 2.0 + 3);
    }
}

} // namespace rqscope
