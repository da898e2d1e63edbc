// SPDX-License-Identifier: GPL-3.0-or-later
// Compares an expected JSON value with an actual one: every field and every element that is expected must be there and be
// equal; fields that are only on the actual side are not looked at, additional array elements are. Keeps the first few
// differences in words. Included by conformance readers only.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace rqscope {

class Differences {
public:
    void add(std::string text) {
        if (m_texts.size() < kKept) m_texts.push_back(std::move(text));
        m_any = true;
    }

    void compare(const nlohmann::json& expected, const nlohmann::json& actual, const std::string& where) {
        if (expected.is_object() && actual.is_object()) {
            for (const auto& [key, value] : expected.items()) {
                const auto found = actual.find(key);
                if (found == actual.end())
                    add(where + "." + key + ": not reported");
                else
                    compare(value, *found, where + "." + key);
            }
            return;
        }
        if (expected.is_array() && actual.is_array() && expected.size() == actual.size()) {
            for (std::size_t i = 0; i < expected.size(); ++i)
                compare(expected[i], actual[i], where + "[" + std::to_string(i) + "]");
            return;
        }
        if (expected != actual) add(where + ": expected " + expected.dump() + ", got " + actual.dump());
    }

    [[nodiscard]] bool empty() const { return !m_any; }
    [[nodiscard]] std::vector<std::string> take() { return std::move(m_texts); }

private:
    static constexpr std::size_t kKept = 8;
    std::vector<std::string> m_texts;
    bool m_any = false;
};

} // namespace rqscope
