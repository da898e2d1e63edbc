// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/theme_style.h"

#include "theme/theme.h"

namespace rqscope {

namespace {
constexpr int kTooltipDelayMs = 350;
constexpr int kIconPx = 16;
} // namespace

ThemeStyle::ThemeStyle(const Theme& theme) : QProxyStyle(QStringLiteral("Fusion")), m_theme(&theme) {}

int ThemeStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    if (!m_theme) return QProxyStyle::pixelMetric(metric, option, widget);
    switch (metric) {
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_ToolBarIconSize:
    case PM_TabBarIconSize:
    case PM_LineEditIconSize: return m_theme->px(kIconPx);
    default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int ThemeStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* returnData) const {
    if (hint == SH_ToolTip_WakeUpDelay) return kTooltipDelayMs;
    return QProxyStyle::styleHint(hint, option, widget, returnData);
}

} // namespace rqscope
