// SPDX-License-Identifier: GPL-3.0-or-later
// Bounded JSON parsing and checked field access. Depth is counted before parsing, because a document of opening brackets
// costs far more memory than its own size; keys per object are limited, because their look-up is linear.
#include "base/json_fields.h"

#include "base/words.h"

#include <algorithm>
#include <set>

namespace rqscope {

namespace {

// Raised inside the parser's callback to stop it; caught in parse_json().
struct Stop {
    std::string message;
};

std::size_t depth_of(std::string_view text) {
    std::size_t depth = 0;
    std::size_t deepest = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            else if (c == '"') quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            deepest = std::max(deepest, ++depth);
        } else if ((c == '}' || c == ']') && depth > 0) {
            --depth;
        }
    }
    return deepest;
}

std::string printable(std::string_view text, std::size_t most) {
    std::string out;
    for (const char c : text.substr(0, most)) out += c >= ' ' && c <= '~' ? c : '?';
    return text.size() > most ? out + "..." : out;
}

class DuplicateWatch {
public:
    bool operator()(int, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) m_open.emplace_back();
        if (event == Json::parse_event_t::object_end && !m_open.empty()) m_open.pop_back();
        if (event == Json::parse_event_t::key && !m_open.empty()) {
            const auto& key = parsed.get_ref<const std::string&>();
            if (!m_open.back().insert(key).second) throw Stop{"key \"" + printable(key, 60) + "\" appears twice in one object."};
            if (m_open.back().size() > kMaxKeys) throw Stop{"an object has more than " + std::to_string(kMaxKeys) + " keys."};
        }
        return true;
    }

private:
    std::vector<std::set<std::string>> m_open;
};

} // namespace

Result<Json> parse_json(std::string_view text, const JsonBounds& bounds) {
    if (text.size() > bounds.bytes)
        return Problem{"", "is longer than " + std::to_string(bounds.bytes >> 20U) + " MiB."};
    if (depth_of(text) > bounds.depth)
        return Problem{"", "is nested deeper than " + std::to_string(bounds.depth) + " brackets."};
    try {
        DuplicateWatch watch;
        return Json::parse(text, [&watch](int d, Json::parse_event_t e, Json& p) { return watch(d, e, p); });
    } catch (const Stop& stop) {
        return Problem{"", stop.message};
    } catch (const Json::exception& e) {
        std::string_view what = e.what();
        if (const auto end = what.find("] "); end != std::string_view::npos) what.remove_prefix(end + 2);
        return Problem{"", "is not JSON: " + printable(what, 200)};
    } catch (const std::bad_alloc&) {
        return Problem{"", "needs more memory than there is."};
    }
}

Problems ProblemList::take(std::string_view origin) {
    if (m_more > 0) m_problems.push_back({"", "and " + std::to_string(m_more) + " more problems."});
    for (auto& p : m_problems) {
        if (origin.empty()) continue;
        p.where = p.where.empty() ? std::string(origin) : std::string(origin) + ": " + p.where;
    }
    return std::move(m_problems);
}

std::string describe(const Json& value) {
    if (value.is_string()) return '"' + printable(value.get_ref<const std::string&>(), 60) + '"';
    if (value.is_array()) return "a list";
    if (value.is_object()) return "an object";
    return printable(value.dump(), 60);
}

JsonObject::JsonObject(const Json& value, std::string path, ProblemList& problems, const std::vector<std::string_view>& known)
    : m_value(value), m_path(std::move(path)), m_problems(problems) {
    if (!value.is_object()) {
        problems.add(m_path, describe(value) + " stands where an object { } is expected.");
        return;
    }
    for (const auto& [key, ignored] : value.items()) {
        if (key.starts_with("x-") || std::find(known.begin(), known.end(), key) != known.end()) continue;
        problems.add(path_of(printable(key, 60)), "unknown key" + did_you_mean(key, known));
    }
}

std::string JsonObject::path_of(std::string_view key) const {
    return m_path.empty() ? std::string(key) : m_path + '.' + std::string(key);
}

const Json* JsonObject::find(std::string_view key) const {
    if (!m_value.is_object()) return nullptr;
    const auto it = m_value.find(std::string(key));
    return it == m_value.end() ? nullptr : &*it;
}

const Json* JsonObject::require(std::string_view key) const {
    const auto* value = find(key);
    if (value == nullptr && m_value.is_object()) bad(key, "is missing.");
    return value;
}

std::optional<std::string> JsonObject::text(std::string_view key) const {
    const auto* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (value->is_string()) return value->get<std::string>();
    bad(key, describe(*value) + " stands where text is expected.");
    return std::nullopt;
}

std::optional<std::int64_t> JsonObject::integer(std::string_view key, std::int64_t lo, std::int64_t hi) const {
    const auto* value = find(key);
    return value == nullptr ? std::nullopt : read_integer(*value, path_of(key), lo, hi, m_problems);
}

std::optional<CpuMask> JsonObject::cpus(std::string_view key) const {
    const auto* value = find(key);
    return value == nullptr ? std::nullopt : read_cpus(*value, path_of(key), m_problems);
}

const Json* JsonObject::array(std::string_view key) const {
    const auto* value = find(key);
    if (value == nullptr || value->is_array()) return value;
    bad(key, describe(*value) + " stands where a list [ ] is expected.");
    return nullptr;
}

std::optional<std::int64_t> read_integer(const Json& value, const std::string& path, std::int64_t lo, std::int64_t hi,
                                         ProblemList& problems) {
    const bool too_big = value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
    if (value.is_number_integer() && !too_big) {
        const auto number = value.get<std::int64_t>();
        if (number >= lo && number <= hi) return number;
    } else if (!value.is_number_integer()) {
        problems.add(path, describe(value) + " is not a whole number.");
        return std::nullopt;
    }
    problems.add(path, describe(value) + " is outside " + std::to_string(lo) + ".." + std::to_string(hi) + ".");
    return std::nullopt;
}

std::optional<CpuMask> read_cpus(const Json& value, const std::string& path, ProblemList& problems) {
    if (!value.is_string()) {
        problems.add(path, describe(value) + " stands where a CPU list like \"0-3,8\" is expected.");
        return std::nullopt;
    }
    auto mask = CpuMask::parse_list(value.get_ref<const std::string&>());
    if (mask) return std::move(mask).value();
    problems.add(path, printable(mask.problems().front().message, 200));
    return std::nullopt;
}

} // namespace rqscope
