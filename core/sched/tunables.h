// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of tunables.def as a plain struct, their table, and the kernel's scaling by CPU count (sched_init_granularity,
// update_sysctl; runqueue.md 2.3). Values are effective ones, as the kernel file shows them.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace rqscope {

enum class TunableGroup : std::uint8_t { Scheduler, Cost };

struct Tunables {
#define TUNABLE(name, group, value, ...) std::int64_t name = value;
#include "sched/tunables.def"
#undef TUNABLE
    // ceil(latency / min_granularity), recomputed only when one of the two is written (not by rescaling).
    std::int64_t nr_latency = 8;
    bool operator==(const Tunables&) const = default;
};

struct TunableInfo {
    std::string_view name;
    TunableGroup group;
    std::int64_t Tunables::* field;
    std::int64_t normal; // default before scaling
    std::int64_t min, max;
    bool scaled;
    std::string_view summary;
};

[[nodiscard]] std::span<const TunableInfo> all_tunables();
[[nodiscard]] const TunableInfo* find_tunable(std::string_view name); // nullptr when unknown

// Factor for `online` CPUs: mode 0 -> 1, 1 -> 1 + floor(log2(min(online, 8))), 2 -> min(online, 8).
[[nodiscard]] std::int64_t scaling_factor(std::int64_t mode, std::uint32_t online);

// Defaults of a machine with `online` CPUs, log scaling.
[[nodiscard]] Tunables default_tunables(std::uint32_t online);
// The CPU count changed from `before` to `after`: scaled values keep their normalised value.
void rescale(Tunables& t, std::uint32_t before, std::uint32_t after);

struct TunableSetting {
    const TunableInfo* tunable;
    std::int64_t value;
    bool operator==(const TunableSetting&) const = default;
};
// "latency_ns=3000000"; unknown name, no number and out of range are problems.
[[nodiscard]] Result<TunableSetting> parse_tunable(std::string_view text);
[[nodiscard]] Result<TunableSetting> check_tunable(std::string_view name, std::int64_t value);
// Writes one value the way the kernel file does: nr_latency follows latency and min_granularity; tunable_scaling rescales.
void apply(Tunables& t, const TunableSetting& s, std::uint32_t online);

} // namespace rqscope
