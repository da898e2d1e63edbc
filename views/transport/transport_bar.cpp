// SPDX-License-Identifier: GPL-3.0-or-later
#include "transport/transport_bar.h"

#include "theme/controls.h"
#include "theme/format.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QWidgetAction>

#include <algorithm>

namespace rqscope {

TransportBar::TransportBar(const Theme& theme, RunSource& source, Selection& selection, QWidget* parent)
    : QFrame(parent), m_theme(theme), m_source(source), m_selection(selection), m_overview(new OverviewStrip(theme, source, selection)),
      m_paceButton(new QToolButton), m_paceMenu(new QMenu(this)), m_clock(new ClockField(theme)), m_of(makeLabel({}, {.text = "small", .ink = "2"})),
      m_decision(makeLabel({}, {.text = "small", .ink = "2"})), m_event(makeLabel({}, {.text = "small", .ink = "2"})), m_features(new QToolButton) {
    setProperty("fill", "surface");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 7, 12, 6);
    column->setSpacing(5);
    column->addWidget(m_overview);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    column->addLayout(row);
    m_decisionBack = addButton(row, QStringLiteral("decision-back"), QStringLiteral("Previous decision (Ctrl+Left)"));
    m_stepBack = addButton(row, QStringLiteral("step-back"), QStringLiteral("Step back (Shift+N)"));
    m_play = addButton(row, QStringLiteral("play"), QStringLiteral("Play (Space)"));
    m_stepForward = addButton(row, QStringLiteral("step-forward"), QStringLiteral("Step (N)"));
    m_decisionForward = addButton(row, QStringLiteral("decision-forward"), QStringLiteral("Next decision (Ctrl+Right)"));
    m_play->setProperty("kind", "primary");
    m_play->setObjectName(QStringLiteral("play"));
    buildPaceMenu();
    connect(m_paceMenu, &QMenu::aboutToShow, this, [this] { setPace(m_pace); }); // ticks in the colours of the theme
    row->addSpacing(8);
    row->addWidget(m_paceButton);
    row->addSpacing(8);
    row->addWidget(m_clock);
    row->addWidget(m_of);
    row->addStretch(1);
    row->addWidget(m_decision);
    row->addSpacing(6);
    row->addWidget(m_event);
    row->addWidget(m_features);
    m_features->setText(QStringLiteral("Features"));
    m_features->hide();

    const auto step = [this](QToolButton* button, bool forward, bool decision) {
        connect(button, &QToolButton::clicked, this,
                [this, forward, decision] { emit m_selection.stepRequested(decision ? StepUnit::Decision : m_pace.unit(), forward); });
    };
    step(m_decisionBack, false, true);
    step(m_stepBack, false, false);
    step(m_stepForward, true, false);
    step(m_decisionForward, true, true);
    connect(m_play, &QToolButton::clicked, this, &TransportBar::playToggled);
    connect(m_features, &QToolButton::clicked, this, &TransportBar::featuresWanted);
    connect(m_clock, &ClockField::goTo, this, &TransportBar::goTo);
    for (auto signal : {&RunSource::runReset, &RunSource::cursorMoved, &RunSource::runGrew}) connect(&m_source, signal, this, &TransportBar::updateState);
    connect(&m_source, &RunSource::playingChanged, this, &TransportBar::updatePlayButton);
    connect(&m_theme, &Theme::changed, this, &TransportBar::updateSizes);
    updateSizes();
    updatePlayButton();
}

QToolButton* TransportBar::addButton(QHBoxLayout* row, const QString& icon, const QString& words) {
    auto* button = new QToolButton;
    button->setProperty("kind", "icon");
    button->setToolTip(words);
    button->setAccessibleName(words.section(QStringLiteral(" ("), 0, 0));
    button->setObjectName(icon);
    bindIcon(button, m_theme, icon);
    row->addWidget(button);
    return button;
}

void TransportBar::buildPaceMenu() {
    m_paceButton->setPopupMode(QToolButton::InstantPopup);
    m_paceButton->setMenu(m_paceMenu);
    m_paceButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_paceButton->setLayoutDirection(Qt::RightToLeft); // the chevron behind the words
    m_paceButton->setProperty("textSize", "small");
    bindIcon(m_paceButton, m_theme, QStringLiteral("chevron-down"), Token::Ink2, 12);
    auto* group = new QActionGroup(m_paceMenu);
    group->setExclusive(true);
    addPaceAction(Pace::Kind::Event, QStringLiteral("1 event per click"));
    addPaceAction(Pace::Kind::Decision, QStringLiteral("1 decision per click"));
    addPaceAction(Pace::Kind::Tick, QStringLiteral("1 tick per click"));
    for (auto* action : m_paceMenu->actions()) group->addAction(action);
    m_paceMenu->addSeparator();
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(12, 4, 12, 8);
    column->addWidget(makeLabel(QStringLiteral("Play at × real time"), {.text = "small", .ink = "2"}));
    m_paceSlider = new QSlider(Qt::Horizontal);
    m_paceSlider->setRange(0, kPaceSteps);
    m_paceSlider->setMinimumWidth(180);
    m_paceSlider->setAccessibleName(QStringLiteral("Play at a fraction of real time"));
    column->addWidget(m_paceSlider);
    auto* action = new QWidgetAction(m_paceMenu);
    action->setDefaultWidget(box);
    m_paceMenu->addAction(action);
    connect(m_paceSlider, &QSlider::valueChanged, this, [this](int position) {
        auto pace = paceOf(Pace::Kind::RealTime);
        pace.realTime = realTimeAt(position);
        setPace(pace);
        emit paceChanged(m_pace);
    });
    setPace(m_pace);
}

void TransportBar::addPaceAction(Pace::Kind kind, const QString& words) {
    auto* action = m_paceMenu->addAction(words);
    action->setCheckable(true);
    action->setData(static_cast<int>(kind));
    connect(action, &QAction::triggered, this, [this, kind] {
        setPace(paceOf(kind));
        emit paceChanged(m_pace);
    });
}

void TransportBar::setPace(const Pace& pace) {
    m_pace = pace;
    m_paceButton->setText(QStringLiteral("Pace  ") + paceText(pace));
    m_paceButton->setAccessibleName(QStringLiteral("Pace, ") + paceText(pace));
    for (auto* action : m_paceMenu->actions())
        if (action->isCheckable()) setTicked(action, m_theme, action->data().toInt() == static_cast<int>(pace.kind));
    const QSignalBlocker quiet(m_paceSlider);
    m_paceSlider->setValue(positionOf(pace.realTime));
}

// What is known of the run gives way to the clock and the counts.
void TransportBar::fitWidth() { m_of->setVisible(!m_projector && width() >= m_theme.px(kRoomForKnown)); }

void TransportBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    fitWidth();
}

void TransportBar::setProjector(bool on) {
    m_projector = on;
    m_paceButton->setVisible(!on);
    fitWidth();
    m_event->setVisible(!on);
    m_overview->setVisible(!on);
    m_features->setVisible(on);
    updateSizes();
}

void TransportBar::updateSizes() {
    const auto side = m_projector ? 48 : m_theme.px(30);
    for (auto* button : {m_decisionBack, m_stepBack, m_stepForward, m_decisionForward}) button->setFixedSize(side, side);
    m_play->setFixedSize(m_projector ? 56 : m_theme.px(42), side);
    setFixedHeight(m_projector ? side + 24 : m_theme.px(22) + side + 5 + 13 + m_theme.px(2));
    updateState();
}

void TransportBar::updatePlayButton() {
    const auto playing = m_source.playing();
    bindIcon(m_play, m_theme, playing ? QStringLiteral("pause") : QStringLiteral("play"), Token::OnAccent);
    m_play->setToolTip(playing ? QStringLiteral("Pause (Space)") : QStringLiteral("Play (Space)"));
    m_play->setAccessibleName(playing ? QStringLiteral("Pause") : QStringLiteral("Play"));
}

void TransportBar::updateState() {
    const auto* history = m_source.history();
    for (auto* button : {m_decisionBack, m_stepBack, m_play, m_stepForward, m_decisionForward}) button->setEnabled(history != nullptr);
    if (!history) return;
    m_decisionBack->setEnabled(history->cursor() > 0);
    m_stepBack->setEnabled(history->cursor() > 0);
    m_stepForward->setEnabled(!history->at_end());
    m_decisionForward->setEnabled(!history->at_end());
    const auto& snapshot = m_source.snapshot();
    m_clock->setTime(snapshot.time);
    m_of->setText((history->finished() ? QStringLiteral("of ") : QStringLiteral("known to ")) + clockText(history->known_time()));
    const auto& decisions = history->decisions();
    const auto before = std::upper_bound(decisions.begin(), decisions.end(), snapshot.rows, [](std::uint32_t rows, std::uint32_t row) { return rows <= row; });
    m_decision->setText(QStringLiteral("Decision %1 of %2").arg(grouped(before - decisions.begin()), grouped(static_cast<qint64>(decisions.size()))));
    m_event->setText(QStringLiteral("Event %1").arg(grouped(snapshot.rows)));
}

void TransportBar::goTo(const GoTo& target) {
    if (const auto* time = std::get_if<SimTime>(&target)) emit m_selection.seekRequested(*time);
    else emit m_selection.seekRowRequested(std::get<EventNumber>(target).value);
}

} // namespace rqscope
