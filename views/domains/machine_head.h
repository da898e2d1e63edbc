// SPDX-License-Identifier: GPL-3.0-or-later
// The line above the machine: title, levels (or the way back from a group that fills the view), what is selected, legend.
// What does not fit gives way in that order from the right; nothing wraps.
#pragma once

#include "domains/machine_scene.h"

#include <QWidget>

namespace rqscope {

class MachineHead : public QWidget {
    Q_OBJECT
public:
    MachineHead(const Theme& theme, const MachineScene& scene, QWidget* parent = nullptr);

    void refresh(); // the scene's domains, focus or selection changed
    void setConstructed(bool on); // the run began in a state that the scenario made up
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {60, sizeHint().height()}; }

signals:
    void focusRequested(std::optional<std::uint32_t> node); // a step of the way back
    void clearRequested();                                  // the chip of the selected domain

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    struct Crumb {
        QString text;
        std::optional<std::uint32_t> node;
        QRect box; // set by paintEvent
    };
    int paintLegend(QPainter& painter, int left, int right) const;
    int paintConstructed(QPainter& painter, int left) const;
    int paintCrumbs(QPainter& painter, int left, int right);
    void paintChip(QPainter& painter, int left, int right);
    [[nodiscard]] QString chipText() const;

    const Theme& m_theme;
    const MachineScene& m_scene;
    std::vector<Crumb> m_crumbs;
    QRect m_chip;
    bool m_constructed = false;
};

} // namespace rqscope
