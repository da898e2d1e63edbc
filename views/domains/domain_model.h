// SPDX-License-Identifier: GPL-3.0-or-later
// The scheduling domains as a picture needs them: the chains of all CPUs merged into nodes (level, span) with their owners,
// CPUs in tree order, and for each level whether it divides the CPUs (boxes) or overlaps (brackets, NUMA on rings and
// meshes). Boxes stop below the first level that overlaps. No kernel counterpart: the kernel never draws.
#pragma once

#include "plot/cpu_axis.h"
#include "topology/sched_domain.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace rqscope {

struct DomainNode {
    enum class Kind : std::uint8_t { Box, Threads /* SMT: siblings touch, no frame */, Bracket };
    Kind kind = Kind::Box;
    QString name; // kernel level name
    std::uint32_t level = 0;
    CpuMask span;
    CpuMask owners;                      // CPUs whose chain holds it
    std::vector<DomainId> ids;           // one per owner, ascending
    std::optional<std::uint32_t> parent; // index of the enclosing box
    std::uint32_t first = 0, last = 0;   // positions in order(); boxes and threads only

    [[nodiscard]] bool framed() const { return kind == Kind::Box; }
    [[nodiscard]] QString list() const;                                  // "0–63, 128–191"
    [[nodiscard]] QString title() const { return name + u' ' + list(); } // "MC 4–7"
};

class DomainModel {
public:
    DomainModel() = default;
    // `cpus` = number of CPUs to show (those without domains too).
    DomainModel(std::shared_ptr<const SchedDomains> domains, std::size_t cpus);

    [[nodiscard]] const SchedDomains* domains() const { return m_domains.get(); }
    [[nodiscard]] bool empty() const { return m_order.empty(); }
    [[nodiscard]] const std::vector<CpuId>& order() const { return m_order; }
    [[nodiscard]] std::size_t position(CpuId cpu) const { return m_position[cpu.index()]; }
    // Boxes and threads, outer ones first, then brackets from the lowest level up.
    [[nodiscard]] const std::vector<DomainNode>& nodes() const { return m_nodes; }
    [[nodiscard]] std::uint32_t nrNested() const { return m_nested; } // boxes and threads; the rest are brackets
    [[nodiscard]] std::optional<std::uint32_t> nodeOf(DomainId id) const;
    // Nodes that hold the CPU, innermost first, brackets last.
    [[nodiscard]] std::vector<std::uint32_t> chain(CpuId cpu) const;
    // Innermost framed box of the CPU.
    [[nodiscard]] std::optional<std::uint32_t> box(CpuId cpu) const;
    [[nodiscard]] std::vector<std::uint32_t> brackets(CpuId cpu) const;
    [[nodiscard]] bool hasBrackets() const { return m_nested < m_nodes.size(); }
    // The NUMA node whose CPUs are exactly those of this node of ours.
    [[nodiscard]] std::optional<NodeId> numaNode(std::uint32_t node) const;
    // "MC(4) › DIE(8), 8 CPUs": the chain of the first CPU that has one.
    [[nodiscard]] QString chainText() const;
    // Boxes drawn side by side that stand for the same level, e.g. all MC.
    [[nodiscard]] std::vector<std::uint32_t> equals(std::uint32_t node) const;

    // The axis of all CPUs, or of those inside `focus`; group g of the shape is node g (brackets have no group). `folds` by
    // node; nodes outside the focus get an empty, unframed group.
    [[nodiscard]] AxisShape shape(const std::vector<AxisShape::Fold>& folds, std::optional<std::uint32_t> focus) const;

private:
    void mergeChains();
    void sortOut();
    void orderCpus(std::size_t cpus);
    void cutPlaces(AxisShape& shape, std::size_t from) const;
    [[nodiscard]] CpuGap gapBefore(CpuId left, CpuId right) const;

    std::shared_ptr<const SchedDomains> m_domains;
    std::vector<DomainNode> m_nodes;
    std::uint32_t m_nested = 0;
    std::vector<std::uint32_t> m_nodeOf; // by DomainId
    std::vector<CpuId> m_order;
    std::vector<std::size_t> m_position; // by CpuId
};

} // namespace rqscope
