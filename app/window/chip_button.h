// SPDX-License-Identifier: GPL-3.0-or-later
// A button of the top bar that shows a setting: small caption, value, chevron. Long values are cut with dots when the bar is
// narrow; the whole value is in the tool tip.
#pragma once

#include "theme/theme.h"

#include <QPushButton>

class QLabel;

namespace rqscope {

class ChipButton : public QPushButton {
    Q_OBJECT
public:
    ChipButton(const Theme& theme, const QString& caption, bool kernelFace, QWidget* parent = nullptr);
    void setValue(const QString& value);
    void setDetail(const QString& detail); // one more line of the tool tip
    [[nodiscard]] QString value() const { return m_value; }
    void setValueLimit(int pixels); // 0 = no limit
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

private:
    void refresh();
    const Theme& m_theme;
    QString m_caption, m_value, m_detail;
    int m_limit = 0;
    QLabel *m_captionLabel, *m_valueLabel;
};

} // namespace rqscope
