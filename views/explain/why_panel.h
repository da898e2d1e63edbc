// SPDX-License-Identifier: GPL-3.0-or-later
// The right dock: the last decision at or before the cursor in plain words, with the figures that settled it. The same text
// serves as the strip of narrow windows and as the caption of the projector.
#pragma once

#include "explain/explanations.h"
#include "selection/run_source.h"
#include "selection/selection.h"
#include "theme/theme.h"

#include <QFrame>
#include <QWidget>

class QLabel;
class QPushButton;
class QScrollArea;

namespace rqscope {

class WhyPanel : public QWidget {
    Q_OBJECT
public:
    WhyPanel(const Theme& theme, RunSource& source, Selection& selection, QWidget* parent = nullptr);
    [[nodiscard]] std::optional<DecisionText> text() const { return m_text; } // none = no decision yet
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void textChanged();

private:
    void build();
    QWidget* buildDecision();
    QWidget* buildEmpty();
    void refresh();

    const Theme& m_theme;
    RunSource& m_source;
    Selection& m_selection;
    Explanations m_explanations;
    std::optional<DecisionText> m_text;
    std::optional<std::uint32_t> m_shownSeq;

    QScrollArea* m_scroll = nullptr;
    QWidget* m_decision = nullptr;
    QWidget* m_empty = nullptr;
    QLabel *m_function = nullptr, *m_title = nullptr, *m_who = nullptr, *m_rule = nullptr, *m_landed = nullptr, *m_preempt = nullptr;
};

// Two or three lines of the same text: title, rule, and (strip only) who.
class WhyCaption : public QFrame {
    Q_OBJECT
public:
    enum class Form { Strip, Projector };
    WhyCaption(const Theme& theme, const WhyPanel& panel, Form form, QWidget* parent = nullptr);
    void setNote(const QString& note); // right end of the first line

private:
    void refresh();
    const WhyPanel& m_panel;
    Form m_form;
    QLabel *m_title, *m_rule, *m_note;
};

} // namespace rqscope
