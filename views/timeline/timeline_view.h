// SPDX-License-Identifier: GPL-3.0-or-later
// The Timeline panel: one lane per CPU (or task) with what ran, who waited and every decision, over simulated time. Takes
// new rows from the run as it grows and hands them to the canvas.
#pragma once

#include "selection/run_source.h"
#include "selection/selection.h"
#include "theme/theme.h"

#include <QWidget>

#include <cstdint>

class QLabel;
class QSlider;
class QToolButton;

namespace rqscope {

class TimelineCanvas;
class TimelineLegend;
struct RunFacts;

class TimelineView : public QWidget {
    Q_OBJECT
public:
    TimelineView(const Theme& theme, RunSource& run, Selection& selection, QWidget* parent = nullptr);

    [[nodiscard]] TimelineCanvas& canvas() { return *m_canvas; }
    [[nodiscard]] QSize sizeHint() const override { return {900, 360}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 120}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void buildHeader();
    void applyTheme();
    void runReset();
    void takeRows();
    void rowsMayHaveGrown();
    void cursorMoved();
    void refreshHeader();
    void setHeightFromSlider(int value);
    [[nodiscard]] RunFacts facts() const;
    [[nodiscard]] bool isBranchOfShown() const;

    const Theme& m_theme;
    RunSource& m_run;
    TimelineCanvas* m_canvas;
    QLabel* m_title;
    QToolButton* m_mode;
    QSlider* m_height;
    TimelineLegend* m_legend;
    std::uint32_t m_rows = 0; // of the log, in the model
    // What was shown before, to know a branch from another run.
    QString m_shownRun;
};

} // namespace rqscope
