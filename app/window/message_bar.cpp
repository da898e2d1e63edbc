// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/message_bar.h"

#include "theme/controls.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>

#include <algorithm>

namespace rqscope {

namespace {
constexpr int kMostLines = 8;
}

MessageBar::MessageBar(const Theme& theme, Kind kind, QWidget* parent)
    : QFrame(parent), m_text(makeLabel({}, {})), m_scroll(new QScrollArea), m_actions(new QHBoxLayout) {
    const bool problem = kind == Kind::Problem;
    setProperty("fill", problem ? "alarm_soft" : "accent_soft");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.px(12), theme.px(4), theme.px(4), theme.px(4));
    row->setSpacing(theme.px(8));
    row->addWidget(new IconLabel(theme, problem ? QStringLiteral("warning") : QStringLiteral("note"), problem ? Token::Alarm : Token::Accent));
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_scroll->setWidget(m_text);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setAccessibleName(problem ? QStringLiteral("Problems") : QStringLiteral("Note"));
    row->addWidget(m_scroll, 1);
    row->addLayout(m_actions);
    if (problem) {
        m_copy = new QPushButton(QStringLiteral("Copy"));
        m_copy->setProperty("kind", "link");
        connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_lines.join(QLatin1Char('\n'))); });
        row->addWidget(m_copy);
    }
    connect(&theme, &Theme::changed, this, &MessageBar::fitLines, Qt::QueuedConnection);
    auto* close = new QToolButton;
    close->setProperty("kind", "icon");
    close->setAccessibleName(QStringLiteral("Dismiss"));
    bindIcon(close, theme, QStringLiteral("close"), Token::Ink2);
    connect(close, &QToolButton::clicked, this, [this] {
        hide();
        emit dismissed();
    });
    row->addWidget(close);
    hide();
}

void MessageBar::showMessage(const QStringList& lines) {
    m_lines = lines;
    m_text->setText(lines.join(QLatin1Char('\n')));
    while (auto* item = m_actions->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    show();
    fitLines();
}

void MessageBar::forget() {
    m_lines.clear();
    hide();
}

void MessageBar::resizeEvent(QResizeEvent*) { fitLines(); }

// Long lines wrap: the height follows from the width there is.
void MessageBar::fitLines() {
    m_text->ensurePolished();
    const auto line = m_text->fontMetrics().lineSpacing();
    const auto wanted = std::max(line, m_text->heightForWidth(m_scroll->viewport()->width()));
    m_scroll->setFixedHeight(std::min(wanted, line * kMostLines) + 8);
}

void MessageBar::addAction(const QString& words, std::function<void()> act) {
    auto* button = new QPushButton(words);
    button->setProperty("kind", "link");
    button->setObjectName(words);
    m_actions->addWidget(button);
    connect(button, &QPushButton::clicked, this, std::move(act));
}

} // namespace rqscope
