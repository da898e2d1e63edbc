// SPDX-License-Identifier: GPL-3.0-or-later
// The Machine panel: domain tree above load bars, one column per CPU for both. Listens to the run and the selection and
// hands what it hears to the canvas; the head tells the levels and the legend.
#pragma once

#include "selection/run_source.h"
#include "selection/selection.h"
#include "theme/theme.h"

#include <QWidget>

namespace rqscope {

class MachineCanvas;
class MachineHead;

class MachineView : public QWidget {
    Q_OBJECT
public:
    MachineView(const Theme& theme, RunSource& run, Selection& selection, QWidget* parent = nullptr);

    [[nodiscard]] MachineCanvas& canvas() { return *m_canvas; }
    [[nodiscard]] QSize sizeHint() const override { return {900, 360}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 120}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void reset();
    void follow();
    void showDecision();
    void setMargins();

    const Theme& m_theme;
    RunSource& m_run;
    MachineCanvas* m_canvas;
    MachineHead* m_head;
    std::uint32_t m_rows = 0; // of the snapshot on show
};

} // namespace rqscope
