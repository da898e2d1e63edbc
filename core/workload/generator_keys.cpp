// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generator_keys.h"

#include "base/words.h"

#include <utility>

namespace rqscope {

GeneratorKeys::GeneratorKeys(std::string_view generator, std::string_view text, Problems& problems)
    : m_generator(generator), m_problems(problems) {
    if (text.empty()) return;
    for (const auto part : split(text, ',')) {
        const auto equals = part.find('=');
        const auto key = part.substr(0, equals);
        // A CPU list holds commas itself: "cpus=0-3,8" continues with parts that have no '='.
        if (equals == std::string_view::npos && m_last == "cpus") m_values["cpus"] += "," + std::string(part);
        else if (equals == std::string_view::npos) problem(part, "is not KEY=VALUE");
        else if (!m_values.emplace(key, part.substr(equals + 1)).second) problem(key, "is given twice");
        if (equals != std::string_view::npos) m_last = key;
    }
}

std::int64_t GeneratorKeys::integer(std::string_view key, std::int64_t fallback, std::int64_t min, std::int64_t max) {
    const auto text = take(key);
    if (!text) return fallback;
    const auto value = parse_integer(*text);
    if (value && *value >= min && *value <= max) return *value;
    problem(key, "\"" + *text + "\" is not a whole number in " + std::to_string(min) + ".." + std::to_string(max));
    return fallback;
}

Duration GeneratorKeys::time(std::string_view key, Duration fallback) {
    const auto text = take(key);
    if (!text) return fallback;
    const auto value = parse_duration(*text);
    if (value) return *value;
    problem(key, value.problems().front().message);
    return fallback;
}

std::optional<CpuMask> GeneratorKeys::cpus(std::string_view key) {
    const auto text = take(key);
    if (!text) return std::nullopt;
    auto mask = CpuMask::parse_list(*text);
    if (mask && !mask->empty()) return std::move(mask).value();
    problem(key, mask ? "is empty" : mask.problems().front().message);
    return std::nullopt;
}

bool GeneratorKeys::has(std::string_view key) {
    m_known.push_back(key);
    return m_values.contains(key);
}

void GeneratorKeys::finish() {
    for (const auto& [key, value] : m_values) {
        const bool later = key == "version" || key == "calls";
        problem(key, later ? "is not available in this version" : "is not a key of " + m_generator + did_you_mean(key, m_known));
    }
}

std::optional<std::string> GeneratorKeys::take(std::string_view key) {
    m_known.push_back(key);
    const auto found = m_values.find(key);
    if (found == m_values.end()) return std::nullopt;
    auto text = std::move(found->second);
    m_values.erase(found);
    return text;
}

void GeneratorKeys::problem(std::string_view key, const std::string& what) {
    m_problems.push_back({m_generator + ":" + std::string(key.substr(0, 40)), what});
}

} // namespace rqscope
