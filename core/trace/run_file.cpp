// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/run_file.h"

#include "base/json_fields.h"
#include "base/words.h"
#include "sim/sim_state.h"
#include "trace/scenario_json.h"

#include <charconv>

namespace rqscope {

namespace {

constexpr JsonBounds kBounds{16U << 20U, 66};

std::optional<std::uint64_t> parse_hash(const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (ec != std::errc{} || text.size() != 16 || end != text.data() + 16) return std::nullopt;
    return value;
}

std::optional<RecordedInput> read_input(const Json& item, const std::string& path, Era era, ProblemList& problems) {
    const JsonObject o(item, path, problems, {"steps", "at_ns", "feature", "set"});
    if (!o.is_object()) return std::nullopt;
    RecordedInput in;
    in.steps = static_cast<std::uint64_t>(o.integer("steps", 0, INT64_MAX).value_or(0));
    in.input.at = from_ns(o.integer("at_ns", 0, INT64_MAX).value_or(0));
    if (const auto text = o.text("feature")) {
        const auto f = parse_feature(*text, era);
        if (f) in.input.change = *f;
        else o.bad("feature", f.problems().front().message);
    } else if (const auto set = o.text("set")) {
        const auto t = parse_tunable(*set);
        if (t) in.input.change = *t;
        else o.bad("set", t.problems().front().message);
    } else {
        problems.add(path, "must have a feature or a set.");
    }
    return in;
}

void read_inputs(const JsonObject& root, RunFile& file, ProblemList& problems) {
    const auto* inputs = root.array("inputs");
    if (!inputs) return;
    std::size_t i = 0;
    std::uint64_t before = 0;
    for (const auto& item : *inputs) {
        const auto path = "inputs[" + std::to_string(i++) + "]";
        const auto in = read_input(item, path, file.scenario.era, problems);
        if (!in) continue;
        if (in->steps < before) problems.add(path + ".steps", "must not be smaller than the one before.");
        before = in->steps;
        file.inputs.push_back(*in);
    }
}

} // namespace

bool looks_like_run_file(std::string_view text) { return text.substr(0, 200).find("\"rqscope-run/1\"") != std::string_view::npos; }

Result<RunFile> read_run(std::string_view text, std::string_view origin) {
    ProblemList problems;
    const auto json = parse_json(text, kBounds);
    if (!json) {
        for (const auto& p : json.problems()) problems.add(p.where, p.message);
        return problems.take(origin);
    }
    const JsonObject root(*json, "", problems, {"schema", "scenario", "inputs", "steps", "rows", "cursor", "finished", "state_hash"});
    if (!root.is_object()) return problems.take(origin);
    RunFile file;
    if (root.text("schema") != "rqscope-run/1") root.bad("schema", "must be \"rqscope-run/1\".");
    if (const auto* scenario = root.require("scenario")) {
        auto s = read_scenario(scenario->dump(), "", {}, {});
        if (s) file.scenario = std::move(s).value();
        else
            for (const auto& p : s.problems()) problems.add("scenario." + p.where, p.message);
    }
    read_inputs(root, file, problems);
    file.steps = static_cast<std::uint64_t>(root.integer("steps", 0, INT64_MAX).value_or(0));
    file.rows = static_cast<std::uint32_t>(root.integer("rows", 0, UINT32_MAX).value_or(0));
    file.cursor = static_cast<std::uint32_t>(root.integer("cursor", 0, UINT32_MAX).value_or(file.rows));
    if (const auto* finished = root.find("finished"); finished && finished->is_boolean()) file.finished = finished->get<bool>();
    const auto hash = parse_hash(root.text("state_hash").value_or(""));
    if (hash) file.state_hash = *hash;
    else root.bad("state_hash", "must be 16 hexadecimal digits.");
    if (!problems.empty()) return problems.take(origin);
    return file;
}

std::string write_run(const History& history) {
    const auto& end = history.frontier_state();
    Json j;
    j["schema"] = "rqscope-run/1";
    j["scenario"] = Json::parse(write_scenario(history.scenario(), MachineForm::Inline));
    auto& inputs = j["inputs"] = Json::array();
    for (const auto& in : history.user_inputs()) {
        Json o{{"steps", in.steps}, {"at_ns", to_ns(in.input.at)}};
        o[std::holds_alternative<FeatureSetting>(in.input.change) ? "feature" : "set"] = to_string(in.input);
        inputs.push_back(std::move(o));
    }
    j["steps"] = end.steps;
    j["rows"] = end.rows;
    j["cursor"] = history.cursor();
    j["finished"] = end.finished;
    j["state_hash"] = hex_text(state_hash(end));
    return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<History> replay_run(const RunFile& file) {
    auto history = History::create(file.scenario, file.inputs);
    if (!history) return history;
    history.value().advance_steps(file.steps);
    if (file.finished) history.value().run_to_end();
    return history;
}

std::optional<std::string> verify_run(const RunFile& file, const History& replayed) {
    const auto& end = replayed.frontier_state();
    if (end.rows != file.rows)
        return "the replay has " + std::to_string(end.rows) + " events, the file says " + std::to_string(file.rows);
    if (end.steps != file.steps || end.finished != file.finished)
        return "the replay took " + std::to_string(end.steps) + " steps" + (end.finished ? " to its end" : "") + ", the file says " + std::to_string(file.steps) + (file.finished ? " to its end" : "");
    const auto hash = state_hash(end);
    if (hash != file.state_hash) return "the replay's state hash is " + hex_text(hash) + ", the file says " + hex_text(file.state_hash);
    return std::nullopt;
}

} // namespace rqscope
