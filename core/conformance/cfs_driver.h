// SPDX-License-Identifier: GPL-3.0-or-later
// Plays the operations of a fair-class vector on a SchedState, as try_to_wake_up(), wake_up_new_task(), schedule() and
// sched_yield() of v4.7.4 and v6.5 would: the glue around core/sched/cfs.h, without events, costs or placement. Set-up operations
// (raw, setv) reach past the public functions; nothing but vectors may do that.
#pragma once

#include "sched/cfs.h"

#include <optional>
#include <vector>

namespace rqscope {

class CfsDriver {
public:
    static constexpr std::uint32_t kMaxCpus = 64;
    static constexpr std::uint32_t kMaxTasks = 4096;

    explicit CfsDriver(Era era);

    // Ids outside 0..kMaxCpus-1, 1..kMaxTasks and unknown tasks raise CheckFailure.
    void set_cpus(std::uint32_t n);          // online count: tunables are rescaled
    void set_scaling(std::int64_t mode);
    void set_clock(RqClock ns);              // of every CPU
    void advance(std::uint64_t ns) { set_clock(m_s.now + ns); }
    void select_cpu(std::uint32_t cpu);
    void set_min_vruntime(VTime v) { cfs().min_vruntime = v; }
    void create(std::uint32_t id, std::int8_t nice, Policy policy); // blocked, on the current CPU
    void raw(std::uint32_t id);              // queued as it is

    // fork and move: the target becomes the current CPU.
    void fork(std::uint32_t id, std::int8_t nice, std::uint32_t to_cpu);
    [[nodiscard]] bool wake(std::uint32_t id, std::uint32_t from_cpu); // false: it was not asleep
    void tick();
    void schedule(bool blocking);
    void resched();
    void yield();
    void renice(std::uint32_t id, std::int8_t nice); // also to the nice value it has, as vectors were recorded
    [[nodiscard]] VTime move(std::uint32_t id, std::uint32_t to_cpu); // returns the vruntime it travels with

    [[nodiscard]] SchedState& state() { return m_s; }
    [[nodiscard]] SchedEntity& entity(std::uint32_t id);
    [[nodiscard]] TaskId task(std::uint32_t id) const;
    [[nodiscard]] Rq& rq() { return m_s.rqs[m_cpu.index()]; }
    [[nodiscard]] CfsRq& cfs() { return rq().cfs; }
    [[nodiscard]] CpuId cpu() const { return m_cpu; }
    [[nodiscard]] bool exists(std::uint32_t id) const { return id < m_exists.size() && m_exists[id]; }
    // What schedule() chose since the last call, nothing when it did not run.
    [[nodiscard]] std::optional<TaskId> take_picked();

private:
    CpuId m_cpu{0};
    std::uint32_t m_online = 1;
    std::vector<bool> m_exists;
    std::optional<TaskId> m_picked;
    SchedState m_s;
};

} // namespace rqscope
