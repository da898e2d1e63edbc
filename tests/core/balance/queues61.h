// SPDX-License-Identifier: GPL-3.0-or-later
// States of machine files under the eras 5.19 and later, for the tests of the second balancing generation. The sums of a
// queue are those of its tasks, whatever load tracking made of them.
#pragma once

#include "balance/lb_env61.h"
#include "core/balance/queues.h"
#include "support/scenarios.h"
#include "topology/build_domains.h"
#include "topology/machine_json.h"

namespace rqscope::test {

inline SchedState state61(const Machine& m, Era era = Era::V6_12) {
    auto s = balance_state(build_domains(m, era_info(era).domains, m.online, domain_options(era)).value());
    s.era = era;
    s.features = FeatureSet(era);
    s.llc_rt.resize(s.domains->nr_llc);
    s.capacity = s.domains->cpu_capacity_orig;
    for (auto& rt : s.domain_rt) rt.decay_stamp = s.jiffies;
    return s;
}

inline SchedState state61(std::string_view machine_id, Era era = Era::V6_12) { return state61(machine(machine_id), era); }

// Two cores of two threads, 0-1 and 2-3, and four CPUs without siblings, all below one cache.
inline Machine hybrid_machine(int capacity_of_the_four = 1024) {
    const auto text = R"({"schema": "sched-topology/1", "id": "hybrid", "name": "hybrid", "arch": "x86", "cpus": {"possible": "0-7"},
        "provenance": {"stated": "nothing: made up for this test", "certainty": "made up for testing"},
        "tree": {"type": "machine", "children": [{"type": "package", "id": 0, "children": [{"type": "llc", "id": 0, "cache": "L3", "children": [
        {"type": "core", "id": 0, "cpus": "0-1"}, {"type": "core", "id": 1, "cpus": "2-3"}, {"type": "core", "id": 2, "cpus": "4"},
        {"type": "core", "id": 3, "cpus": "5"}, {"type": "core", "id": 4, "cpus": "6"}, {"type": "core", "id": 5, "cpus": "7"}]}]}]},
        "capacity": {"default": 1024, "per_cpu": [{"cpus": "4-7", "capacity": )" + std::to_string(capacity_of_the_four) + R"(}]}})";
    auto m = load_machine_json(text, "hybrid");
    if (!m) qFatal("%s", text_of(m.problems()).c_str());
    return std::move(m).value();
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
