// SPDX-License-Identifier: GPL-3.0-or-later
// How well recorded decisions agree with the rules: for each record the set of CPUs the rules allow, whether the kernel's
// choice is in it, and whether our own choice is. Agreement alone says nothing (a set of all CPUs always agrees), so the
// sizes are kept with it. Source: decisions-format.md.
#pragma once

#include "conformance/decision_rules.h"
#include "sched/eras.h"
#include "topology/machine.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rqscope {

struct SetFigures {
    std::uint64_t records = 0;
    std::uint64_t agreed = 0;   // the recorded choice is in the set
    std::uint64_t set_cpus = 0; // sum of the set sizes
    std::uint64_t one_cpu = 0;  // sets of one CPU
    std::uint64_t one_cpu_agreed = 0;

    void add(std::uint32_t set_size, bool agrees);
    SetFigures& operator+=(const SetFigures& other);
};

// What core/select chose in the recorded states: once per fork, twice per wake-up (sync and not).
struct OwnChoices {
    std::uint64_t calls = 0;
    std::uint64_t outside = 0;     // of the set of their record
    std::uint64_t unreachable = 0; // hard rules not counted because out_of_reach()
    RuleCounts rules;
    std::vector<std::string> first_outside, first_broken; // the first few in words

    OwnChoices& operator+=(const OwnChoices& other);
};

struct DecisionScore {
    SetFigures forks, wakes;
    RuleCount hits;   // prev busy, the recorded choice idle: is it in the set
    RuleCounts rules; // of the recorded choices
    OwnChoices own;

    DecisionScore& operator+=(const DecisionScore& other);
};

// Reads a whole recording (text, unpacked) that was made on `machine` by a kernel of `era` (6.1 or 6.12).
[[nodiscard]] Result<DecisionScore> score_decisions(std::string_view text, const Machine& machine, Era era);

} // namespace rqscope
