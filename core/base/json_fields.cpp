// SPDX-License-Identifier: GPL-3.0-or-later
// Bounded JSON parsing and checked field access. Depth is checked before anything is built, because a document of opening
// brackets costs far more memory than its own size; keys per object are limited, because their look-up is linear.
#include "base/json_fields.h"

#include "base/words.h"

#include <algorithm>
#include <set>

namespace rqscope {

namespace {

std::string printable(std::string_view text, std::size_t most) {
    std::string out;
    for (const char c : text.substr(0, most)) out += c >= ' ' && c <= '~' ? c : '?';
    return text.size() > most ? out + "..." : out;
}

// First pass over the text, which builds nothing: depth, keys per object, keys that appear twice. (The parser's own callback
// would do, but it walks the whole enclosing list after every object.) Syntax errors are left to the second pass.
class BoundsCheck final : public nlohmann::json_sax<Json> {
public:
    explicit BoundsCheck(std::size_t depth) : m_depth(depth) {}
    [[nodiscard]] const std::string& message() const { return m_message; }

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return open(); }
    bool start_array(std::size_t) override { return open(); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& key) override {
        auto& seen = m_open.back();
        if (!seen.insert(key).second) return stop("key \"" + printable(key, 60) + "\" appears twice in one object.");
        return seen.size() <= kMaxKeys || stop("an object has more than " + std::to_string(kMaxKeys) + " keys.");
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

private:
    bool open() {
        m_open.emplace_back();
        return m_open.size() <= m_depth || stop("is nested deeper than " + std::to_string(m_depth) + " brackets.");
    }
    bool close() {
        m_open.pop_back();
        return true;
    }
    bool stop(std::string message) {
        m_message = std::move(message);
        return false;
    }

    std::size_t m_depth;
    std::vector<std::set<std::string>> m_open; // keys seen, per open bracket
    std::string m_message;
};

} // namespace

Result<Json> parse_json(std::string_view text, const JsonBounds& bounds) {
    if (text.size() > bounds.bytes)
        return Problem{"", "is longer than " + std::to_string(bounds.bytes >> 20U) + " MiB."};
    try {
        BoundsCheck check(bounds.depth);
        if (!Json::sax_parse(text, &check) && !check.message().empty()) return Problem{"", check.message()};
        return Json::parse(text);
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
