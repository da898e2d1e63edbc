// SPDX-License-Identifier: GPL-3.0-or-later
#include "sched/features.h"

#include "base/words.h"

#include <vector>

namespace rqscope {

namespace {

constexpr std::array<FeatureInfo, kFeatureCount> kFeatures{{
#define FEATURE(name, group, choices, columns, summary) \
    {Feature::name, #name, FeatureGroup::group, choices, columns, summary},
#include "sched/features.def"
#undef FEATURE
}};

// Toggles of kernels and subsystems that later versions bring.
constexpr std::string_view kLater[] = {
    "FAIR_SLEEPERS", "ALT_PERIOD", "EEVDF", "PLACE_LAG", "PLACE_DEADLINE_INITIAL", "RUN_TO_PARITY",
    "PLACE_REL_DEADLINE", "DELAY_DEQUEUE", "DELAY_ZERO", "PREEMPT_SHORT", "PICK_BUDDY", "NOHZ", "ATTACH_AGE_LOAD"};

constexpr std::size_t column_count(std::string_view columns) {
    std::size_t n = 0;
    for (const char c : columns) n += c != ' ' ? 1 : 0;
    return n;
}

constexpr bool all_columns_present() {
    for (const auto& f : kFeatures)
        if (column_count(f.columns) != kEraCount) return false;
    return true;
}
static_assert(all_columns_present(), "features.def: one column per era");

char column(Feature f, Era era) {
    auto index = static_cast<std::size_t>(era);
    for (const char c : feature_info(f).columns) {
        if (c == ' ') continue;
        if (index-- == 0) return c;
    }
    return '.';
}

} // namespace

std::span<const FeatureInfo> all_features() { return kFeatures; }

const FeatureInfo& feature_info(Feature f) { return kFeatures[static_cast<std::size_t>(f)]; }

std::string_view name_of(FeatureGroup g) {
    static constexpr std::string_view kNames[] = {"Fork placement", "Wake-up placement", "Run queue", "Load balancing", "Load tracking"};
    return kNames[static_cast<std::size_t>(g)];
}

bool readable(Feature f, Era era) { return column(f, era) != '.'; }

FeatureValue default_value(Feature f, Era era) {
    const char c = column(f, era);
    return c == '.' ? FeatureValue{0} : static_cast<FeatureValue>(c - '0');
}

FeatureValue value_count(Feature f) {
    const auto n = split_words(feature_info(f).choices).size();
    return static_cast<FeatureValue>(n == 0 ? 1 : n);
}

Result<FeatureSetting> parse_feature(std::string_view text, Era era) {
    const auto equals = text.find('=');
    auto name = text.substr(0, equals);
    std::vector<std::string_view> known;
    for (const auto& info : kFeatures) {
        known.push_back(info.name);
        const bool negated = name.starts_with("NO_") && name.substr(3) == info.name;
        if (!negated && name != info.name) continue;
        if (negated && equals != std::string_view::npos)
            return Problem{"", "\"" + std::string(text) + "\": NO_ takes no value. Write NO_" + std::string(info.name) + "."};
        if (negated) return FeatureSetting{info.feature, 0};
        if (equals == std::string_view::npos) {
            const auto usual = default_value(info.feature, era);
            return FeatureSetting{info.feature, usual ? usual : FeatureValue{1}};
        }
        const auto wanted = text.substr(equals + 1);
        const auto choices = split_words(info.choices);
        for (std::size_t i = 0; i < choices.size(); ++i)
            if (choices[i] == wanted) return FeatureSetting{info.feature, static_cast<FeatureValue>(i + 1)};
        return Problem{"", "\"" + std::string(wanted) + "\" is not a value of " + std::string(info.name) +
                               (choices.empty() ? ", which is a plain switch." : ". Values: " + std::string(info.choices) + ".")};
    }
    if (name.starts_with("NO_")) name.remove_prefix(3);
    for (const auto later : kLater)
        if (name == later) return Problem{"", std::string(name) + " is not available in this version"};
    return Problem{"", "unknown feature \"" + std::string(name.substr(0, 60)) + "\"" + did_you_mean(name, known)};
}

std::string to_string(FeatureSetting s) {
    const auto& info = feature_info(s.feature);
    if (s.value == 0) return "NO_" + std::string(info.name);
    if (info.choices.empty()) return std::string(info.name);
    return std::string(info.name) + "=" + std::string(split_words(info.choices)[s.value - 1U]);
}

FeatureSet::FeatureSet(Era era) {
    for (const auto& info : kFeatures) set({info.feature, default_value(info.feature, era)});
}

} // namespace rqscope
