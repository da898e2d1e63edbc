// SPDX-License-Identifier: GPL-3.0-or-later
// Runs each case through the entry point it was recorded from and compares what the case says afterwards. The searches in
// between (group sums, candidates) are compared through imbalance, source queue and outcome.
#include "conformance/balance_vectors.h"

#include "balance/lb_env.h"
#include "conformance/balance_state.h"
#include "sched/eras.h"

#include <nlohmann/json.hpp>

namespace rqscope {

namespace {

using nlohmann::json;

class Comparison {
public:
    Comparison(CaseResult& result, const json& expected) : m_result(result), m_expected(expected) {}
    void check(const char* what, const json& got) const {
        const auto& expected = m_expected.at(what);
        if (expected != got) m_result.differences.push_back(std::string(what) + ": expected " + expected.dump() + ", got " + got.dump());
    }

private:
    CaseResult& m_result;
    const json& m_expected;
};

json task_lists(const SchedState& s) {
    json lists = json::array();
    for (const auto& rq : s.rqs) {
        json list = json::array();
        for (auto p = rq.cfs_tasks; p != kIdleTask; p = s.se[p.index()].list_next) list.push_back(p.value);
        lists.push_back(std::move(list));
    }
    return lists;
}

json moved(const BalanceLog& log) {
    json out = json::array();
    for (const auto& m : log.moves)
        if (m.cause != MoveCause::Active) out.push_back({m.task.value, m.from.value, m.to.value});
    return out;
}

json active_balance(const SchedState& s, const BalanceLog& log) {
    if (log.active.empty()) return nullptr;
    const auto src = log.active.front();
    json push = nullptr;
    for (const auto& m : log.moves)
        if (m.cause == MoveCause::Active) push = json{m.task.value, m.from.value, m.to.value};
    return {{"src", src.value}, {"push_cpu", s.rqs[src.index()].push_cpu.value}, {"moved", push}};
}

CpuIdleType idle_type(const json& c) {
    const auto text = c.at("idle").get<std::string>();
    return text == "idle" ? CpuIdleType::Idle : text == "busy" ? CpuIdleType::NotIdle : CpuIdleType::NewlyIdle;
}

const SchedDomain& domain_at(const SchedState& s, CpuId cpu, std::size_t level) {
    const auto* sd = s.domains->lowest(cpu);
    while (sd != nullptr && level-- > 0) sd = s.domains->parent(*sd);
    SCHED_CHECK(sd != nullptr);
    return *sd;
}

int own_group_flag(const SchedState& s, const SchedDomain* sd) {
    return sd == nullptr ? -1 : int{s.group_rt[s.domains->group(*sd, 0).sgc].imbalance};
}

json domains_after(const SchedState& s, CpuId cpu) {
    json out = json::array();
    for (const auto* sd = s.domains->lowest(cpu); sd != nullptr; sd = s.domains->parent(*sd)) {
        const auto& rt = s.domain_rt[sd->id.index()];
        out.push_back({{"nr_balance_failed", rt.nr_balance_failed},
                       {"balance_interval", rt.balance_interval},
                       {"last_balance", rt.last_balance},
                       {"max_newidle_lb_cost", rt.max_newidle_lb_cost},
                       {"decay_stamp", rt.decay_stamp},
                       {"own_group_imbalance_flag", own_group_flag(s, sd)}});
    }
    return out;
}

bool compares_average_load(const SchedState& s) { return era_info(s.era).balance == BalanceProfile::V4_7; }

// Columns of a group: group, local, type, load, ...
void check_types(const json& search, const BalanceVerdict& pass, CaseResult& result) {
    for (const auto& row : search.at("groups")) {
        const bool local = row.at(1) != 0;
        if (!local && row.at(0) != search.at("busiest_group")) continue;
        const auto expected = row.at(2).get<std::string>();
        const auto type = local ? pass.local_type : pass.busiest_type;
        const auto got = type == GroupType::MisfitTask ? "misfit" : name_of(type); // the file's short word
        if (expected != got)
            result.differences.push_back((local ? "type of the local group: expected " : "type of the busiest group: expected ") + expected +
                                         ", got " + std::string(got));
    }
}

// The last search of a pass; earlier ones, before a pinned queue was left out, are not kept.
void check_last_search(const SchedState& s, const json& passes, const BalanceLog& log, CaseResult& result) {
    const auto& last = passes.back();
    if (last.at("should_we_balance") == 0 || last.at("busiest_group").is_null() || log.passes.empty()) return;
    const Comparison compare(result, last);
    const auto& pass = log.passes.back();
    compare.check("imbalance", pass.imbalance);
    if (!last.at("src").is_null()) compare.check("src", pass.src.value);
    if (compares_average_load(s)) return;
    compare.check("migration_type", name_of(pass.migration_type));
    check_types(last, pass, result);
}

// The vectors were made without add_nr_running(), which marks the system overloaded when an attached task is somebody's
// second; after a move the flag is ours alone.
void check_overload(const Comparison& compare, const SchedState& s, const BalanceLog& log) {
    if (log.moves.empty()) compare.check("root_overload", int{s.root_overload});
}

void run_load_balance(const Comparison& compare, BalanceCase& b, const json& c, CaseResult& result) {
    auto& s = b.s;
    BalanceLog log;
    const auto& sd = domain_at(s, b.dst, c.at("level").get<std::size_t>());
    auto& rt = s.domain_rt[sd.id.index()];
    bool go_on = true;
    compare.check("returned", load_balance(s, b.dst, sd, idle_type(c), go_on, log));
    check_last_search(s, c.at("out").at("passes"), log, result);
    compare.check("continue_balancing", int{go_on});
    compare.check("nr_balance_failed", rt.nr_balance_failed);
    compare.check("balance_interval", rt.balance_interval);
    compare.check("parent_imbalance_flag", own_group_flag(s, s.domains->parent(sd)));
    check_overload(compare, s, log);
    for (const auto src : log.active) active_load_balance(s, src, log);
    compare.check("nr_balance_failed_after_active", rt.nr_balance_failed);
    compare.check("moved", moved(log));
    compare.check("active_balance", active_balance(s, log));
    compare.check("task_lists", task_lists(s));
    if (!compares_average_load(s)) compare.check("nr_idle_scan", s.llc_rt[s.domains->llc[b.dst.index()].index()].nr_idle_scan);
}

void run_tick(const Comparison& compare, BalanceCase& b, const json& c) {
    auto& s = b.s;
    BalanceLog log;
    rebalance_domains(s, b.dst, idle_type(c), log);
    check_overload(compare, s, log);
    compare.check("moved", moved(log));
    compare.check("active_balance", active_balance(s, log));
    compare.check("task_lists", task_lists(s));
    compare.check("domains", domains_after(s, b.dst));
    compare.check("next_balance", s.rqs[b.dst.index()].next_balance);
    compare.check("max_idle_balance_cost", s.rqs[b.dst.index()].max_idle_balance_cost);
}

// A new-idle walk only records that a push is to come.
void check_active_source(const json& expected, const BalanceLog& log, CaseResult& result) {
    json got = nullptr;
    if (!log.active.empty()) got = {{"src", log.active.front().value}};
    if (expected != got) result.differences.push_back("active_balance: expected " + expected.dump() + ", got " + got.dump());
}

void run_newidle(const Comparison& compare, BalanceCase& b, const json& c, CaseResult& result) {
    auto& s = b.s;
    BalanceLog log;
    const auto costs = c.at("cost_ns").get<std::vector<std::uint64_t>>();
    compare.check("returned", newidle_walk(s, b.dst, log, costs.data()));
    check_active_source(c.at("out").at("active_balance"), log, result);
    const auto& rq = s.rqs[b.dst.index()];
    compare.check("moved", moved(log));
    compare.check("task_lists", task_lists(s));
    compare.check("domains", domains_after(s, b.dst));
    compare.check("next_balance", rq.next_balance);
    compare.check("idle_stamp_cleared", int{rq.idle_stamp == 0});
    compare.check("max_idle_balance_cost", rq.max_idle_balance_cost);
}

// What the files call 5.19 was recorded from a kernel of 6.1, which already hinted at the length of idle scans.
std::optional<Era> recorded_from(std::string_view era) { return era == "5.19" ? Era::V6_1 : find_era_spelling(era); }

void run_case(CaseResult& result, const json& c, const json& topologies) {
    const auto era = c.at("era").get<std::string>();
    const auto known = recorded_from(era);
    if (!known) {
        result.not_run = true;
        result.differences.push_back("era " + era + " is not known");
        return;
    }
    auto b = read_balance_case(c, topologies.at(c.at("topology").get<std::string>() + "|" + era), *known);
    const Comparison compare(result, c.at("out"));
    const auto kind = c.at("kind").get<std::string>();
    if (kind == "tick")
        run_tick(compare, b, c);
    else if (kind == "newidle")
        run_newidle(compare, b, c, result);
    else
        run_load_balance(compare, b, c, result);
    result.passed = result.differences.empty();
}

} // namespace

Result<ConformanceReport> run_balance_vectors(std::string_view text) {
    const auto j = json::parse(text, nullptr, false);
    if (j.is_discarded() || !j.is_object() || !j.contains("cases") || !j.contains("topologies"))
        return Problem{"", "This is no file of balancing cases. Expected an object with topologies and cases."};
    ConformanceReport report;
    Problems problems;
    for (const auto& c : j["cases"]) {
        CaseResult result;
        try {
            result.name = c.at("id").get<std::string>();
            run_case(result, c, j["topologies"]);
        } catch (const std::exception& e) {
            problems.push_back({result.name, e.what()});
        }
        report.cases.push_back(std::move(result));
    }
    if (!problems.empty()) return problems;
    return report;
}

} // namespace rqscope
