// SPDX-License-Identifier: GPL-3.0-or-later
// Packing of log rows. A row is a kind byte, the time since the row before, then the fields its kind has, as LEB128
// varints; fields that are usually equal to another one are stored only when they differ.
#include "trace/event_log.h"

#include "base/check.h"

#include <algorithm>
#include <array>

namespace rqscope {

namespace {

constexpr std::size_t kChunkBytes = 64 * 1024;
constexpr std::size_t kLargestRow = 128;

class Writer {
public:
    void byte(std::uint8_t b) { m_data[m_size++] = b; }
    void number(std::uint64_t v) {
        while (v >= 0x80) {
            byte(static_cast<std::uint8_t>(v | 0x80));
            v >>= 7;
        }
        byte(static_cast<std::uint8_t>(v));
    }
    void signed_number(std::int64_t v) { number((static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63)); }
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] const std::uint8_t* data() const { return m_data.data(); }

private:
    std::array<std::uint8_t, kLargestRow> m_data;
    std::size_t m_size = 0;
};

class ByteReader {
public:
    explicit ByteReader(const std::uint8_t*& at) : m_at(at) {}
    std::uint8_t byte() { return *m_at++; }
    std::uint64_t number() {
        std::uint64_t v = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto b = byte();
            v |= static_cast<std::uint64_t>(b & 0x7f) << shift;
            if (b < 0x80) return v;
        }
    }
    std::uint32_t small() { return static_cast<std::uint32_t>(number()); }
    std::int64_t signed_number() {
        const auto v = number();
        return static_cast<std::int64_t>(v >> 1) ^ -static_cast<std::int64_t>(v & 1);
    }

private:
    const std::uint8_t*& m_at;
};

// Placement and preemption verdict of a wake-up or fork. Flags say which of the rarer parts follow.
constexpr std::uint8_t kHasFigures = 1, kHasChecks = 2, kPreempted = 4, kSync = 8, kHasVdiff = 16, kPending = 32;

static_assert(static_cast<unsigned>(PlaceReason::StillQueued) < 32 && static_cast<unsigned>(PreemptReason::Granted) < 8, "the reasons share a byte");

void write_verdicts(Writer& w, const LogRow& row) {
    const auto& p = row.placement;
    const auto& v = row.preempt;
    const auto flags = static_cast<std::uint8_t>((p.has_figures ? kHasFigures : 0) | (p.nr_checks || p.check_cost_ns ? kHasChecks : 0) |
                                                 (v.preempt ? kPreempted : 0) | (row.sync ? kSync : 0) | (v.vdiff || v.gran ? kHasVdiff : 0) |
                                                 (row.pending_ns ? kPending : 0));
    w.byte(flags);
    w.byte(static_cast<std::uint8_t>(static_cast<unsigned>(p.reason) | static_cast<unsigned>(v.reason) << 5));
    if (flags & kHasChecks) {
        w.number(p.nr_checks);
        w.number(p.check_cost_ns);
    }
    if (flags & kHasVdiff) {
        w.signed_number(v.vdiff);
        w.number(v.gran);
    }
    if (flags & kPending) w.number(row.pending_ns);
    if (!(flags & kHasFigures)) return;
    w.byte(static_cast<std::uint8_t>(p.figures));
    w.number(p.rival.value);
    w.number(p.chosen_runnable);
    w.number(p.chosen_load);
    w.number(p.rival_runnable);
    w.number(p.rival_load);
}

void read_verdicts(ByteReader& r, LogRow& row) {
    auto& p = row.placement;
    auto& v = row.preempt;
    const auto flags = r.byte();
    const auto reasons = r.byte();
    p.cpu = row.cpu;
    p.reason = static_cast<PlaceReason>(reasons & 31);
    v.reason = static_cast<PreemptReason>(reasons >> 5);
    v.preempt = (flags & kPreempted) != 0;
    row.sync = (flags & kSync) != 0;
    if (flags & kHasChecks) {
        p.nr_checks = static_cast<std::uint16_t>(r.number());
        p.check_cost_ns = r.small();
    }
    if (flags & kHasVdiff) {
        v.vdiff = r.signed_number();
        v.gran = r.number();
    }
    if (flags & kPending) row.pending_ns = r.small();
    if (!(flags & kHasFigures)) return;
    p.has_figures = true;
    p.figures = static_cast<PlaceFigures>(r.byte());
    p.rival = CpuId{r.small()};
    p.chosen_runnable = r.small();
    p.chosen_load = r.small();
    p.rival_runnable = r.small();
    p.rival_load = r.small();
}

void write_balance(Writer& w, const BalanceVerdict& b) {
    w.number(b.domain.value);
    w.byte(static_cast<std::uint8_t>(static_cast<unsigned>(b.idle) | static_cast<unsigned>(b.reason) << 2));
    w.number(b.src.value);
    w.number(b.moved);
    w.number(b.imbalance);
    w.number(b.local_avg);
    w.number(b.busiest_avg);
}

void read_balance(ByteReader& r, LogRow& row) {
    auto& b = row.balance;
    b.dst = row.cpu;
    b.domain = DomainId{r.small()};
    const auto bits = r.byte();
    b.idle = static_cast<CpuIdleType>(bits & 3);
    b.reason = static_cast<BalanceReason>(bits >> 2);
    b.src = CpuId{r.small()};
    b.moved = r.small();
    b.imbalance = r.number();
    b.local_avg = r.number();
    b.busiest_avg = r.number();
}

void write_row(Writer& w, const LogRow& row, std::int64_t delta) {
    w.byte(static_cast<std::uint8_t>(static_cast<unsigned>(row.kind) | (row.first_of_step ? 16U : 0U) | static_cast<unsigned>(row.end) << 5));
    w.number(static_cast<std::uint64_t>(delta));
    if (row.kind == RowKind::Input) {
        w.number(row.input);
        return;
    }
    w.number(row.cpu.value);
    if (row.kind == RowKind::Balance) {
        write_balance(w, row.balance);
        return;
    }
    w.number(row.task.value);
    switch (row.kind) {
    case RowKind::Switch:
        w.number(row.other.value);
        w.number(row.cost_ns);
        break;
    case RowKind::Wakeup:
        w.number(row.waker_cpu.value);
        w.number(row.cost_ns);
        [[fallthrough]];
    case RowKind::Fork:
        w.number(row.other.value);
        [[fallthrough]];
    case RowKind::Exec:
        w.number(row.from.value);
        write_verdicts(w, row);
        break;
    case RowKind::Migration:
        w.number(row.from.value);
        w.byte(static_cast<std::uint8_t>(row.cause));
        break;
    default:
        break;
    }
}

LogRow read_row(ByteReader& r, std::int64_t& time) {
    LogRow row;
    const auto head = r.byte();
    row.kind = static_cast<RowKind>(head & 15);
    row.first_of_step = (head & 16) != 0;
    row.end = static_cast<SwitchEnd>(head >> 5);
    time += static_cast<std::int64_t>(r.number());
    row.time = from_ns(time);
    if (row.kind == RowKind::Input) {
        row.input = r.small();
        return row;
    }
    row.cpu = CpuId{r.small()};
    if (row.kind == RowKind::Balance) {
        read_balance(r, row);
        return row;
    }
    row.task = TaskId{r.small()};
    switch (row.kind) {
    case RowKind::Switch:
        row.other = TaskId{r.small()};
        row.cost_ns = r.small();
        break;
    case RowKind::Wakeup:
        row.waker_cpu = CpuId{r.small()};
        row.cost_ns = r.small();
        [[fallthrough]];
    case RowKind::Fork:
        row.other = TaskId{r.small()};
        [[fallthrough]];
    case RowKind::Exec:
        row.from = CpuId{r.small()};
        read_verdicts(r, row);
        break;
    case RowKind::Migration:
        row.from = CpuId{r.small()};
        row.cause = static_cast<MoveCause>(r.byte());
        break;
    default:
        break;
    }
    return row;
}

} // namespace

EventLog::Chunk& EventLog::open_chunk(const LogRow& row) {
    const bool fresh = m_chunks.empty() || m_chunks.back()->data.size() + kLargestRow > kChunkBytes;
    if (fresh) {
        auto chunk = std::make_shared<Chunk>();
        chunk->first = m_size;
        chunk->first_time = chunk->last_time = to_ns(row.time);
        chunk->data.reserve(kChunkBytes);
        m_chunks.push_back(std::move(chunk));
    } else if (m_chunks.back().use_count() > 1) {
        m_chunks.back() = std::make_shared<Chunk>(*m_chunks.back()); // a branch holds it too
    }
    return *m_chunks.back();
}

void EventLog::append(const LogRow& row) {
    SCHED_CHECK(row.seq.value == m_size);
    auto& chunk = open_chunk(row);
    Writer w;
    const auto time = to_ns(row.time);
    SCHED_CHECK(time >= chunk.last_time);
    write_row(w, row, time - chunk.last_time);
    chunk.last_time = time;
    chunk.data.insert(chunk.data.end(), w.data(), w.data() + w.size());
    ++chunk.rows;
    ++m_size;
    m_bytes += w.size();
}

std::size_t EventLog::chunk_of(std::uint32_t row) const {
    const auto it = std::upper_bound(m_chunks.begin(), m_chunks.end(), row, [](std::uint32_t r, const auto& c) { return r < c->first; });
    return static_cast<std::size_t>(it - m_chunks.begin()) - 1;
}

LogRow EventLog::row(std::uint32_t index) const {
    SCHED_CHECK(index < m_size);
    return Reader(*this, index).next();
}

void EventLog::truncate(std::uint32_t size) {
    while (!m_chunks.empty() && m_chunks.back()->first >= size) {
        m_bytes -= m_chunks.back()->data.size();
        m_chunks.pop_back();
    }
    m_size = std::min(m_size, size);
    if (m_chunks.empty()) return;
    const auto& old = *m_chunks.back();
    if (old.first + old.rows <= size) return;
    auto cut = std::make_shared<Chunk>(old);
    cut->rows = size - cut->first;
    const std::uint8_t* at = cut->data.data();
    auto time = cut->first_time;
    for (std::uint32_t i = 0; i < cut->rows; ++i) {
        ByteReader r(at);
        (void)read_row(r, time);
    }
    cut->last_time = time;
    const auto kept = static_cast<std::size_t>(at - cut->data.data());
    m_bytes -= cut->data.size() - kept;
    cut->data.resize(kept);
    m_chunks.back() = std::move(cut);
}

std::uint32_t EventLog::upper_bound(SimTime t) const {
    const auto ns = to_ns(t);
    const auto it = std::upper_bound(m_chunks.begin(), m_chunks.end(), ns, [](std::int64_t v, const auto& c) { return v < c->first_time; });
    if (it == m_chunks.begin()) return 0;
    const auto& chunk = **(it - 1);
    const std::uint8_t* at = chunk.data.data();
    auto time = chunk.first_time;
    for (std::uint32_t i = 0; i < chunk.rows; ++i) {
        ByteReader r(at);
        (void)read_row(r, time);
        if (time > ns) return chunk.first + i;
    }
    return chunk.first + chunk.rows;
}

EventLog::Reader::Reader(const EventLog& log, std::uint32_t from) : m_log(&log) {
    if (from >= log.m_size) return;
    enter(log.chunk_of(from));
    while (m_seq < from) (void)next();
}

void EventLog::Reader::enter(std::size_t chunk) {
    const auto& c = *m_log->m_chunks[chunk];
    m_chunk = chunk;
    m_left = c.rows;
    m_seq = c.first;
    m_time = c.first_time;
    m_at = c.data.data();
}

LogRow EventLog::Reader::next() {
    if (m_left == 0) enter(m_chunk + 1);
    ByteReader r(m_at);
    auto row = read_row(r, m_time);
    row.seq = EventSeq{m_seq++};
    --m_left;
    return row;
}

} // namespace rqscope
