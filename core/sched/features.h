// SPDX-License-Identifier: GPL-3.0-or-later
// The toggles (kernel: sched_feat(X), /sys/kernel/debug/sched/features). features.def is the only list; enum, parser,
// era presets, check boxes and tests all come from it.
#pragma once

#include "base/result.h"
#include "sched/eras.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rqscope {

enum class Feature : std::uint8_t {
#define FEATURE(name, ...) name,
#include "sched/features.def"
#undef FEATURE
};

inline constexpr std::size_t kFeatureCount = 0
#define FEATURE(...) +1
#include "sched/features.def"
#undef FEATURE
    ;

enum class FeatureGroup : std::uint8_t { ForkPlacement, WakePlacement, RunQueue, Balancing, LoadTracking };

struct FeatureInfo {
    Feature feature;
    std::string_view name; // kernel spelling, upper case
    FeatureGroup group;
    std::string_view choices; // space separated values of a choice, "" for a switch
    std::string_view columns; // one character per era, blanks removed by readable()/default_value()
    std::string_view summary; // one sentence of at most 12 words
};

// Value of a feature: 0 = off, 1 = on (a choice: its first value), n = the n-th value of a choice.
using FeatureValue = std::uint8_t;

[[nodiscard]] std::span<const FeatureInfo> all_features();
[[nodiscard]] const FeatureInfo& feature_info(Feature f);
[[nodiscard]] std::string_view name_of(FeatureGroup g); // "Fork placement", as shown
[[nodiscard]] bool readable(Feature f, Era era);
[[nodiscard]] FeatureValue default_value(Feature f, Era era);
// Number of values above 0: 1 for a switch, the number of choices otherwise.
[[nodiscard]] FeatureValue value_count(Feature f);

// One toggle as people type it.
struct FeatureSetting {
    Feature feature;
    FeatureValue value;
    bool operator==(const FeatureSetting&) const = default;
};

// "ORDER_IDLE", "NO_ORDER_IDLE", "FORK_LOAD_AVG=RFC". A bare choice NAME means the era's usual value, else the first.
// An unknown name is a problem with a suggestion.
[[nodiscard]] Result<FeatureSetting> parse_feature(std::string_view text, Era era);
// The reverse: "NO_ORDER_IDLE", "FORK_LOAD_AVG=RFC" (a choice that is on always names its value).
[[nodiscard]] std::string to_string(FeatureSetting s);

class FeatureSet {
public:
    FeatureSet() = default;
    explicit FeatureSet(Era era); // the era's defaults

    [[nodiscard]] bool has(Feature f) const { return m_values[static_cast<std::size_t>(f)] != 0; }
    [[nodiscard]] FeatureValue value(Feature f) const { return m_values[static_cast<std::size_t>(f)]; }
    void set(FeatureSetting s) { m_values[static_cast<std::size_t>(s.feature)] = s.value; }
    bool operator==(const FeatureSet&) const = default;

private:
    std::array<FeatureValue, kFeatureCount> m_values{};
};

} // namespace rqscope
