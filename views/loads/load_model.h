// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the load bars: per CPU the load of the running task, of the waiting ones and the blocked rest, which add up to
// load_avg, and util_avg; the top of the axis; and the way from the last figures to the new ones while the bars follow.
// Counterpart: cfs_rq->avg.load_avg, runnable_load_avg, avg.util_avg of v4.8, as stored (not aged up to now).
#pragma once

#include "base/ids.h"
#include "base/units.h"
#include "sim/snapshot.h"

#include <cstdint>
#include <vector>

namespace rqscope {

struct LoadBar {
    double running = 0, waiting = 0, blocked = 0; // load, nice 0 always running = 1024
    double util = 0;                              // one CPU of full capacity = 1024
    [[nodiscard]] double total() const { return running + waiting + blocked; }
};

class LoadModel {
public:
    // New figures; the bars stand where they stood until blend() or jump().
    void set(const Snapshot& snapshot);
    void jump() { blend(1.0); }
    void blend(double progress); // 0 = where the bars stood at set(), 1 = the new figures
    void reset();                // another run: forget the axis too

    [[nodiscard]] std::size_t size() const { return m_target.size(); }
    [[nodiscard]] const LoadBar& shown(CpuId cpu) const { return m_shown[cpu.index()]; }
    [[nodiscard]] const LoadBar& target(CpuId cpu) const { return m_target[cpu.index()]; }
    [[nodiscard]] Load loadAvg(CpuId cpu) const { return m_loadAvg[cpu.index()]; } // exact, for labels
    [[nodiscard]] Capacity capacity(CpuId cpu) const { return m_capacity[cpu.index()]; }
    // Mean over the CPUs, for a closed group.
    [[nodiscard]] LoadBar meanShown(const std::vector<CpuId>& cpus) const;
    // Top of the axis: 1024 or the next power of two that holds every bar so far. Only reset() makes it smaller.
    [[nodiscard]] Load axisMax() const { return m_axisMax; }
    // Changes when what lies still behind the bars (axis, capacity line) changes.
    [[nodiscard]] std::uint32_t gridVersion() const { return m_gridVersion; }

private:
    std::vector<LoadBar> m_start, m_shown, m_target; // by CpuId
    std::vector<Load> m_loadAvg;
    std::vector<Capacity> m_capacity;
    Load m_axisMax = 1024;
    std::uint32_t m_gridVersion = 0;
};

} // namespace rqscope
