// SPDX-License-Identifier: GPL-3.0-or-later
#include "sched/eras.h"

#include "base/words.h"

#include <algorithm>
#include <array>

namespace rqscope {

namespace {

constexpr std::array<EraInfo, kEraCount> kEras{{
#define ERA(id, key, placement, rq, load, domains, balance, available, spellings, borrows) \
    {Era::id, key, PlacementProfile::placement, RunQueueProfile::rq, LoadProfile::load, DomainProfile::domains, \
     BalanceProfile::balance, available, spellings, borrows},
#include "sched/eras.def"
#undef ERA
}};

} // namespace

std::span<const EraInfo> all_eras() { return kEras; }

const EraInfo& era_info(Era era) { return kEras[static_cast<std::size_t>(era)]; }

DomainOptions domain_options(Era era) {
    const auto placement = era_info(era).placement;
    return {.sd_busy = placement < PlacementProfile::E49,
            .node_level = placement == PlacementProfile::E419,
            .cluster = placement == PlacementProfile::CLU7};
}

std::optional<Era> find_era(std::string_view key) {
    for (const auto& info : kEras)
        if (info.key == key) return info.era;
    return std::nullopt;
}

std::optional<Era> find_era_spelling(std::string_view spelling) {
    for (const auto& info : kEras)
        if (const auto words = split_words(info.spellings); info.key == spelling || std::find(words.begin(), words.end(), spelling) != words.end()) return info.era;
    return std::nullopt;
}

std::string_view name_of(PlacementProfile p) {
    static constexpr std::string_view kNames[] = {"E48", "E48_RFC", "WIP16", "E49", "E412", "E419", "E61", "CLU7", "E612"};
    return kNames[static_cast<std::size_t>(p)];
}

std::string_view name_of(RunQueueProfile p) {
    static constexpr std::string_view kNames[] = {"v4.7.4", "v6.5", "series", "v6.6", "v6.12.117"};
    return kNames[static_cast<std::size_t>(p)];
}

std::string_view name_of(LoadProfile p) {
    static constexpr std::string_view kNames[] = {"4.7", "4.8", "6.1"};
    return kNames[static_cast<std::size_t>(p)];
}

std::string_view name_of(BalanceProfile p) {
    static constexpr std::string_view kNames[] = {"4.7", "5.19", "6.12"};
    return kNames[static_cast<std::size_t>(p)];
}

} // namespace rqscope
