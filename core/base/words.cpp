// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/words.h"

#include <algorithm>
#include <charconv>

namespace rqscope {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string_view> split_words(std::string_view text) {
    std::vector<std::string_view> words;
    for (const auto part : split(text, ' '))
        if (!part.empty()) words.push_back(part);
    return words;
}

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
        }
    }
    return row[b.size()];
}

} // namespace

std::string hex_text(std::uint64_t value) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out(16, '0');
    for (std::size_t i = out.size(); i-- > 0; value >>= 4) out[i] = kDigits[value & 15];
    return out;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
    std::string_view best;
    std::size_t best_distance = 4;
    if (word.size() > 60) return "";
    for (const auto candidate : known) {
        const auto d = edit_distance(word, candidate);
        if (d < best_distance && d * 2 <= std::max(word.size(), candidate.size())) {
            best_distance = d;
            best = candidate;
        }
    }
    return best.empty() ? "" : ". Did you mean " + std::string(best) + "?";
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (ec != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return value;
}

namespace {

struct Unit {
    std::string_view name;
    std::int64_t ns;
};
constexpr Unit kUnits[] = {{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}, {"min", 60'000'000'000}};
constexpr std::int64_t kLongest = 1'000'000'000'000'000;

std::optional<std::int64_t> unit_ns(std::string_view name) {
    for (const auto& u : kUnits)
        if (u.name == name) return u.ns;
    return std::nullopt;
}

// Exact value of "12.034" times unit in ns, or nothing when malformed, too long or finer than 1 ns.
std::optional<std::int64_t> scaled(std::string_view number, std::int64_t unit) {
    SignedWide value = 0;
    SignedWide scale = unit;
    bool digits = false;
    bool fraction = false;
    for (const char c : number) {
        if (c == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (c < '0' || c > '9') return std::nullopt;
        digits = true;
        if (!fraction) {
            value = value * 10 + (c - '0') * static_cast<SignedWide>(unit);
            if (value > kLongest) return std::nullopt;
        } else {
            if (scale < 10 && c != '0') return std::nullopt;
            scale /= 10;
            value += (c - '0') * scale;
        }
    }
    if (!digits || value > kLongest) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

} // namespace

Result<Duration> parse_duration(std::string_view text) {
    const auto bad = [&] {
        return Problem{"", "\"" + std::string(text.substr(0, 60)) + "\" is not a time. Write 200us (units ns us ms s min, decimals allowed, at most 1000000s)."};
    };
    auto number_end = text.find_first_not_of("0123456789.");
    if (number_end == 0) return bad();
    if (number_end == std::string_view::npos) {
        if (scaled(text, 1) == 0) return Duration{0};
        return bad();
    }
    const auto number = text.substr(0, number_end);
    while (number_end < text.size() && text[number_end] == ' ') ++number_end;
    const auto unit = unit_ns(text.substr(number_end));
    const auto ns = unit ? scaled(number, *unit) : std::nullopt;
    if (!ns) return bad();
    return Duration{*ns};
}

std::string format_duration(Duration d) {
    const auto ns = d.count();
    if (ns == 0) return "0";
    const Unit* unit = &kUnits[0];
    for (const auto& u : kUnits)
        if (u.name != "min" && ns >= u.ns) unit = &u;
    auto out = std::to_string(ns / unit->ns);
    auto rest = ns % unit->ns;
    if (rest != 0) {
        auto digits = std::to_string(unit->ns + rest).substr(1);
        while (digits.back() == '0') digits.pop_back();
        out += '.' + digits;
    }
    return out + std::string(unit->name);
}

} // namespace rqscope
