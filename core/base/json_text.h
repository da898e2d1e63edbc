// SPDX-License-Identifier: GPL-3.0-or-later
// Writes JSON as text, keys in the order they are given, so that equal runs give equal bytes. Only writing: readers are
// elsewhere and use a library. Numbers that are not integers come in as finished text, because core computes no reals.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rqscope {

// "abc" with quotes; control characters, quotes and backslashes escaped. The text is taken for UTF-8 and passed on.
[[nodiscard]] std::string json_quote(std::string_view text);

class JsonText {
public:
    // Inline: everything inside stands on one line. Lines: one member per line, two blanks deeper.
    enum class Layout : std::uint8_t { Lines, Inline };

    JsonText& begin_object(Layout layout = Layout::Lines) { return open('{', layout); }
    JsonText& end_object() { return close('}'); }
    JsonText& begin_array(Layout layout = Layout::Inline) { return open('[', layout); }
    JsonText& end_array() { return close(']'); }
    JsonText& key(std::string_view name);

    JsonText& value(std::string_view text) { return raw(json_quote(text)); }
    JsonText& value(const char* text) { return value(std::string_view(text)); }
    JsonText& value(std::uint64_t number) { return raw(std::to_string(number)); }
    JsonText& value(std::int64_t number) { return raw(std::to_string(number)); }
    JsonText& value(std::uint32_t number) { return raw(std::to_string(number)); }
    JsonText& value(bool flag) { return raw(flag ? "true" : "false"); }
    JsonText& raw(std::string_view literal); // a finished JSON value

    template <class T>
    JsonText& member(std::string_view name, const T& v) {
        return key(name).value(v);
    }

    [[nodiscard]] const std::string& text() const { return m_out; }

private:
    struct Level {
        Layout layout;
        bool empty = true;
    };
    JsonText& open(char bracket, Layout layout);
    JsonText& close(char bracket);
    void separate(); // comma and line break before the next member or element
    void new_line(std::size_t depth);

    std::string m_out;
    std::vector<Level> m_levels;
    bool m_after_key = false;
};

} // namespace rqscope
