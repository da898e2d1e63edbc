// SPDX-License-Identifier: GPL-3.0-or-later
// Bottom of the window: the overview strip, step and play buttons, pace, clock, and where in the run the cursor stands. It
// asks through the selection's requests and its own signals; the session moves.
#pragma once

#include "selection/run_source.h"
#include "selection/selection.h"
#include "theme/theme.h"
#include "transport/clock_field.h"
#include "transport/overview_strip.h"
#include "transport/pace.h"

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QMenu;
class QSlider;
class QToolButton;

namespace rqscope {

class TransportBar : public QFrame {
    Q_OBJECT
public:
    TransportBar(const Theme& theme, RunSource& source, Selection& selection, QWidget* parent = nullptr);
    [[nodiscard]] const Pace& pace() const { return m_pace; }
    void setPace(const Pace& pace);
    void editClock() { m_clock->beginEdit(); }
    void setProjector(bool on); // larger buttons, no pace menu, a Features button at the right end
    [[nodiscard]] ClockField& clock() { return *m_clock; }

signals:
    void playToggled();
    void paceChanged(const rqscope::Pace& pace);
    void featuresWanted(); // projector only

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    static constexpr int kRoomForKnown = 800; // px at scale 1
    QToolButton* addButton(QHBoxLayout* row, const QString& icon, const QString& words);
    void buildPaceMenu();
    void addPaceAction(Pace::Kind kind, const QString& words);
    void updateState();
    void updatePlayButton();
    void updateSizes();
    void fitWidth();
    void goTo(const GoTo& target);

    const Theme& m_theme;
    RunSource& m_source;
    Selection& m_selection;
    Pace m_pace;
    bool m_projector = false;
    OverviewStrip* m_overview;
    QToolButton *m_decisionBack, *m_stepBack, *m_play, *m_stepForward, *m_decisionForward;
    QToolButton* m_paceButton;
    QMenu* m_paceMenu;
    QSlider* m_paceSlider = nullptr;
    ClockField* m_clock;
    QLabel *m_of, *m_decision, *m_event;
    QToolButton* m_features;
};

} // namespace rqscope
