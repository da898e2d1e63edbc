// SPDX-License-Identifier: GPL-3.0-or-later
// Small text helpers for readers: splitting, suggestions for misspelt words, times and counts as people write them.
#pragma once

#include "base/result.h"
#include "base/units.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rqscope {

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
[[nodiscard]] std::vector<std::string_view> split_words(std::string_view text); // at blanks, no empty words

// " Did you mean X?" when a known word is within edit distance 3 (and at most half the word), else "".
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

// 16 hexadecimal digits, as hashes are printed.
[[nodiscard]] std::string hex_text(std::uint64_t value);

// Whole decimal number of the full text.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

// "200us", "1.5ms", "3 s", "0": decimals allowed, units ns us ms s min; a bare number other than 0 is a problem.
// Range 0 .. 10^15 ns (11 days), finer than 1 ns is a problem.
[[nodiscard]] Result<Duration> parse_duration(std::string_view text);
// Shortest exact spelling: "200us", "1.5ms", "0".
[[nodiscard]] std::string format_duration(Duration d);

} // namespace rqscope
