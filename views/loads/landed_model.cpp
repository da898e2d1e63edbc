// SPDX-License-Identifier: GPL-3.0-or-later
#include "loads/landed_model.h"

#include <algorithm>

namespace rqscope {

void LandedModel::State::take(const LogRow& row) {
    ++rows;
    if (row.kind == RowKind::Input) {
        cpus.clear();
        forks = wakeups = 0;
        return;
    }
    if (!row.is_decision() || row.kind == RowKind::Exec) return;
    if (row.cpu.index() >= cpus.size()) cpus.resize(row.cpu.index() + 1);
    auto& cpu = cpus[row.cpu.index()];
    const bool fork = row.kind == RowKind::Fork;
    ++(fork ? cpu.forks : cpu.wakeups);
    ++(fork ? forks : wakeups);
    cpu.tasks.push_back(row.task);
    if (cpu.tasks.size() > kKept) cpu.tasks.pop_front();
}

void LandedModel::reset() {
    m_now = {};
    m_copies.clear();
}

void LandedModel::moveTo(const EventLog& log, std::uint32_t rows) {
    if (rows < m_now.rows) {
        const auto after =
            std::find_if(m_copies.begin(), m_copies.end(), [rows](const State& copy) { return copy.rows > rows; });
        m_now = after == m_copies.begin() ? State{} : *std::prev(after);
    }
    log.for_each(m_now.rows, rows, [this](const LogRow& row) {
        m_now.take(row);
        const bool isNew = m_copies.empty() || m_copies.back().rows < m_now.rows;
        if (m_now.rows % kCopyEvery == 0 && isNew) m_copies.push_back(m_now);
    });
}

const LandedModel::Cpu& LandedModel::cpu(CpuId cpu) const {
    static const Cpu kNothing;
    return cpu.index() < m_now.cpus.size() ? m_now.cpus[cpu.index()] : kNothing;
}

} // namespace rqscope
