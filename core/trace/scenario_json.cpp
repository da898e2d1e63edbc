// SPDX-License-Identifier: GPL-3.0-or-later
// Reads rqscope-scenario/1. Keys that later versions bring (hotplug, spawned tasks, constructed queues) are refused by
// name, so that a scenario never runs as something else than it says.
#include "trace/scenario_json.h"

#include "base/json_fields.h"
#include "base/words.h"
#include "topology/machine_json.h"

#include <algorithm>

namespace rqscope {

namespace {

namespace fs = std::filesystem;

constexpr JsonBounds kBounds{8U << 20U, 64};
constexpr std::size_t kMaxActions = 10'000;

class Reader {
public:
    Reader(std::string_view origin, fs::path beside, const MachineDirs& dirs) : m_origin(origin), m_beside(std::move(beside)), m_dirs(dirs) {}

    Result<Scenario> read(std::string_view text) {
        const auto json = parse_json(text, kBounds);
        if (!json) {
            for (const auto& p : json.problems()) m_problems.add(p.where, p.message);
            return m_problems.take(m_origin);
        }
        return read_value(*json);
    }

    Result<Scenario> read_value(const Json& json) {
        const JsonObject root(json, "", m_problems,
                              {"schema", "name", "machine", "workload", "era", "features", "set", "seed", "until", "jitter", "start_clock", "initial", "actions", "notes", "view"});
        if (root.is_object()) read_root(root);
        if (!m_problems.empty()) return m_problems.take(m_origin);
        return std::move(m_s);
    }

private:
    void adopt(const std::string& path, const Problems& problems) {
        for (const auto& p : problems) m_problems.add(p.where.empty() ? path : path + ": " + p.where, p.message);
    }

    void read_root(const JsonObject& root) {
        if (root.text("schema") != "rqscope-scenario/1") root.bad("schema", "must be \"rqscope-scenario/1\".");
        m_s.name = root.text("name").value_or("");
        read_era(root);
        const bool machine_read = read_machine(root);
        if (machine_read) read_workload(root);
        read_features(root);
        read_tunables(root);
        if (const auto* seed = root.find("seed")) {
            if (seed->is_number_unsigned()) m_s.seed = seed->get<std::uint64_t>();
            else root.bad("seed", "must be a whole number from 0.");
        }
        m_s.until = read_time(root, "until");
        m_s.jitter = read_time(root, "jitter").value_or(Duration{0});
        m_s.start_clock = read_time(root, "start_clock").value_or(m_s.start_clock);
        if (const auto* initial = root.find("initial")) read_initial(*initial);
        read_actions(root);
        if (const auto* notes = root.array("notes")) read_notes(root, *notes);
        if (const auto* view = root.find("view")) m_s.view_json = view->dump();
    }

    void read_notes(const JsonObject& root, const Json& notes) {
        for (const auto& note : notes) {
            if (note.is_string()) m_s.notes.push_back(note.get<std::string>());
            else root.bad("notes", "must be a list of texts.");
        }
    }

    void read_era(const JsonObject& root) {
        const auto key = root.text("era");
        if (!key) return;
        const auto era = find_era(*key);
        if (era) {
            m_s.era = *era;
            return;
        }
        std::vector<std::string_view> known;
        for (const auto& info : all_eras()) known.push_back(info.key);
        root.bad("era", "unknown era \"" + key->substr(0, 40) + "\"" + did_you_mean(*key, known));
    }

    bool read_machine(const JsonObject& root) {
        const auto* machine = root.require("machine");
        if (!machine) return false;
        auto found = machine->is_string() ? find_machine(machine->get<std::string>(), m_beside, m_dirs)
                                          : load_machine_json(machine->dump(), "");
        if (!found) {
            adopt("machine", found.problems());
            return false;
        }
        if (machine->is_string()) m_s.machine_ref = machine->get<std::string>();
        m_s.machine = std::move(found).value();
        return true;
    }

    void read_workload(const JsonObject& root) {
        const auto* workload = root.require("workload");
        if (!workload) return;
        auto found = workload->is_string() ? find_workload(workload->get<std::string>(), m_beside, m_s.machine)
                                           : read_workload_json(workload->dump(), "");
        if (!found) {
            adopt("workload", found.problems());
            return;
        }
        m_s.workload = std::move(found).value();
        if (!workload->is_string()) m_s.workload_json = workload->dump();
    }

    void read_features(const JsonObject& root) {
        const auto* features = root.array("features");
        if (!features) return;
        std::size_t i = 0;
        for (const auto& f : *features) {
            const auto path = "features[" + std::to_string(i++) + "]";
            if (const auto setting = feature(path, f)) m_s.features.push_back(*setting);
        }
    }

    std::optional<FeatureSetting> feature(const std::string& path, const Json& value) {
        if (!value.is_string()) {
            m_problems.add(path, describe(value) + " is not a feature. Write \"NO_ORDER_IDLE\".");
            return std::nullopt;
        }
        const auto setting = parse_feature(value.get<std::string>(), m_s.era);
        if (setting) return *setting;
        adopt(path, setting.problems());
        return std::nullopt;
    }

    std::vector<TunableSetting> tunables(const std::string& path, const Json& value) {
        std::vector<TunableSetting> out;
        if (!value.is_object()) {
            m_problems.add(path, "must be an object of tunables and whole numbers.");
            return out;
        }
        for (const auto& [name, number] : value.items()) {
            if (!number.is_number_integer()) {
                m_problems.add(path + "." + name, describe(number) + " is not a whole number.");
                continue;
            }
            const auto setting = check_tunable(name, number.get<std::int64_t>());
            if (setting) out.push_back(*setting);
            else adopt(path, setting.problems());
        }
        return out;
    }

    void read_tunables(const JsonObject& root) {
        if (const auto* set = root.find("set")) m_s.tunables = tunables("set", *set);
    }

    std::optional<Duration> read_time(const JsonObject& o, std::string_view key) {
        const auto text = o.text(key);
        if (!text) return std::nullopt;
        const auto time = parse_duration(*text);
        if (time) return *time;
        o.bad(key, time.problems().front().message);
        return std::nullopt;
    }

    void read_initial(const Json& value) {
        const JsonObject initial(value, "initial", m_problems, {"cpus", "llcs", "queues"});
        if (!initial.is_object()) return;
        if (const auto* list = initial.array("queues"); list && !list->empty()) initial.bad("queues", "is not available in this version.");
        if (const auto* cpus = initial.array("cpus")) read_initial_cpus(*cpus);
        if (const auto* llcs = initial.array("llcs")) read_initial_llcs(*llcs);
    }

    void read_initial_llcs(const Json& list) {
        std::size_t i = 0;
        for (const auto& item : list) {
            const JsonObject l(item, "initial.llcs[" + std::to_string(i++) + "]", m_problems, {"llc", "nr_idle_scan", "has_idle_cores"});
            if (!l.is_object() || !l.require("llc")) continue;
            InitialLlc init;
            init.llc = LlcId{static_cast<std::uint32_t>(l.integer("llc", 0, kMaxCpus - 1).value_or(0))};
            if (const auto n = l.integer("nr_idle_scan", 0, kMaxCpus)) init.nr_idle_scan = static_cast<std::uint32_t>(*n);
            if (const auto on = l.integer("has_idle_cores", 0, 1)) init.has_idle_cores = *on != 0;
            m_s.initial_llcs.push_back(init);
        }
    }

    void read_initial_cpus(const Json& list) {
        std::size_t i = 0;
        for (const auto& item : list) {
            const JsonObject c(item, "initial.cpus[" + std::to_string(i++) + "]", m_problems, {"cpu", "idle_stamp", "avg_idle"});
            if (!c.is_object()) continue;
            InitialCpu init;
            if (!c.require("cpu")) continue;
            init.cpu = CpuId{static_cast<std::uint32_t>(c.integer("cpu", 0, kMaxCpus - 1).value_or(0))};
            if (const auto* stamp = c.find("idle_stamp"); stamp && *stamp == "newest") init.idle_stamp_newest = true;
            else if (const auto ns = c.integer("idle_stamp", 0, 1'000'000'000'000'000)) init.idle_stamp = static_cast<RqClock>(*ns);
            if (const auto ns = c.integer("avg_idle", 0, 1'000'000'000)) init.avg_idle = static_cast<std::uint64_t>(*ns);
            m_s.initial.push_back(init);
        }
    }

    void read_actions(const JsonObject& root) {
        const auto* actions = root.array("actions");
        if (!actions) return;
        if (actions->size() > kMaxActions) {
            root.bad("actions", "has more than " + std::to_string(kMaxActions) + " entries.");
            return;
        }
        std::size_t i = 0;
        for (const auto& item : *actions) {
            const auto path = "actions[" + std::to_string(i++) + "]";
            const JsonObject a(item, path, m_problems, {"at", "feature", "set", "offline", "online", "spawn"});
            if (!a.is_object() || !a.require("at")) continue;
            const SimTime at{read_time(a, "at").value_or(Duration{0})};
            for (const auto* key : {"offline", "online", "spawn"})
                if (a.find(key)) a.bad(key, "is not available in this version.");
            if (!a.find("feature") && !a.find("set")) m_problems.add(path, "does nothing; give it a feature or a set.");
            if (const auto* f = a.find("feature"))
                if (const auto setting = feature(path + ".feature", *f)) m_s.actions.push_back({at, *setting});
            if (const auto* set = a.find("set"))
                for (const auto& t : tunables(path + ".set", *set)) m_s.actions.push_back({at, t});
        }
        std::stable_sort(m_s.actions.begin(), m_s.actions.end(), [](const Input& x, const Input& y) { return x.at < y.at; });
    }

    std::string m_origin;
    fs::path m_beside;
    const MachineDirs& m_dirs;
    Scenario m_s;
    ProblemList m_problems;
};

} // namespace

std::string to_string(const Input& input) {
    if (const auto* f = std::get_if<FeatureSetting>(&input.change)) return to_string(*f);
    const auto& t = std::get<TunableSetting>(input.change);
    return std::string(t.tunable->name) + "=" + std::to_string(t.value);
}

Result<Scenario> read_scenario(std::string_view text, std::string_view origin, const fs::path& beside, const MachineDirs& dirs) {
    return Reader(origin, beside, dirs).read(text);
}

Result<Scenario> read_scenario_file(const fs::path& path, const MachineDirs& dirs) {
    const auto text = read_text_file(path, kBounds.bytes);
    if (!text) return text.problems();
    return read_scenario(*text, path.string(), path.parent_path(), dirs);
}

std::string write_scenario(const Scenario& s, MachineForm form) {
    Json j;
    j["schema"] = "rqscope-scenario/1";
    if (!s.name.empty()) j["name"] = s.name;
    if (form == MachineForm::Reference && !s.machine_ref.empty()) j["machine"] = s.machine_ref;
    else j["machine"] = Json::parse(save_machine_json(s.machine));
    if (s.workload_json.empty()) j["workload"] = s.workload.spec;
    else j["workload"] = Json::parse(s.workload_json);
    j["era"] = era_info(s.era).key;
    auto& features = j["features"] = Json::array();
    for (const auto& f : s.features) features.push_back(to_string(f));
    auto& set = j["set"] = Json::object();
    for (const auto& t : s.tunables) set[std::string(t.tunable->name)] = t.value;
    j["seed"] = s.seed;
    if (s.until) j["until"] = format_duration(*s.until);
    if (s.jitter.count() > 0) j["jitter"] = format_duration(s.jitter);
    j["start_clock"] = format_duration(s.start_clock);
    if (!s.initial.empty()) {
        auto& cpus = j["initial"]["cpus"] = Json::array();
        for (const auto& init : s.initial) {
            Json c{{"cpu", init.cpu.value}};
            if (init.idle_stamp_newest) c["idle_stamp"] = "newest";
            else if (init.idle_stamp) c["idle_stamp"] = *init.idle_stamp;
            if (init.avg_idle) c["avg_idle"] = *init.avg_idle;
            cpus.push_back(std::move(c));
        }
    }
    for (const auto& init : s.initial_llcs) {
        Json l{{"llc", init.llc.value}};
        if (init.nr_idle_scan) l["nr_idle_scan"] = *init.nr_idle_scan;
        if (init.has_idle_cores) l["has_idle_cores"] = *init.has_idle_cores ? 1 : 0;
        j["initial"]["llcs"].push_back(std::move(l));
    }
    auto& actions = j["actions"] = Json::array();
    for (const auto& a : s.actions) {
        Json action{{"at", format_duration(a.at.time_since_epoch())}};
        if (const auto* f = std::get_if<FeatureSetting>(&a.change)) action["feature"] = to_string(*f);
        else {
            const auto& t = std::get<TunableSetting>(a.change);
            action["set"] = Json{{std::string(t.tunable->name), t.value}};
        }
        actions.push_back(std::move(action));
    }
    if (!s.notes.empty()) j["notes"] = s.notes;
    if (s.view_json != "{}") j["view"] = Json::parse(s.view_json, nullptr, false);
    return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace rqscope
