// SPDX-License-Identifier: GPL-3.0-or-later
// What people type into the clock: an absolute time (3.2ms), a step from here (+200us, -1ms) or an event number (#83).
#pragma once

#include "base/result.h"
#include "base/units.h"

#include <cstdint>
#include <string_view>
#include <variant>

namespace rqscope {

struct EventNumber {
    std::uint32_t value; // as shown: the cursor stands behind that many rows
    bool operator==(const EventNumber&) const = default;
};
using GoTo = std::variant<SimTime, EventNumber>;

// A relative time that leads before 0 goes to 0. Problems say what was expected.
[[nodiscard]] Result<GoTo> parseGoTo(std::string_view text, SimTime now);

} // namespace rqscope
