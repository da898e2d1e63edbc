// SPDX-License-Identifier: GPL-3.0-or-later
// Strict reading of JSON objects for machine, workload and scenario files: bounded parsing, unknown keys with a suggestion, types and ranges
// checked, every problem collected with its path. For the readers of core only; no exception leaves it.
#pragma once

#include "base/cpu_mask.h"
#include "base/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rqscope {

using Json = nlohmann::ordered_json; // keeps the key order of free text parts

inline constexpr std::size_t kMaxProblems = 100;  // later ones are counted only
inline constexpr std::size_t kMaxKeys = 1000;     // per object; ordered_json looks keys up one by one

struct JsonBounds {
    std::size_t bytes;
    std::size_t depth; // brackets open at once
};

// Syntax, size, depth and duplicate keys. The problem names line and column.
[[nodiscard]] Result<Json> parse_json(std::string_view text, const JsonBounds& bounds);

// Problems of one file, paths relative to it.
class ProblemList {
public:
    void add(std::string where, std::string message) {
        if (m_problems.size() < kMaxProblems) m_problems.push_back({std::move(where), std::move(message)});
        else ++m_more;
    }
    [[nodiscard]] bool empty() const { return m_problems.empty(); }
    // Prefixes each path with the origin and ends with a count of those left out.
    [[nodiscard]] Problems take(std::string_view origin);

private:
    Problems m_problems;
    std::size_t m_more = 0;
};

// One object and its path. Reports unknown keys when built; keys that begin with x- are ignored.
class JsonObject {
public:
    JsonObject(const Json& value, std::string path, ProblemList& problems, const std::vector<std::string_view>& known);

    [[nodiscard]] bool is_object() const { return m_value.is_object(); }
    [[nodiscard]] std::string path_of(std::string_view key) const;
    [[nodiscard]] const Json* find(std::string_view key) const;    // nullptr = absent
    const Json* require(std::string_view key) const;               // absent is a problem

    // Absent gives nothing; a wrong type or range gives nothing and a problem.
    [[nodiscard]] std::optional<std::string> text(std::string_view key) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key, std::int64_t lo, std::int64_t hi) const;
    [[nodiscard]] std::optional<CpuMask> cpus(std::string_view key) const;
    [[nodiscard]] const Json* array(std::string_view key) const;

    void bad(std::string_view key, std::string message) const { m_problems.add(path_of(key), std::move(message)); }

private:
    const Json& m_value;
    std::string m_path;
    ProblemList& m_problems;
};

// The same checks for a bare value.
[[nodiscard]] std::optional<std::int64_t> read_integer(const Json& value, const std::string& path, std::int64_t lo,
                                                       std::int64_t hi, ProblemList& problems);
[[nodiscard]] std::optional<CpuMask> read_cpus(const Json& value, const std::string& path, ProblemList& problems);

[[nodiscard]] std::string describe(const Json& value); // "a number", "text \"abc\"", for messages

} // namespace rqscope
