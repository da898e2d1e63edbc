// SPDX-License-Identifier: GPL-3.0-or-later
// Reads load-tracking sequences and plays them on update47() and update61(). A row of a step is delta_ns, weight,
// runnable, running; the clock starts at the initial last_update_time. Differences name the column.
#include "conformance/pelt_vectors.h"

#include "conformance/json_compare.h"
#include "load/pelt.h"
#include "load/pelt61.h"

#include <nlohmann/json.hpp>

#include <string>
#include <type_traits>

namespace rqscope {

namespace {

using nlohmann::json;

struct Step {
    std::int64_t delta; // ns, negative when the clock went back
    std::uint64_t weight;
    std::uint64_t runnable; // number of runnable tasks; entity: 0 or 1
    bool running;
};

Step step_of(const json& row) {
    return {row.at(0).get<std::int64_t>(), row.at(1).get<std::uint64_t>(), row.at(2).get<std::uint64_t>(), row.at(3).get<int>() != 0};
}

template <class Avg>
void load_common(const json& initial, Avg& a) {
    a.last_update_time = initial.at("last_update_time").get<RqClock>();
    a.period_contrib = initial.at("period_contrib").get<std::uint32_t>();
    a.load_sum = initial.at("load_sum").get<std::uint64_t>();
    a.util_sum = initial.at("util_sum").get<std::uint32_t>();
    a.load_avg = initial.at("load_avg").get<Load>();
    a.util_avg = initial.at("util_avg").get<Util>();
}

template <class Avg>
json report_common(const Avg& a, bool decayed) {
    return {{"last_update_time", a.last_update_time},
            {"period_contrib", a.period_contrib},
            {"load_sum", a.load_sum},
            {"util_sum", a.util_sum},
            {"load_avg", a.load_avg},
            {"util_avg", a.util_avg},
            {"runnable_load_sum", 0},
            {"runnable_load_avg", 0},
            {"decayed", decayed ? 1 : 0}};
}

class Entity47 {
public:
    explicit Entity47(const json& sequence)
        : m_freq(sequence.value("scale_freq", kCapacityScale)), m_cap(sequence.value("scale_cpu", kCapacityScale)) {
        load_common(sequence.at("initial"), m_avg);
    }
    json update(RqClock now, const Step& s) {
        const bool decayed = update47(m_avg, now, s.runnable != 0 ? s.weight : 0, s.running, m_freq, m_cap);
        return report_common(m_avg, decayed);
    }

private:
    EntityAvg m_avg;
    std::uint32_t m_freq, m_cap;
};

class Queue47 {
public:
    explicit Queue47(const json& sequence)
        : m_freq(sequence.value("scale_freq", kCapacityScale)), m_cap(sequence.value("scale_cpu", kCapacityScale)) {
        const auto& initial = sequence.at("initial");
        load_common(initial, m_avg);
        m_avg.runnable_load_sum = initial.at("runnable_load_sum").get<std::uint64_t>();
        m_avg.runnable_load_avg = initial.at("runnable_load_avg").get<Load>();
    }
    json update(RqClock now, const Step& s) {
        const bool decayed = update47(m_avg, now, s.weight, s.running, m_freq, m_cap);
        auto report = report_common(m_avg, decayed);
        report["runnable_load_sum"] = m_avg.runnable_load_sum;
        report["runnable_load_avg"] = m_avg.runnable_load_avg;
        return report;
    }

private:
    CfsAvg m_avg;
    std::uint32_t m_freq, m_cap;
};

template <class Avg>
class Model61 {
public:
    explicit Model61(const json& sequence) {
        const auto& initial = sequence.at("initial");
        load_common(initial, m_avg);
        m_avg.runnable_sum = initial.at("runnable_sum").get<std::uint64_t>();
        m_avg.runnable_avg = initial.at("runnable_avg").get<Load>();
    }
    json update(RqClock now, const Step& s) {
        const auto activity = std::is_same_v<Avg, CfsAvg> ? queue_activity(s.weight, s.runnable, s.running)
                                                          : entity_activity(s.weight, s.runnable, s.running);
        const bool decayed = update61(m_avg, now, activity);
        auto report = report_common(m_avg, decayed);
        report["runnable_sum"] = m_avg.runnable_sum;
        report["runnable_avg"] = m_avg.runnable_avg;
        return report;
    }

private:
    Avg m_avg;
};

json expected_row(const json& columns, const json& values) {
    json row = json::object();
    for (std::size_t i = 0; i < columns.size(); ++i) row[columns.at(i).get<std::string>()] = values.at(i);
    return row;
}

template <class Model>
void play(Model&& model, const json& sequence, Differences& differences) {
    auto now = sequence.at("initial").at("last_update_time").get<RqClock>();
    const auto& steps = sequence.at("steps");
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step step = step_of(steps.at(i));
        now += static_cast<RqClock>(step.delta);
        const auto expected = expected_row(sequence.at("out_columns"), sequence.at("after").at(i));
        differences.compare(expected, model.update(now, step), "step " + std::to_string(i));
    }
}

CaseResult run_case(const json& sequence) {
    CaseResult result;
    result.name = sequence.at("name").get<std::string>();
    const auto model = sequence.at("model").get<std::string>();
    const bool queue = sequence.at("kind").get<std::string>() == "cfs_rq";
    Differences differences;
    try {
        if (model == "6.1" && queue)
            play(Model61<CfsAvg>(sequence), sequence, differences);
        else if (model == "6.1")
            play(Model61<EntityAvg>(sequence), sequence, differences);
        else if (model == "4.7" && queue)
            play(Queue47(sequence), sequence, differences);
        else if (model == "4.7")
            play(Entity47(sequence), sequence, differences);
        else {
            result.not_run = true;
            result.differences.push_back("unknown model " + model);
            return result;
        }
    } catch (const json::exception& e) {
        differences.add(e.what());
    }
    result.passed = differences.empty();
    result.differences = differences.take();
    return result;
}

} // namespace

Result<ConformanceReport> run_pelt_vectors(std::string_view json_text) {
    const auto file = json::parse(json_text, nullptr, false);
    if (file.is_discarded()) return Problem{"", "not a JSON file"};
    try {
        ConformanceReport report;
        for (const auto& sequence : file.at("sequences")) report.cases.push_back(run_case(sequence));
        return report;
    } catch (const json::exception& e) {
        return Problem{"sequences", std::string("not a file of load-tracking sequences: ") + e.what()};
    }
}

} // namespace rqscope
