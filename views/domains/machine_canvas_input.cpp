// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keys of the machine. Arrows: left and right along the CPUs (or the boxes of a level), up and down the levels.
// A click on a title selects the domain and closes or opens it; a double-click undoes that and fills the view with it.
#include "domains/machine_canvas.h"

#include "domains/machine_text.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>

namespace rqscope {

bool MachineCanvas::ownsKey(const QKeyEvent& event) const {
    if (m_scene.empty() || (event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) != 0) return false;
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End: return true;
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter: return m_keyNode.has_value();
    case Qt::Key_Backspace: return m_scene.focus.has_value();
    default: return false;
    }
}

bool MachineCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) return true; // shown by our own timer
    if (event->type() == QEvent::ShortcutOverride && ownsKey(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void MachineCanvas::keyPressEvent(QKeyEvent* event) {
    if (!ownsKey(*event)) return QWidget::keyPressEvent(event);
    m_keyboard = true;
    const auto& order = m_scene.axis.order();
    switch (event->key()) {
    case Qt::Key_Left: return moveAcross(-1);
    case Qt::Key_Right: return moveAcross(1);
    case Qt::Key_Up: return moveLevel(true);
    case Qt::Key_Down: return moveLevel(false);
    case Qt::Key_Home: m_keyCpu = order.front(); break;
    case Qt::Key_End: m_keyCpu = order.back(); break;
    case Qt::Key_Space: toggleFold(*m_keyNode, (event->modifiers() & Qt::ShiftModifier) != 0); return;
    case Qt::Key_Backspace: focusNode(m_scene.domains.nodes()[*m_scene.focus].parent); return;
    default: focusNode(*m_keyNode); return;
    }
    m_keyNode.reset();
    keySelected();
}

void MachineCanvas::moveAcross(int step) {
    const auto& order = m_scene.axis.order();
    if (m_keyNode) {
        auto same = m_scene.domains.equals(*m_keyNode);
        std::erase_if(same, [this](std::uint32_t node) {
            return !m_scene.shows(m_scene.domains.order()[m_scene.domains.nodes()[node].first]);
        });
        const auto at = std::find(same.begin(), same.end(), *m_keyNode) - same.begin() + step;
        if (at < 0 || at >= static_cast<std::ptrdiff_t>(same.size())) return;
        m_keyNode = same[static_cast<std::size_t>(at)];
        m_keyCpu = m_scene.domains.order()[m_scene.domains.nodes()[*m_keyNode].first];
        return keySelected();
    }
    auto at = std::find(order.begin(), order.end(), *keyCpu()) - order.begin();
    const auto here = m_scene.axis.column(*keyCpu())->group;
    // A closed group is one column: step over all of it.
    do at += step;
    while (at >= 0 && at < static_cast<std::ptrdiff_t>(order.size()) && here &&
           m_scene.axis.column(order[static_cast<std::size_t>(at)])->group == here);
    if (at < 0 || at >= static_cast<std::ptrdiff_t>(order.size())) return;
    m_keyCpu = order[static_cast<std::size_t>(at)];
    keySelected();
}

void MachineCanvas::moveLevel(bool outwards) {
    auto levels = m_scene.domains.chain(*keyCpu());
    std::erase_if(levels, [this](std::uint32_t node) { return node >= m_scene.domains.nrNested(); });
    if (levels.empty()) return;
    const auto at = m_keyNode ? std::find(levels.begin(), levels.end(), *m_keyNode) - levels.begin() : -1;
    const auto next = at + (outwards ? 1 : -1);
    if (next >= static_cast<std::ptrdiff_t>(levels.size())) return;
    m_keyCpu = *keyCpu();
    if (next < 0) m_keyNode.reset();
    else m_keyNode = levels[static_cast<std::size_t>(next)];
    keySelected();
}

void MachineCanvas::keySelected() {
    const auto node = m_keyNode;
    const auto cpu = *keyCpu();
    m_selection.selectDomain(node ? std::optional(m_scene.domains.nodes()[*node].ids.front()) : std::nullopt);
    m_selection.selectCpu(cpu);
    QAccessibleEvent focus(this, QAccessible::Focus);
    const auto& order = m_scene.axis.order();
    focus.setChild(static_cast<int>(std::find(order.begin(), order.end(), cpu) - order.begin()));
    QAccessible::updateAccessibility(&focus);
    update();
}

void MachineCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    m_tipTimer.stop();
    QToolTip::hideText();
    m_keyboard = false;
    m_pressed = m_scene.hit(event->position().toPoint());
    switch (m_pressed.kind) {
    case MachineHit::Kind::None: break;
    case MachineHit::Kind::Cpu:
        m_selection.selectDomain(std::nullopt);
        m_selection.selectCpu(m_pressed.cpu);
        m_keyCpu = m_pressed.cpu;
        break;
    case MachineHit::Kind::Title:
    case MachineHit::Kind::Closed:
        m_foldsBeforeClick = m_scene.folds;
        m_selection.selectDomain(m_scene.domains.nodes()[m_pressed.node].ids.front());
        m_keyCpu = m_pressed.cpu;
        toggleFold(m_pressed.node, (event->modifiers() & Qt::ShiftModifier) != 0);
        break;
    }
    update();
}

void MachineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    // The first click may have moved the boxes, so the double-click means what that one hit.
    const bool onNode = m_pressed.kind == MachineHit::Kind::Title || m_pressed.kind == MachineHit::Kind::Closed;
    if (event->button() != Qt::LeftButton || !onNode) return mousePressEvent(event);
    if (m_foldsBeforeClick.size() == m_scene.folds.size()) m_scene.folds = m_foldsBeforeClick;
    focusNode(m_pressed.node);
    m_pressed = {};
}

void MachineCanvas::mouseMoveEvent(QMouseEvent* event) {
    m_mouse = event->position().toPoint();
    const auto hit = m_scene.hit(m_mouse);
    if (!m_tipTimer.isActive() || hit != m_hover) m_tipTimer.start();
    if (hit != m_hover) QToolTip::hideText();
    m_hover = hit;
    std::optional<TaskId> task;
    if (hit.kind == MachineHit::Kind::Cpu && m_scene.layout.cell(*m_scene.axis.column(hit.cpu)).contains(m_mouse)) {
        const auto& cell = m_scene.cells[hit.cpu.index()];
        if (cell.online && cell.task != kIdleTask) task = cell.task;
    }
    m_selection.hoverTask(task);
}

void MachineCanvas::leaveEvent(QEvent*) {
    m_tipTimer.stop();
    m_hover = {};
    m_selection.hoverTask(std::nullopt);
}

QString MachineCanvas::tipAt(QPoint at) const {
    return m_snapshot ? tooltip(m_scene, *m_snapshot, m_scene.hit(at)) : QString();
}

void MachineCanvas::showTip() {
    if (const auto text = tipAt(m_mouse); !text.isEmpty() && underMouse())
        QToolTip::showText(mapToGlobal(m_mouse), text, this);
}

void MachineCanvas::focusInEvent(QFocusEvent* event) {
    m_keyboard = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                 event->reason() == Qt::ShortcutFocusReason;
    QWidget::focusInEvent(event);
    update();
}

void MachineCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

} // namespace rqscope
