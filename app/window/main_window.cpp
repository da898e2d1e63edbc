// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include "explain/why_panel.h"
#include "features/features_panel.h"
#include "theme/format.h"
#include "timeline/timeline_view.h"
#include "transport/transport_bar.h"
#include "window/busy_line.h"
#include "window/documents.h"
#include "window/first_start.h"
#include "window/key_guard.h"
#include "window/message_bar.h"
#include "window/top_bar.h"

#include <QApplication>
#include <QCloseEvent>
#include <QIcon>

namespace rqscope {

MainWindow::MainWindow(Theme& theme, Memory memory, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_memory(memory), m_source(new RunSource(this)), m_selection(new Selection(this)),
      m_session(new Session(*m_source, *m_selection, this)), m_firstStart(new FirstStart(*m_session, this)) {
    // Before any view listens to the theme, so that palette and sheet are new when the views repaint.
    connect(&m_theme, &Theme::changed, this, [this] { m_theme.applyTo(*qApp); });
    m_theme.applyTo(*qApp);
    setWindowIcon(QIcon(QStringLiteral(":/rqscope.png")));
    setAcceptDrops(true);
    qApp->installEventFilter(new KeyGuard(this));

    buildFrame();
    buildMoveKeys();
    buildViewKeys();
    buildMoreMenu();
    connectTopBar();

    connect(m_features, &FeaturesPanel::featureChanged, m_session, &Session::changeFeature);
    connect(m_features, &FeaturesPanel::tunableChanged, m_session, &Session::changeTunable);
    connect(m_transport, &TransportBar::playToggled, m_session, &Session::togglePlaying);
    connect(m_transport, &TransportBar::paceChanged, m_session, &Session::setPace);
    connect(m_session, &Session::seekProgress, m_busy, &BusyLine::setProgress);
    connect(m_busy, &BusyLine::cancelled, m_session, &Session::cancelSeek);
    connect(m_session, &Session::branchChanged, this, &MainWindow::showBranch);
    connect(m_session, &Session::faulted, this, &MainWindow::showFault);
    connect(m_session, &Session::scenarioChanged, this, [this] {
        m_selection->clear();
        m_top->showScenario(m_session->history()->scenario());
        updateTitle();
        showNotes();
    });
    connect(m_firstStart, &FirstStart::captionChanged, this, [this](const QString& text) {
        if (text.isEmpty()) m_note->hide();
        else m_note->showMessage({text});
    });
    restoreState();
}

// The panels look at run and selection until their end, and children would be deleted oldest first.
MainWindow::~MainWindow() {
    m_firstStart->end();
    delete m_hostFrame;
    delete m_transport;
    delete m_caption;
    delete m_session;
}

bool MainWindow::openScenario(Scenario scenario) {
    if (const auto problems = m_session->open(std::move(scenario)); !problems.empty()) {
        reportProblems(problemLines({}, problems));
        return false;
    }
    m_problems->hide();
    return true;
}

void MainWindow::startFirst(bool plays) {
    auto scenario = firstStartScenario();
    if (!scenario) return reportProblems(problemLines({}, scenario.problems()));
    if (!openScenario(std::move(scenario).value()) || !plays) return;
    m_transport->setPace(paceOf(Pace::Kind::Decision));
    m_firstStart->begin();
}

void MainWindow::reportProblems(const QStringList& lines) {
    if (m_top->showProblems(lines)) return;
    m_problems->showMessage(lines);
}

QStringList MainWindow::problemLinesShown() const { return m_problems->isHidden() ? QStringList() : m_problems->lines(); }

void MainWindow::showBranch() {
    if (!m_session->canUndoBranch()) {
        m_branch->hide();
        return;
    }
    m_branch->showMessage({QStringLiteral("Branch %1 starts here").arg(m_session->branchLetter())});
    m_branch->addAction(QStringLiteral("Undo"), [this] { m_session->undoBranch(); });
}

void MainWindow::updateTitle() {
    const auto& scenario = m_session->history()->scenario();
    const auto name = scenario.name.empty() ? fromStd(scenario.workload.spec) : fromStd(scenario.name);
    setWindowTitle(name + QStringLiteral(" – rqscope"));
}

void MainWindow::resizeEvent(QResizeEvent*) { applySizeRules(); }

void MainWindow::showEvent(QShowEvent*) {
    applySizeRules();
    m_timeline->setFocus(); // not the first button of the bar
    if (!m_sized) {
        m_sized = true;
        placeSplitters();
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    m_session->setPlaying(false);
    saveState();
    event->accept();
}

} // namespace rqscope
