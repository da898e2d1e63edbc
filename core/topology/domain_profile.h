// SPDX-License-Identifier: GPL-3.0-or-later
// The three generations of domain building that are distinguished (topology.md, "Supported eras").
#pragma once

#include <cstdint>
#include <string_view>

namespace rqscope {

enum class DomainProfile : std::uint8_t { V4_7, V5_19, V6_12 };

[[nodiscard]] constexpr std::string_view name_of(DomainProfile p) {
    return p == DomainProfile::V4_7 ? "4.7" : p == DomainProfile::V5_19 ? "5.19" : "6.12";
}

} // namespace rqscope
