// SPDX-License-Identifier: GPL-3.0-or-later
// The window: wires session, panels and bars. Built in parts: panes and their sizes in main_window_docks.cpp, keys and menus
// in main_window_actions.cpp, files in main_window_files.cpp, what is remembered in main_window_state.cpp.
#pragma once

#include "selection/run_source.h"
#include "selection/selection.h"
#include "theme/theme.h"
#include "window/session.h"

#include <QPointer>
#include <QWidget>

#include <functional>
#include <vector>

class QAction;
class QMenu;
class QSplitter;
class QVBoxLayout;

namespace rqscope {

class BusyLine;
class CardDock;
class DockHost;
class FeaturesPanel;
class FirstStart;
class MachineView;
class MessageBar;
class Sheet;
class TimelineView;
class TopBar;
class TransportBar;
class WhyCaption;
class WhyPanel;

class MainWindow : public QWidget {
    Q_OBJECT
public:
    // Keep: sizes, theme and the last session come from the user's settings and go back there.
    enum class Memory { Keep, None };
    MainWindow(Theme& theme, Memory memory, QWidget* parent = nullptr);
    ~MainWindow() override;

    // Problems go to the banner; the old run stays then.
    bool openFile(const QString& path);
    bool openScenario(Scenario scenario);
    void openLastOrFirst();          // the last session, else the first start
    void startFirst(bool plays);     // the storm of the first start
    void reportProblems(const QStringList& lines);

    [[nodiscard]] Session& session() { return *m_session; }
    [[nodiscard]] Selection& selection() { return *m_selection; }
    [[nodiscard]] RunSource& source() { return *m_source; }
    // Part of the window by its name on the command line; nullptr = not in this version.
    [[nodiscard]] QWidget* pane(const QString& name);
    [[nodiscard]] QPixmap pictureOf(QWidget* pane); // with the card behind a dock
    [[nodiscard]] QStringList problemLinesShown() const;

    void setProjector(bool on);
    void setLeftOpen(bool open);
    void setRightOpen(bool open);
    void resetLayout();
    // Shipped scenarios of the folders, toggles by group; what the menu "Examples" shows.
    void fillExamples(QMenu& menu, const QStringList& folders);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    // main_window_docks.cpp
    void buildFrame();
    void buildPanes();
    void buildDocks();
    void applySizeRules();
    void placeSplitters();
    // main_window_actions.cpp
    struct Shortcut {
        QString keys, words;
    };
    QAction* addKey(const QList<QKeySequence>& keys, const QString& words, std::function<void()> act);
    void buildMoveKeys();
    void buildViewKeys();
    void buildMoreMenu();
    QAction* addChoice(QMenu& menu, const QString& words, bool on, std::function<void(bool)> act);
    void showKeys();
    void showAbout();
    void escape();
    void focusPane(int number);
    // main_window_files.cpp
    void connectTopBar();
    void rerun(Result<Scenario> scenario, const QString& what);
    void askOpen();
    void askSave(bool run);
    void showFault(const Fault& fault);
    void showBranch();
    void updateTitle();
    void showNotes(); // what the scenario's author says about it
    // main_window_state.cpp
    void restoreState();
    void saveState();

    Theme& m_theme;
    Memory m_memory;
    RunSource* m_source;
    Selection* m_selection;
    Session* m_session;
    FirstStart* m_firstStart;

    QVBoxLayout* m_column = nullptr;
    TopBar* m_top = nullptr;
    MessageBar *m_problems = nullptr, *m_note = nullptr, *m_branch = nullptr;
    WhyCaption *m_caption = nullptr, *m_strip = nullptr; // projector, narrow window
    QWidget* m_hostFrame = nullptr;
    DockHost* m_host = nullptr;
    QSplitter* m_centre = nullptr;
    MachineView* m_machine = nullptr;
    TimelineView* m_timeline = nullptr;
    FeaturesPanel* m_features = nullptr;
    WhyPanel* m_why = nullptr;
    CardDock *m_left = nullptr, *m_right = nullptr;
    TransportBar* m_transport = nullptr;
    BusyLine* m_busy = nullptr;
    Sheet* m_sheet = nullptr;

    std::vector<Shortcut> m_shortcuts; // for the keyboard sheet
    std::optional<bool> m_leftWanted, m_rightWanted; // the user's word; none = the size rules decide
    bool m_sized = false;              // docks have their first sizes
    bool m_projector = false;
    double m_scaleBefore = 1.0;        // the projector's
};

} // namespace rqscope
