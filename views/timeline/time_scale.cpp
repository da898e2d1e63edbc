// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/time_scale.h"

#include "theme/format.h"

#include <algorithm>

namespace rqscope {

namespace {

int decimalsOf(Ns step, Ns unit) {
    int digits = 0;
    for (Ns part = unit; part > 1 && step % part != 0; part /= 10) ++digits;
    return digits;
}

} // namespace

TickStep chooseTicks(double minNs, Ns last) {
    TickStep ticks;
    for (Ns decade = 1; decade < kOpenEnd / 20; decade *= 10) {
        const auto fits = [&](Ns factor) { return static_cast<double>(decade * factor) >= minNs; };
        const Ns factor = fits(1) ? 1 : fits(2) ? 2 : fits(5) ? 5 : 10;
        ticks.step = decade * factor;
        if (factor < 10 || static_cast<double>(ticks.step) >= minNs) break;
    }
    for (ticks.unit = 1; ticks.unit < 1000000000 && last >= ticks.unit * 1000;) ticks.unit *= 1000;
    // Deep in a long run the step decides: four digits behind the point are as much as anybody reads.
    while (decimalsOf(ticks.step, ticks.unit) > 4 && ticks.unit > 1) ticks.unit /= 1000;
    ticks.decimals = decimalsOf(ticks.step, ticks.unit);
    return ticks;
}

const char* unitName(Ns unit) { return unit == 1 ? "ns" : unit == 1000 ? "us" : unit == 1000000 ? "ms" : "s"; }

QString tickLabel(Ns t, const TickStep& ticks) {
    auto text = grouped(t / ticks.unit);
    if (ticks.decimals == 0 || t % ticks.unit == 0) return text;
    Ns fraction = t % ticks.unit;
    int digits = 0;
    for (Ns part = ticks.unit; part > 1; part /= 10) ++digits;
    auto behind = QString::number(fraction).rightJustified(digits, QLatin1Char('0'));
    while (behind.endsWith(QLatin1Char('0'))) behind.chop(1);
    return text + QLatin1Char('.') + behind;
}

std::vector<Ns> tickTimes(Ns begin, Ns end, const TickStep& ticks) {
    std::vector<Ns> times;
    for (Ns t = (std::max<Ns>(begin, 0) + ticks.step - 1) / ticks.step * ticks.step; t <= end; t += ticks.step)
        times.push_back(t);
    return times;
}

} // namespace rqscope
