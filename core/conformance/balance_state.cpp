// SPDX-License-Identifier: GPL-3.0-or-later
// The files give sums and lists directly, so they are written into the state after the queues were built by enqueueing.
#include "conformance/balance_state.h"
#include "conformance/checked_numbers.h"

#include "sched/cfs.h"
#include "sched/clock.h"

#include <nlohmann/json.hpp>

#include <memory>

namespace rqscope {

namespace {

using nlohmann::json;

constexpr RqClock kNow = 1'000'000'000'000;

template <class T>
T number(const json& j, const char* key) {
    return j.at(key).get<T>();
}
std::uint32_t number(const json& j, const char* key) { return checked_number(j.at(key)); }

SdFlags flags_of(const json& names) {
    SdFlags flags = 0;
    for (const auto& name : names) {
#define SD_FLAG(id, ...) \
    if (name == #id) flags |= bit(SdFlag::id);
#include "topology/sd_flags.def"
#undef SD_FLAG
    }
    return flags;
}

class DomainReader {
public:
    DomainReader(const json& c, const json& topology, BalanceCase& out) : m_out(out), m_nr_cpus(checked_number(topology.at("cpus"), kMaxCpus)) {
        const auto n = m_nr_cpus;
        d.nr_cpu_ids = n;
        d.map = CpuMask::first_n(n);
        d.base.resize(n);
        for (const auto& capacity : topology.at("capacity_orig")) d.cpu_capacity.push_back(capacity.get<Capacity>());
        d.cpu_capacity_orig = d.cpu_capacity;
        for (const auto& row : c.at("cpus")) m_capacity.push_back(row.at(0).get<Capacity>());
        for (const auto& core : topology.at("smt")) d.smt.push_back(mask_of(core));
        if (d.cpu_capacity.size() != n || m_capacity.size() != n || d.smt.size() != n || topology.at("llc").size() != n)
            throw std::out_of_range("capacity_orig, cpus, smt and llc must have one entry for each of " + std::to_string(n) + " CPUs");
        d.sd_asym_cpucapacity.resize(n); // misfit loads are given
        d.sd_llc.resize(n);
        for (const auto& llc : topology.at("llc")) add_llc(mask_of(llc));
        for (const auto& [cpu, chain] : topology.at("chains").items()) read_chain(checked_cpu(json::parse(cpu), n), chain);
    }

    SchedDomains d;

private:
    [[nodiscard]] CpuMask mask_of(const json& cpus) const { return checked_mask(cpus, m_nr_cpus); }

    void add_llc(const CpuMask& llc) {
        if (llc.empty()) throw std::out_of_range("a last-level cache must have CPUs");
        const auto first = *llc.first();
        d.sd_llc_id.push_back(first);
        d.sd_llc_size.push_back(llc.count());
        d.llc.push_back(first.index() == d.llc.size() ? LlcId{d.nr_llc++} : d.llc.at(first.index()));
    }

    void read_chain(CpuId owner, const json& chain) {
        for (const auto& level : chain) {
            auto sd = parameters(level);
            sd.id = DomainId{static_cast<std::uint32_t>(d.domains.size())};
            sd.owner = owner;
            sd.ring = static_cast<std::uint32_t>(d.rings.size());
            d.rings.push_back(groups(level));
            auto& base = d.base.at(owner.index());
            if (!base) {
                base = sd.id;
            } else {
                d.domains.back().parent = sd.id;
                sd.child = d.domains.back().id;
            }
            if (sd.has(SdFlag::SHARE_LLC)) d.sd_llc.at(owner.index()) = sd.id;
            d.domains.push_back(std::move(sd));
        }
    }

    SchedDomain parameters(const json& level) {
        SchedDomain sd;
        sd.name = level.at("name").get<std::string>();
        sd.span = mask_of(level.at("span"));
        sd.weight = sd.span.count();
        sd.flags = flags_of(level.at("flags"));
        sd.imbalance_pct = number(level, "imbalance_pct");
        sd.busy_factor = number(level, "busy_factor");
        sd.min_interval = number(level, "min_interval");
        sd.max_interval = number(level, "max_interval");
        sd.cache_nice_tries = number(level, "cache_nice_tries");
        sd.busy_idx = number(level, "busy_idx");
        sd.idle_idx = number(level, "idle_idx");
        sd.newidle_idx = number(level, "newidle_idx");
        sd.imb_numa_nr = number(level, "imb_numa_nr");
        return sd;
    }

    std::vector<SchedGroup> groups(const json& level) {
        std::vector<SchedGroup> ring;
        for (const auto& row : level.at("groups")) {
            SchedGroup g;
            g.span = mask_of(row.at("cpus"));
            g.balance_mask = mask_of(row.at("balance_mask"));
            g.flags = flags_of(row.at("flags"));
            g.weight = g.span.count();
            g.cores = number(row, "cores");
            for (const auto cpu : g.span) g.capacity += m_capacity.at(cpu.index());
            const auto [entry, added] = m_out.sgc.try_emplace({level.at("name").get<std::string>(), g.span.to_list()}, d.nr_sgc);
            if (added) ++d.nr_sgc;
            g.sgc = entry->second;
            ring.push_back(std::move(g));
        }
        return ring;
    }

    BalanceCase& m_out;
    std::uint32_t m_nr_cpus;
    std::vector<Capacity> m_capacity;
};

void read_tunables(SchedState& s, const json& t) {
    const auto flag = [&](Feature f, const char* name) { s.features.set({f, static_cast<FeatureValue>(number(t, name))}); };
    flag(Feature::LB_MIN, "LB_MIN");
    flag(Feature::LB_BIAS, "LB_BIAS");
    flag(Feature::CACHE_HOT_BUDDY, "CACHE_HOT_BUDDY");
    s.tunables.migration_cost_ns = number<std::int64_t>(t, "migration_cost_ns");
    s.tunables.nr_migrate = number<std::int64_t>(t, "nr_migrate");
}

// Columns: id, load, util, util_est, runnable, ran_ago_ns, running, idle_policy, buddy, per_cpu_kthread, allowed.
void read_task(SchedState& s, CpuId cpu, const json& row) {
    const TaskId p{checked_number(row.at(0), kMaxVectorTasks)};
    if (p.index() >= s.se.size()) s.se.resize(p.index() + 1);
    auto& se = s.se[p.index()];
    auto& rq = s.rqs[cpu.index()];
    se.cpu = cpu;
    se.avg.last_update_time = kNow;
    if (row.at(7).get<int>() != 0) se.policy = Policy::Idle;
    enqueue_task_fair(s, cpu, p, {});
    if (row.at(6).get<int>() != 0) {
        set_next_entity(s, cpu, p);
        rq.curr = p;
    }
    se.avg.load_avg = row.at(1).get<Load>();
    se.avg.util_avg = row.at(2).get<Util>();
    se.util_est = row.at(3).get<Util>();
    se.avg.runnable_avg = row.at(4).get<Load>();
    se.per_cpu_kthread = row.at(9).get<int>() != 0;
    se.exec_start = kNow - row.at(5).get<std::uint64_t>();
    if (row.at(8) == "next") rq.cfs.next = p;
    if (row.at(8) == "last") rq.cfs.last = p;
    if (row.at(10).is_array()) {
        se.allowed = static_cast<std::int32_t>(s.affinity.size());
        s.affinity.push_back(checked_mask(row.at(10), s.domains->nr_cpu_ids));
    }
}

// The list as the file has it, whatever order enqueueing and picking left.
void relink(SchedState& s, Rq& rq, const json& tasks) {
    auto last = kIdleTask;
    rq.cfs_tasks = kIdleTask;
    for (const auto& row : tasks) {
        const TaskId p{checked_number(row.at(0), kMaxVectorTasks)};
        (last == kIdleTask ? rq.cfs_tasks : s.se[last.index()].list_next) = p;
        s.se[p.index()].list_prev = last;
        s.se[p.index()].list_next = kIdleTask;
        last = p;
    }
    rq.cfs_tasks_tail = last;
}

void read_extra(Rq& rq, const json& extra) {
    if (extra.contains("cpu_load"))
        for (std::size_t i = 0; i < 4; ++i) rq.cpu_load[i] = extra["cpu_load"].at(i).get<std::uint64_t>();
    rq.active_balance = extra.value("active_balance", 0) != 0;
    rq.ttwu_pending = extra.value("wakeup_pending", 0U);
    if (extra.contains("avg_idle")) rq.avg_idle = number<std::uint64_t>(extra, "avg_idle");
    if (extra.contains("max_idle_balance_cost")) rq.max_idle_balance_cost = number<std::uint64_t>(extra, "max_idle_balance_cost");
    if (extra.contains("next_balance")) rq.next_balance = number<Jiffies>(extra, "next_balance");
}

// Columns: capacity, nr_running, fair, load, runnable, util, util_est, misfit_load, current.
void read_cpus(BalanceCase& out, const json& c) {
    auto& s = out.s;
    for (std::uint32_t i = 0; i < s.domains->nr_cpu_ids; ++i) {
        const CpuId cpu{i};
        const auto& row = c.at("cpus").at(i);
        auto& rq = s.rqs[i];
        auto& avg = s.cfs_avg[i];
        rq.capacity_taken = s.domains->cpu_capacity[i] - row.at(0).get<Capacity>();
        const auto& tasks = c.at("tasks").at(i);
        for (const auto& task : tasks) read_task(s, cpu, task);
        relink(s, rq, tasks);
        rq.nr_other = row.at(1).get<std::uint32_t>() - row.at(2).get<std::uint32_t>();
        avg.runnable_load_avg = avg.load_avg = row.at(3).get<Load>();
        avg.runnable_avg = row.at(4).get<Load>();
        avg.util_avg = row.at(5).get<Util>();
        rq.util_est = row.at(6).get<Util>();
        rq.misfit_task_load = row.at(7).get<Load>();
        const auto& extra = c.at("cpu_extra").value(std::to_string(i), json::object());
        read_extra(rq, extra);
        if (row.at(8) == "idle" && row.at(1) == 0 && extra.value("wakeup_pending", 0) == 0) s.idle.set(cpu);
        if (row.at(8) == "other") {
            rq.curr = TaskId{static_cast<std::uint32_t>(s.se.size())};
            s.se.emplace_back();
        }
    }
}

} // namespace

BalanceCase read_balance_case(const json& c, const json& topology, Era era) {
    BalanceCase out;
    out.s.era = era;
    auto& s = out.s;
    s.domains = std::make_shared<const SchedDomains>(std::move(DomainReader(c, topology, out).d));
    out.dst = checked_cpu(c.at("dst"), s.domains->nr_cpu_ids);
    const auto n = s.domains->nr_cpu_ids;
    s.features = FeatureSet(s.era);
    s.features.set({Feature::WAKEUP_PREEMPTION, 0}); // would mark buddies, which the recorded passes do not do
    read_tunables(s, c.at("tunables"));
    s.hz = number(c, "hz");
    s.jiffies = number<Jiffies>(c, "now");
    s.preemptible = number(c, "preemptible") != 0;
    s.now = kNow;
    s.se.resize(1);
    s.rqs.resize(n);
    s.cfs_avg.resize(n);
    s.nr_running.resize(n);
    s.capacity.assign(n, 1024);
    s.online = c.contains("active") ? checked_mask(c["active"], n) : CpuMask::first_n(n);
    s.domain_rt.resize(s.domains->domains.size());
    s.group_rt.resize(s.domains->nr_sgc);
    s.llc_rt.resize(s.domains->nr_llc);
    for (std::uint32_t i = 0; i < n; ++i) {
        update_rq_clock(s, CpuId{i});
        s.cfs_avg[i].last_update_time = kNow;
    }
    read_cpus(out, c);
    s.root_overload = number(c, "root_overload") != 0; // queueing the tasks has touched it
    const auto* sd = s.domains->lowest(out.dst);
    for (const auto& row : c.at("domain_state")) {
        auto& rt = s.domain_rt.at(sd->id.index());
        rt.balance_interval = number<std::uint64_t>(row, "balance_interval");
        rt.nr_balance_failed = number(row, "nr_balance_failed");
        rt.last_balance = row.value("last_balance", Jiffies{0});
        rt.max_newidle_lb_cost = row.value("max_newidle_lb_cost", std::uint64_t{0});
        rt.decay_stamp = row.value("decay_stamp", Jiffies{0});
        sd = s.domains->parent(*sd);
    }
    if (c.contains("imbalance_flags"))
        for (const auto& flag : c["imbalance_flags"])
            s.group_rt.at(out.sgc.at({flag.at("level").get<std::string>(), checked_mask(flag.at("group"), s.domains->nr_cpu_ids).to_list()})).imbalance = true;
    return out;
}

} // namespace rqscope
