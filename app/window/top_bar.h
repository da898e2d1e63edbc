// SPDX-License-Identifier: GPL-3.0-or-later
// Top of the window: what runs (machine, workload, kernel, seed), restart, and the menu of everything else. When the window
// is narrow, seed and kernel move into that menu and long values are cut.
#pragma once

#include "sim/scenario.h"
#include "theme/theme.h"
#include "window/documents.h"

#include <QFrame>
#include <QPointer>

class QHBoxLayout;
class QMenu;
class QToolButton;

namespace rqscope {

class ChipButton;
class PopupForm;

class TopBar : public QFrame {
    Q_OBJECT
public:
    explicit TopBar(const Theme& theme, QWidget* parent = nullptr);
    void showScenario(const Scenario& scenario);
    // The rest of the "more" menu is the window's; kernel and seed stand in front of it when they do not fit into the bar.
    [[nodiscard]] QMenu& moreMenu() { return *m_more; }
    // The last request was refused: shown in the form it came from, if that is still open.
    bool showProblems(const QStringList& lines);
    void closeForm();
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void machineWanted(const QString& file);
    void workloadWanted(const QString& spec);
    void eraWanted(rqscope::Era era);
    void seedWanted(quint64 seed);
    void restartWanted();
    void themeToggled();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildRight(QHBoxLayout* row);
    void fillMachines();
    void fillEras(QMenu* menu);
    void editWorkload();
    void editSeed();
    void fit();

    const Theme& m_theme;
    QWidget* m_brand;
    ChipButton *m_machine, *m_workload, *m_era, *m_seed;
    QToolButton *m_restart, *m_dark, *m_moreButton;
    QMenu *m_machineMenu, *m_eraMenu, *m_more, *m_eraSubmenu;
    QAction* m_seedAction;
    QPointer<PopupForm> m_form;
    std::vector<MachineEntry> m_machines;
    QString m_machineRef;
    Era m_shownEra = Era::V4_8;
    QString m_spec; // of the workload, empty for tasks written in the scenario
};

} // namespace rqscope
