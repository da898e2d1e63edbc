// SPDX-License-Identifier: GPL-3.0-or-later
#include "loads/load_model.h"

#include <algorithm>
#include <bit>

namespace rqscope {

namespace {

LoadBar barOf(const CpuSnapshot& cpu) {
    // Rounding in the kernel's sums lets a part exceed the whole by a little; the whole is what the bar must show.
    auto runnable = std::min(cpu.runnable_load_avg, cpu.load_avg);
    const auto running = std::min(cpu.running_load, runnable);
    // 4.8 leaves a rest in runnable_load_avg when a task blocks. Nobody waits with it, so it counts as blocked here; forks
    // do look at it, and the tool tip tells the figure.
    if (cpu.waiting.empty()) runnable = running;
    return {static_cast<double>(running), static_cast<double>(runnable - running),
            static_cast<double>(cpu.load_avg - runnable), static_cast<double>(cpu.util_avg)};
}

} // namespace

void LoadModel::set(const Snapshot& snapshot) {
    const auto cpus = snapshot.cpus.size();
    if (m_target.size() != cpus) {
        m_shown.assign(cpus, {});
        m_target.assign(cpus, {});
        m_loadAvg.assign(cpus, 0);
        m_capacity.assign(cpus, 0);
        ++m_gridVersion;
    }
    m_start = m_shown;
    auto axisMax = m_axisMax;
    for (std::size_t i = 0; i < cpus; ++i) {
        const auto& cpu = snapshot.cpus[i];
        m_target[i] = barOf(cpu);
        m_loadAvg[i] = cpu.load_avg;
        axisMax = std::max({axisMax, std::bit_ceil(cpu.load_avg), std::bit_ceil(cpu.util_avg)});
        if (m_capacity[i] == cpu.capacity) continue;
        m_capacity[i] = cpu.capacity;
        ++m_gridVersion;
    }
    if (axisMax == m_axisMax) return;
    m_axisMax = axisMax;
    ++m_gridVersion;
}

void LoadModel::blend(double progress) {
    if (progress >= 1.0) {
        m_shown = m_target;
        return;
    }
    const auto mix = [progress](double from, double to) { return from + (to - from) * progress; };
    for (std::size_t i = 0; i < m_target.size(); ++i) {
        const auto &from = m_start[i], &to = m_target[i];
        m_shown[i] = {mix(from.running, to.running), mix(from.waiting, to.waiting), mix(from.blocked, to.blocked),
                      mix(from.util, to.util)};
    }
}

void LoadModel::reset() {
    m_start.clear();
    m_shown.clear();
    m_target.clear();
    m_loadAvg.clear();
    m_capacity.clear();
    m_axisMax = 1024;
    ++m_gridVersion;
}

LoadBar LoadModel::meanShown(const std::vector<CpuId>& cpus) const {
    LoadBar sum;
    for (const auto cpu : cpus) {
        const auto& bar = m_shown[cpu.index()];
        sum = {sum.running + bar.running, sum.waiting + bar.waiting, sum.blocked + bar.blocked, sum.util + bar.util};
    }
    const auto n = std::max<double>(1.0, static_cast<double>(cpus.size()));
    return {sum.running / n, sum.waiting / n, sum.blocked / n, sum.util / n};
}

} // namespace rqscope
