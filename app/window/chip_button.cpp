// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/chip_button.h"

#include "theme/controls.h"

#include <QHBoxLayout>

namespace rqscope {

ChipButton::ChipButton(const Theme& theme, const QString& caption, bool kernelFace, QWidget* parent)
    : QPushButton(parent), m_theme(theme), m_caption(caption), m_captionLabel(makeLabel(caption, {.text = "small", .ink = "2"})),
      m_valueLabel(makeLabel({}, {.kernel = kernelFace})) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(9, 0, 6, 0);
    row->setSpacing(7);
    auto* chevron = new IconLabel(theme, QStringLiteral("chevron-down"), Token::Ink2, 12);
    for (auto* label : {m_captionLabel, m_valueLabel, static_cast<QLabel*>(chevron)}) {
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
        row->addWidget(label);
    }
    setProperty("kind", "chip");
    connect(&m_theme, &Theme::changed, this, &ChipButton::refresh);
}

void ChipButton::setValue(const QString& value) {
    m_value = value;
    refresh();
}

void ChipButton::setDetail(const QString& detail) {
    m_detail = detail;
    refresh();
}

void ChipButton::setValueLimit(int pixels) {
    if (m_limit == pixels) return;
    m_limit = pixels;
    refresh();
}

QSize ChipButton::sizeHint() const { return {layout()->sizeHint().width(), m_theme.px(30)}; }

void ChipButton::refresh() {
    m_valueLabel->ensurePolished();
    m_valueLabel->setText(m_limit > 0 ? m_valueLabel->fontMetrics().elidedText(m_value, Qt::ElideRight, m_limit) : m_value);
    setToolTip(m_caption + QStringLiteral(": ") + m_value + (m_detail.isEmpty() ? QString() : QLatin1Char('\n') + m_detail));
    setAccessibleName(m_caption + QStringLiteral(", ") + m_value);
    updateGeometry();
}

} // namespace rqscope
