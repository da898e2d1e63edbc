// SPDX-License-Identifier: GPL-3.0-or-later
// Outcome of reading something that people wrote: a value, or every problem found. Nothing half-loaded leaves a reader.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rqscope {

// `where` is a path into the input ("tasks.parent.program[3]", "line 12"), `message` says what is wrong and what was expected.
struct Problem {
    std::string where;
    std::string message;
    bool operator==(const Problem&) const = default;
};

using Problems = std::vector<Problem>;

template <class T>
class Result {
public:
    Result(T value) : m_value(std::move(value)) {}            // NOLINT(google-explicit-constructor)
    Result(Problems problems) : m_problems(std::move(problems)) {} // NOLINT(google-explicit-constructor)
    Result(Problem problem) : m_problems{std::move(problem)} {}    // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool ok() const { return m_value.has_value(); }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const T& value() const& { return *m_value; }
    [[nodiscard]] T& value() & { return *m_value; }
    [[nodiscard]] T&& value() && { return *std::move(m_value); }
    const T* operator->() const { return &*m_value; }
    const T& operator*() const { return *m_value; }
    [[nodiscard]] const Problems& problems() const { return m_problems; }

private:
    std::optional<T> m_value;
    Problems m_problems;
};

} // namespace rqscope
