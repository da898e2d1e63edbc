// SPDX-License-Identifier: GPL-3.0-or-later
// The programs of hackbench's three roles and its command line (workloads.md 1). Every group has two templates; a receiver
// finds its channel by its number. Left out, as there: contents, the pipe's mutex, page allocation, signals.
#include "workload/hackbench.h"

#include "base/words.h"
#include "workload/program.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace rqscope {

namespace {

constexpr std::int64_t kMaxHackbenchTasks = 100'000;
constexpr std::int64_t kMaxLoops = 1'000'000'000;

// Defaults are the real programs'.
struct Options {
    std::int64_t groups = 10;
    std::int64_t fan_out = 20;
    std::int64_t loops = 100;
    std::int64_t bytes = 100;
    bool pipe = false;
    bool threads = false;
    std::optional<CpuMask> cpus;
};

struct OptionForm {
    char letter; // 0 = none
    std::string_view name;
    enum Meaning { Groups, FanOut, Loops, Bytes, Pipe, Threads, Processes, Later } meaning;
    [[nodiscard]] bool has_value() const { return meaning <= Bytes; }
};
// rt-tests' spellings first, then those of perf bench that differ.
constexpr OptionForm kOptions[] = {
    {'g', "groups", OptionForm::Groups},     {'f', "fds", OptionForm::FanOut},       {'l', "loops", OptionForm::Loops},
    {'s', "datasize", OptionForm::Bytes},    {'p', "pipe", OptionForm::Pipe},        {'T', "threads", OptionForm::Threads},
    {'P', "process", OptionForm::Processes}, {'i', "inet", OptionForm::Later},       {'F', "fifo", OptionForm::Later},
    {0, "group", OptionForm::Groups},        {0, "nr_loops", OptionForm::Loops},     {'t', "thread", OptionForm::Threads},
};

class CommandLine {
public:
    CommandLine(std::string_view name, Problems& problems) : m_name(name), m_problems(problems) {}

    Options read(std::string_view text) {
        // "-g 4,cpus=0-3" as the other generators write it.
        std::string line(text);
        if (const auto comma = line.find(",cpus="); comma != std::string::npos) line[comma] = ' ';
        m_words = split_words(line);
        while (m_at < m_words.size()) {
            const auto word = m_words[m_at++];
            if (word == "-pipe") set(kOptions[4], word, {});
            else if (word.starts_with("--")) read_long(word);
            else if (word.size() > 1 && word.front() == '-') read_letters(word);
            else if (word.find('=') != std::string_view::npos) read_key(word);
            else read_operand(word);
        }
        check_sizes();
        return m_options;
    }

private:
    void problem(std::string_view where, const std::string& what) {
        m_problems.push_back({m_name + ":" + std::string(where.substr(0, 40)), what});
    }

    void read_long(std::string_view word) {
        const auto equals = word.find('=');
        const auto name = word.substr(2, equals == std::string_view::npos ? equals : equals - 2);
        const auto* form = std::find_if(std::begin(kOptions), std::end(kOptions), [&](const auto& o) { return o.name == name; });
        if (form == std::end(kOptions)) return unknown(word);
        if (equals == std::string_view::npos) return set(*form, word, {});
        if (!form->has_value()) return problem(word.substr(0, equals), "takes no value");
        set(*form, word.substr(0, equals), word.substr(equals + 1));
    }

    // "-g4", "-g 4", "-pT".
    void read_letters(std::string_view word) {
        for (std::size_t i = 1; i < word.size(); ++i) {
            const auto* form = std::find_if(std::begin(kOptions), std::end(kOptions), [&](const auto& o) { return o.letter == word[i]; });
            if (form == std::end(kOptions)) return unknown(word);
            const auto option = "-" + std::string(1, word[i]);
            if (form->has_value()) return set(*form, option, word.substr(i + 1));
            set(*form, option, {});
        }
    }

    void unknown(std::string_view word) {
        std::vector<std::string_view> known;
        for (const auto& o : kOptions) known.push_back(o.name);
        const auto bare = word.substr(std::min(word.find_first_not_of('-'), word.size()));
        const auto hint = did_you_mean(bare, known);
        problem(word, "is not an option of " + m_name + (hint.empty() ? "." : hint) +
                          " Options: -g GROUPS -f PAIRS -l LOOPS -s BYTES --pipe --threads --process.");
    }

    // `value` empty: the next word, for an option that takes one.
    void set(const OptionForm& form, std::string_view option, std::string_view value) {
        if (form.has_value() && value.empty()) {
            if (m_at == m_words.size()) return problem(option, "needs a whole number behind it, as in " + std::string(option) + " 4");
            value = m_words[m_at++];
        }
        switch (form.meaning) {
        case OptionForm::Groups: return number(option, value, form.meaning, m_options.groups, kMaxHackbenchTasks / 2);
        case OptionForm::FanOut: return number(option, value, form.meaning, m_options.fan_out, kMaxHackbenchTasks / 2);
        case OptionForm::Loops: return number(option, value, form.meaning, m_options.loops, kMaxLoops);
        case OptionForm::Bytes: return number(option, value, form.meaning, m_options.bytes, kMaxMessage);
        case OptionForm::Pipe: m_options.pipe = true; return;
        case OptionForm::Threads:
        case OptionForm::Processes: return set_mode(option, form.meaning == OptionForm::Threads);
        case OptionForm::Later: return problem(option, "is not available in this version");
        }
    }

    void set_mode(std::string_view option, bool threads) {
        if (m_mode_given && m_options.threads != threads) return problem(option, "contradicts the option before it: processes or threads");
        m_mode_given = true;
        m_options.threads = threads;
    }

    void number(std::string_view option, std::string_view text, OptionForm::Meaning meaning, std::int64_t& out, std::int64_t max) {
        const auto value = parse_integer(text);
        if (!value || *value < 1 || *value > max)
            return problem(option, "\"" + std::string(text.substr(0, 40)) + "\" is not a whole number in 1.." + std::to_string(max));
        if (m_given[meaning]) return problem(option, "is given twice");
        m_given[meaning] = true;
        out = *value;
    }

    void read_key(std::string_view word) {
        const auto key = word.substr(0, word.find('='));
        if (key == "version" || key == "calls") return problem(key, "is not available in this version");
        if (key != "cpus") return problem(key, "is not a key of " + m_name + did_you_mean(key, std::array<std::string_view, 1>{"cpus"}));
        auto mask = CpuMask::parse_list(word.substr(key.size() + 1));
        if (!mask || mask->empty()) return problem(key, mask ? "is empty" : mask.problems().front().message);
        m_options.cpus = std::move(mask).value();
    }

    // The old form: GROUPS [process|thread] [LOOPS].
    void read_operand(std::string_view word) {
        if (word == "process" || word == "thread") return set_mode(word, word == "thread");
        const bool first = !m_operand_seen;
        m_operand_seen = true;
        if (first) return number("GROUPS", word, OptionForm::Groups, m_options.groups, kMaxHackbenchTasks / 2);
        number("LOOPS", word, OptionForm::Loops, m_options.loops, kMaxLoops);
    }

    void check_sizes() {
        const auto tasks = 2 * m_options.groups * m_options.fan_out;
        if (tasks > kMaxHackbenchTasks)
            problem("-g", std::to_string(m_options.groups) + " groups of 2 x " + std::to_string(m_options.fan_out) + " make " +
                              std::to_string(tasks) + " tasks; at most " + std::to_string(kMaxHackbenchTasks) + " are possible");
        if (m_options.pipe && m_options.bytes > kMaxPipeMessage)
            problem("-s", std::to_string(m_options.bytes) + " bytes do not go through a pipe in one piece; at most " + std::to_string(kMaxPipeMessage));
    }

    std::string m_name;
    Problems& m_problems;
    std::vector<std::string_view> m_words;
    std::size_t m_at = 0;
    Options m_options;
    std::array<bool, OptionForm::Bytes + 1> m_given{};
    bool m_mode_given = false;
    bool m_operand_seen = false;
};

// Channels: 0 ready, 1 wake, then the data channels, group by group.
constexpr std::uint32_t kReady = 0, kWake = 1, kData = 2;

std::vector<Op> child_start() { return {op(OpKind::FirstRun), op(OpKind::Send, 1, kReady), op(OpKind::Poll, 0, kWake)}; }

TaskTemplate receiver(const Options& o, std::uint32_t group, std::uint32_t first_channel) {
    TaskTemplate t{.role = "receiver", .comm = "hackbench", .program = child_start(), .weight = {}, .cpus = o.cpus, .group = group};
    loop(t.program, o.fan_out * o.loops, {{OpKind::Recv, first_channel, o.bytes, 1}});
    t.program.push_back(op(OpKind::Exit));
    return t;
}

TaskTemplate sender(const Options& o, std::uint32_t group, std::uint32_t first_channel) {
    TaskTemplate t{.role = "sender", .comm = "hackbench", .program = child_start(), .weight = {}, .cpus = o.cpus, .group = group};
    std::vector<Op> round;
    for (std::uint32_t j = 0; j < o.fan_out; ++j) round.push_back(op(OpKind::Send, o.bytes, first_channel + j));
    loop(t.program, o.loops, round);
    t.program.push_back(op(OpKind::Exit));
    return t;
}

TaskTemplate parent(const Options& o) {
    TaskTemplate t{.role = "parent", .comm = "hackbench", .program = {}, .weight = {}, .cpus = o.cpus, .numbered = false};
    const auto birth = o.threads ? OpKind::Thread : OpKind::Fork;
    for (std::uint32_t g = 0; g < o.groups; ++g)
        for (const std::uint32_t child : {1 + 2 * g, 2 + 2 * g}) // receivers first
            loop(t.program, o.fan_out, {op(birth, 0, child), op(OpKind::ForkWork)});
    const auto children = 2 * o.groups * o.fan_out;
    loop(t.program, children, {op(OpKind::Recv, 1, kReady)});
    t.program.push_back(op(OpKind::Release));
    t.program.push_back(op(OpKind::Send, 1, kWake)); // nobody ever reads it
    t.program.push_back(op(OpKind::Reap, children));
    t.program.push_back(op(OpKind::Exit));
    return t;
}

} // namespace

Workload hackbench(std::string_view name, std::string_view text, const WorkloadContext&, Problems& problems) {
    const auto o = CommandLine(name, problems).read(text);
    if (!problems.empty()) return {};
    Workload w;
    const auto kind = o.pipe ? ChannelKind::Pipe : ChannelKind::Unix;
    w.channels = {{"ready", kind}, {"wake", kind}};
    w.templates.push_back(parent(o));
    for (std::uint32_t g = 0; g < o.groups; ++g) {
        const auto first = kData + g * static_cast<std::uint32_t>(o.fan_out);
        w.templates.push_back(receiver(o, g, first));
        w.templates.push_back(sender(o, g, first));
        for (std::int64_t i = 0; i < o.fan_out; ++i) w.channels.push_back({std::to_string(g) + "." + std::to_string(i), kind});
    }
    w.initial = {{.task_template = 0, .count = 1, .cpu = o.cpus ? o.cpus->first().value_or(CpuId{0}) : CpuId{0}}};
    w.messages = static_cast<std::uint64_t>(o.groups * o.fan_out * o.fan_out) * static_cast<std::uint64_t>(o.loops);
    return w;
}

} // namespace rqscope
