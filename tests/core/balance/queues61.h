// SPDX-License-Identifier: GPL-3.0-or-later
// States of machine files under the eras 5.19 and later, for the tests of the second balancing generation. The sums of a
// queue are those of its tasks, whatever load tracking made of them.
#pragma once

#include "balance/lb_env61.h"
#include "core/balance/queues.h"
#include "support/scenarios.h"
#include "topology/build_domains.h"

namespace rqscope::test {

inline SchedState state61(std::string_view machine_id, Era era = Era::V6_12) {
    const auto m = machine(machine_id);
    auto s = balance_state(build_domains(m, era_info(era).domains, m.online, domain_options(era)).value());
    s.era = era;
    s.features = FeatureSet(era);
    s.llc_rt.resize(s.domains->nr_llc);
    s.capacity = s.domains->cpu_capacity_orig;
    for (auto& rt : s.domain_rt) rt.decay_stamp = s.jiffies;
    return s;
}

inline void set_sums(SchedState& s, std::uint32_t cpu) {
    auto& avg = s.cfs_avg[cpu];
    avg.load_avg = avg.util_avg = avg.runnable_avg = 0;
    for (const auto p : list_of(s, cpu)) {
        const auto& own = s.se[p].avg;
        avg.load_avg += own.load_avg;
        avg.util_avg += own.util_avg;
        avg.runnable_avg += own.runnable_avg;
    }
}

// Runnable all the time; its util is given.
inline TaskId add61(SchedState& s, std::uint32_t cpu, Load load = 1024, Util util = 1024) {
    const auto p = add_task(s, cpu, load, util);
    s.se[p.index()].avg.runnable_avg = 1024;
    set_sums(s, cpu);
    return p;
}

inline void add61(SchedState& s, std::initializer_list<std::uint32_t> cpus) {
    for (const auto cpu : cpus) add61(s, cpu);
}

} // namespace rqscope::test
