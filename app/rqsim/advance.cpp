// SPDX-License-Identifier: GPL-3.0-or-later
#include "rqsim/advance.h"

#include "base/words.h"
#include "rqsim/output.h"

#include <chrono>
#include <unistd.h>

namespace rqscope {

namespace {

using WallClock = std::chrono::steady_clock;
constexpr std::uint32_t kSlice = 20'000; // engine steps between two looks at the clock, some ten milliseconds

class Progress {
public:
    explicit Progress(SimTime until) : m_until(until) {}
    ~Progress() {
        if (m_shown) printError("\r\033[K");
    }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(const History& history) {
        const auto now = WallClock::now();
        if (!m_terminal || now < m_next) return;
        m_next = now + std::chrono::milliseconds(200);
        m_shown = true;
        QString text =
            "\r\033[Krqsim: simulated " + QString::fromStdString(format_duration(history.time().time_since_epoch()));
        // Runs without a limit end when nothing is left to do; there is no share to name.
        if (m_until < from_ns(1'000'000'000'000'000))
            text += " of " + QString::fromStdString(format_duration(m_until.time_since_epoch()));
        printError(text + QString(", %1 events").arg(history.cursor()));
    }

private:
    SimTime m_until;
    bool m_terminal = isatty(STDERR_FILENO) == 1;
    bool m_shown = false;
    WallClock::time_point m_next = WallClock::now() + std::chrono::seconds(2);
};

} // namespace

std::optional<std::string> advanceTo(History& history, SimTime until, const StepCheck& check) {
    Progress progress(until);
    while (!history.advance(until, check ? 1 : kSlice)) {
        if (history.fault()) break;
        if (check)
            if (auto wrong = check(history)) return wrong;
        progress.show(history);
    }
    return std::nullopt;
}

std::optional<std::string> advanceToEnd(History& history, const StepCheck& check) {
    return advanceTo(history, history.end_limit(), check);
}

} // namespace rqscope
