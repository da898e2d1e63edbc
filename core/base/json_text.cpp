// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_text.h"

namespace rqscope {

std::string json_quote(std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (code < 0x20) {
            out += "\\u00";
            out += kHex[code >> 4U];
            out += kHex[code & 15U];
        } else {
            out += c;
        }
    }
    return out += '"';
}

JsonText& JsonText::key(std::string_view name) {
    separate();
    m_out += json_quote(name);
    m_out += ": ";
    m_after_key = true;
    return *this;
}

JsonText& JsonText::raw(std::string_view literal) {
    separate();
    m_out += literal;
    return *this;
}

JsonText& JsonText::open(char bracket, Layout layout) {
    separate();
    m_out += bracket;
    const bool inside_inline = !m_levels.empty() && m_levels.back().layout == Layout::Inline;
    m_levels.push_back({inside_inline ? Layout::Inline : layout});
    return *this;
}

JsonText& JsonText::close(char bracket) {
    const auto level = m_levels.back();
    m_levels.pop_back();
    if (level.layout == Layout::Lines && !level.empty) new_line(m_levels.size());
    m_out += bracket;
    if (m_levels.empty()) m_out += '\n';
    return *this;
}

void JsonText::separate() {
    if (m_after_key || m_levels.empty()) {
        m_after_key = false;
        return;
    }
    auto& level = m_levels.back();
    if (level.layout == Layout::Lines) {
        if (!level.empty) m_out += ',';
        new_line(m_levels.size());
    } else if (!level.empty) {
        m_out += ", ";
    }
    level.empty = false;
}

void JsonText::new_line(std::size_t depth) {
    m_out += '\n';
    m_out.append(2 * depth, ' ');
}

} // namespace rqscope
