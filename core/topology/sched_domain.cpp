// SPDX-License-Identifier: GPL-3.0-or-later
// Questions asked of finished domain trees: the level two CPUs have in common, flag names in the era's own words
// (kernel: include/linux/sched/sd_flags.h, the flag list of /proc/sys/kernel/sched_domain).
#include "topology/sched_domain.h"

#include <array>

namespace rqscope {

const SchedDomain* SchedDomains::common(CpuId a, CpuId b) const {
    for (const auto* d = lowest(a); d != nullptr; d = parent(*d))
        if (d->span.test(b)) return d;
    return nullptr;
}

std::vector<std::string> flag_names(SdFlags flags, DomainProfile profile) {
    static constexpr std::array<std::array<std::string_view, 3>, 16> kNames{{
#define SD_FLAG(id, old, middle, recent) {old, middle, recent},
#include "topology/sd_flags.def"
#undef SD_FLAG
    }};
    std::vector<std::string> out;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        const auto name = kNames[i][static_cast<std::size_t>(profile)];
        if ((flags >> i & 1U) != 0 && !name.empty()) out.emplace_back(name);
    }
    return out;
}

} // namespace rqscope
