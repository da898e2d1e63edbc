// SPDX-License-Identifier: GPL-3.0-or-later
// The panes of the window and the rules for their sizes: both docks on wide screens, the left one closed by default below
// 1400 pixels, the right one a strip of three lines below 1100, nothing but the picture on a projector.
#include "domains/machine_view.h"
#include "explain/why_panel.h"
#include "features/features_panel.h"
#include "theme/format.h"
#include "timeline/timeline_view.h"
#include "transport/transport_bar.h"
#include "window/busy_line.h"
#include "window/dock_host.h"
#include "window/main_window.h"
#include "window/message_bar.h"
#include "window/sheet.h"
#include "window/top_bar.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace rqscope {

namespace {

constexpr int kStripBelow = 1100;
constexpr int kNoStripBelow = 520; // height: the lanes need it more
constexpr int kLeftClosedBelow = 1400;
constexpr double kProjectorScale = 1.65; // smallest text 18 px

} // namespace

void MainWindow::buildFrame() {
    m_column = new QVBoxLayout(this);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    const auto addLine = [this] {
        auto* line = new QFrame;
        line->setProperty("fill", "line");
        line->setFixedHeight(1);
        m_column->addWidget(line);
    };
    m_top = new TopBar(m_theme);
    m_column->addWidget(m_top);
    addLine();
    m_problems = new MessageBar(m_theme, MessageBar::Kind::Problem);
    m_note = new MessageBar(m_theme, MessageBar::Kind::Note);
    m_note->setObjectName(QStringLiteral("note"));
    m_branch = new MessageBar(m_theme, MessageBar::Kind::Note);
    buildPanes();
    buildDocks();
    addLine();
    m_transport = new TransportBar(m_theme, *m_source, *m_selection);
    m_column->addWidget(m_transport);
    m_sheet = new Sheet(m_theme, this);
    m_busy = new BusyLine(m_theme, m_centre);
    connect(m_transport, &TransportBar::featuresWanted, this, [this] { m_sheet->open(QStringLiteral("Features"), m_features, Sheet::Side::RightHalf); });
    connect(m_sheet, &Sheet::closed, this, [this](QWidget* content) {
        if (content == m_features) m_left->widget()->layout()->addWidget(m_features);
        else content->deleteLater();
        m_features->show();
    });
}

void MainWindow::buildPanes() {
    m_hostFrame = new QWidget;
    auto* frame = new QVBoxLayout(m_hostFrame);
    frame->setContentsMargins(8, 8, 8, 8);
    frame->setSpacing(8);
    for (auto* bar : {m_problems, m_note, m_branch}) frame->addWidget(bar);
    m_host = new DockHost(m_theme);
    m_centre = new QSplitter(Qt::Vertical);
    m_centre->setHandleWidth(8);
    m_centre->setChildrenCollapsible(false);
    m_machine = new MachineView(m_theme, *m_source, *m_selection);
    m_timeline = new TimelineView(m_theme, *m_source, *m_selection);
    m_centre->addWidget(m_machine);
    m_centre->addWidget(m_timeline);
    m_host->setCentralWidget(m_centre);
    frame->addWidget(m_host, 1);
    m_column->addWidget(m_hostFrame, 1);
}

void MainWindow::buildDocks() {
    m_features = new FeaturesPanel(m_theme, *m_source);
    m_why = new WhyPanel(m_theme, *m_source, *m_selection);
    m_left = new CardDock(m_theme, QStringLiteral("Features"), m_features, m_host);
    m_right = new CardDock(m_theme, QStringLiteral("Why"), m_why, m_host);
    m_features->setMinimumWidth(240);
    m_why->setMinimumWidth(280);
    connect(m_left, &CardDock::closed, this, [this] { setLeftOpen(false); });
    connect(m_right, &CardDock::closed, this, [this] { setRightOpen(false); });
    m_host->addDockWidget(Qt::LeftDockWidgetArea, m_left);
    m_host->addDockWidget(Qt::RightDockWidgetArea, m_right);
    m_host->setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
    m_host->setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    m_caption = new WhyCaption(m_theme, *m_why, WhyCaption::Form::Projector);
    m_strip = new WhyCaption(m_theme, *m_why, WhyCaption::Form::Strip);
    m_caption->hide();
    m_strip->hide();
    m_column->insertWidget(0, m_caption);
    static_cast<QVBoxLayout*>(m_hostFrame->layout())->addWidget(m_strip);
}

void MainWindow::applySizeRules() {
    const auto room = static_cast<int>(width() / m_theme.scale());
    const bool strip = room < kStripBelow;
    const bool rightWanted = m_rightWanted.value_or(true);
    m_left->setVisible(!m_projector && m_leftWanted.value_or(room >= kLeftClosedBelow));
    m_right->setVisible(!m_projector && !strip && rightWanted);
    m_strip->setVisible(!m_projector && strip && rightWanted && height() >= m_theme.px(kNoStripBelow));
}

void MainWindow::placeSplitters() {
    const auto right = width() < kLeftClosedBelow ? 300 : 344;
    m_host->resizeDocks({m_left, m_right}, {m_theme.px(292), m_theme.px(right)}, Qt::Horizontal);
    const auto height = std::max(200, m_centre->height());
    const auto machine = static_cast<int>(height * (m_theme.scale() >= 1.6 ? 0.6 : 0.47));
    m_centre->setSizes({machine, height - machine});
}

void MainWindow::setLeftOpen(bool open) {
    m_leftWanted = open;
    applySizeRules();
    if (open) m_host->resizeDocks({m_left}, {std::max(m_theme.px(292), m_left->width())}, Qt::Horizontal);
}

void MainWindow::setRightOpen(bool open) {
    m_rightWanted = open;
    applySizeRules();
}

void MainWindow::resetLayout() {
    m_leftWanted.reset();
    m_rightWanted.reset();
    for (auto* dock : {m_left, m_right}) dock->setFloating(false);
    m_host->addDockWidget(Qt::LeftDockWidgetArea, m_left);
    m_host->addDockWidget(Qt::RightDockWidgetArea, m_right);
    applySizeRules();
    placeSplitters();
}

void MainWindow::setProjector(bool on) {
    if (m_projector == on) return;
    m_projector = on;
    if (on) m_scaleBefore = m_theme.scale();
    m_theme.setScale(on ? std::max(kProjectorScale, m_scaleBefore) : m_scaleBefore);
    m_top->setVisible(!on);
    m_caption->setVisible(on);
    if (m_session->history()) m_caption->setNote(fromStd(era_info(m_session->history()->scenario().era).key));
    m_transport->setProjector(on);
    if (m_sheet->isOpen()) m_sheet->close();
    applySizeRules();
    placeSplitters();
}

QWidget* MainWindow::pane(const QString& name) {
    if (name == QStringLiteral("main")) return this;
    if (name == QStringLiteral("machine")) return m_machine;
    if (name == QStringLiteral("timeline")) return m_timeline;
    if (name == QStringLiteral("why")) return m_right;
    return name == QStringLiteral("features") ? m_left : nullptr;
}

QPixmap MainWindow::pictureOf(QWidget* pane) {
    // A docked panel is transparent: the host paints its card.
    return pane->parentWidget() == m_host ? m_host->grab(pane->geometry()) : pane->grab();
}

} // namespace rqscope
