// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/why_panel.h"

#include "theme/controls.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace rqscope {

namespace {

QLabel* wrapped(LabelRole role) {
    auto* label = makeLabel({}, role);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    // Minimum would make false scroll bars with wrapped text.
    label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    return label;
}

QHBoxLayout* diamondLine(const Theme& theme, QLabel* words, int size) {
    auto* line = new QHBoxLayout;
    line->setSpacing(theme.px(8));
    line->addWidget(new IconLabel(theme, QStringLiteral("diamond"), Token::Decision, size), 0, Qt::AlignVCenter);
    line->addWidget(words, 1);
    return line;
}

} // namespace

WhyPanel::WhyPanel(const Theme& theme, RunSource& source, Selection& selection, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_source(source), m_selection(selection) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 1);
    m_scroll = new QScrollArea;
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setAccessibleName(QStringLiteral("Why"));
    column->addWidget(m_scroll);
    build();
    connect(&m_source, &RunSource::runReset, this, [this] {
        m_shownSeq.reset();
        refresh();
    });
    connect(&m_source, &RunSource::cursorMoved, this, &WhyPanel::refresh);
    connect(&m_theme, &Theme::changed, this, [this] {
        build(); // spacing follows the text scale
        m_shownSeq.reset();
        refresh();
    });
    refresh();
}

QSize WhyPanel::sizeHint() const { return {m_theme.px(344), m_theme.px(400)}; }

void WhyPanel::build() {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    const auto side = m_theme.px(12);
    column->setContentsMargins(side, m_theme.px(10), side, side);
    m_decision = buildDecision();
    m_empty = buildEmpty();
    column->addWidget(m_decision);
    column->addWidget(m_empty);
    column->addStretch(1);
    m_scroll->setWidget(content);
}

QWidget* WhyPanel::buildDecision() {
    m_function = wrapped({.text = "small", .ink = "2", .kernel = true});
    m_title = wrapped({.text = "title", .strong = true});
    m_who = wrapped({.text = "small", .ink = "2"});
    m_rule = wrapped({});
    m_landed = wrapped({});
    m_preempt = wrapped({.ink = "2"});

    auto* ruleBox = new QFrame;
    ruleBox->setProperty("fill", "decision_soft");
    auto* ruleColumn = new QVBoxLayout(ruleBox);
    ruleColumn->setContentsMargins(m_theme.px(12), m_theme.px(8), m_theme.px(12), m_theme.px(10));
    ruleColumn->setSpacing(m_theme.px(4));
    ruleColumn->addWidget(makeLabel(QStringLiteral("What decides"), {.text = "small", .strong = true}));
    ruleColumn->addWidget(m_rule);

    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(m_theme.px(4));
    column->addLayout(diamondLine(m_theme, m_function, 11));
    column->addWidget(m_title);
    column->addWidget(m_who);
    column->addSpacing(m_theme.px(8));
    column->addWidget(ruleBox);
    column->addSpacing(m_theme.px(8));
    column->addWidget(makeLabel(QStringLiteral("Where it lands"), {.text = "small", .strong = true}));
    column->addWidget(m_landed);
    column->addWidget(m_preempt);
    return box;
}

QWidget* WhyPanel::buildEmpty() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, m_theme.px(8), 0, 0);
    column->setSpacing(m_theme.px(8));
    auto* sentence = wrapped({.ink = "2"});
    sentence->setText(m_explanations.empty());
    column->addWidget(sentence);
    auto* step = new QPushButton(QStringLiteral("Next decision"));
    step->setObjectName(QStringLiteral("whyStep"));
    connect(step, &QPushButton::clicked, this, [this] { emit m_selection.stepRequested(StepUnit::Decision, true); });
    column->addWidget(step, 0, Qt::AlignLeft);
    return box;
}

void WhyPanel::refresh() {
    const auto* history = m_source.history();
    const auto row = history ? history->current_decision() : std::nullopt;
    m_decision->setVisible(row.has_value());
    m_empty->setVisible(!row.has_value());
    if (row && m_shownSeq == row->seq.value) return;
    m_shownSeq = row ? std::optional(row->seq.value) : std::nullopt;
    m_text = row ? std::optional(m_explanations.describe(factsOf(*history, *row))) : std::nullopt;
    if (m_text) {
        m_function->setText(m_text->function);
        m_title->setText(m_text->title);
        m_who->setText(m_text->who);
        m_rule->setText(m_text->rule);
        m_landed->setText(m_text->landed);
        m_preempt->setText(m_text->preempt);
    }
    emit textChanged();
}

WhyCaption::WhyCaption(const Theme& theme, const WhyPanel& panel, Form form, QWidget* parent)
    : QFrame(parent), m_panel(panel), m_form(form),
      m_title(makeLabel({}, {.text = form == Form::Projector ? "clock" : "title", .strong = true})),
      m_rule(makeLabel({}, {.ink = "2"})), m_note(makeLabel({}, {.ink = "2"})) {
    if (form == Form::Strip) setProperty("fill", "card");
    m_rule->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(12), theme.px(6), theme.px(12), theme.px(6));
    column->setSpacing(theme.px(2));
    auto* head = diamondLine(theme, m_title, form == Form::Projector ? 18 : 12);
    head->addWidget(m_note);
    column->addLayout(head);
    column->addWidget(m_rule);
    connect(&m_panel, &WhyPanel::textChanged, this, &WhyCaption::refresh);
    refresh();
}

void WhyCaption::setNote(const QString& note) { m_note->setText(note); }

void WhyCaption::refresh() {
    const auto text = m_panel.text();
    m_title->setText(text ? text->title : QStringLiteral("No decision yet"));
    auto rule = text ? text->rule : QString();
    if (text && m_form == Form::Strip) rule = text->who + QStringLiteral("\n") + rule;
    m_rule->setText(rule);
}

} // namespace rqscope
