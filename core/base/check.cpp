// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/check.h"

#include <cstring>

namespace rqscope {

void check_failed(const char* expression, const char* file, int line) {
    const char* slash = std::strrchr(file, '/');
    throw CheckFailure(std::string(slash ? slash + 1 : file) + ":" + std::to_string(line) + ": " + expression);
}

} // namespace rqscope
