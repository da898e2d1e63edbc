// SPDX-License-Identifier: GPL-3.0-or-later
// The packed event log: rows in chunks of varints (time as a difference), an index entry per chunk. Chunks are shared
// between branches. Random access decodes from the start of a chunk.
#pragma once

#include "sim/log_row.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace rqscope {

class EventLog {
public:
    void append(const LogRow& row); // row.seq must equal size()
    [[nodiscard]] std::uint32_t size() const { return m_size; }
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }
    // Drops all rows from `size` on.
    void truncate(std::uint32_t size);
    [[nodiscard]] LogRow row(std::uint32_t index) const;
    // First row with time > t.
    [[nodiscard]] std::uint32_t upper_bound(SimTime t) const;

    // Visits rows [from, to) in order; much cheaper than row() one by one. f(const LogRow&).
    template <class F>
    void for_each(std::uint32_t from, std::uint32_t to, F&& f) const {
        Reader reader(*this, from);
        for (auto i = from; i < to && i < m_size; ++i) f(reader.next());
    }

private:
    struct Chunk {
        std::uint32_t first = 0;   // number of its first row
        std::uint32_t rows = 0;
        std::int64_t first_time = 0; // ns, of its first row
        std::int64_t last_time = 0;
        std::vector<std::uint8_t> data;
    };
    class Reader {
    public:
        Reader(const EventLog& log, std::uint32_t from);
        LogRow next();

    private:
        void enter(std::size_t chunk);
        const EventLog* m_log;
        std::size_t m_chunk = 0;
        std::uint32_t m_left = 0;
        std::uint32_t m_seq = 0;
        std::int64_t m_time = 0;
        const std::uint8_t* m_at = nullptr;
    };
    [[nodiscard]] std::size_t chunk_of(std::uint32_t row) const;
    Chunk& open_chunk(const LogRow& row);

    std::vector<std::shared_ptr<Chunk>> m_chunks; // the last one is copied before writing when shared
    std::uint32_t m_size = 0;
    std::size_t m_bytes = 0;
};

} // namespace rqscope
