// SPDX-License-Identifier: GPL-3.0-or-later
// Figures as the window writes them: "4.200 ms", "1 204", true minus. One place, so that the same figure looks the same in
// every panel.
#pragma once

#include "base/units.h"

#include <QString>
#include <QStringView>

#include <string_view>

namespace rqscope {

[[nodiscard]] QString fromStd(std::string_view text);
[[nodiscard]] QString grouped(qint64 value);      // "1 204", "−30"; no-break spaces
[[nodiscard]] QString clockText(SimTime time);    // "4.200 ms"; whole numbers of ns are rounded to us
[[nodiscard]] QString durationText(qint64 ns);    // "200 ns", "1.5 us", "3 ms": the unit that reads best
[[nodiscard]] QString cpuText(std::uint32_t cpu); // "CPU 7" that does not wrap
// "CPU 7" and the like from a Linux list: 0-3,8 becomes 0–3,8.
[[nodiscard]] QString listText(std::string_view linuxList);

} // namespace rqscope
