// SPDX-License-Identifier: GPL-3.0-or-later
// The surface of the machine panel below its head: holds the scene, paints it (still layer from a pixmap, the rest with each
// step), lets the bars follow, and answers mouse and keys. Knows snapshots and rows, not runs.
#pragma once

#include "domains/machine_scene.h"
#include "selection/selection.h"

#include <QPixmap>
#include <QTimer>
#include <QVariantAnimation>
#include <QWidget>

namespace rqscope {

class MachineCanvas : public QWidget {
    Q_OBJECT
public:
    MachineCanvas(const Theme& theme, Selection& selection, QWidget* parent = nullptr);
    ~MachineCanvas() override;

    enum class Motion : std::uint8_t { Jump, Follow };
    // `snapshot` is kept by address until the next call: tool tips read it.
    void setSnapshot(const Snapshot& snapshot, const std::vector<TaskInfo>& tasks, Motion motion);
    void moveLanded(const EventLog& log, std::uint32_t rows);
    // The decision on show; `opens` = closed groups that take part open for it.
    void setDecision(const std::optional<LogRow>& decision, bool opens);
    void clearRun();
    // One node fills the view; none = the whole machine.
    void focusNode(std::optional<std::uint32_t> node);
    void toggleFold(std::uint32_t node, bool equals);

    [[nodiscard]] const MachineScene& scene() const { return m_scene; }
    [[nodiscard]] const Snapshot* snapshot() const { return m_snapshot; }
    // What the arrow keys stand on: a CPU, or a node that holds it.
    [[nodiscard]] std::optional<CpuId> keyCpu() const;
    [[nodiscard]] std::optional<std::uint32_t> keyNode() const { return m_keyNode; }
    [[nodiscard]] QString tipAt(QPoint at) const; // rich text, "" = nothing to say
    [[nodiscard]] QSize sizeHint() const override { return {852, 300}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 80}; }

signals:
    void headChanged(); // domains, focus or selection: what the head shows

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void relayout();
    void takeSelection();
    void themeChanged();
    void paintStill();
    void paintEmpty(QPainter& painter);
    [[nodiscard]] bool ownsKey(const QKeyEvent& event) const;
    void moveAcross(int step);
    void moveLevel(bool outwards);
    void keySelected();
    void showTip();

    const Theme& m_theme;
    Selection& m_selection;
    MachineScene m_scene;
    const Snapshot* m_snapshot = nullptr;
    QVariantAnimation m_follow;

    bool m_marksOpen = false; // the decision on show may open closed groups
    QPixmap m_still;
    bool m_stillDirty = true;
    std::uint32_t m_gridVersion = 0;
    LoadBrushes m_brushes;
    qreal m_brushRatio = 0;

    CpuId m_keyCpu;
    std::optional<std::uint32_t> m_keyNode;
    bool m_keyboard = false; // the ring shows once keys were used
    QTimer m_tipTimer;
    QPoint m_mouse;
    MachineHit m_hover, m_pressed;
    std::vector<AxisShape::Fold> m_foldsBeforeClick;
};

} // namespace rqscope
