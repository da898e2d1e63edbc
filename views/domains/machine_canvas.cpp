// SPDX-License-Identifier: GPL-3.0-or-later
// State and painting of the canvas; mouse and keys are in machine_canvas_input.cpp.
#include "domains/machine_canvas.h"

#include "domains/box_painter.h"
#include "domains/cell_painter.h"
#include "domains/machine_accessible.h"
#include "domains/mark_painter.h"

#include <QPainter>

#include <algorithm>

namespace rqscope {

namespace {

constexpr int kFollowMs = 120;
constexpr int kTipMs = 350;

} // namespace

MachineCanvas::MachineCanvas(const Theme& theme, Selection& selection, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_selection(selection), m_scene(theme) {
    installMachineAccessible();
    setObjectName(QStringLiteral("machineCanvas"));
    setAccessibleName(tr("Machine: CPUs and their loads"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    m_follow.setStartValue(0.0);
    m_follow.setEndValue(1.0);
    m_follow.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_follow, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
        m_scene.loads.blend(value.toDouble());
        update();
    });
    m_tipTimer.setSingleShot(true);
    m_tipTimer.setInterval(kTipMs);
    connect(&m_tipTimer, &QTimer::timeout, this, &MachineCanvas::showTip);
    connect(&selection, &Selection::changed, this, &MachineCanvas::takeSelection);
    connect(&selection, &Selection::hoverChanged, this, &MachineCanvas::takeSelection);
    connect(&theme, &Theme::changed, this, &MachineCanvas::themeChanged);
}

MachineCanvas::~MachineCanvas() = default;

void MachineCanvas::setSnapshot(const Snapshot& snapshot, const std::vector<TaskInfo>& tasks, Motion motion) {
    m_snapshot = &snapshot;
    m_follow.stop();
    const auto onlineBefore =
        std::count_if(m_scene.cells.begin(), m_scene.cells.end(), [](const auto& cell) { return cell.online; });
    const bool otherDomains = m_scene.take(snapshot, tasks);
    const auto onlineNow =
        std::count_if(m_scene.cells.begin(), m_scene.cells.end(), [](const auto& cell) { return cell.online; });
    if (otherDomains) {
        m_keyNode.reset();
        takeSelection();
        relayout();
        emit headChanged();
    } else if (onlineBefore != onlineNow) {
        m_stillDirty = true;
    }
    if (motion == Motion::Follow && !otherDomains && !m_theme.reducedMotion() && isVisible()) {
        m_follow.setDuration(kFollowMs);
        m_follow.start();
    } else {
        m_scene.loads.jump();
    }
    update();
}

void MachineCanvas::moveLanded(const EventLog& log, std::uint32_t rows) {
    const bool wasEmpty = m_scene.landed.empty();
    m_scene.landed.moveTo(log, rows);
    if (wasEmpty != m_scene.landed.empty()) m_stillDirty = true; // the gutter names the row
    update();
}

void MachineCanvas::setDecision(const std::optional<LogRow>& decision, bool opens) {
    if (!decision && !m_scene.marks) return;
    if (decision && m_scene.marks && m_scene.marks->row.seq == decision->seq && m_marksOpen == opens) return;
    m_marksOpen = opens;
    const auto before = m_scene.marks;
    m_scene.marks.reset();
    if (decision) m_scene.marks = DecisionMarks::of(*decision, m_scene.domains);
    if (m_scene.marks && !opens) m_scene.marks->nodes.clear();
    const auto anyClosed = [this](const std::optional<DecisionMarks>& marks) {
        if (!marks) return false;
        return std::any_of(marks->nodes.begin(), marks->nodes.end(),
                           [this](std::uint32_t n) { return m_scene.folds[n] == AxisShape::Fold::Closed; });
    };
    if (anyClosed(before) || anyClosed(m_scene.marks)) relayout();
    if (m_scene.domains.hasBrackets()) {
        m_stillDirty = true; // brackets are seen from the CPU that decides
        emit headChanged();
    }
    update();
}

void MachineCanvas::clearRun() {
    m_follow.stop();
    m_scene.clear();
    m_snapshot = nullptr;
    m_keyNode.reset();
    m_stillDirty = true;
    emit headChanged();
    update();
}

void MachineCanvas::focusNode(std::optional<std::uint32_t> node) {
    if (node && (*node >= m_scene.domains.nrNested() || !m_scene.domains.nodes()[*node].framed())) return;
    m_scene.focus = node;
    if (node) m_scene.folds[*node] = AxisShape::Fold::Open;
    relayout();
    emit headChanged();
}

void MachineCanvas::toggleFold(std::uint32_t node, bool equals) {
    if (node >= m_scene.domains.nrNested() || !m_scene.domains.nodes()[node].framed() || m_scene.focus == node) return;
    const auto fold = m_scene.axis.closed(node) ? AxisShape::Fold::Open : AxisShape::Fold::Closed;
    if (equals) {
        for (const auto same : m_scene.domains.equals(node)) m_scene.folds[same] = fold;
    } else {
        m_scene.folds[node] = fold;
    }
    relayout();
}

void MachineCanvas::relayout() {
    m_scene.layOut(m_theme, size());
    m_stillDirty = true;
    update();
}

void MachineCanvas::themeChanged() {
    m_scene.looks.recolour();
    m_brushRatio = 0;
    relayout();
}

void MachineCanvas::takeSelection() {
    const bool otherCpu = m_scene.selectedCpu != m_selection.cpu();
    m_scene.selectedCpu = m_selection.cpu();
    m_scene.selectedNode.reset();
    if (const auto domain = m_selection.domain()) m_scene.selectedNode = m_scene.domains.nodeOf(*domain);
    if (m_scene.selectedCpu && otherCpu) m_keyCpu = *m_scene.selectedCpu;
    m_keyNode = m_scene.selectedNode;
    if (m_keyNode && *m_keyNode >= m_scene.domains.nrNested()) m_keyNode.reset();
    m_scene.lit = m_selection.hoveredTask() ? m_selection.hoveredTask() : m_selection.task();
    m_scene.litCpu.reset();
    if (m_scene.lit && m_snapshot && m_scene.lit->index() < m_snapshot->tasks.size()) {
        const auto& task = m_snapshot->tasks[m_scene.lit->index()];
        if (task.state == TaskState::Running || task.state == TaskState::Waiting) m_scene.litCpu = task.cpu;
    }
    if (otherCpu && m_scene.domains.hasBrackets()) m_stillDirty = true;
    emit headChanged();
    update();
}

std::optional<CpuId> MachineCanvas::keyCpu() const {
    if (m_scene.empty()) return std::nullopt;
    if (m_scene.shows(m_keyCpu)) return m_keyCpu;
    return m_scene.axis.order().front();
}

void MachineCanvas::resizeEvent(QResizeEvent*) { relayout(); }

void MachineCanvas::paintStill() {
    const auto ratio = devicePixelRatioF();
    const auto pixels = QSizeF(size()) * ratio;
    if (m_still.size() != pixels.toSize()) m_still = QPixmap(pixels.toSize());
    m_still.setDevicePixelRatio(ratio);
    m_still.fill(m_theme.colour(Token::Surface));
    QPainter painter(&m_still);
    paintBoxes(painter, m_theme, m_scene);
    paintLoadGrid(painter, m_theme, m_scene.loadPlot(), m_scene.loads);
    m_stillDirty = false;
    m_gridVersion = m_scene.loads.gridVersion();
}

void MachineCanvas::paintEmpty(QPainter& painter) {
    painter.fillRect(rect(), m_theme.colour(Token::Surface));
    painter.setFont(m_theme.font(TextRole::Body));
    painter.setPen(m_theme.colour(Token::Ink2));
    painter.drawText(rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("No tasks yet. Choose a workload."));
}

void MachineCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (m_scene.empty()) return paintEmpty(painter);
    const auto ratio = devicePixelRatioF();
    if (m_brushRatio != ratio) {
        m_brushes = LoadBrushes(m_theme, ratio);
        m_brushRatio = ratio;
        m_stillDirty = true;
    }
    if (m_stillDirty || m_gridVersion != m_scene.loads.gridVersion()) paintStill();
    painter.drawPixmap(0, 0, m_still);
    const auto plot = m_scene.loadPlot();
    paintLoadBars(painter, m_theme, m_brushes, plot, m_scene.loads);
    if (plot.landed) {
        const auto surface = m_theme.colour(Token::Surface);
        paintLanded(painter, m_theme, plot, m_scene.landed, [&](TaskId task) {
            auto fill = m_scene.looks[task].colour.fill;
            if (m_scene.faint(task)) fill.setAlphaF(0.25F);
            return fill.isValid() ? fill : surface;
        });
    }
    paintCells(painter, m_theme, m_scene);
    paintTitleFigures(painter, m_theme, m_scene);
    paintMarks(painter, m_theme, m_scene);
    paintSelection(painter, m_theme, m_scene);
    if (hasFocus() && m_keyboard && keyCpu()) paintFocusRing(painter, m_theme, m_scene, *keyCpu(), m_keyNode);
}

} // namespace rqscope
