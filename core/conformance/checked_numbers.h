// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of recorded values, held to their ranges: a file that says otherwise is refused instead of read as something else.
// Included by conformance readers only; they turn the exceptions into problems.
#pragma once

#include "base/cpu_mask.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace rqscope {

inline constexpr std::uint32_t kMaxVectorTasks = 100'000;

[[nodiscard]] inline std::uint32_t checked_number(const nlohmann::json& v, std::uint32_t max = std::numeric_limits<std::uint32_t>::max()) {
    if (!v.is_number_unsigned() || v.get<std::uint64_t>() > max)
        throw std::out_of_range(v.dump().substr(0, 60) + " is not a whole number in 0.." + std::to_string(max));
    return v.get<std::uint32_t>();
}

// A CPU of a machine of `nr_cpus`.
[[nodiscard]] inline CpuId checked_cpu(const nlohmann::json& v, std::uint32_t nr_cpus) {
    if (nr_cpus == 0) throw std::out_of_range("the machine has no CPU");
    return CpuId{checked_number(v, nr_cpus - 1)};
}

[[nodiscard]] inline CpuMask checked_mask(const nlohmann::json& cpus, std::uint32_t nr_cpus) {
    CpuMask mask;
    for (const auto& cpu : cpus) mask.set(checked_cpu(cpu, nr_cpus));
    return mask;
}

} // namespace rqscope
