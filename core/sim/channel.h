// SPDX-License-Identifier: GPL-3.0-or-later
// Pipes, sockets, futex flags and barriers between tasks: what fits, who waits, who is to be woken (workloads.md 0). Pure
// state; the engine charges the costs and makes the wake-ups.
#pragma once

#include "base/ids.h"
#include "workload/workload.h"

#include <cstdint>
#include <vector>

namespace rqscope {

struct Channel {
    ChannelKind kind = ChannelKind::Pipe;
    // Pipe: pages in order of writing; a message lies wholly in one page.
    struct Page {
        std::uint32_t used = 0; // bytes written, read ones included
        std::uint32_t messages = 0; // not yet read
    };
    std::vector<Page> pages;
    std::uint64_t charge = 0;   // unix: bytes of buffer memory
    // Readable messages, first in first out; equal neighbours as one entry, so that a full channel stays small to copy.
    struct Messages {
        std::uint32_t bytes = 0; // of each
        std::uint32_t count = 0;
    };
    std::vector<Messages> queue;
    std::uint32_t reserved = 0; // messages whose writer still copies
    bool flag = false;          // futex: woken while nobody waited
    std::uint32_t arrived = 0;  // barrier
    // First in, first out by time of blocking.
    std::vector<TaskId> readers, writers, pollers;
};

inline constexpr std::uint32_t kPipePages = 16;
inline constexpr std::uint32_t kPageBytes = 4096;
inline constexpr std::uint64_t kUnixLimit = 212992; // wmem_default

// Buffer memory charged for one unix message of n bytes (workloads.md 0: 768, 1280, 2304 measured; above 1 page inferred).
[[nodiscard]] std::uint64_t unix_charge(std::uint64_t bytes);

[[nodiscard]] bool has_room(const Channel& c, std::uint64_t bytes);
// Takes the room for a message whose writer begins to copy.
void reserve(Channel& c, std::uint64_t bytes);
// The copy is done: the message becomes readable. True when a sleeping reader is to be woken by the kind's rule.
[[nodiscard]] bool commit(Channel& c, std::uint64_t bytes);
[[nodiscard]] bool readable(const Channel& c);
// Takes the first message. True when blocked writers are to be woken by the kind's rule.
[[nodiscard]] bool take(Channel& c);

} // namespace rqscope
