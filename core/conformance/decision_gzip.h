// SPDX-License-Identifier: GPL-3.0-or-later
// Unpacks gzip files, the form in which recordings are stored (RFC 1952). No kernel counterpart.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace rqscope {

// By the first two bytes.
[[nodiscard]] bool is_gzip(std::string_view bytes);

// Text of all members, one after the other, as gzip -d gives it. Problems (without `where`): damaged or cut off data,
// something else behind the last member, more than `limit` bytes of text; memory stays near the limit whatever the input
// promises.
[[nodiscard]] Result<std::string> gunzip(std::string_view bytes, std::size_t limit);

} // namespace rqscope
