// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernel is simulated. An era picks one profile per subsystem; the code of a subsystem switches on its profile and
// never on the era itself. Source: engine.md 6.
#pragma once

#include "topology/build_domains.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace rqscope {

enum class Era : std::uint8_t {
#define ERA(id, ...) id,
#include "sched/eras.def"
#undef ERA
};

enum class PlacementProfile : std::uint8_t { E48, E48_RFC, WIP16, E49, E412, E419, E61, CLU7, E612 };
enum class RunQueueProfile : std::uint8_t { V4_7, V6_5, EEVDF_SERIES, V6_6, V6_12 };
enum class LoadProfile : std::uint8_t { L4_7, L4_8, L6_1 };
enum class BalanceProfile : std::uint8_t { V4_7, V5_19, V6_12 };

struct EraInfo {
    Era era;
    std::string_view key; // as typed on the command line
    PlacementProfile placement;
    RunQueueProfile run_queue;
    LoadProfile load;
    DomainProfile domains;
    BalanceProfile balance;
    bool available;              // simulated by this version; otherwise only listed
    std::string_view spellings;  // space separated; accepted by `conformance` only
    std::string_view borrows;    // one sentence for `rqsim eras` and the kernel menu
};

[[nodiscard]] std::span<const EraInfo> all_eras(); // in enum order
[[nodiscard]] const EraInfo& era_info(Era era);
// Unpublished work known from mails only; to be labelled so wherever it is shown.
[[nodiscard]] inline bool is_reconstruction(const EraInfo& info) { return info.placement == PlacementProfile::WIP16; }
// How the era's domains differ from those of its profile.
[[nodiscard]] DomainOptions domain_options(Era era);
[[nodiscard]] std::optional<Era> find_era(std::string_view key);
[[nodiscard]] std::optional<Era> find_era_spelling(std::string_view spelling);
inline constexpr std::size_t kEraCount = 0
#define ERA(...) +1
#include "sched/eras.def"
#undef ERA
    ;

// Two fields of era_info(), for code that asks several times per event.
namespace detail {
inline constexpr LoadProfile kLoadProfiles[] = {
#define ERA(id, key, placement, rq, load, ...) LoadProfile::load,
#include "sched/eras.def"
#undef ERA
};
inline constexpr RunQueueProfile kRunQueueProfiles[] = {
#define ERA(id, key, placement, rq, ...) RunQueueProfile::rq,
#include "sched/eras.def"
#undef ERA
};
} // namespace detail
[[nodiscard]] constexpr LoadProfile load_profile(Era era) { return detail::kLoadProfiles[static_cast<std::size_t>(era)]; }
[[nodiscard]] constexpr RunQueueProfile run_queue_profile(Era era) {
    return detail::kRunQueueProfiles[static_cast<std::size_t>(era)];
}

[[nodiscard]] std::string_view name_of(PlacementProfile p);
[[nodiscard]] std::string_view name_of(RunQueueProfile p);
[[nodiscard]] std::string_view name_of(LoadProfile p);
[[nodiscard]] std::string_view name_of(BalanceProfile p);

} // namespace rqscope
