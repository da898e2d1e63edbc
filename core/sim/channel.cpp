// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/channel.h"

#include "base/check.h"

#include <algorithm>
#include <bit>

namespace rqscope {

std::uint64_t unix_charge(std::uint64_t bytes) {
    // Small messages sit in one kmalloc bucket behind a 256-byte head; larger ones in pages of their own.
    constexpr std::uint64_t kHead = 256, kTail = 320, kLargestBucket = 2048;
    if (bytes + kTail <= kLargestBucket) return kHead + std::bit_ceil(std::max<std::uint64_t>(bytes + kTail, 512));
    return 768 + (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

bool has_room(const Channel& c, std::uint64_t bytes) {
    switch (c.kind) {
    case ChannelKind::Pipe:
        return c.pages.size() < kPipePages || c.pages.back().used + bytes <= kPageBytes;
    case ChannelKind::Unix:
        return c.charge < kUnixLimit;
    default:
        return true;
    }
}

void reserve(Channel& c, std::uint64_t bytes) {
    ++c.reserved;
    if (c.kind == ChannelKind::Unix) c.charge += unix_charge(bytes);
    if (c.kind != ChannelKind::Pipe) return;
    if (c.pages.empty() || c.pages.back().used + bytes > kPageBytes) c.pages.emplace_back();
    c.pages.back().used += static_cast<std::uint32_t>(bytes);
    ++c.pages.back().messages;
}

bool commit(Channel& c, std::uint64_t bytes) {
    SCHED_CHECK(c.reserved > 0);
    --c.reserved;
    const bool was_empty = c.queue.empty();
    const auto size = static_cast<std::uint32_t>(bytes);
    if (!was_empty && c.queue.back().bytes == size) ++c.queue.back().count;
    else c.queue.push_back({size, 1});
    return c.kind != ChannelKind::Pipe || was_empty;
}

bool readable(const Channel& c) { return !c.queue.empty(); }

bool take(Channel& c) {
    SCHED_CHECK(!c.queue.empty());
    const auto bytes = c.queue.front().bytes;
    if (--c.queue.front().count == 0) c.queue.erase(c.queue.begin());
    if (c.kind == ChannelKind::Unix) {
        const bool above = c.charge > kUnixLimit / 4;
        c.charge -= unix_charge(bytes);
        return above && c.charge <= kUnixLimit / 4;
    }
    if (c.kind != ChannelKind::Pipe) return false;
    // A page counts messages still being copied too, so that an emptied page has no writer left.
    if (--c.pages.front().messages > 0) return false;
    c.pages.erase(c.pages.begin());
    return true;
}

} // namespace rqscope
