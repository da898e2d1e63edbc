// SPDX-License-Identifier: GPL-3.0-or-later
// Fusion with sizes that follow the text scale: without this, icons in buttons and line edits stay at 16 px when the text
// is twice as large, and tool tips come at the platform's delay instead of ours.
#pragma once

#include <QPointer>
#include <QProxyStyle>

namespace rqscope {

class Theme;

class ThemeStyle : public QProxyStyle {
    Q_OBJECT
public:
    explicit ThemeStyle(const Theme& theme);

    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* returnData) const override;

private:
    QPointer<const Theme> m_theme; // the style belongs to the application and may outlive the theme
};

} // namespace rqscope
