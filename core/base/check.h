// SPDX-License-Identifier: GPL-3.0-or-later
// SCHED_CHECK guards the simulator's own invariants in every build type. A failed check raises CheckFailure, which the
// Simulator catches at its border and turns into a fault with simulated time and event number; nothing else throws.
#pragma once

#include <stdexcept>
#include <string>

namespace rqscope {

class CheckFailure : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

[[noreturn]] void check_failed(const char* expression, const char* file, int line);

} // namespace rqscope

#define SCHED_CHECK(cond) \
    do { \
        if (!(cond)) [[unlikely]] \
            ::rqscope::check_failed(#cond, __FILE__, __LINE__); \
    } while (false)
