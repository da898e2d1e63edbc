// SPDX-License-Identifier: GPL-3.0-or-later
// Turns one case of a balancing vector file into a SchedState; beside balance_vectors, which runs and compares it.
#pragma once

#include "sched/sched_state.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace rqscope {

struct BalanceCase {
    SchedState s;
    CpuId dst;
    std::map<std::pair<std::string, std::string>, std::uint32_t> sgc; // level name, CPU list -> capacity record
};

// Throws nlohmann::json::exception or std::out_of_range when a field is missing; the reader catches both.
[[nodiscard]] BalanceCase read_balance_case(const nlohmann::json& c, const nlohmann::json& topology, Era era);

} // namespace rqscope
