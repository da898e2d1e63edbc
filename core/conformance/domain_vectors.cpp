// SPDX-License-Identifier: GPL-3.0-or-later
// expected-domains/1 against build_domains(): attributes, spans, groups, chains and shortcuts of every CPU. Groups compare
// as rings, because a file lists them from the lowest CPU and a chain begins at its owner's.
#include "conformance/domain_vectors.h"

#include "conformance/domain_compare.h"
#include "topology/build_domains.h"

#include <algorithm>

namespace rqscope {

namespace {

std::optional<DomainProfile> profile_of(std::string_view era) {
    for (const auto p : {DomainProfile::V4_7, DomainProfile::V5_19, DomainProfile::V6_12})
        if (name_of(p) == era) return p;
    return std::nullopt;
}

// "4-5 mask=4" -> span and mask; without a mask it is the span.
std::pair<std::string, std::string> split_group(const std::string& text) {
    const auto at = text.find(" mask=");
    if (at == std::string::npos) return {text, text};
    return {text.substr(0, at), text.substr(at + 6)};
}

class ExpectedEra {
public:
    ExpectedEra(const Json& era, const SchedDomains& domains, DomainDifferences& out) : m_era(era), m_domains(domains), m_out(out) {}

    void compare() {
        CpuMask listed;
        for (const auto& entry : m_era.at("cpus")) {
            const auto cpus = cpu_list(entry.at("cpus"));
            listed |= cpus;
            for (const auto cpu : cpus) compare_cpu(entry, cpu);
        }
        for (std::uint32_t c = 0; c < m_domains.nr_cpu_ids; ++c)
            if (!listed.test(CpuId{c}) && m_domains.base[c]) m_out.add("cpu " + std::to_string(c), "no domains", m_domains.lowest(CpuId{c})->name);
    }

private:
    void compare_cpu(const Json& entry, CpuId cpu) {
        const auto where = "cpu " + std::to_string(cpu.value);
        const auto* d = m_domains.lowest(cpu);
        for (const auto& id : entry.at("chain")) {
            const auto& wanted = m_era.at("domains").at(id.get<std::size_t>());
            if (d == nullptr) {
                m_out.add(where, wanted.at("level").get<std::string>(), "end of the chain");
                return;
            }
            compare_domain(wanted, *d, where + " " + d->name);
            d = m_domains.parent(*d);
        }
        if (d != nullptr) m_out.add(where, "end of the chain", d->name);
        compare_shortcuts(entry, cpu, where);
    }

    void compare_domain(const Json& wanted, const SchedDomain& d, const std::string& where) {
        const auto& attr = m_era.at("attrs").at(wanted.at("attr").get<std::size_t>());
        m_out.text(where + " level", attr.at("level"), d.name);
        m_out.list(where + " flags", attr.at("flags"), flag_names(d.flags, m_domains.profile));
        m_out.number(where + " imbalance_pct", attr.at("imbalance_pct"), d.imbalance_pct);
        m_out.number(where + " busy_factor", attr.at("busy_factor"), d.busy_factor);
        m_out.number(where + " min_interval_ms", attr.at("min_interval_ms"), d.min_interval);
        m_out.number(where + " max_interval_ms", attr.at("max_interval_ms"), d.max_interval);
        m_out.number(where + " cache_nice_tries", attr.at("cache_nice_tries"), d.cache_nice_tries);
        if (attr.contains("imb_numa_nr")) m_out.number(where + " imb_numa_nr", attr.at("imb_numa_nr"), d.imb_numa_nr);
        m_out.text(where + " span", wanted.at("span"), d.span.to_list());
        m_out.number(where + " weight", wanted.at("weight"), d.weight);
        if (m_domains.profile != DomainProfile::V4_7 || !d.has(SdFlag::NUMA)) compare_groups(wanted.at("groups"), d, where);
    }

    void compare_groups(const Json& wanted, const SchedDomain& d, const std::string& where) {
        std::vector<std::pair<std::string, std::string>> expected, got;
        for (const auto& text : wanted) expected.push_back(split_group(text.get<std::string>()));
        for (const auto& g : m_domains.ring_of(d)) got.emplace_back(g.span.to_list(), g.balance_mask.to_list());
        const auto show = [](const auto& ring) {
            std::string out;
            for (const auto& [span, mask] : ring) out += (out.empty() ? "" : " | ") + span + (mask == span ? "" : " mask=" + mask);
            return out;
        };
        const auto before = got;
        if (!expected.empty())
            if (const auto start = std::find(got.begin(), got.end(), expected.front()); start != got.end()) std::rotate(got.begin(), start, got.end());
        if (expected != got) m_out.add(where + " groups", show(expected), show(before));
    }

    void compare_shortcuts(const Json& entry, CpuId cpu, const std::string& where) {
        const auto c = cpu.index();
        m_out.number(where + " llc_id", entry.at("llc_id"), m_domains.sd_llc_id[c].value);
        m_out.number(where + " llc_size", entry.at("llc_size"), m_domains.sd_llc_size[c]);
        if (entry.contains("share_id")) m_out.number(where + " share_id", entry.at("share_id"), m_domains.sd_share_id[c].value);
        shortcut(entry, "sd_busy", m_domains.sd_busy[c], where, true);
        shortcut(entry, "sd_numa", m_domains.sd_numa[c], where, false);
        shortcut(entry, "sd_asym_cpucapacity", m_domains.sd_asym_cpucapacity[c], where, false);
    }

    void shortcut(const Json& entry, const char* key, std::optional<DomainId> id, const std::string& where, bool by_name) {
        const auto got = !id ? "none" : by_name ? m_domains[*id].name : m_domains[*id].span.to_list();
        if (!entry.contains(key)) return;
        const auto& wanted = entry.at(key);
        m_out.text(where + " " + key, wanted.is_null() ? Json("none") : wanted, got);
    }

    const Json& m_era;
    const SchedDomains& m_domains;
    DomainDifferences& m_out;
};

} // namespace

DomainFileKind domain_file_kind(std::string_view text) {
    const auto file = parse_json(text, kVectorBounds);
    if (!file || !file->is_object()) return DomainFileKind::None;
    if (file->value("schema", Json()) == Json("expected-domains/1")) return DomainFileKind::Expected;
    const bool dump = file->contains("domains") && file->contains("cpu_topology") && file->contains("kernel");
    return dump ? DomainFileKind::Dump : DomainFileKind::None;
}

Result<ConformanceReport> check_expected_domains(std::string_view text, const Machine& machine) {
    const auto file = parse_json(text, kVectorBounds);
    if (!file) return file.problems();
    return guarded([&]() -> Result<ConformanceReport> {
        ConformanceReport report;
        for (const auto& [key, era] : file->at("eras").items()) {
            const auto profile = profile_of(key);
            CaseResult result{file->at("machine").get<std::string>() + " " + key, false, !profile, {}};
            DomainDifferences out;
            if (!profile) out.add("era", "4.7, 5.19 or 6.12", key);
            else if (const auto built = build_domains(machine, *profile, machine.online)) ExpectedEra(era, *built, out).compare();
            else out.add("build", "domains", built.problems().front().message);
            result.passed = out.empty();
            result.differences = out.take();
            report.cases.push_back(std::move(result));
        }
        return report;
    });
}

} // namespace rqscope
