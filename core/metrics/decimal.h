// SPDX-License-Identifier: GPL-3.0-or-later
// The reals of a summary, computed from integers and carried as millionths, so that every machine and build type prints the
// same digits (engine.md 2). No kernel counterpart.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace rqscope {

struct Decimal {
    std::int64_t millionths = 0;
    auto operator<=>(const Decimal&) const = default;
};

// numerator / denominator, rounded half up; 0 when the denominator is 0. The quotient must stay below 9 * 10^12.
[[nodiscard]] Decimal ratio(std::uint64_t numerator, std::uint64_t denominator);
// events per second: count / time, rounded half up.
[[nodiscard]] Decimal per_second(std::uint64_t count, std::int64_t ns);
// Population standard deviation over mean, as a fraction, rounded down; 0 for no values or mean 0.
[[nodiscard]] Decimal coefficient_of_variation(std::span<const std::uint64_t> values);
// What /proc/loadavg shows of a fixed-point average (2048 = 1.0): rounded to two decimals as load.md 3.1 does.
[[nodiscard]] Decimal shown_loadavg(std::uint64_t avenrun);

[[nodiscard]] std::string to_string(Decimal d);                    // "12.345678"
[[nodiscard]] std::string to_string(Decimal d, unsigned decimals); // 0..6 decimals, rounded half away from zero

} // namespace rqscope
