// SPDX-License-Identifier: GPL-3.0-or-later
// What happens next. Every CPU and every task owns one slot that holds at most one pending event, so nothing stale ever
// sits in the heap. Order is (time, class, seq): inputs, timers and wake-ups, burst ends, at equal class by the time of
// scheduling (engine.md 1.5). Ticks and balancing are kept outside, they come for all CPUs at once.
#pragma once

#include "base/units.h"

#include <cstdint>
#include <vector>

namespace rqscope {

enum class EventClass : std::uint8_t { Input, Wake, BurstEnd };

class Calendar {
public:
    struct Entry {
        std::int64_t time = 0; // ns, simulated
        std::uint64_t order = 0; // class << 56 | seq
        std::uint32_t slot = 0;
    };

    void grow(std::uint32_t nr_slots) { // `slots` alone is a word that Qt takes
        if (nr_slots > m_position.size()) m_position.resize(nr_slots, kAbsent);
    }
    [[nodiscard]] bool empty() const { return m_heap.empty(); }
    [[nodiscard]] const Entry& top() const { return m_heap.front(); }
    [[nodiscard]] const std::vector<Entry>& entries() const { return m_heap; }

    // Schedules the slot's event, in place of one that is pending.
    void set(std::uint32_t slot, SimTime at, EventClass c) {
        const Entry e{to_ns(at), static_cast<std::uint64_t>(c) << 56 | m_next_seq++, slot};
        auto i = m_position[slot];
        if (i == kAbsent) {
            i = static_cast<std::uint32_t>(m_heap.size());
            m_heap.push_back(e);
            sift_up(i, e);
        } else if (before(e, m_heap[i])) {
            sift_up(i, e);
        } else {
            sift_down(i, e);
        }
    }

    void pop() {
        m_position[m_heap.front().slot] = kAbsent;
        const auto last = m_heap.back();
        m_heap.pop_back();
        if (!m_heap.empty()) sift_down(0, last);
    }

    void cancel(std::uint32_t slot) {
        const auto i = m_position[slot];
        if (i == kAbsent) return;
        m_position[slot] = kAbsent;
        const auto last = m_heap.back();
        m_heap.pop_back();
        if (i == m_heap.size()) return;
        if (i > 0 && before(last, m_heap[(i - 1) / 4])) sift_up(i, last);
        else sift_down(i, last);
    }

private:
    static constexpr std::uint32_t kAbsent = ~0U;

    static bool before(const Entry& a, const Entry& b) { return a.time != b.time ? a.time < b.time : a.order < b.order; }
    void put(std::uint32_t i, const Entry& e) {
        m_heap[i] = e;
        m_position[e.slot] = i;
    }
    void sift_up(std::uint32_t i, const Entry& e) {
        while (i > 0) {
            const auto parent = (i - 1) / 4;
            if (!before(e, m_heap[parent])) break;
            put(i, m_heap[parent]);
            i = parent;
        }
        put(i, e);
    }
    void sift_down(std::uint32_t i, const Entry& e) {
        const auto n = static_cast<std::uint32_t>(m_heap.size());
        for (;;) {
            const auto first = 4 * i + 1;
            if (first >= n) break;
            auto least = first;
            for (auto k = first + 1; k < first + 4 && k < n; ++k)
                if (before(m_heap[k], m_heap[least])) least = k;
            if (!before(m_heap[least], e)) break;
            put(i, m_heap[least]);
            i = least;
        }
        put(i, e);
    }

    std::vector<Entry> m_heap;
    std::vector<std::uint32_t> m_position; // by slot
    std::uint64_t m_next_seq = 0;
};

} // namespace rqscope
