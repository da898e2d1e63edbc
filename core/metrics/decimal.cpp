// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/decimal.h"

#include "base/units.h"

#include <algorithm>

namespace rqscope {

namespace {

constexpr std::uint64_t kMillion = 1'000'000;

Decimal divide(Wide numerator, Wide denominator) {
    if (denominator == 0) return {};
    return {static_cast<std::int64_t>((numerator * kMillion + denominator / 2) / denominator)};
}

// Largest r with r * r <= v, bit by bit: exact on 128 bits, where no library function is.
Wide square_root(Wide v) {
    Wide root = 0;
    for (Wide bit = Wide{1} << 126; bit != 0; bit >>= 2) {
        if (v >= root + bit) {
            v -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return root;
}

} // namespace

Decimal ratio(std::uint64_t numerator, std::uint64_t denominator) { return divide(numerator, denominator); }

Decimal per_second(std::uint64_t count, std::int64_t ns) {
    return ns <= 0 ? Decimal{} : divide(Wide{count} * 1'000'000'000, static_cast<Wide>(ns));
}

Decimal coefficient_of_variation(std::span<const std::uint64_t> values) {
    Wide sum = 0;
    Wide squares = 0;
    for (const auto v : values) {
        sum += v;
        squares += Wide{v} * v;
    }
    if (sum == 0) return {};
    // stddev / mean = sqrt(n * sum(x^2) - sum(x)^2) / sum(x)
    const Wide spread = values.size() * squares - sum * sum;
    return {static_cast<std::int64_t>(square_root(spread * kMillion * kMillion) / sum)};
}

Decimal shown_loadavg(std::uint64_t avenrun) {
    const auto x = avenrun + 10;
    const auto hundredths = (x >> 11U) * 100 + (((x & 2047U) * 100) >> 11U);
    return {static_cast<std::int64_t>(hundredths) * 10'000};
}

std::string to_string(Decimal d) { return to_string(d, 6); }

std::string to_string(Decimal d, unsigned decimals) {
    std::int64_t unit = 1;
    for (auto i = decimals; i < 6; ++i) unit *= 10;
    const bool negative = d.millionths < 0;
    const auto scaled = ((negative ? -d.millionths : d.millionths) + unit / 2) / unit;
    auto digits = std::to_string(scaled);
    if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
    if (decimals > 0) digits.insert(digits.size() - decimals, 1, '.');
    return (negative && scaled != 0 ? "-" : "") + digits;
}

} // namespace rqscope
