// SPDX-License-Identifier: GPL-3.0-or-later
// Rows, widths and closing: the fewest rows that give 5 px per CPU, else the widest; below 3 px the innermost groups close.
// A slot is an open CPU or a closed group; a plan is one way to cut the slots into rows.
#include "plot/cpu_axis.h"

#include "plot/row_cut.h"

#include <algorithm>

namespace rqscope {

namespace {

constexpr int kFullCore = 4;
constexpr int kSparse = 12; // a column this wide can afford the full gaps
constexpr int kMaxExtra = 12;

} // namespace

struct CpuAxis::Slot {
    std::uint32_t first = 0, last = 0;        // positions
    std::optional<std::uint32_t> group;       // closed
    int units = 1;                            // width in CPUs
    std::vector<std::uint32_t> opens, closes; // framed groups that begin or end here, outer ones first
};

struct CpuAxis::Gaps {
    int sibling, core, llc, node, padding;
    static constexpr int kBetween = 4; // two frames side by side

    [[nodiscard]] int rule(CpuGap gap) const {
        switch (gap) {
        case CpuGap::Sibling: return sibling;
        case CpuGap::Core: return core;
        case CpuGap::Llc: return llc;
        case CpuGap::Node: return node;
        }
        return core;
    }
};

struct CpuAxis::Plan {
    std::vector<std::size_t> starts; // first slot of each row
    Gaps gaps{1, kFullCore, 12, 24, 4};
    int width = 0; // of one CPU
    int extra = 0; // added inside the innermost frames, each side
    bool dense = false;
    std::vector<std::vector<std::uint32_t>> opens, closes; // by slot: frames that lie within one row

    [[nodiscard]] std::size_t rowEnd(std::size_t row, std::size_t slots) const {
        return row + 1 < starts.size() ? starts[row + 1] : slots;
    }
    [[nodiscard]] int edge(const std::vector<std::uint32_t>& frames) const {
        return frames.empty() ? 0 : static_cast<int>(frames.size()) * gaps.padding + extra;
    }
    // Pixels between slot i-1 and slot i of the same row.
    [[nodiscard]] int between(std::size_t i, CpuGap kind) const {
        const auto frames = closes[i - 1].size() + opens[i].size();
        if (frames == 0) return gaps.rule(kind);
        const auto need = static_cast<int>(frames) * gaps.padding + Gaps::kBetween;
        const auto sides = (closes[i - 1].empty() ? 0 : 1) + (opens[i].empty() ? 0 : 1);
        return std::max(gaps.rule(kind), need) + sides * extra;
    }

    struct RowSum {
        int fixed = 0, units = 0, edges = 0, cores = 0;
    };
    [[nodiscard]] std::vector<RowSum> sumRows(const AxisShape& shape, const std::vector<Slot>& slots) const;
    // Chooses the gaps and the column width.
    void fit(const AxisShape& shape, const std::vector<Slot>& slots, AxisLimits limits);
};

std::vector<CpuAxis::Plan::RowSum> CpuAxis::Plan::sumRows(const AxisShape& shape, const std::vector<Slot>& slots) const {
    std::vector<RowSum> sums;
    for (std::size_t row = 0; row < starts.size(); ++row) {
        RowSum sum;
        const auto from = starts[row], to = rowEnd(row, slots.size());
        sum.fixed = edge(opens[from]) + edge(closes[to - 1]);
        for (auto i = from; i < to; ++i) {
            sum.units += slots[i].units;
            sum.edges += (opens[i].empty() ? 0 : 1) + (closes[i].empty() ? 0 : 1);
            if (i == from) continue;
            const auto kind = shape.gaps[slots[i].first];
            sum.fixed += between(i, kind);
            if (kind == CpuGap::Core && closes[i - 1].empty() && opens[i].empty()) ++sum.cores;
        }
        sums.push_back(sum);
    }
    return sums;
}

void CpuAxis::Plan::fit(const AxisShape& shape, const std::vector<Slot>& slots, AxisLimits limits) {
    const auto cap = static_cast<int>(kCap * limits.scale);
    auto sums = sumRows(shape, slots);
    const auto widest = [&] {
        auto most = cap;
        for (const auto& sum : sums) most = std::min(most, (limits.width - sum.fixed) / std::max(1, sum.units));
        return std::max(0, most);
    };
    width = widest();
    if (width < kSparse) {
        gaps = Gaps{1, 1, 10, 24, 3};
        sums = sumRows(shape, slots);
        width = widest();
    }
    dense = width < kLabel;
    if (width == cap) return;
    // What whole-pixel columns leave over shows the cores first and goes into the LLC padding then.
    const auto spare = [&](int RowSum::*part) {
        auto share = kMaxExtra;
        for (const auto& sum : sums)
            if (sum.*part > 0) share = std::min(share, (limits.width - sum.fixed - sum.units * width) / (sum.*part));
        return std::max(0, share);
    };
    gaps.core = std::clamp(gaps.core + spare(&RowSum::cores), gaps.core, kFullCore);
    sums = sumRows(shape, slots);
    extra = spare(&RowSum::edges);
}

namespace {

// Groups that hold no other framed group.
std::vector<bool> innermostOf(const AxisShape& shape) {
    std::vector<bool> innermost(shape.groups.size(), false);
    for (std::size_t g = 0; g < shape.groups.size(); ++g) {
        const auto& group = shape.groups[g];
        innermost[g] =
            group.framed && std::none_of(shape.groups.begin(), shape.groups.end(), [&](const AxisShape::Group& other) {
                return &other != &group && other.framed && other.first >= group.first && other.last <= group.last &&
                       other.last - other.first < group.last - group.first;
            });
    }
    return innermost;
}

} // namespace

std::vector<CpuAxis::Slot> CpuAxis::slotsOf(const AxisShape& shape, const std::vector<bool>& closed) {
    std::vector<Slot> slots;
    for (std::uint32_t at = 0; at < shape.order.size();) {
        Slot slot{at, at, {}, 1, {}, {}};
        for (std::uint32_t g = 0; g < shape.groups.size() && !slot.group; ++g) {
            if (!closed[g] || shape.groups[g].first != at) continue;
            slot.group = g;
            slot.last = shape.groups[g].last;
            slot.units = std::min(kClosedCpus, static_cast<int>(slot.last - slot.first + 1));
        }
        for (std::uint32_t g = 0; g < shape.groups.size(); ++g) {
            const auto& group = shape.groups[g];
            const bool inside =
                slot.group && slot.group != g && group.first >= slot.first && group.last <= slot.last && g > *slot.group;
            if (!group.framed || inside) continue;
            if (group.first >= slot.first && group.first <= slot.last) slot.opens.push_back(g);
            if (group.last >= slot.first && group.last <= slot.last) slot.closes.push_back(g);
        }
        at = slot.last + 1;
        slots.push_back(std::move(slot));
    }
    return slots;
}

CpuAxis::Plan CpuAxis::planRows(const AxisShape& shape, const std::vector<Slot>& slots, int rows, AxisLimits limits) {
    Plan plan;
    std::vector<int> units(slots.size());
    std::vector<bool> cuts(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        units[i] = slots[i].units;
        cuts[i] = shape.cuts[slots[i].first];
    }
    plan.starts = cutRows(units, cuts, rows);

    std::vector<int> rowOf(shape.order.size());
    for (std::size_t row = 0; row < plan.starts.size(); ++row)
        for (auto i = plan.starts[row]; i < plan.rowEnd(row, slots.size()); ++i)
            std::fill(rowOf.begin() + slots[i].first, rowOf.begin() + slots[i].last + 1, static_cast<int>(row));
    const auto oneRow = [&](std::uint32_t g) { return rowOf[shape.groups[g].first] == rowOf[shape.groups[g].last]; };
    for (const auto& slot : slots) {
        plan.opens.emplace_back();
        plan.closes.emplace_back();
        std::copy_if(slot.opens.begin(), slot.opens.end(), std::back_inserter(plan.opens.back()), oneRow);
        std::copy_if(slot.closes.begin(), slot.closes.end(), std::back_inserter(plan.closes.back()), oneRow);
    }

    plan.fit(shape, slots, limits);
    return plan;
}

CpuAxis::Plan CpuAxis::bestPlan(const AxisShape& shape, const std::vector<Slot>& slots, AxisLimits limits) {
    std::optional<Plan> best;
    for (int rows = 1; rows <= kMaxRows; ++rows) {
        auto plan = planRows(shape, slots, rows, limits);
        if (!best || plan.width > best->width) best = std::move(plan);
        if (best->width >= kWanted) break;
    }
    return *std::move(best);
}

CpuAxis::CpuAxis(const AxisShape& shape, AxisLimits limits) : m_order(shape.order) {
    const auto groups = shape.groups.size();
    m_closed.assign(groups, false);
    m_hidden.assign(groups, false);
    m_extents.assign(groups, {});
    if (shape.order.empty()) return;
    for (std::size_t g = 0; g < groups; ++g) m_closed[g] = shape.groups[g].fold == AxisShape::Fold::Closed;

    auto slots = slotsOf(shape, m_closed);
    auto plan = bestPlan(shape, slots, limits);
    if (plan.width < kLeast) {
        const auto innermost = innermostOf(shape);
        for (std::size_t g = 0; g < groups; ++g)
            if (innermost[g] && shape.groups[g].fold == AxisShape::Fold::Auto) m_closed[g] = true;
        slots = slotsOf(shape, m_closed);
        plan = bestPlan(shape, slots, limits);
    }
    plan.width = std::max(1, plan.width);
    m_rows = static_cast<int>(plan.starts.size());
    m_columnWidth = plan.width;
    m_padding = plan.gaps.padding;
    m_dense = plan.dense;
    place(shape, slots, plan);
    frame(shape, slots, plan);
}

void CpuAxis::place(const AxisShape& shape, const std::vector<Slot>& slots, const Plan& plan) {
    m_columns.assign(std::max_element(shape.order.begin(), shape.order.end())->index() + 1, {});
    for (std::size_t row = 0; row < plan.starts.size(); ++row) {
        auto x = 0;
        const auto from = plan.starts[row], to = plan.rowEnd(row, slots.size());
        for (auto i = from; i < to; ++i) {
            x += i == from ? plan.edge(plan.opens[i]) : plan.between(i, shape.gaps[slots[i].first]);
            const Column column{x, slots[i].units * plan.width, static_cast<int>(row), slots[i].group};
            for (auto at = slots[i].first; at <= slots[i].last; ++at) m_columns[shape.order[at].index()] = column;
            x += column.width;
        }
        m_right.push_back(x + plan.edge(plan.closes[to - 1]));
    }
}

void CpuAxis::frame(const AxisShape& shape, const std::vector<Slot>& slots, const Plan& plan) {
    std::vector<std::size_t> slotOf(shape.order.size());
    for (std::size_t i = 0; i < slots.size(); ++i)
        std::fill(slotOf.begin() + slots[i].first, slotOf.begin() + slots[i].last + 1, i);
    // Frames between this one and the columns, itself included; 0 = it has no frame here.
    const auto depth = [](const std::vector<std::uint32_t>& frames, std::uint32_t g) {
        const auto at = std::find(frames.begin(), frames.end(), g);
        return static_cast<int>(frames.end() - at);
    };
    for (std::uint32_t g = 0; g < shape.groups.size(); ++g) {
        const auto& group = shape.groups[g];
        m_hidden[g] = std::any_of(slots.begin(), slots.end(), [&](const Slot& slot) {
            return slot.group && *slot.group < g && group.first >= slot.first && group.last <= slot.last;
        });
        if (m_hidden[g]) continue;
        const auto from = slotOf[group.first], to = slotOf[group.last];
        for (auto i = from; i <= to; ++i) {
            const auto& column = *m_columns[shape.order[slots[i].first].index()];
            auto& parts = m_extents[g];
            if (parts.empty() || parts.back().row != column.row) parts.push_back({column.row, column.x, 0});
            parts.back().right = column.x + column.width;
        }
        const auto left = depth(plan.opens[from], g), right = depth(plan.closes[to], g);
        if (left > 0) m_extents[g].front().left -= left * plan.gaps.padding + plan.extra;
        if (right > 0) m_extents[g].back().right += right * plan.gaps.padding + plan.extra;
    }
}

const CpuAxis::Column* CpuAxis::column(CpuId cpu) const {
    if (cpu.index() >= m_columns.size() || !m_columns[cpu.index()]) return nullptr;
    return &*m_columns[cpu.index()];
}

std::optional<CpuId> CpuAxis::cpuAt(int row, int x) const {
    std::optional<CpuId> before;
    for (const auto cpu : m_order) {
        const auto& column = *m_columns[cpu.index()];
        if (column.row != row || (before && m_columns[before->index()]->x == column.x)) continue;
        if (x < column.x) {
            if (!before) return column.x - x <= 2 ? std::optional(cpu) : std::nullopt;
            const auto& left = *m_columns[before->index()];
            return 2 * x < left.x + left.width + column.x ? before : cpu;
        }
        before = cpu;
    }
    if (!before) return std::nullopt;
    const auto& last = *m_columns[before->index()];
    return x < last.x + last.width + 2 ? before : std::nullopt;
}

} // namespace rqscope
