// SPDX-License-Identifier: GPL-3.0-or-later
// Opening, saving and running again. Whatever is refused leaves the old run on screen and says why.
#include "theme/format.h"
#include "transport/transport_bar.h"
#include "window/documents.h"
#include "window/first_start.h"
#include "window/main_window.h"
#include "window/message_bar.h"
#include "window/top_bar.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>

namespace rqscope {

void MainWindow::connectTopBar() {
    connect(m_top, &TopBar::restartWanted, this, [this] {
        if (m_session->history()) rerun(m_session->nextScenario(), {});
    });
    connect(m_top, &TopBar::machineWanted, this, [this](const QString& file) {
        if (m_session->history()) rerun(withMachine(m_session->nextScenario(), file), QFileInfo(file).fileName());
    });
    connect(m_top, &TopBar::workloadWanted, this, [this](const QString& spec) {
        if (m_session->history()) rerun(withWorkload(m_session->nextScenario(), spec), spec.section(QLatin1Char(':'), 0, 0));
    });
    connect(m_top, &TopBar::eraWanted, this, [this](Era era) {
        if (m_session->history()) rerun(withEra(m_session->nextScenario(), era), {});
    });
    connect(m_top, &TopBar::seedWanted, this, [this](quint64 seed) {
        if (!m_session->history()) return;
        auto scenario = m_session->nextScenario();
        scenario.seed = seed;
        rerun(std::move(scenario), {});
    });
}

void MainWindow::rerun(Result<Scenario> scenario, const QString& what) {
    if (!scenario) return reportProblems(problemLines(what, scenario.problems()));
    if (const auto problems = m_session->open(std::move(scenario).value()); !problems.empty())
        return reportProblems(problemLines(what, problems));
    m_problems->hide();
    m_top->closeForm();
}

bool MainWindow::openFile(const QString& path) {
    m_firstStart->end();
    auto history = openDocument(path);
    if (!history) {
        reportProblems(problemLines(QFileInfo(path).fileName(), history.problems()));
        return false;
    }
    m_problems->hide();
    m_note->forget();
    const auto pace = paceWanted(history->scenario());
    m_session->adopt(std::move(history).value());
    if (pace) {
        m_transport->setPace(*pace);
        m_session->setPace(*pace);
    }
    return true;
}

void MainWindow::showNotes() {
    QStringList lines;
    for (const auto& note : m_session->history()->scenario().notes) lines << fromStd(note);
    if (lines.isEmpty()) m_note->hide();
    else if (lines != m_note->lines()) m_note->showMessage(lines); // a restart leaves a note closed that was closed
}

void MainWindow::askOpen() {
    auto* dialog = new QFileDialog(this, QStringLiteral("Open"), {}, QStringLiteral("Scenarios and runs (*.json *.rqrun);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openFile);
    dialog->open();
}

void MainWindow::askSave(bool run) {
    if (!m_session->history()) return;
    auto* dialog = new QFileDialog(this, run ? QStringLiteral("Save run") : QStringLiteral("Save scenario"), {},
                                   run ? QStringLiteral("Runs (*.rqrun)") : QStringLiteral("Scenarios (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(run ? QStringLiteral("rqrun") : QStringLiteral("json"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, run](const QString& path) {
        const auto problem = run ? saveRun(*m_session->history(), path) : saveScenario(m_session->nextScenario(), path);
        if (problem) reportProblems(problemLines(QFileInfo(path).fileName(), {*problem}));
    });
    dialog->open();
}

void MainWindow::showFault(const Fault& fault) {
    m_problems->showMessage({QStringLiteral("rqscope found a fault of its own at %1, event %2: %3")
                                 .arg(clockText(fault.time), grouped(fault.seq.value), fromStd(fault.what))});
    m_problems->addAction(QStringLiteral("Save report"), [this] { askSave(true); });
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const auto urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile()) openFile(urls.front().toLocalFile());
}

} // namespace rqscope
