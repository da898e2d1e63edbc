// SPDX-License-Identifier: GPL-3.0-or-later
#include "sched/tunables.h"

#include "base/words.h"

#include <algorithm>
#include <bit>

namespace rqscope {

namespace {

constexpr TunableInfo kTunables[] = {
#define TUNABLE(name, group, value, min, max, scaled, summary) \
    {#name, TunableGroup::group, &Tunables::name, value, min, max, scaled, summary},
#include "sched/tunables.def"
#undef TUNABLE
};

void change_factor(Tunables& t, std::int64_t before, std::int64_t after) {
    for (const auto& info : kTunables)
        if (info.scaled) t.*info.field = t.*info.field / before * after;
}

} // namespace

std::span<const TunableInfo> all_tunables() { return kTunables; }

const TunableInfo* find_tunable(std::string_view name) {
    for (const auto& info : kTunables)
        if (info.name == name) return &info;
    return nullptr;
}

std::int64_t scaling_factor(std::int64_t mode, std::uint32_t online) {
    const auto cpus = std::clamp<std::uint32_t>(online, 1, 8);
    if (mode == 0) return 1;
    return mode == 1 ? std::bit_width(cpus) : cpus;
}

Tunables default_tunables(std::uint32_t online) {
    Tunables t;
    change_factor(t, 1, scaling_factor(t.tunable_scaling, online));
    return t;
}

void rescale(Tunables& t, std::uint32_t before, std::uint32_t after) {
    change_factor(t, scaling_factor(t.tunable_scaling, before), scaling_factor(t.tunable_scaling, after));
}

Result<TunableSetting> check_tunable(std::string_view name, std::int64_t value) {
    const auto* info = find_tunable(name);
    if (!info) {
        if (name == "base_slice_ns") return Problem{"", std::string(name) + " is not available in this version"};
        std::vector<std::string_view> known;
        for (const auto& i : kTunables) known.push_back(i.name);
        return Problem{"", "unknown tunable \"" + std::string(name.substr(0, 60)) + "\"" + did_you_mean(name, known)};
    }
    if (value < info->min || value > info->max)
        return Problem{"", std::string(name) + "=" + std::to_string(value) + " is outside " + std::to_string(info->min) + ".." + std::to_string(info->max)};
    return TunableSetting{info, value};
}

Result<TunableSetting> parse_tunable(std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) return Problem{"", "\"" + std::string(text.substr(0, 60)) + "\" is not TUNABLE=VALUE"};
    const auto value = parse_integer(text.substr(equals + 1));
    if (!value) return Problem{"", "\"" + std::string(text.substr(0, 60)) + "\": the value is not a whole number"};
    return check_tunable(text.substr(0, equals), *value);
}

void apply(Tunables& t, const TunableSetting& s, std::uint32_t online) {
    if (s.tunable->field == &Tunables::tunable_scaling) {
        change_factor(t, scaling_factor(t.tunable_scaling, online), scaling_factor(s.value, online));
        t.tunable_scaling = s.value;
        return;
    }
    t.*s.tunable->field = s.value;
    if (s.tunable->field == &Tunables::latency_ns || s.tunable->field == &Tunables::min_granularity_ns)
        t.nr_latency = (t.latency_ns + t.min_granularity_ns - 1) / t.min_granularity_ns;
}

} // namespace rqscope
