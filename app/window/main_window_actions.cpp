// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and menus. Every key is listed once here and appears in the keyboard sheet; keys of the machine and the timeline live
// in those views and are only named.
#include "domains/machine_view.h"
#include "features/features_panel.h"
#include "explain/why_panel.h"
#include "theme/controls.h"
#include "theme/format.h"
#include "timeline/timeline_view.h"
#include "transport/transport_bar.h"
#include "window/dock_host.h"
#include "window/documents.h"
#include "window/first_start.h"
#include "window/main_window.h"
#include "window/message_bar.h"
#include "window/resource_paths.h"
#include "window/sheet.h"
#include "window/top_bar.h"

#include <QAction>
#include <QApplication>
#include <QGridLayout>
#include <QMenu>

#include <map>

namespace rqscope {

QAction* MainWindow::addKey(const QList<QKeySequence>& keys, const QString& words, std::function<void()> act) {
    auto* action = new QAction(words, this);
    action->setShortcuts(keys);
    connect(action, &QAction::triggered, this, std::move(act));
    addAction(action);
    m_shortcuts.push_back({keys.front().toString(QKeySequence::NativeText), words});
    return action;
}

void MainWindow::buildMoveKeys() {
    const auto step = [this](StepUnit unit, bool forward) { return [this, unit, forward] { m_session->step(unit, forward); }; };
    addKey({Qt::Key_Space}, QStringLiteral("Play or pause"), [this] { m_session->togglePlaying(); });
    addKey({Qt::CTRL | Qt::Key_Right}, QStringLiteral("Next decision"), step(StepUnit::Decision, true));
    addKey({Qt::CTRL | Qt::Key_Left}, QStringLiteral("Previous decision"), step(StepUnit::Decision, false));
    addKey({Qt::Key_N}, QStringLiteral("Next event"), step(StepUnit::Event, true));
    addKey({Qt::SHIFT | Qt::Key_N}, QStringLiteral("Previous event"), step(StepUnit::Event, false));
    addKey({Qt::Key_G}, QStringLiteral("Go to time"), [this] { m_transport->editClock(); });
    addKey({Qt::CTRL | Qt::Key_R}, QStringLiteral("Restart"), [this] { emit m_top->restartWanted(); });
    addKey({Qt::CTRL | Qt::Key_O}, QStringLiteral("Open"), [this] { askOpen(); });
    addKey({Qt::CTRL | Qt::Key_S}, QStringLiteral("Save scenario"), [this] { askSave(false); });
    addKey({Qt::Key_Escape}, QStringLiteral("Clear the selection, then close the sheet"), [this] { escape(); });
}

void MainWindow::buildViewKeys() {
    addKey({Qt::CTRL | Qt::Key_B}, QStringLiteral("Left dock"), [this] { setLeftOpen(!m_left->isVisible()); });
    addKey({Qt::Key_Q, Qt::CTRL | Qt::SHIFT | Qt::Key_B}, QStringLiteral("Right dock"),
           [this] { setRightOpen(!m_rightWanted.value_or(true)); });
    const QString names[] = {QStringLiteral("Machine"), QStringLiteral("Timeline"), QStringLiteral("Features"), QStringLiteral("Why")};
    for (int i = 0; i < 4; ++i)
        addKey({QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + i))}, QStringLiteral("Go to ") + names[i], [this, i] { focusPane(i); });
    addKey({Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal}, QStringLiteral("Larger text"), [this] { m_theme.setScale(m_theme.scale() + 0.1); });
    addKey({Qt::CTRL | Qt::Key_Minus}, QStringLiteral("Smaller text"), [this] { m_theme.setScale(m_theme.scale() - 0.1); });
    addKey({Qt::CTRL | Qt::Key_0}, QStringLiteral("Text at 100 %"), [this] { m_theme.setScale(1.0); });
    addKey({Qt::Key_F11}, QStringLiteral("Full screen"), [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    addKey({Qt::SHIFT | Qt::Key_F11}, QStringLiteral("Projector"), [this] { setProjector(!m_projector); });
    addKey({Qt::Key_Question}, QStringLiteral("Keys"), [this] { showKeys(); });
    connect(&m_theme, &Theme::changed, this, [this] { applySizeRules(); });
}

QAction* MainWindow::addChoice(QMenu& menu, const QString& words, bool on, std::function<void(bool)> act) {
    auto* action = menu.addAction(words);
    setTicked(action, m_theme, on);
    connect(action, &QAction::triggered, this, std::move(act));
    return action;
}

void MainWindow::buildMoreMenu() {
    auto& menu = m_top->moreMenu();
    const auto byWords = [this](const char* words) {
        for (auto* action : actions())
            if (action->text() == QLatin1String(words)) return action;
        return static_cast<QAction*>(nullptr);
    };
    menu.addSeparator();
    menu.addAction(byWords("Open"));
    auto* examples = menu.addMenu(QStringLiteral("Examples"));
    examples->setObjectName(QStringLiteral("examples"));
    connect(examples, &QMenu::aboutToShow, this, [this, examples] { fillExamples(*examples, scenarioFolders()); });
    menu.addAction(byWords("Save scenario"));
    connect(menu.addAction(QStringLiteral("Save run")), &QAction::triggered, this, [this] { askSave(true); });
    menu.addSeparator();
    auto* dark = addChoice(menu, QStringLiteral("Dark theme"), m_theme.dark(), [this](bool on) { m_theme.setDark(on); });
    auto* calm = addChoice(menu, QStringLiteral("Reduced motion"), m_theme.reducedMotion(), [this](bool on) { m_theme.setReducedMotion(on); });
    connect(&menu, &QMenu::aboutToShow, this, [this, dark, calm] {
        setTicked(dark, m_theme, m_theme.dark());
        setTicked(calm, m_theme, m_theme.reducedMotion());
    });
    for (const auto* words : {"Larger text", "Smaller text", "Text at 100 %"}) menu.addAction(byWords(words));
    menu.addSeparator();
    for (const auto* words : {"Left dock", "Right dock"}) menu.addAction(byWords(words));
    connect(menu.addAction(QStringLiteral("Reset layout")), &QAction::triggered, this, &MainWindow::resetLayout);
    for (const auto* words : {"Full screen", "Projector"}) menu.addAction(byWords(words));
    menu.addSeparator();
    menu.addAction(byWords("Keys"));
    connect(menu.addAction(QStringLiteral("About")), &QAction::triggered, this, &MainWindow::showAbout);
    connect(m_top, &TopBar::themeToggled, this, [this] { m_theme.setDark(!m_theme.dark()); });
}

void MainWindow::fillExamples(QMenu& menu, const QStringList& folders) {
    menu.clear();
    std::map<FeatureGroup, QMenu*> groups;
    for (const auto& example : listExamples(folders)) {
        auto* place = &menu;
        if (example.feature) {
            auto& submenu = groups[feature_info(*example.feature).group];
            if (!submenu) {
                submenu = menu.addMenu(fromStd(name_of(feature_info(*example.feature).group)));
                submenu->setToolTipsVisible(true);
            }
            place = submenu;
        }
        auto* action = place->addAction(example.title);
        if (example.feature) action->setToolTip(fromStd(feature_info(*example.feature).summary));
        connect(action, &QAction::triggered, this, [this, file = example.file] { openFile(file); });
    }
    if (menu.isEmpty()) menu.addAction(QStringLiteral("No examples found"))->setEnabled(false);
}

void MainWindow::showKeys() {
    if (m_sheet->isOpen()) return m_sheet->close();
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setHorizontalSpacing(m_theme.px(16));
    grid->setVerticalSpacing(m_theme.px(4));
    auto rows = m_shortcuts;
    rows.insert(rows.begin() + 5, {{QStringLiteral("W  S"), QStringLiteral("Timeline: zoom in, out")},
                                   {QStringLiteral("A  D"), QStringLiteral("Timeline: earlier, later")},
                                   {QStringLiteral("F"), QStringLiteral("Timeline: centre on the selection or the play head")},
                                   {QStringLiteral("F F"), QStringLiteral("Timeline: fill with the selection, else with the run")},
                                   {QStringLiteral(".  ,"), QStringLiteral("Timeline: next, previous run of the lane")},
                                   {QStringLiteral("]  ["), QStringLiteral("Timeline: to the wakee, to the waker")},
                                   {QStringLiteral("T"), QStringLiteral("Timeline: lanes of CPUs or tasks")},
                                   {QStringLiteral("Ctrl+wheel"), QStringLiteral("Timeline: zoom at the pointer")}});
    const auto half = static_cast<int>(rows.size() + 1) / 2;
    for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
        const auto& row = rows[static_cast<std::size_t>(i)];
        const auto column = i / half * 2;
        grid->addWidget(makeLabel(row.keys, {.text = "small", .kernel = true}), i % half, column);
        grid->addWidget(makeLabel(row.words, {.text = "small", .ink = "2"}), i % half, column + 1);
    }
    m_sheet->open(QStringLiteral("Keys"), content, Sheet::Side::Centre);
}

void MainWindow::showAbout() {
    auto* content = makeLabel(QStringLiteral("rqscope %1\nA deterministic explorer of the Linux fair scheduler.\n\n"
                                             "Licence: GNU General Public License, version 3 or later.\n\nBuilt with\n"
                                             "Qt %2, GNU Lesser General Public License 3\n"
                                             "QCustomPlot, copyright Emanuel Eichhammer, GNU General Public License 3 or later\n"
                                             "JSON for Modern C++, copyright Niels Lohmann, MIT License\n"
                                             "zlib, copyright Jean-loup Gailly and Mark Adler, zlib License")
                                  .arg(QStringLiteral(RQSCOPE_VERSION), QLatin1String(qVersion())));
    content->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sheet->open(QStringLiteral("About"), content, Sheet::Side::Centre);
}

void MainWindow::escape() {
    const bool selected = m_selection->cpu() || m_selection->task() || m_selection->domain() || m_selection->range();
    if (selected) m_selection->clear();
    else if (m_sheet->isOpen()) m_sheet->close();
    else if (m_session->seeking()) m_session->cancelSeek();
    else if (m_projector) setProjector(false);
}

void MainWindow::focusPane(int number) {
    if (number == 2 && !m_left->isVisible()) setLeftOpen(true);
    if (number == 3 && !m_right->isVisible()) setRightOpen(true);
    QWidget* panes[] = {m_machine, m_timeline, m_features, m_why};
    auto* target = panes[number];
    // A panel has no focus of its own: its first control takes it.
    if (target->focusPolicy() == Qt::NoFocus && !target->focusProxy()) {
        for (auto* child : target->findChildren<QWidget*>())
            if (child->isVisible() && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus)) return child->setFocus(Qt::ShortcutFocusReason);
    }
    target->setFocus(Qt::ShortcutFocusReason);
}

} // namespace rqscope
