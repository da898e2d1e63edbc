// SPDX-License-Identifier: GPL-3.0-or-later
// A plot with a time axis on top and lanes that somebody else paints. Two buffers: the picture (grid, lanes, labels) and an
// overlay above it for what moves with the play head or the pointer, so that moving it never repaints a lane.
#pragma once

#include <QColor>
#include <QFont>
#include <QRect>
#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QCustomPlot;
class QPainter;

namespace rqscope {

class LanePlot : public QWidget {
public:
    using Paint = std::function<void(QPainter&)>; // widget coordinates, logical pixels, antialiasing off
    struct Tick {
        double at = 0;
        QString label; // empty = grid line only
    };
    struct Look {
        QColor ground, grid, label;
        QFont font;
    };

    LanePlot(Paint lanes, Paint overlay, QWidget* parent = nullptr);

    void setLook(const Look& look);
    void setArea(const QRect& lanes);                            // where lanes are; the axis labels stand above it
    void setTime(double begin, double end);                      // ns
    void setTicks(const std::vector<Tick>& ticks, int labelGap); // gap between the labels and the lanes
    void replotAll();                                            // at the next paint
    void replotOverlay();                                        // at the next paint
    void replotNow();                                            // both, at once

    [[nodiscard]] QSize sizeHint() const override { return {640, 320}; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    QCustomPlot* m_plot;
    QRect m_area;
    bool m_overlayQueued = false;
};

} // namespace rqscope
