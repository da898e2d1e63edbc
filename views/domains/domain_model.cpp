// SPDX-License-Identifier: GPL-3.0-or-later
// Merging, classification and order of the domains. A level divides the CPUs when no two of its spans share a CPU.
#include "domains/domain_model.h"

#include "theme/format.h"

#include <QStringList>

#include <algorithm>
#include <map>

namespace rqscope {

QString DomainNode::list() const {
    auto text = listText(span.to_list());
    return text.replace(u',', QStringLiteral(", "));
}

DomainModel::DomainModel(std::shared_ptr<const SchedDomains> domains, std::size_t cpus) : m_domains(std::move(domains)) {
    if (!m_domains) return;
    mergeChains();
    sortOut();
    orderCpus(cpus);
}

void DomainModel::mergeChains() {
    // The span as text is its key: equal sets may differ in length inside.
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> known;
    for (const auto& domain : m_domains->domains) {
        const auto [at, isNew] =
            known.try_emplace({domain.level, domain.span.to_list()}, static_cast<std::uint32_t>(m_nodes.size()));
        if (isNew) {
            DomainNode node;
            node.kind = domain.has(SdFlag::SHARE_CPUCAPACITY) ? DomainNode::Kind::Threads : DomainNode::Kind::Box;
            node.name = fromStd(domain.name);
            node.level = domain.level;
            node.span = domain.span;
            m_nodes.push_back(std::move(node));
        }
        auto& node = m_nodes[at->second];
        node.owners.set(domain.owner);
        node.ids.push_back(domain.id);
    }
}

void DomainModel::sortOut() {
    std::optional<std::uint32_t> overlap; // lowest level with spans that share CPUs
    for (std::size_t a = 0; a < m_nodes.size(); ++a)
        for (std::size_t b = a + 1; b < m_nodes.size(); ++b)
            if (m_nodes[a].level == m_nodes[b].level && m_nodes[a].span.intersects(m_nodes[b].span))
                overlap = std::min(overlap.value_or(m_nodes[a].level), m_nodes[a].level);
    for (auto& node : m_nodes)
        if (overlap && node.level >= *overlap) node.kind = DomainNode::Kind::Bracket;

    std::stable_sort(m_nodes.begin(), m_nodes.end(), [](const DomainNode& a, const DomainNode& b) {
        const bool bracketA = a.kind == DomainNode::Kind::Bracket, bracketB = b.kind == DomainNode::Kind::Bracket;
        if (bracketA != bracketB) return bracketB;
        if (a.level != b.level) return bracketA ? a.level < b.level : a.level > b.level;
        return a.span.first()->value < b.span.first()->value;
    });
    m_nested = static_cast<std::uint32_t>(std::count_if(
        m_nodes.begin(), m_nodes.end(), [](const DomainNode& node) { return node.kind != DomainNode::Kind::Bracket; }));
    m_nodeOf.assign(m_domains->domains.size(), 0);
    for (std::uint32_t i = 0; i < m_nodes.size(); ++i)
        for (const auto id : m_nodes[i].ids) m_nodeOf[id.index()] = i;
    for (std::uint32_t i = 0; i < m_nested; ++i)
        for (std::uint32_t outer = 0; outer < i; ++outer)
            if (m_nodes[outer].level > m_nodes[i].level && m_nodes[i].span.subset_of(m_nodes[outer].span))
                m_nodes[i].parent = outer;
}

void DomainModel::orderCpus(std::size_t cpus) {
    struct Key {
        std::vector<std::uint32_t> path; // first CPU of each enclosing box, outermost first, then core and CPU
        CpuId cpu;
    };
    std::vector<Key> keys;
    for (std::uint32_t n = 0; n < cpus; ++n) {
        const CpuId cpu{n};
        // A CPU without domains (offline, isolated) stands where its lower neighbour of the same node stands.
        auto like = cpu;
        const auto& d = *m_domains;
        while (n < d.base.size() && !d.base[like.index()] && like.value > 0 && d.node_of[like.index() - 1] == d.node_of[n])
            like = CpuId{like.value - 1};
        if (n < d.base.size() && !d.base[like.index()]) like = cpu;
        Key key{{}, cpu};
        for (std::uint32_t i = 0; i < m_nested; ++i)
            if (m_nodes[i].span.test(like) && m_nodes[i].framed()) key.path.push_back(m_nodes[i].span.first()->value);
        if (key.path.empty() && n < d.node_of.size()) key.path.push_back(n);
        key.path.push_back(n < d.core_of.size() ? std::max(d.core_of[like.index()], key.path.back()) : n);
        key.path.push_back(n);
        keys.push_back(std::move(key));
    }
    std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.path < b.path; });
    m_position.assign(cpus, 0);
    for (const auto& key : keys) {
        m_position[key.cpu.index()] = m_order.size();
        m_order.push_back(key.cpu);
    }
    for (std::uint32_t i = 0; i < m_nested; ++i) {
        auto& node = m_nodes[i];
        node.first = static_cast<std::uint32_t>(m_order.size());
        for (const auto cpu : node.span) {
            if (cpu.index() >= cpus) continue;
            const auto at = static_cast<std::uint32_t>(m_position[cpu.index()]);
            node.first = std::min(node.first, at);
            node.last = std::max(node.last, at);
        }
    }
}

std::optional<std::uint32_t> DomainModel::nodeOf(DomainId id) const {
    return id.index() < m_nodeOf.size() ? std::optional(m_nodeOf[id.index()]) : std::nullopt;
}

std::vector<std::uint32_t> DomainModel::chain(CpuId cpu) const {
    std::vector<std::uint32_t> nodes;
    if (!m_domains || cpu.index() >= m_domains->base.size()) return nodes;
    for (const auto* domain = m_domains->lowest(cpu); domain; domain = m_domains->parent(*domain))
        nodes.push_back(m_nodeOf[domain->id.index()]);
    return nodes;
}

std::optional<std::uint32_t> DomainModel::box(CpuId cpu) const {
    for (const auto node : chain(cpu))
        if (m_nodes[node].framed()) return node;
    return std::nullopt;
}

std::vector<std::uint32_t> DomainModel::brackets(CpuId cpu) const {
    auto nodes = chain(cpu);
    std::erase_if(nodes, [this](std::uint32_t node) { return node < m_nested; });
    return nodes;
}

std::optional<NodeId> DomainModel::numaNode(std::uint32_t index) const {
    const auto& numa = m_domains->node_of;
    const auto& span = m_nodes[index].span;
    const auto first = span.first()->index();
    if (first >= numa.size()) return std::nullopt;
    for (std::size_t cpu = 0; cpu < numa.size(); ++cpu) {
        const CpuId id{static_cast<std::uint32_t>(cpu)};
        if (m_domains->base[cpu] && (numa[cpu] == numa[first]) != span.test(id)) return std::nullopt;
    }
    return numa[first];
}

QString DomainModel::chainText() const {
    QStringList levels;
    for (const auto cpu : m_order) {
        for (const auto node : chain(cpu))
            levels << QStringLiteral("%1(%2)").arg(m_nodes[node].name).arg(m_nodes[node].span.count());
        if (!levels.isEmpty()) break;
    }
    const auto count = m_order.size() == 1 ? QStringLiteral("1 CPU") : QStringLiteral("%1 CPUs").arg(m_order.size());
    return levels.isEmpty() ? count : levels.join(QStringLiteral(" › ")) + QStringLiteral(", ") + count;
}

std::vector<std::uint32_t> DomainModel::equals(std::uint32_t node) const {
    std::vector<std::uint32_t> same;
    for (std::uint32_t i = 0; i < m_nested; ++i)
        if (m_nodes[i].level == m_nodes[node].level) same.push_back(i);
    return same;
}

CpuGap DomainModel::gapBefore(CpuId left, CpuId right) const {
    const auto& d = *m_domains;
    if (left.index() >= d.node_of.size() || right.index() >= d.node_of.size()) return CpuGap::Core;
    if (d.node_of[left.index()] != d.node_of[right.index()]) return CpuGap::Node;
    if (!d.base[left.index()] || !d.base[right.index()]) return CpuGap::Core;
    if (!d.share_cache(left, right)) return CpuGap::Llc;
    return d.core_of[left.index()] == d.core_of[right.index()] ? CpuGap::Sibling : CpuGap::Core;
}

void DomainModel::cutPlaces(AxisShape& shape, std::size_t from) const {
    // Node borders, and borders between the outermost boxes that divide the CPUs shown (packages).
    std::optional<std::uint32_t> level;
    for (std::uint32_t i = 0; i < m_nested && !level; ++i) {
        const auto& node = m_nodes[i];
        const bool part = node.last - node.first + 1 < shape.order.size();
        if (node.framed() && part && node.first >= from && node.last < from + shape.order.size()) level = node.level;
    }
    for (std::size_t i = 0; i < shape.order.size(); ++i) shape.cuts[i] = shape.gaps[i] == CpuGap::Node;
    for (std::uint32_t i = 0; i < m_nested; ++i)
        if (level && m_nodes[i].level == *level && m_nodes[i].first >= from && m_nodes[i].first < from + shape.order.size())
            shape.cuts[m_nodes[i].first - from] = true;
}

AxisShape DomainModel::shape(const std::vector<AxisShape::Fold>& folds, std::optional<std::uint32_t> focus) const {
    AxisShape shape;
    const auto from = focus ? m_nodes[*focus].first : 0;
    const auto to = focus ? m_nodes[*focus].last + 1 : static_cast<std::uint32_t>(m_order.size());
    shape.order.assign(m_order.begin() + from, m_order.begin() + to);
    shape.cuts.assign(shape.order.size(), false);
    for (auto at = from; at < to; ++at)
        shape.gaps.push_back(at == from ? CpuGap::Core : gapBefore(m_order[at - 1], m_order[at]));
    cutPlaces(shape, from);
    for (std::uint32_t i = 0; i < m_nested; ++i) {
        const auto& node = m_nodes[i];
        AxisShape::Group group;
        group.framed = node.framed() && node.first >= from && node.last < to;
        group.first = std::clamp(node.first, from, to - 1) - from;
        group.last = std::clamp(node.last, from, to - 1) - from;
        if (i < folds.size() && group.framed && i != focus) group.fold = folds[i];
        shape.groups.push_back(group);
    }
    return shape;
}

} // namespace rqscope
