// SPDX-License-Identifier: GPL-3.0-or-later
// Every line is one JSON object of fixed keys; numbers are held to the ranges that the machine allows.
#include "conformance/decision_record.h"

#include "base/json_fields.h"

#include <algorithm>
#include <limits>

namespace rqscope {

namespace {

// Ample for two numbers of each of kMaxCpus CPUs and the other fields.
constexpr JsonBounds kLineBounds{1U << 20U, 4};
constexpr std::int64_t kMaxTimeUs = 1LL << 50U; // 35 years
constexpr std::int64_t kMaxPid = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMaxTasks = 1 << 22; // pid_max's own limit

const std::vector<std::string_view> kKeys = {"t_us",      "kind", "pid",    "comm", "waker_cpu",
                                             "waker_pid", "prev", "chosen", "nr",   "idle_us"};

class RecordReader {
public:
    RecordReader(const Json& json, const std::string& where, const CpuMask& cpus, ProblemList& problems)
        : m_object(json, where, problems, kKeys), m_cpus(cpus), m_problems(problems) {}

    void read(Decision& d) {
        if (!m_object.is_object()) return;
        for (const auto key : kKeys) m_object.require(key);
        d.t_us = m_object.integer("t_us", 0, kMaxTimeUs).value_or(0);
        if (const auto kind = m_object.text("kind")) {
            if (*kind != "fork" && *kind != "wake") m_object.bad("kind", "is \"" + *kind + "\", expected fork or wake");
            d.kind = *kind == "fork" ? DecisionKind::Fork : DecisionKind::Wake;
        }
        d.comm = m_object.text("comm").value_or("");
        d.pid = pid("pid", 1);
        d.waker_pid = pid("waker_pid", 0);
        d.waker_cpu = cpu("waker_cpu");
        d.prev = cpu("prev");
        d.chosen = cpu("chosen");
        for (const auto n : list("nr", 0, kMaxTasks)) d.nr.push_back(static_cast<std::uint32_t>(n));
        d.idle_us = list("idle_us", -1, d.t_us + 1);
        for (std::uint32_t c = 0; c < d.idle_us.size(); ++c)
            if (d.idle_us[c] >= 0 && m_cpus.test(CpuId{c})) d.idle.set(CpuId{c});
    }

private:
    std::uint32_t pid(std::string_view key, std::int64_t least) {
        return static_cast<std::uint32_t>(m_object.integer(key, least, kMaxPid).value_or(0));
    }
    CpuId cpu(std::string_view key) {
        const auto number = m_object.integer(key, 0, kMaxCpus - 1);
        const CpuId id{static_cast<std::uint32_t>(number.value_or(0))};
        if (number && !m_cpus.test(id))
            m_object.bad(key, "is " + std::to_string(*number) + ", the machine has CPUs " + m_cpus.to_list());
        return id;
    }
    std::vector<std::int64_t> list(std::string_view key, std::int64_t least, std::int64_t most) {
        const auto* values = m_object.array(key);
        if (values == nullptr) return {};
        const std::size_t wanted = m_cpus.last() ? m_cpus.last()->index() + 1 : 0;
        if (values->size() != wanted) {
            m_object.bad(key, "has " + std::to_string(values->size()) + " values, the machine has " +
                                  std::to_string(wanted) + " CPUs");
            return {};
        }
        std::vector<std::int64_t> out;
        for (std::size_t i = 0; i < wanted; ++i)
            out.push_back(
                read_integer((*values)[i], m_object.path_of(key) + "[" + std::to_string(i) + "]", least, most, m_problems)
                    .value_or(0));
        return out;
    }

    JsonObject m_object;
    const CpuMask& m_cpus;
    ProblemList& m_problems;
};

Problems read_line(std::string_view text, std::uint64_t line, const CpuMask& cpus, Decision& d) {
    const auto where = "line " + std::to_string(line);
    const auto json = parse_json(text, kLineBounds);
    if (!json) {
        auto problems = json.problems();
        for (auto& p : problems) p.where = where; // the parser's own line is always 1
        return problems;
    }
    ProblemList problems;
    d.line = line;
    RecordReader(*json, where, cpus, problems).read(d);
    return problems.empty() ? Problems{} : problems.take("");
}

// Cuts the next line off `text`, without its end.
std::string_view next_line(std::string_view& text) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

} // namespace

bool is_decision_text(std::string_view text) {
    const auto json = parse_json(next_line(text), kLineBounds);
    return json && json->is_object() && json->contains("waker_cpu") && json->contains("chosen") && json->contains("idle_us");
}

Problems for_each_decision(std::string_view text, const CpuMask& cpus, const std::function<void(const Decision&)>& visit) {
    if (text.empty()) return {{"", "holds no record"}};
    for (std::uint64_t line = 1; !text.empty(); ++line) {
        Decision d;
        if (auto problems = read_line(next_line(text), line, cpus, d); !problems.empty()) return problems;
        visit(d);
    }
    return {};
}

} // namespace rqscope
