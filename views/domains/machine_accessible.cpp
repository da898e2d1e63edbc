// SPDX-License-Identifier: GPL-3.0-or-later
#include "domains/machine_accessible.h"

#include "domains/machine_canvas.h"
#include "domains/machine_text.h"

#include <QAccessibleWidget>

#include <algorithm>
#include <map>

namespace rqscope {

namespace {

class CpuAccessible : public QAccessibleInterface {
public:
    CpuAccessible(MachineCanvas& canvas, int index) : m_canvas(canvas), m_index(index) {}

    [[nodiscard]] bool isValid() const override { return cpu().has_value(); }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QWindow* window() const override { return m_canvas.window()->windowHandle(); }
    [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(&m_canvas); }
    [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    [[nodiscard]] QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Name && cpu() ? spoken(m_canvas.scene(), *cpu()) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    [[nodiscard]] QRect rect() const override {
        const auto* column = cpu() ? m_canvas.scene().axis.column(*cpu()) : nullptr;
        if (!column) return {};
        const auto cell = m_canvas.scene().layout.reach(*column);
        return {m_canvas.mapToGlobal(cell.topLeft()), cell.size()};
    }
    [[nodiscard]] QAccessible::Role role() const override { return QAccessible::ListItem; }
    [[nodiscard]] QAccessible::State state() const override {
        QAccessible::State state;
        state.focusable = state.selectable = true;
        state.focused = m_canvas.hasFocus() && m_canvas.keyCpu() == cpu();
        state.selected = cpu() && m_canvas.scene().selectedCpu == cpu();
        return state;
    }

private:
    [[nodiscard]] std::optional<CpuId> cpu() const {
        const auto& order = m_canvas.scene().axis.order();
        return static_cast<std::size_t>(m_index) < order.size() ? std::optional(order[static_cast<std::size_t>(m_index)])
                                                                : std::nullopt;
    }
    MachineCanvas& m_canvas;
    int m_index;
};

class MachineAccessible : public QAccessibleWidget {
public:
    explicit MachineAccessible(MachineCanvas& canvas) : QAccessibleWidget(&canvas, QAccessible::List), m_canvas(canvas) {}
    ~MachineAccessible() override {
        for (const auto& [index, id] : m_children) QAccessible::deleteAccessibleInterface(id);
    }

    [[nodiscard]] int childCount() const override { return static_cast<int>(m_canvas.scene().axis.order().size()); }
    [[nodiscard]] QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount()) return nullptr;
        auto at = m_children.find(index);
        if (at == m_children.end())
            at = m_children.emplace(index, QAccessible::registerAccessibleInterface(new CpuAccessible(m_canvas, index)))
                     .first;
        return QAccessible::accessibleInterface(at->second);
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override {
        for (const auto& [index, id] : m_children)
            if (QAccessible::accessibleInterface(id) == child) return index;
        return -1;
    }
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override {
        const auto hit = m_canvas.scene().hit(m_canvas.mapFromGlobal(QPoint(x, y)));
        if (hit.kind == MachineHit::Kind::None) return nullptr;
        return child(indexOf(hit.cpu));
    }
    [[nodiscard]] QAccessibleInterface* focusChild() const override {
        const auto cpu = m_canvas.keyCpu();
        return m_canvas.hasFocus() && cpu ? child(indexOf(*cpu)) : nullptr;
    }
    [[nodiscard]] QString text(QAccessible::Text kind) const override {
        if (kind == QAccessible::Value && m_canvas.keyNode()) return spokenNode(m_canvas.scene(), *m_canvas.keyNode());
        return QAccessibleWidget::text(kind);
    }

private:
    [[nodiscard]] int indexOf(CpuId cpu) const {
        const auto& order = m_canvas.scene().axis.order();
        return static_cast<int>(std::find(order.begin(), order.end(), cpu) - order.begin());
    }
    MachineCanvas& m_canvas;
    mutable std::map<int, QAccessible::Id> m_children;
};

QAccessibleInterface* makeAccessible(const QString&, QObject* object) {
    auto* canvas = qobject_cast<MachineCanvas*>(object);
    return canvas ? new MachineAccessible(*canvas) : nullptr;
}

} // namespace

void installMachineAccessible() {
    [[maybe_unused]] static const bool kInstalled = [] {
        QAccessible::installFactory(makeAccessible);
        return true;
    }();
}

} // namespace rqscope
