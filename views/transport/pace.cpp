// SPDX-License-Identifier: GPL-3.0-or-later
#include "transport/pace.h"

#include <algorithm>
#include <cmath>

namespace rqscope {

namespace {
constexpr double kDecades = 6.0; // 1e-6..1
}

Pace paceOf(Pace::Kind kind) {
    Pace pace;
    pace.kind = kind;
    if (kind == Pace::Kind::Event) pace.perSecond = 8.0;
    if (kind == Pace::Kind::Tick) pace.perSecond = 4.0;
    return pace;
}

QString paceText(const Pace& pace) {
    switch (pace.kind) {
    case Pace::Kind::Event: return QStringLiteral("1 event per click");
    case Pace::Kind::Decision: return QStringLiteral("1 decision per click");
    case Pace::Kind::Tick: return QStringLiteral("1 tick per click");
    case Pace::Kind::RealTime: break;
    }
    const auto factor = pace.realTime < 1e-4 ? QString::number(pace.realTime, 'e', 0) : QString::number(pace.realTime, 'g', 2);
    return QStringLiteral("%1 × real time").arg(factor);
}

double realTimeAt(int position) {
    const auto part = static_cast<double>(std::clamp(position, 0, kPaceSteps)) / kPaceSteps;
    const auto exact = std::pow(10.0, kDecades * (part - 1.0));
    // One significant figure reads well and is as fine as the slider aims.
    const auto unit = std::pow(10.0, std::floor(std::log10(exact) + 1e-9));
    return std::round(exact / unit) * unit;
}

int positionOf(double realTime) {
    const auto part = 1.0 + std::log10(std::clamp(realTime, 1e-6, 1.0)) / kDecades;
    return static_cast<int>(std::lround(part * kPaceSteps));
}

} // namespace rqscope
