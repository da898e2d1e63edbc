// SPDX-License-Identifier: GPL-3.0-or-later
// What the tasks do, independent of any CPU: programs in the vocabulary of workloads.md 0, templates from which tasks are
// made, channels between them. Built by the JSON reader or by an inline generator (forkstorm:, hackbench:, ...).
#pragma once

#include "base/cpu_mask.h"
#include "base/result.h"
#include "base/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rqscope {

enum class OpKind : std::uint8_t {
    Run,       // amount = ns at speed 1.0
    Sleep,     // amount = ns from when it starts
    Timer,     // amount = period; sleeps to the next edge counted from the last expiry, a missed edge does not sleep
    Fork,      // target = template; parent continues
    Thread,    // the same with the cost of a thread
    ForkTree,  // Fork of a binary tree with n = amount nodes of `target` below the root: task k forks nodes 2k+1 and 2k+2,
               // jump = 1 or 2 says which; a node beyond n is skipped
    Send,      // target = channel, amount = bytes
    Recv,      // target = channel, amount = bytes; blocks while empty. The k-th task of its template reads channel
               // target + (k - 1) * jump
    Poll,      // target = channel; blocks until readable, takes nothing
    Wake,      // target = channel of kind futex: wakes the first waiter, remembered when nobody waits
    Wait,      // target = channel of kind futex
    Barrier,   // target = channel of kind barrier, amount = N; the last of N releases all
    Reap,      // amount = k: blocks until k children have exited
    Block,     // for good
    LoopBegin, // amount = count, -1 for ever; jump = index behind the matching LoopEnd
    LoopEnd,   // jump = index of the first op of the body
    PadTo,     // amount = ns: run until that long after the mark, nothing if it is past already
    PadToFork, // the wait before a first fork: amount, at least the fork cost, at most 200 us after the mark
    Mark,      // remembers the time for PadTo
    FirstRun,  // a child's own start until its first block; a thread's is shorter (costs.md 1.2)
    ForkWork,  // what a program does between two forks (costs.md 1.2)
    Release,   // from here the workload is timed (engine.md 2, makespan)
    Exec,      // the task itself is placed anew; the call's own cost is not modelled
    CpuTime,   // amount = calls of times() or clock_gettime(), cost by load.md 4; jump = 1: times()
    Exit,
};

struct Op {
    OpKind kind{};
    std::uint32_t target = 0;
    std::int64_t amount = 0;
    std::uint32_t jump = 0;
};

inline constexpr std::size_t kMaxLoopDepth = 4;
inline constexpr std::int64_t kMaxPipeMessage = 4096;  // bytes; a longer write is split, which is not modelled
inline constexpr std::int64_t kMaxMessage = 1 << 20;   // bytes, on the other channels

struct TaskTemplate {
    std::string role; // display name without number: "child"
    std::string comm; // what the real program is called
    std::vector<Op> program; // ends with Exit or Block
    std::int8_t nice = 0;
    std::uint8_t policy = 0; // 0 normal, 3 batch, 5 idle
    std::optional<std::uint32_t> weight; // unscaled load weight 2..88761, instead of nice
    std::optional<CpuMask> cpus;         // allowed CPUs
    Duration jitter{0};      // every Run is lengthened by uniform(0, jitter)
    bool numbered = true;    // false: the only task of its role, shown without a number
    std::optional<std::uint32_t> group = std::nullopt; // shown as "role group.index", index from 0: "sender 0.3"
};

enum class ChannelKind : std::uint8_t { Pipe, Unix, Tcp, Futex, Barrier };

struct ChannelSpec {
    std::string name;
    ChannelKind kind = ChannelKind::Pipe;
};

// Tasks that exist at time 0 on `cpu`.
struct InitialTasks {
    std::uint32_t task_template = 0;
    std::uint32_t count = 1;
    CpuId cpu{0};
    bool cpu_stated = false; // else the first CPU they may run on will do when `cpu` is offline
    bool spread = false; // i-th task on the i-th online CPU, wrapping
};

struct Workload {
    std::string spec; // as typed, or the file's name
    std::vector<TaskTemplate> templates;
    std::vector<ChannelSpec> channels;
    std::vector<InitialTasks> initial;
    bool endless = false; // some task never stops by itself
    std::uint64_t messages = 0; // sent in the timed part of a messaging benchmark, 0 = it is none
};

// Facts of the machine that a generator needs.
struct WorkloadContext {
    std::uint32_t online_cpus = 1;
};

// "forkstorm:n=64,run=200us,gap=250us,block=1", "hackbench:-g 4 -f 20 -l 100 --threads --pipe", "hogs:n=3,nice=0",
// "periodic:k=4", "pound_times:32". Problems name the key or option.
[[nodiscard]] Result<Workload> generate_workload(std::string_view spec, const WorkloadContext& context);
// rqscope-workload/1 text; `origin` names it in problems.
[[nodiscard]] Result<Workload> read_workload_json(std::string_view text, std::string_view origin);
[[nodiscard]] bool looks_like_generator(std::string_view spec); // "name:..." with a known or unknown generator name
[[nodiscard]] const std::vector<std::string>& generator_names();

} // namespace rqscope
