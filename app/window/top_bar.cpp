// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/top_bar.h"

#include "theme/controls.h"
#include "theme/format.h"
#include "window/chip_button.h"
#include "window/popup_form.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace rqscope {

namespace {

constexpr int kShortWorkload = 150; // pixels of the value when the bar is narrow
constexpr int kLongWorkload = 380;
constexpr int kMachineLimit = 220;

QToolButton* iconButton(const Theme& theme, const QString& icon, const QString& words) {
    auto* button = new QToolButton;
    bindIcon(button, theme, icon);
    button->setToolTip(words);
    button->setAccessibleName(words.section(QStringLiteral(" ("), 0, 0));
    button->setObjectName(icon);
    return button;
}

} // namespace

TopBar::TopBar(const Theme& theme, QWidget* parent)
    : QFrame(parent), m_theme(theme), m_brand(makeLabel(QStringLiteral("rqscope"), {.text = "title", .strong = true})),
      m_machine(new ChipButton(theme, QStringLiteral("Machine"), false)), m_workload(new ChipButton(theme, QStringLiteral("Workload"), true)),
      m_era(new ChipButton(theme, QStringLiteral("Kernel"), false)), m_seed(new ChipButton(theme, QStringLiteral("Seed"), false)),
      m_restart(iconButton(theme, QStringLiteral("restart"), QStringLiteral("Restart (Ctrl+R)"))),
      m_dark(iconButton(theme, QStringLiteral("theme"), QStringLiteral("Dark or light"))),
      m_moreButton(iconButton(theme, QStringLiteral("more"), QStringLiteral("More"))), m_machineMenu(new QMenu(this)),
      m_eraMenu(new QMenu(this)), m_more(new QMenu(this)), m_eraSubmenu(new QMenu(QStringLiteral("Kernel"), m_more)),
      m_seedAction(new QAction(QStringLiteral("Seed…"), this)) {
    setProperty("fill", "surface");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 8, 8, 8);
    row->setSpacing(8);
    row->addWidget(new IconLabel(theme, QStringLiteral("logo"), Token::Ink, 18));
    row->addWidget(m_brand);
    row->addSpacing(6);
    for (auto* chip : {m_machine, m_workload, m_era, m_seed}) row->addWidget(chip);
    m_machine->setValueLimit(theme.px(kMachineLimit));
    m_workload->setObjectName(QStringLiteral("workload"));
    m_era->setObjectName(QStringLiteral("kernel"));
    row->addWidget(m_restart);
    row->addStretch(1);
    buildRight(row);

    m_machine->setMenu(m_machineMenu);
    m_era->setMenu(m_eraMenu);
    connect(m_machineMenu, &QMenu::aboutToShow, this, &TopBar::fillMachines);
    connect(m_eraMenu, &QMenu::aboutToShow, this, [this] { fillEras(m_eraMenu); });
    connect(m_eraSubmenu, &QMenu::aboutToShow, this, [this] { fillEras(m_eraSubmenu); });
    connect(m_workload, &QPushButton::clicked, this, &TopBar::editWorkload);
    connect(m_seed, &QPushButton::clicked, this, &TopBar::editSeed);
    connect(m_seedAction, &QAction::triggered, this, &TopBar::editSeed);
    connect(m_restart, &QToolButton::clicked, this, &TopBar::restartWanted);
    connect(&m_theme, &Theme::changed, this, &TopBar::fit);
}

void TopBar::buildRight(QHBoxLayout* row) {
    for (auto* button : {m_dark, m_moreButton}) {
        button->setProperty("kind", "icon");
        row->addWidget(button);
    }
    m_moreButton->setPopupMode(QToolButton::InstantPopup);
    m_moreButton->setMenu(m_more);
    m_more->addMenu(m_eraSubmenu);
    m_more->addAction(m_seedAction);
    connect(m_dark, &QToolButton::clicked, this, &TopBar::themeToggled);
}

QSize TopBar::minimumSizeHint() const { return {m_theme.px(360), m_theme.px(48)}; }

void TopBar::showScenario(const Scenario& scenario) {
    m_machineRef = fromStd(scenario.machine_ref.empty() ? scenario.machine.id : scenario.machine_ref);
    if (m_machineRef.endsWith(QStringLiteral(".json"))) m_machineRef.chop(5);
    m_shownEra = scenario.era;
    m_machine->setValue(m_machineRef.section(QLatin1Char('/'), -1));
    // Tasks written in the scenario file itself have no spec to show.
    m_spec = fromStd(scenario.workload.spec);
    m_workload->setValue(!m_spec.isEmpty() ? m_spec : scenario.name.empty() ? QStringLiteral("own tasks") : fromStd(scenario.name));
    const auto& era = era_info(scenario.era);
    m_era->setValue(fromStd(era.key) + (is_reconstruction(era) ? QStringLiteral(" (reconstruction)") : QString()));
    m_era->setDetail(fromStd(era.borrows));
    m_seed->setValue(QString::number(scenario.seed));
    fit();
}

void TopBar::fillMachines() {
    if (m_machines.empty()) m_machines = listMachines();
    m_machineMenu->clear();
    for (const auto& machine : m_machines) {
        const auto words = QStringLiteral("%1   %2\t%3").arg(machine.id, machine.name, machine.cpus == 1 ? QStringLiteral("1 CPU") : QStringLiteral("%1 CPUs").arg(machine.cpus));
        auto* action = m_machineMenu->addAction(words);
        setTicked(action, m_theme, machine.id == m_machineRef);
        connect(action, &QAction::triggered, this, [this, file = machine.file] { emit machineWanted(file); });
    }
    if (m_machines.empty()) m_machineMenu->addAction(QStringLiteral("No machine files found"))->setEnabled(false);
}

void TopBar::fillEras(QMenu* menu) {
    menu->clear();
    for (const auto& info : all_eras()) {
        if (!info.available) continue;
        // The second column says what the era borrows from others, or lacks.
        auto words = fromStd(info.key) + (is_reconstruction(info) ? QStringLiteral(" (reconstruction)") : QString());
        auto* action = menu->addAction(words + QLatin1Char('\t') + fromStd(info.borrows));
        action->setToolTip(fromStd(info.borrows));
        setTicked(action, m_theme, info.era == m_shownEra);
        connect(action, &QAction::triggered, this, [this, era = info.era] { emit eraWanted(era); });
    }
    menu->setToolTipsVisible(true);
}

void TopBar::editWorkload() {
    closeForm();
    auto* form = new WorkloadForm(m_theme, m_spec, this);
    connect(form, &WorkloadForm::specWanted, this, &TopBar::workloadWanted);
    m_form = form;
    form->popupUnder(m_workload);
}

void TopBar::editSeed() {
    closeForm();
    auto* form = new SeedForm(m_theme, m_seed->value().toULongLong(), this);
    connect(form, &SeedForm::seedWanted, this, &TopBar::seedWanted);
    m_form = form;
    form->popupUnder(m_seed->isVisible() ? static_cast<QWidget*>(m_seed) : m_moreButton);
}

bool TopBar::showProblems(const QStringList& lines) {
    if (!m_form || !m_form->isVisible()) return false;
    m_form->showProblems(lines);
    return true;
}

void TopBar::closeForm() {
    if (m_form) m_form->close();
}

void TopBar::resizeEvent(QResizeEvent*) { fit(); }

// The workload's text is cut first, then the seed moves into the menu, then the rest is cut, then the kernel moves too.
void TopBar::fit() {
    for (auto* button : {m_restart, m_dark, m_moreButton}) button->setFixedSize(m_theme.px(32), m_theme.px(30));
    const auto fits = [this] { return layout()->sizeHint().width() <= width(); };
    m_workload->setValueLimit(m_theme.px(kLongWorkload));
    m_machine->setValueLimit(m_theme.px(kMachineLimit));
    const auto showChips = [this](bool era, bool seed) {
        m_era->setVisible(era);
        m_seed->setVisible(seed);
        m_eraSubmenu->menuAction()->setVisible(!era);
        m_seedAction->setVisible(!seed);
        layout()->invalidate();
    };
    showChips(true, true);
    m_brand->show();
    if (fits()) return;
    m_workload->setValueLimit(m_theme.px(kShortWorkload + 80));
    layout()->invalidate();
    if (fits()) return;
    showChips(true, false);
    if (fits()) return;
    m_brand->hide();
    m_workload->setValueLimit(m_theme.px(kShortWorkload));
    layout()->invalidate();
    if (fits()) return;
    showChips(false, false);
    if (fits()) return;
    m_machine->setValueLimit(m_theme.px(kShortWorkload / 2));
    layout()->invalidate();
}

} // namespace rqscope
