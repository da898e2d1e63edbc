// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_view.h"

#include "sim/scenario.h"
#include "theme/controls.h"
#include "theme/format.h"
#include "timeline/timeline_canvas.h"
#include "timeline/timeline_legend.h"
#include "trace/history.h"

#include <QBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QSlider>
#include <QToolButton>

#include <vector>

namespace rqscope {

namespace {

constexpr int kAutomatic = LaneLayout::kLaneMin - 1; // leftmost place of the slider

std::vector<LaneModel::StartTask> startTasks(const History& history) {
    std::vector<LaneModel::StartTask> tasks;
    for (const auto& [task, cpu] : history.start_tasks()) tasks.push_back({task, cpu});
    return tasks;
}

// The same for a run and its branches.
QString identity(const Scenario& scenario) {
    return QStringLiteral("%1|%2|%3|%4|%5")
        .arg(fromStd(scenario.name), fromStd(scenario.machine_ref), fromStd(scenario.workload.spec))
        .arg(scenario.seed)
        .arg(static_cast<int>(scenario.era));
}

} // namespace

TimelineView::TimelineView(const Theme& theme, RunSource& run, Selection& selection, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_run(run), m_canvas(new TimelineCanvas(theme, selection, this)),
      m_title(new QLabel(tr("Timeline"), this)), m_mode(new QToolButton(this)), m_height(new QSlider(Qt::Horizontal, this)),
      m_legend(new TimelineLegend(theme, this)) {
    setObjectName(QStringLiteral("timelineView"));
    setFocusProxy(m_canvas);
    buildHeader();
    connect(m_height, &QSlider::valueChanged, this, &TimelineView::setHeightFromSlider);
    connect(m_canvas, &TimelineCanvas::modeChanged, this, &TimelineView::refreshHeader);
    connect(m_canvas, &TimelineCanvas::laidOut, this, [this] { m_legend->setGroups(m_canvas->scene().layout.anyClosed()); });
    connect(&run, &RunSource::runReset, this, &TimelineView::runReset);
    connect(&run, &RunSource::runGrew, this, &TimelineView::rowsMayHaveGrown);
    connect(&run, &RunSource::cursorMoved, this, &TimelineView::cursorMoved);
    connect(&run, &RunSource::playingChanged, m_canvas, &TimelineCanvas::setPlaying);
    connect(&theme, &Theme::changed, this, &TimelineView::applyTheme);
    applyTheme();
    setHeightFromSlider(kAutomatic);
    refreshHeader();
    runReset();
}

void TimelineView::buildHeader() {
    auto* menu = new QMenu(m_mode);
    menu->addAction(tr("One lane per CPU"), this, [this] { m_canvas->setMode(LaneMode::Cpu); });
    menu->addAction(tr("One lane per task"), this, [this] { m_canvas->setMode(LaneMode::Task); });
    m_mode->setMenu(menu);
    m_mode->setPopupMode(QToolButton::InstantPopup);
    m_mode->setProperty("kind", "heading");
    m_mode->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_mode->setLayoutDirection(Qt::RightToLeft); // the chevron stands behind the word
    m_mode->setToolTip(tr("What a lane is (T)"));
    bindIcon(m_mode, m_theme, QStringLiteral("chevron-down"), Token::Ink2, 12);
    m_height->setRange(kAutomatic, LaneLayout::kLaneMax);
    m_height->setValue(kAutomatic);
    m_height->setAccessibleName(tr("Lane height"));

    auto* header = new QHBoxLayout;
    header->addWidget(m_title);
    header->addWidget(m_mode);
    header->addWidget(m_height);
    header->addStretch(1);
    header->addWidget(m_legend);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(2);
    column->addLayout(header);
    column->addWidget(m_canvas, 1);
}

void TimelineView::applyTheme() {
    auto* header = layout()->itemAt(0)->layout();
    header->setContentsMargins(m_theme.px(12), m_theme.px(3), m_theme.px(12), m_theme.px(3));
    header->setSpacing(m_theme.px(8));
    m_title->setFont(m_theme.font(TextRole::Body, true));
    m_height->setFixedWidth(m_theme.px(72));
    update();
}

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.colour(Token::Line));
    painter.setBrush(m_theme.colour(Token::Surface));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), m_theme.px(8), m_theme.px(8));
    painter.fillRect(QRect(1, m_canvas->y() - 2, width() - 2, 1), m_theme.colour(Token::Line));
}

bool TimelineView::isBranchOfShown() const {
    const auto* history = m_run.history();
    return history != nullptr && history->known_rows() > 0 && !m_shownRun.isEmpty() &&
           m_shownRun == identity(history->scenario());
}

void TimelineView::runReset() {
    const auto* history = m_run.history();
    const auto branch = isBranchOfShown();
    m_rows = 0;
    if (history == nullptr) {
        m_shownRun.clear();
        m_canvas->model().reset(0);
        m_canvas->restart({}, false);
        return;
    }
    m_shownRun = identity(history->scenario());
    m_canvas->model().reset(static_cast<std::uint32_t>(m_run.snapshot().cpus.size()), startTasks(*history));
    takeRows();
    m_canvas->restart(facts(), branch);
}

void TimelineView::takeRows() {
    const auto* history = m_run.history();
    auto& model = m_canvas->model();
    history->log().for_each(m_rows, history->known_rows(), [&model](const LogRow& row) { model.add(row); });
    m_rows = history->known_rows();
    model.setKnownTime(history->known_time());
}

void TimelineView::rowsMayHaveGrown() {
    const auto* history = m_run.history();
    if (history == nullptr) return;
    if (history->known_rows() < m_rows) { // the known future was dropped
        runReset();
        return;
    }
    takeRows();
    m_canvas->grow(facts());
}

void TimelineView::cursorMoved() {
    const auto* history = m_run.history();
    if (history == nullptr) return;
    const auto sameRows =
        history->known_rows() == m_rows && to_ns(history->known_time()) == m_canvas->scene().model.knownTime();
    if (!sameRows) {
        rowsMayHaveGrown();
        return;
    }
    const auto decision = history->current_decision();
    m_canvas->moveCursor(to_ns(history->time()), decision ? std::optional(hopOf(*decision)) : std::nullopt);
}

RunFacts TimelineView::facts() const {
    const auto* history = m_run.history();
    RunFacts facts;
    facts.hasRun = true;
    facts.playing = m_run.playing();
    facts.finished = history->finished();
    facts.tasks = &history->tasks();
    facts.domains = m_run.snapshot().domains;
    facts.cursor = to_ns(history->time());
    if (const auto decision = history->current_decision()) facts.decision = hopOf(*decision);
    for (const auto& input : history->inputs()) facts.flagTexts.push_back(fromStd(to_string(input)));
    return facts;
}

void TimelineView::refreshHeader() {
    m_mode->setText(m_canvas->scene().layout.mode() == LaneMode::Cpu ? tr("lanes: CPU") : tr("lanes: task"));
}

void TimelineView::setHeightFromSlider(int value) {
    const auto automatic = value == kAutomatic;
    m_canvas->setLaneHeight(automatic ? 0 : value);
    m_height->setToolTip(automatic ? tr("Lane height: automatic") : tr("Lane height: %1 px").arg(value));
}

} // namespace rqscope
