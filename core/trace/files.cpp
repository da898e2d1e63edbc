// SPDX-License-Identifier: GPL-3.0-or-later
// Files on disk for the loaders: whole reads with a bound, whole writes through a rename, and the look-up of machines and
// workloads by path or name.
#include "base/words.h"
#include "topology/machine_json.h"
#include "trace/scenario_json.h"

#include <algorithm>
#include <fstream>
#include <set>

namespace rqscope {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxWorkloadBytes = 4U << 20U;
constexpr std::size_t kReadStep = 1U << 18U;

std::vector<std::string_view> cost_names() {
    std::vector<std::string_view> names;
    for (const auto& t : all_tunables())
        if (t.group == TunableGroup::Cost) names.push_back(t.name);
    return names;
}

std::optional<fs::path> existing(const fs::path& path) {
    std::error_code ec;
    if (fs::exists(path, ec)) return path;
    return std::nullopt;
}

std::optional<fs::path> find_machine_path(std::string_view reference, const fs::path& beside, const MachineDirs& dirs) {
    const fs::path given(reference);
    if (given.is_absolute()) return existing(given);
    if (auto p = existing(beside / given)) return p;
    for (const auto& dir : dirs)
        for (const auto& name : {given.filename().string(), given.filename().string() + ".json"})
            if (auto p = existing(dir / name); p && !fs::is_directory(*p)) return p;
    return std::nullopt;
}

} // namespace

Result<std::string> read_text_file(const fs::path& path, std::size_t limit) {
    std::error_code ec;
    if (!fs::exists(path, ec)) return Problem{path.string(), "no such file"};
    if (fs::is_directory(path, ec)) return Problem{path.string(), "is a folder, a file was expected"};
    if (!fs::is_regular_file(path, ec)) return Problem{path.string(), "is not a regular file"}; // a pipe would wait for ever
    std::ifstream in(path, std::ios::binary);
    if (!in) return Problem{path.string(), "cannot be read"};
    std::string text;
    for (std::size_t got = 0; in && text.size() <= limit; text.resize(got)) { // in pieces: most files are far below the limit
        text.resize(std::min(limit + 1, got + kReadStep));
        in.read(text.data() + got, static_cast<std::streamsize>(text.size() - got));
        got += static_cast<std::size_t>(in.gcount());
    }
    if (text.size() > limit) return Problem{path.string(), "is larger than " + std::to_string(limit >> 20U) + " MiB"};
    return text;
}

std::optional<Problem> write_text_file(const fs::path& path, std::string_view text) {
    auto beside = path;
    beside += ".part";
    std::error_code ec;
    if (fs::exists(path, ec) && !fs::is_regular_file(path, ec)) return Problem{path.string(), "is not a regular file"};
    {
        std::ofstream out(beside, std::ios::binary | std::ios::trunc);
        out.write(text.data(), static_cast<std::streamsize>(text.size()));
        out.flush();
        if (!out) {
            fs::remove(beside, ec);
            return Problem{path.string(), "cannot be written"};
        }
    }
    fs::rename(beside, path, ec);
    if (!ec) return std::nullopt;
    const auto reason = ec.message();
    fs::remove(beside, ec);
    return Problem{path.string(), "cannot be written: " + reason};
}

Result<Machine> find_machine(std::string_view reference, const fs::path& beside, const MachineDirs& dirs) {
    if (const auto path = find_machine_path(reference, beside, dirs)) {
        const auto known = cost_names();
        return load_machine_file(*path, known);
    }
    std::set<std::string> ids;
    for (const auto& dir : dirs) {
        std::error_code ec;
        for (const auto& entry : fs::directory_iterator(dir, ec)) ids.insert(entry.path().stem().string());
    }
    const std::vector<std::string_view> known(ids.begin(), ids.end());
    return Problem{std::string(reference), "no such machine" + did_you_mean(fs::path(reference).stem().string(), known)};
}

Result<Workload> find_workload(std::string_view spec, const fs::path& beside, const Machine& machine) {
    const fs::path given(spec);
    const auto path = existing(given.is_absolute() ? given : beside / given);
    if (!path || looks_like_generator(spec)) {
        return generate_workload(spec, {.online_cpus = machine.online.count()});
    }
    const auto text = read_text_file(*path, kMaxWorkloadBytes);
    if (!text) return text.problems();
    auto workload = read_workload_json(*text, path->string());
    if (workload) workload.value().spec = spec;
    return workload;
}

} // namespace rqscope
