// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/format.h"

#include <cmath>

namespace rqscope {

namespace {
constexpr QChar kNoBreakSpace(0x00A0);
constexpr QChar kMinus(0x2212);
constexpr QChar kEnDash(0x2013);
} // namespace

QString fromStd(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

QString grouped(qint64 value) {
    auto digits = QString::number(value < 0 ? -value : value);
    for (auto at = digits.size() - 3; at > 0; at -= 3) digits.insert(at, kNoBreakSpace);
    return value < 0 ? kMinus + digits : digits;
}

QString clockText(SimTime time) {
    const auto us = (to_ns(time) + 500) / 1000;
    return grouped(us / 1000) + QStringLiteral(".%1").arg(us % 1000, 3, 10, QLatin1Char('0')) + kNoBreakSpace + QStringLiteral("ms");
}

QString durationText(qint64 ns) {
    const auto write = [ns](double unit, const char* name) {
        const auto value = static_cast<double>(ns) / unit;
        const auto text = std::floor(value) == value ? grouped(static_cast<qint64>(value)) : QString::number(value, 'g', 4).replace(QLatin1Char('-'), kMinus);
        return text + kNoBreakSpace + QLatin1String(name);
    };
    const auto size = ns < 0 ? -ns : ns;
    if (size < 1000) return write(1, "ns");
    if (size < 1000000) return write(1e3, "us");
    if (size < 1000000000) return write(1e6, "ms");
    return write(1e9, "s");
}

QString cpuText(std::uint32_t cpu) { return QStringLiteral("CPU") + kNoBreakSpace + QString::number(cpu); }

QString listText(std::string_view linuxList) { return fromStd(linuxList).replace(QLatin1Char('-'), kEnDash); }

} // namespace rqscope
