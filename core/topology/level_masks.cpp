// SPDX-License-Identifier: GPL-3.0-or-later
// Level tables per architecture and their CPU sets. The tree is walked once into a table of enclosing sets per CPU; the
// architecture rules then combine sets. Firmware quirks beyond topology.md 1.1 (powerpc MC, asymmetric packing) are left out.
#include "topology/level_masks.h"

#include "base/hash.h"

#include <algorithm>
#include <array>
#include <set>

namespace rqscope {

std::uint32_t SpanTable::intern(CpuMask mask) {
    Hasher h;
    // Sets of different word count compare equal by content, so trailing empty words must not count.
    std::size_t words = mask.words().size();
    while (words > 0 && mask.words()[words - 1] == 0) --words;
    for (std::size_t w = 0; w < words; ++w) h.add(mask.words()[w]);
    auto& bucket = m_buckets[h.value() % m_buckets.size()];
    for (const auto id : bucket)
        if (m_masks[id] == mask) return id;
    bucket.push_back(static_cast<std::uint32_t>(m_masks.size()));
    m_weights.push_back(mask.count());
    m_masks.push_back(std::move(mask));
    return bucket.back();
}

namespace {

constexpr std::size_t kTreeTypes = 9;
constexpr std::uint32_t kNone = ~0U;

class MaskBuilder {
public:
    MaskBuilder(const Machine& machine, DomainProfile profile, const CpuMask& online, const DomainOptions& options, SpanTable& spans)
        : m(machine), m_profile(profile), m_online(online), m_options(options), m_spans(spans), m_n(machine.nr_cpu_ids()) {
        m_object.assign(m_n, [] { std::array<std::uint32_t, kTreeTypes> a{}; a.fill(kNone); return a; }());
        place(m.tree);
        place_nodes();
    }

    LevelMasks build() {
        const auto core = [this](std::uint32_t c) { return or_self(of(c, TreeType::Core), c); };
        level("SMT", bit(SdFlag::SHARE_CPUCAPACITY) | bit(SdFlag::SHARE_LLC), core);
        m_out.core = m_out.levels.front().mask;
        switch (m.arch) {
        case Arch::Arm64: arm64(); break;
        case Arch::PowerPC:
            if (modern()) level("CACHE", bit(SdFlag::SHARE_LLC), [&](std::uint32_t c) { return or_core(of(c, TreeType::Llc), c); });
            break;
        case Arch::S390x: s390x(); break;
        case Arch::Ia64: break;
        case Arch::X86:
        case Arch::X86Zen:
        case Arch::X86K8:
        case Arch::Generic: x86(); break;
        }
        package_level();
        numa_levels();
        m_out.node.assign(m_n, NodeId{0});
        for (std::uint32_t c = 0; c < m_n; ++c) m_out.node[c] = m.nodes[m_node_index[c]].id;
        return std::move(m_out);
    }

private:
    [[nodiscard]] bool modern() const { return m_profile != DomainProfile::V4_7; }
    [[nodiscard]] std::string package_name() const { return m_profile == DomainProfile::V6_12 ? "PKG" : "DIE"; }

    void place(const TreeNode& object) {
        const auto id = m_spans.intern(object.cpus & m_online);
        for (const auto cpu : object.cpus)
            if (cpu.value < m_n) m_object[cpu.index()][static_cast<std::size_t>(object.type)] = id;
        for (const auto& child : object.children) place(child);
    }

    void place_nodes() {
        m_node_index.assign(m_n, 0);
        m_node_span.assign(m.nodes.size(), kNone);
        for (std::uint32_t i = 0; i < m.nodes.size(); ++i) {
            m_node_span[i] = m_spans.intern(m.nodes[i].cpus & m_online);
            for (const auto cpu : m.nodes[i].cpus)
                if (cpu.value < m_n) m_node_index[cpu.index()] = i;
        }
    }

    [[nodiscard]] std::uint32_t of(std::uint32_t c, TreeType t) const { return m_object[c][static_cast<std::size_t>(t)]; }
    [[nodiscard]] std::uint32_t node(std::uint32_t c) { return or_self(m_node_span[m_node_index[c]], c); }

    // The set when it exists and holds the CPU, else the CPU alone (an offline CPU is in no cut set).
    std::uint32_t or_self(std::uint32_t id, std::uint32_t c) {
        if (id != kNone && m_spans[id].test(CpuId{c})) return id;
        return m_spans.intern(CpuMask::single(CpuId{c}));
    }
    std::uint32_t or_core(std::uint32_t id, std::uint32_t c) { return or_self(id != kNone ? id : of(c, TreeType::Core), c); }
    std::uint32_t cut(std::uint32_t a, std::uint32_t b) { return a == b ? a : m_spans.intern(m_spans[a] & m_spans[b]); }

    template <class MaskOf>
    void level(std::string name, SdFlags flags, MaskOf mask_of, std::uint32_t distance = 0) {
        TopologyLevel l{std::move(name), flags, distance, {}};
        l.mask.reserve(m_n);
        for (std::uint32_t c = 0; c < m_n; ++c) l.mask.push_back(mask_of(c));
        m_out.levels.push_back(std::move(l));
    }

    [[nodiscard]] SdFlags cluster_flags() const {
        const bool flagged = m_profile == DomainProfile::V6_12 || (m_profile == DomainProfile::V5_19 && m_options.cluster);
        return bit(SdFlag::SHARE_LLC) | (flagged ? bit(SdFlag::CLUSTER) : 0U);
    }

    // Sub-NUMA clustering reports caches wider than the node, hence the cuts.
    void x86() {
        if (modern()) level("CLS", cluster_flags(), [&](std::uint32_t c) { return cut(or_core(of(c, TreeType::Cluster), c), node(c)); });
        // K8 takes the package for the cache id although its L2s are private.
        const auto cache = m.arch == Arch::X86K8 ? TreeType::Package : TreeType::Llc;
        level("MC", bit(SdFlag::SHARE_LLC), [&](std::uint32_t c) { return cut(or_core(of(c, cache), c), node(c)); });
    }

    // The narrowest of node, package, LLC and cluster that holds the next wider one's rule (cpu_coregroup_mask of arm64).
    std::uint32_t arm64_coregroup(std::uint32_t c) {
        auto id = node(c);
        for (const auto type : {TreeType::Package, TreeType::Llc}) {
            const auto inner = of(c, type);
            if (inner != kNone && m_spans[inner].test(CpuId{c}) && m_spans[inner].subset_of(m_spans[id])) id = inner;
        }
        const auto cluster = of(c, TreeType::Cluster);
        return cluster != kNone && m_spans[id].subset_of(m_spans[cluster]) ? cluster : id;
    }

    void arm64() {
        if (!modern()) {
            // The device-tree cluster was called package then.
            level("MC", bit(SdFlag::SHARE_LLC), [&](std::uint32_t c) {
                const auto cluster = of(c, TreeType::Cluster);
                return or_core(cluster != kNone ? cluster : of(c, TreeType::Package), c);
            });
            return;
        }
        level("CLS", cluster_flags(), [&](std::uint32_t c) {
            const auto cluster = of(c, TreeType::Cluster);
            const bool wide = cluster == kNone || m_spans[arm64_coregroup(c)].subset_of(m_spans[cluster]);
            return or_core(wide ? of(c, TreeType::Core) : cluster, c);
        });
        level("MC", bit(SdFlag::SHARE_LLC), [&](std::uint32_t c) { return or_self(arm64_coregroup(c), c); });
    }

    void s390x() {
        level("MC", bit(SdFlag::SHARE_LLC), [&](std::uint32_t c) { return or_core(of(c, TreeType::Package), c); });
        level("BOOK", 0, [&](std::uint32_t c) { return or_core(first_of(c, {TreeType::Book, TreeType::Package}), c); });
        level("DRAWER", 0, [&](std::uint32_t c) { return or_core(first_of(c, {TreeType::Drawer, TreeType::Book, TreeType::Package}), c); });
    }
    [[nodiscard]] std::uint32_t first_of(std::uint32_t c, std::initializer_list<TreeType> types) const {
        for (const auto type : types)
            if (of(c, type) != kNone) return of(c, type);
        return kNone;
    }

    // PKG holds the node, not the package. x86 leaves it out for good once a package with CPUs of two nodes was booted, so
    // the CPUs online at the start count as well.
    void package_level() {
        const bool x86_rule = m.arch == Arch::X86 || m.arch == Arch::X86Zen || m.arch == Arch::X86K8 || m.arch == Arch::Generic;
        if (x86_rule && package_spans_nodes(m.tree)) {
            m_out.no_package_level = "not in this machine's table: a package holds CPUs of several nodes, the NUMA levels take over";
            return;
        }
        level(package_name(), 0, [&](std::uint32_t c) { return node(c); });
    }

    [[nodiscard]] bool package_spans_nodes(const TreeNode& object) const {
        if (object.type == TreeType::Package) {
            const auto booted = object.cpus & (m.online | m_online);
            return std::count_if(m.nodes.begin(), m.nodes.end(), [&](const auto& n) { return n.cpus.intersects(booted); }) > 1;
        }
        return std::any_of(object.children.begin(), object.children.end(), [this](const auto& c) { return package_spans_nodes(c); });
    }

    // Since 5.12 the distances between any two nodes (5.18: with online CPUs); before, those in the first node's row.
    [[nodiscard]] std::set<std::uint32_t> distances() const {
        std::set<std::uint32_t> out;
        if (!modern()) {
            const auto first = std::min_element(m.nodes.begin(), m.nodes.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
            const auto& row = m.distance[static_cast<std::size_t>(first - m.nodes.begin())];
            out.insert(row.begin(), row.end());
            return out;
        }
        for (std::size_t i = 0; i < m.nodes.size(); ++i)
            for (std::size_t j = 0; j < m.nodes.size(); ++j)
                if (has_cpus(i) && has_cpus(j)) out.insert(m.distance[i][j]);
        return out;
    }
    [[nodiscard]] bool has_cpus(std::size_t i) const { return m_spans.weight(m_node_span[i]) > 0; }

    void numa_levels() {
        const auto all = distances();
        if (all.empty()) return;
        m_within.assign(m.nodes.size(), kNone);
        if (m.nodes.size() > 1 && (modern() || m_options.node_level))
            level("NODE", 0, [&](std::uint32_t c) { return within(c, *all.begin()); });
        for (auto d = std::next(all.begin()); d != all.end(); ++d) {
            m_within.assign(m.nodes.size(), kNone);
            level("NUMA", bit(SdFlag::NUMA), [&](std::uint32_t c) { return within(c, *d); }, *d);
        }
    }

    // CPUs of all nodes at most this far from the CPU's node; the same for all CPUs of a node.
    std::uint32_t within(std::uint32_t c, std::uint32_t distance) {
        const auto own = m_node_index[c];
        if (m_within[own] == kNone) {
            CpuMask set = m_spans[m_node_span[own]];
            for (std::size_t k = 0; k < m.nodes.size(); ++k)
                if (m.distance[own][k] <= distance) set |= m_spans[m_node_span[k]];
            m_within[own] = m_spans.intern(std::move(set));
        }
        return or_self(m_within[own], c);
    }

    const Machine& m;
    DomainProfile m_profile;
    const CpuMask& m_online;
    const DomainOptions& m_options;
    SpanTable& m_spans;
    std::uint32_t m_n;
    std::vector<std::array<std::uint32_t, kTreeTypes>> m_object; // by CPU and tree type: span id, kNone = no such object
    std::vector<std::uint32_t> m_node_index, m_node_span;
    std::vector<std::uint32_t> m_within; // by node, for the level being made
    LevelMasks m_out;
};

} // namespace

LevelMasks level_masks(const Machine& machine, DomainProfile profile, const CpuMask& online, const DomainOptions& options,
                       SpanTable& spans) {
    return MaskBuilder(machine, profile, online, options, spans).build();
}

std::string partial_overlap(const LevelMasks& masks, const SpanTable& spans, const CpuMask& online) {
    for (const auto& level : masks.levels) {
        if (level.numa()) continue;
        for (const auto cpu : online) {
            const auto& own = spans[level.mask[cpu.index()]];
            // The lowest member compares with all others; the others compare with the lowest.
            const auto lowest = own.first();
            const auto& others = lowest == cpu ? own : CpuMask::single(lowest.value_or(cpu));
            for (const auto other : others)
                if (level.mask[other.index()] != level.mask[cpu.index()])
                    return level.name + ": CPU " + std::to_string(cpu.value) + " has " + own.to_list() + ", CPU " +
                           std::to_string(other.value) + " has " + spans[level.mask[other.index()]].to_list() +
                           ". Sets of one level must be equal or disjoint.";
        }
    }
    return "";
}

} // namespace rqscope
