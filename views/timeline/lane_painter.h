// SPDX-License-Identifier: GPL-3.0-or-later
// Paints what is inside the lanes: run bars, queue stripes, closed groups, task phases. Lanes with few runs are rectangles;
// dense ones and groups go into one image at device resolution, which is drawn once.
#pragma once

#include "timeline/lane_pieces.h"
#include "timeline/timeline_scene.h"

#include <QImage>

#include <vector>

class QPainter;

namespace rqscope {

// One run bar with what belongs on it. `rect` in logical pixels; text only when asked for.
void paintBar(QPainter& p, const TimelineScene& scene, const QRectF& rect, const TaskPaint& paint, bool text);
// The name or number of the task where it fits.
void paintBarText(QPainter& p, const TimelineScene& scene, const QRectF& rect, const TaskPaint& paint, const QColor& ink);
// Device pixels [x0, x1) of a lane as logical rectangle.
[[nodiscard]] QRectF deviceSpan(const TimelineScene& scene, const QRect& lane, double x0, double x1);

class LanePainter {
public:
    explicit LanePainter(const TimelineScene& scene) : m_scene(scene) {}
    void paint(QPainter& p);

private:
    void paintCpu(QPainter& p, const LaneRow& row);
    void paintRuns(QPainter& p, const QRect& bar, CpuId cpu);
    void paintRunsDense(const QRect& bar, CpuId cpu);
    void cut(CpuId cpu);
    [[nodiscard]] int endOf(std::size_t piece) const;
    void paintQueue(QPainter& p, const QRect& stripe, CpuId cpu);
    void paintQueueSteps(QPainter& p, const QRect& stripe, const QueueLane& queue, std::size_t first, std::size_t last);
    void paintQueueStep(QPainter& p, const QRect& stripe, const QRectF& span, const QueueLane::Step& step);
    void paintQueueDense(const QRect& stripe, const QueueLane& queue);
    void paintGroup(const LaneRow& row);
    void paintTask(QPainter& p, const LaneRow& row);
    void paintTaskDense(const QRect& bar, TaskId task);
    // Rows of the strip image that a part of a lane covers; makes the image transparent on first use in a picture.
    struct Band {
        int top, height;
        [[nodiscard]] int of(double share) const { return static_cast<int>(share * height + 0.5); }
    };
    [[nodiscard]] Band bandOf(const QRect& lane);
    // Pixels [x0, x1) of the band's rows [from, to), which count from its top.
    void fillBand(Band band, int x0, int x1, int from, int to, QRgb colour);

    const TimelineScene& m_scene;
    QImage m_strip;
    QRgb* m_bits = nullptr; // of the strip; asking for them again would check for sharing at each pixel
    bool m_stripUsed = false;
    std::vector<Piece> m_pieces;
    std::vector<float> m_busy, m_depth;
};

} // namespace rqscope
