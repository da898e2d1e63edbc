// SPDX-License-Identifier: GPL-3.0-or-later
// Reads rqscope-workload/1: channels and tasks with programs in the vocabulary of workloads.md 0. A task that others fork
// exists at time 0 only when it states a count. Every problem is reported with its path.
#include "base/json_fields.h"
#include "base/words.h"
#include "workload/workload.h"

#include <algorithm>
#include <map>

namespace rqscope {

namespace {

constexpr JsonBounds kBounds{4U << 20U, 64};
constexpr std::size_t kMaxOps = 100'000;
constexpr std::int64_t kMaxCount = 100'000;

struct OpForm {
    OpKind kind;
    std::string_view arguments; // t time, n count, c channel, k task, b bytes, p program
    std::string_view example;
};

const std::map<std::string, OpForm, std::less<>>& op_forms() {
    static const std::map<std::string, OpForm, std::less<>> kForms = {
        {"run", {OpKind::Run, "t", R"(["run", "200us"])"}},
        {"sleep", {OpKind::Sleep, "t", R"(["sleep", "1ms"])"}},
        {"timer", {OpKind::Timer, "t", R"(["timer", "10ms"])"}},
        {"fork", {OpKind::Fork, "k", R"(["fork", "child"])"}},
        {"thread", {OpKind::Thread, "k", R"(["thread", "worker"])"}},
        {"exec", {OpKind::Exec, "", R"(["exec"])"}},
        {"send", {OpKind::Send, "cb", R"(["send", "c1", 100])"}},
        {"recv", {OpKind::Recv, "cb", R"(["recv", "c1", 100])"}},
        {"poll", {OpKind::Poll, "c", R"(["poll", "c1"])"}},
        {"wake", {OpKind::Wake, "c", R"(["wake", "flag"])"}},
        {"wait", {OpKind::Wait, "c", R"(["wait", "flag"])"}},
        {"barrier", {OpKind::Barrier, "cn", R"(["barrier", "all", 4])"}},
        {"reap", {OpKind::Reap, "n", R"(["reap", 4])"}},
        {"block", {OpKind::Block, "", R"(["block"])"}},
        {"exit", {OpKind::Exit, "", R"(["exit"])"}},
        {"loop", {OpKind::LoopBegin, "np", R"(["loop", -1, [ ... ]])"}},
    };
    return kForms;
}

class Reader {
public:
    explicit Reader(std::string_view origin) : m_origin(origin) {}

    Result<Workload> read(std::string_view text) {
        auto json = parse_json(text, kBounds);
        if (!json) {
            for (const auto& p : json.problems()) m_problems.add(p.where, p.message);
            return m_problems.take(m_origin);
        }
        const JsonObject root(*json, "", m_problems, {"schema", "channels", "groups", "tasks"});
        if (root.is_object()) read_root(root);
        if (!m_problems.empty()) return m_problems.take(m_origin);
        m_w.spec = m_origin;
        return std::move(m_w);
    }

private:
    void read_root(const JsonObject& root) {
        if (const auto schema = root.text("schema"); schema != "rqscope-workload/1")
            root.bad("schema", "must be \"rqscope-workload/1\".");
        if (const auto* groups = root.find("groups"); groups && !(groups->is_object() && groups->empty()))
            root.bad("groups", "task groups are not available in this version; write {}.");
        if (const auto* channels = root.find("channels")) read_channels(*channels);
        const auto* tasks = root.require("tasks");
        if (!tasks) return;
        if (!tasks->is_object() || tasks->empty()) {
            root.bad("tasks", "must be an object with at least one task.");
            return;
        }
        for (const auto& [name, value] : tasks->items()) {
            m_task_index.emplace(name, static_cast<std::uint32_t>(m_task_index.size()));
            m_w.templates.emplace_back().role = name;
        }
        m_counts.assign(m_w.templates.size(), std::nullopt);
        m_forked.assign(m_w.templates.size(), false);
        m_start.assign(m_w.templates.size(), {});
        for (const auto& [name, value] : tasks->items()) read_task(name, value);
        place_tasks();
    }

    void read_channels(const Json& channels) {
        if (!channels.is_object()) {
            m_problems.add("channels", "must be an object.");
            return;
        }
        static const std::map<std::string, ChannelKind, std::less<>> kKinds = {
            {"pipe", ChannelKind::Pipe}, {"unix", ChannelKind::Unix}, {"tcp", ChannelKind::Tcp}, {"futex", ChannelKind::Futex}, {"barrier", ChannelKind::Barrier}};
        for (const auto& [name, value] : channels.items()) {
            const JsonObject c(value, "channels." + name, m_problems, {"kind"});
            const auto kind = c.is_object() ? c.text("kind") : std::nullopt;
            const auto found = kind ? kKinds.find(*kind) : kKinds.end();
            if (found == kKinds.end()) {
                if (c.is_object()) c.bad("kind", "must be one of pipe unix tcp futex barrier.");
                continue;
            }
            m_channel_index.emplace(name, static_cast<std::uint32_t>(m_w.channels.size()));
            m_w.channels.push_back({name, found->second});
        }
    }

    void read_task(const std::string& name, const Json& value) {
        const auto path = "tasks." + name;
        const JsonObject t(value, path, m_problems, {"cpu", "nice", "policy", "count", "weight", "cpus", "comm", "jitter", "program"});
        if (!t.is_object()) return;
        const auto index = m_task_index.at(name);
        auto& task = m_w.templates[index];
        task.comm = t.text("comm").value_or(name);
        task.nice = static_cast<std::int8_t>(t.integer("nice", -20, 19).value_or(0));
        if (const auto policy = t.text("policy")) {
            if (*policy == "batch") task.policy = 3;
            else if (*policy == "idle") task.policy = 5;
            else if (*policy != "normal") t.bad("policy", "must be one of normal batch idle.");
        }
        if (const auto weight = t.integer("weight", 2, 88761)) task.weight = static_cast<std::uint32_t>(*weight);
        task.cpus = t.cpus("cpus");
        if (task.cpus && task.cpus->empty()) t.bad("cpus", "is empty; a task must be allowed on some CPU.");
        if (const auto jitter = t.text("jitter")) task.jitter = read_time(path + ".jitter", *jitter);
        if (const auto count = t.integer("count", 0, kMaxCount)) m_counts[index] = static_cast<std::uint32_t>(*count);
        if (const auto cpu = t.integer("cpu", 0, kMaxCpus - 1)) m_start[index] = {CpuId{static_cast<std::uint32_t>(*cpu)}, true};
        else if (task.cpus && task.cpus->first()) m_start[index].cpu = *task.cpus->first();
        const auto* program = t.require("program");
        if (!program) return;
        read_program(path + ".program", *program, task.program, 0);
        task.program.push_back({OpKind::Exit, 0, 0, 0});
    }

    // True when the body spends time or may block, so that repeating it makes progress.
    bool read_program(const std::string& path, const Json& value, std::vector<Op>& out, std::size_t depth) {
        if (!value.is_array()) {
            m_problems.add(path, describe(value) + " stands where a list of steps is expected.");
            return true;
        }
        bool progress = false;
        std::size_t i = 0;
        for (const auto& step : value) {
            if (out.size() > kMaxOps) {
                m_problems.add(path, "has more than " + std::to_string(kMaxOps) + " steps.");
                return true;
            }
            progress |= read_step(path + "[" + std::to_string(i++) + "]", step, out, depth);
        }
        return progress;
    }

    bool read_step(const std::string& path, const Json& step, std::vector<Op>& out, std::size_t depth) {
        const auto* name = step.is_array() && !step.empty() && step[0].is_string() ? step[0].get_ptr<const std::string*>() : nullptr;
        if (!name) {
            m_problems.add(path, "must be a list that begins with a step name, like [\"run\", \"200us\"].");
            return true;
        }
        const auto found = op_forms().find(*name);
        if (found == op_forms().end()) {
            std::vector<std::string_view> known;
            for (const auto& [key, form] : op_forms()) known.push_back(key);
            m_problems.add(path, "unknown step " + describe(step[0]) + did_you_mean(*name, known));
            return true;
        }
        const auto& form = found->second;
        if (step.size() != form.arguments.size() + 1) {
            m_problems.add(path, "takes " + std::to_string(form.arguments.size()) + " arguments. Write " + std::string(form.example) + ".");
            return true;
        }
        if (form.kind == OpKind::LoopBegin) return read_loop(path, step, out, depth);
        Op op{form.kind, 0, 0, 0};
        for (std::size_t a = 0; a < form.arguments.size(); ++a)
            read_argument(path + "[" + std::to_string(a + 1) + "]", step[a + 1], form.arguments[a], op);
        out.push_back(op);
        // Polling what is readable takes no time at all, nor does an exec or an edge that is always past.
        if (op.kind == OpKind::Run || op.kind == OpKind::Timer) return op.amount > 0;
        return op.kind != OpKind::Poll && op.kind != OpKind::Exec;
    }

    bool read_loop(const std::string& path, const Json& step, std::vector<Op>& out, std::size_t depth) {
        const auto rounds = read_integer(step[1], path + "[1]", -1, 1'000'000'000, m_problems);
        if (depth >= kMaxLoopDepth) {
            m_problems.add(path, "loops may be nested " + std::to_string(kMaxLoopDepth) + " deep.");
            return true;
        }
        const auto begin = out.size();
        out.push_back({OpKind::LoopBegin, 0, rounds.value_or(0), 0});
        const bool progress = read_program(path + "[2]", step[2], out, depth + 1);
        if (!progress) m_problems.add(path, "the loop neither works nor waits; add a run or a sleep.");
        out.push_back({OpKind::LoopEnd, 0, 0, static_cast<std::uint32_t>(begin + 1)});
        out[begin].jump = static_cast<std::uint32_t>(out.size());
        if (rounds == -1) m_w.endless = true;
        return progress && rounds != 0;
    }

    void read_argument(const std::string& path, const Json& value, char form, Op& op) {
        switch (form) {
        case 't':
            if (value.is_string()) op.amount = read_time(path, value.get<std::string>()).count();
            else m_problems.add(path, describe(value) + " is not a time. Write \"200us\".");
            break;
        case 'k':
            op.target = look_up(path, value, m_task_index, "task");
            if (op.target < m_forked.size()) m_forked[op.target] = true;
            break;
        case 'c':
            op.target = look_up(path, value, m_channel_index, "channel");
            check_channel(path, op);
            break;
        case 'b':
            op.amount = read_integer(value, path, 1, kind_of(op) == ChannelKind::Pipe ? kMaxPipeMessage : kMaxMessage, m_problems).value_or(1);
            break;
        default:
            op.amount = read_integer(value, path, 1, kMaxCount, m_problems).value_or(1);
        }
    }

    [[nodiscard]] ChannelKind kind_of(const Op& op) const {
        return op.target < m_w.channels.size() ? m_w.channels[op.target].kind : ChannelKind::Tcp;
    }

    void check_channel(const std::string& path, const Op& op) {
        if (op.target >= m_w.channels.size()) return;
        const auto kind = kind_of(op);
        const bool futex = op.kind == OpKind::Wake || op.kind == OpKind::Wait;
        const bool barrier = op.kind == OpKind::Barrier;
        const bool fits = futex ? kind == ChannelKind::Futex : barrier ? kind == ChannelKind::Barrier
                                                                       : kind != ChannelKind::Futex && kind != ChannelKind::Barrier;
        if (!fits) m_problems.add(path, "the channel is of another kind than this step needs.");
    }

    std::uint32_t look_up(const std::string& path, const Json& value, const std::map<std::string, std::uint32_t, std::less<>>& index, std::string_view what) {
        if (value.is_string())
            if (const auto found = index.find(value.get_ref<const std::string&>()); found != index.end()) return found->second;
        std::vector<std::string_view> known;
        for (const auto& [key, number] : index) known.push_back(key);
        m_problems.add(path, "unknown " + std::string(what) + " " + describe(value) +
                                 (value.is_string() ? did_you_mean(value.get_ref<const std::string&>(), known) : ""));
        return ~0U;
    }

    Duration read_time(const std::string& path, const std::string& text) {
        const auto time = parse_duration(text);
        if (time) return *time;
        m_problems.add(path, time.problems().front().message);
        return Duration{1};
    }

    void place_tasks() {
        for (std::uint32_t i = 0; i < m_w.templates.size(); ++i) {
            const auto count = m_counts[i].value_or(m_forked[i] ? 0 : 1);
            m_w.templates[i].numbered = m_forked[i] || count > 1;
            if (count > 0) m_w.initial.push_back({.task_template = i, .count = count, .cpu = m_start[i].cpu, .cpu_stated = m_start[i].stated});
        }
        if (m_w.initial.empty()) m_problems.add("tasks", "no task exists at the start; give one a count.");
    }

    std::string m_origin;
    Workload m_w;
    ProblemList m_problems;
    std::map<std::string, std::uint32_t, std::less<>> m_task_index, m_channel_index;
    std::vector<std::optional<std::uint32_t>> m_counts;
    std::vector<bool> m_forked;
    struct Start {
        CpuId cpu{0};
        bool stated = false;
    };
    std::vector<Start> m_start; // by task
};

} // namespace

Result<Workload> read_workload_json(std::string_view text, std::string_view origin) { return Reader(origin).read(text); }

} // namespace rqscope
