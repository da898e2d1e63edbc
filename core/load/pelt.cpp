// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of load tracking 4.7/4.8 (kernel: __update_load_avg, decay_load, __compute_runnable_contrib and the
// attach/detach helpers of fair.c). Tables and rounding are the kernel's; the accumulation step is written once for
// entities and queues. Source: load.md 1.
#include "load/pelt.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace rqscope {

namespace {

constexpr std::uint32_t kPeriod = 1024;      // units of 1024 ns
constexpr std::uint32_t kHalfLife = 32;      // periods
constexpr std::uint32_t kPeriodsToMax = 345; // from here on the contribution is kLoadAvgMax

// 2^32 * y^n
constexpr std::array<std::uint32_t, 32> kDecayInverse{
    0xffffffff, 0xfa83b2da, 0xf5257d14, 0xefe4b99a, 0xeac0c6e6, 0xe5b906e6, 0xe0ccdeeb, 0xdbfbb796,
    0xd744fcc9, 0xd2a81d91, 0xce248c14, 0xc9b9bd85, 0xc5672a10, 0xc12c4cc9, 0xbd08a39e, 0xb8fbaf46,
    0xb504f333, 0xb123f581, 0xad583ee9, 0xa9a15ab4, 0xa5fed6a9, 0xa2704302, 0x9ef5325f, 0x9b8d39b9,
    0x9837f050, 0x94f4efa8, 0x91c3d373, 0x8ea4398a, 0x8b95c1e3, 0x88980e80, 0x85aac367, 0x82cd8698};

// 1024 * (y + .. + y^n) for n up to one half-life
constexpr std::array<std::uint32_t, 33> kPartialSum{
    0,     1002,  1982,  2941,  3880,  4798,  5697,  6576,  7437,  8279,  9103,
    9909,  10698, 11470, 12226, 12966, 13690, 14398, 15091, 15769, 16433, 17082,
    17718, 18340, 18949, 19545, 20128, 20698, 21256, 21802, 22336, 22859, 23371};

// 1024 * (y + .. + y^(32 n))
constexpr std::array<std::uint32_t, 12> kHalfLifeSum{0,     23371, 35056, 40899, 43820, 45281,
                                                     46011, 46376, 46559, 46650, 46696, 46719};

template <class Avg>
void add_time(Avg& a, std::uint64_t time, std::uint64_t weight, bool running, std::uint32_t cap) {
    if (weight != 0) {
        a.load_sum += weight * time;
        if constexpr (std::is_same_v<Avg, CfsAvg>) a.runnable_load_sum += weight * time;
    }
    if (running) a.util_sum += static_cast<std::uint32_t>(time * cap);
}

template <class Avg>
void set_averages(Avg& a) {
    a.load_avg = a.load_sum / kLoadAvgMax;
    if constexpr (std::is_same_v<Avg, CfsAvg>) a.runnable_load_avg = a.runnable_load_sum / kLoadAvgMax;
    a.util_avg = a.util_sum / kLoadAvgMax;
}

template <class Avg>
bool accrue(Avg& a, std::uint64_t units, std::uint64_t weight, bool running, std::uint32_t freq, std::uint32_t cap) {
    const bool decayed = units + a.period_contrib >= kPeriod;
    if (decayed) {
        const std::uint32_t head = kPeriod - a.period_contrib; // completes the period that was begun
        a.period_contrib = 0;
        add_time(a, std::uint64_t{head} * freq >> 10, weight, running, cap);
        units -= head;
        const std::uint64_t periods = units / kPeriod;
        units %= kPeriod;
        a.load_sum = decay_load(a.load_sum, periods + 1);
        if constexpr (std::is_same_v<Avg, CfsAvg>) a.runnable_load_sum = decay_load(a.runnable_load_sum, periods + 1);
        a.util_sum = static_cast<std::uint32_t>(decay_load(a.util_sum, periods + 1));
        add_time(a, std::uint64_t{runnable_contrib(periods)} * freq >> 10, weight, running, cap);
    }
    add_time(a, units * freq >> 10, weight, running, cap);
    a.period_contrib += static_cast<std::uint32_t>(units);
    if (decayed) set_averages(a);
    return decayed;
}

template <class T>
void subtract(T& from, T amount) {
    from -= std::min(from, amount);
}

} // namespace

std::uint64_t decay_load(std::uint64_t v, std::uint64_t n) {
    if (n == 0) return v;
    if (n > kHalfLife * 63) return 0;
    const auto wide = static_cast<Wide>(v >> (n / kHalfLife)) * kDecayInverse[n % kHalfLife];
    return static_cast<std::uint64_t>(wide >> 32);
}

std::uint32_t runnable_contrib(std::uint64_t n) {
    if (n <= kHalfLife) return kPartialSum[n];
    if (n >= kPeriodsToMax) return kLoadAvgMax;
    const std::uint32_t whole = kHalfLifeSum[n / kHalfLife];
    return static_cast<std::uint32_t>(decay_load(whole, n % kHalfLife)) + kPartialSum[n % kHalfLife];
}

bool accrue47(EntityAvg& a, std::uint64_t units, std::uint64_t weight, bool running, std::uint32_t freq, std::uint32_t cap) {
    return accrue(a, units, weight, running, freq, cap);
}

bool accrue47(CfsAvg& a, std::uint64_t units, std::uint64_t weight, bool running, std::uint32_t freq, std::uint32_t cap) {
    return accrue(a, units, weight, running, freq, cap);
}

void init47(EntityAvg& e, std::uint64_t weight) {
    e = EntityAvg{};
    e.period_contrib = kPeriod - 1; // so that the first period ends, and the load drops, almost at once
    e.load_avg = weight;
    e.load_sum = weight * kLoadAvgMax;
}

Util first_util(const CfsAvg& q, Capacity capacity, Weight scaled_weight, bool scaled) {
    const std::int64_t left = (static_cast<std::int64_t>(capacity) - static_cast<std::int64_t>(q.util_avg)) / 2;
    if (left <= 0) return 0;
    const auto cap = static_cast<Util>(left);
    if (q.util_avg == 0) return cap;
    const Weight weight = scaled ? scaled_weight : scaled_weight >> 10;
    return std::min(q.util_avg * weight / (q.load_avg + 1), cap);
}

void post_init_util47(EntityAvg& e, const CfsAvg& q, Weight scaled_weight, bool scaled) {
    e.util_avg = first_util(q, kCapacityScale, scaled_weight, scaled);
    e.util_sum = static_cast<std::uint32_t>(e.util_avg * kLoadAvgMax);
}

void attach47(CfsAvg& q, EntityAvg& e, bool age) {
    if (age && e.last_update_time != 0) update47(e, q.last_update_time, 0, false);
    e.last_update_time = q.last_update_time;
    q.load_avg += e.load_avg;
    q.load_sum += e.load_sum;
    q.util_avg += e.util_avg;
    q.util_sum += e.util_sum;
}

void detach47(CfsAvg& q, EntityAvg& e, std::uint64_t weight, bool running, std::uint32_t cap) {
    update47(e, q.last_update_time, weight, running, kCapacityScale, cap);
    subtract(q.load_avg, e.load_avg);
    subtract(q.load_sum, e.load_sum);
    subtract(q.util_avg, e.util_avg);
    subtract(q.util_sum, e.util_sum);
}

bool update_queue47(CfsAvg& q, const PeltNow& queue) {
    bool removed = false;
    if (q.removed_load != 0) {
        subtract(q.load_avg, Load{q.removed_load});
        subtract(q.load_sum, std::uint64_t{q.removed_load} * kLoadAvgMax);
        q.removed_load = 0;
        removed = true;
    }
    if (q.removed_util != 0) {
        subtract(q.util_avg, Util{q.removed_util});
        subtract(q.util_sum, q.removed_util * kLoadAvgMax);
        q.removed_util = 0;
    }
    const bool decayed = update47(q, queue.now, queue.weight, queue.running, kCapacityScale, queue.cap);
    return decayed || removed;
}

void enqueue47(CfsAvg& q, EntityAvg& e, const PeltNow& entity, const PeltNow& queue) {
    const bool migrated = e.last_update_time == 0;
    if (!migrated) update47(e, entity.now, entity.weight, entity.running, kCapacityScale, entity.cap);
    update_queue47(q, queue);
    q.runnable_load_avg += e.load_avg;
    q.runnable_load_sum += e.load_sum;
    if (migrated) attach47(q, e, false);
}

void dequeue47(CfsAvg& q, EntityAvg& e, const PeltNow& entity, const PeltNow& queue) {
    update47(e, entity.now, entity.weight, entity.running, kCapacityScale, entity.cap);
    update_queue47(q, queue);
    subtract(q.runnable_load_avg, e.load_avg);
    subtract(q.runnable_load_sum, e.load_sum);
}

void remove47(CfsAvg& q, EntityAvg& e) {
    if (e.last_update_time != 0) {
        update47(e, q.last_update_time, 0, false);
        q.removed_load += static_cast<std::uint32_t>(e.load_avg);
        q.removed_util += static_cast<std::uint32_t>(e.util_avg);
    }
    e.last_update_time = 0;
}

} // namespace rqscope
