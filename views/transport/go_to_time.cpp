// SPDX-License-Identifier: GPL-3.0-or-later
#include "transport/go_to_time.h"

#include "base/words.h"

#include <algorithm>
#include <limits>
#include <string>

namespace rqscope {

namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

// "−" as our own clock writes it.
constexpr std::string_view kTrueMinus = "\xE2\x88\x92";

Problem notATime(std::string_view text) {
    return {"", "\"" + std::string(text.substr(0, 30)) + "\" is not a time. Write 3.2ms, +200us or #83."};
}

} // namespace

Result<GoTo> parseGoTo(std::string_view text, SimTime now) {
    text = trimmed(text);
    if (text.empty()) return notATime(text);
    if (text.front() == '#') {
        const auto number = parse_integer(trimmed(text.substr(1)));
        if (!number || *number < 0 || *number > std::numeric_limits<std::uint32_t>::max()) return notATime(text);
        return GoTo{EventNumber{static_cast<std::uint32_t>(*number)}};
    }
    const bool trueMinus = text.starts_with(kTrueMinus);
    const bool back = text.front() == '-' || trueMinus;
    const bool relative = back || text.front() == '+';
    const auto amount = trimmed(relative ? text.substr(trueMinus ? kTrueMinus.size() : 1) : text);
    const auto duration = parse_duration(amount);
    if (!duration) return notATime(text);
    if (!relative) return GoTo{SimTime{*duration}};
    return GoTo{back ? std::max(SimTime{}, now - *duration) : now + *duration};
}

} // namespace rqscope
