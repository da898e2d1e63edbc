// SPDX-License-Identifier: GPL-3.0-or-later
// Small recorded states for the tests of decision_*: machines of tests/data/topologies and records in a few words.
#pragma once

#include "conformance/decision_record.h"
#include "sched/eras.h"
#include "topology/build_domains.h"
#include "topology/machine_json.h"

#include <QFile>
#include <QTest>

#include <memory>
#include <string>

namespace rqscope::test {

inline CpuMask mask(const char* list) { return CpuMask::parse_list(list).value(); }

inline Machine machine_of(const std::string& id) {
    auto machine = load_machine_file(std::string(RQSCOPE_TEST_DATA "/topologies/") + id + ".topology.json");
    if (!machine) qFatal("no machine %s", id.c_str());
    return std::move(machine).value();
}

// The machine's name ends in -61 or -612, which is the kernel.
inline std::shared_ptr<const SchedDomains> domains_of(const std::string& id) {
    const auto era = id.ends_with("-612") ? Era::V6_12 : Era::V6_1;
    const auto machine = machine_of(id);
    auto domains = build_domains(machine, era_info(era).domains, machine.online, domain_options(era));
    if (!domains) qFatal("no domains of %s", id.c_str());
    return std::make_shared<const SchedDomains>(std::move(domains).value());
}

inline constexpr std::int64_t kNow = 1'000'000; // us
inline constexpr std::int64_t kOldest = kNow;   // idle since before the trace

// nr[c] > 0 is a busy CPU; the others are idle since before the trace until age() says otherwise.
class Record {
public:
    Record(DecisionKind kind, std::uint32_t waker, std::uint32_t prev, std::vector<std::uint32_t> nr) {
        m_d.kind = kind;
        m_d.t_us = kNow;
        m_d.pid = 100;
        m_d.waker_pid = nr[waker] > 0 ? 99 : 0;
        m_d.waker_cpu = CpuId{waker};
        m_d.prev = m_d.chosen = CpuId{prev};
        for (std::uint32_t c = 0; c < nr.size(); ++c) {
            m_d.idle_us.push_back(nr[c] > 0 ? -1 : kOldest);
            if (nr[c] == 0) m_d.idle.set(CpuId{c});
        }
        m_d.nr = std::move(nr);
    }
    Record& age(std::uint32_t cpu, std::int64_t us) {
        m_d.idle_us[cpu] = us;
        return *this;
    }
    Record& chosen(std::uint32_t cpu) {
        m_d.chosen = CpuId{cpu};
        return *this;
    }
    operator const Decision&() const { return m_d; } // NOLINT(google-explicit-constructor)

private:
    Decision m_d;
};

inline Record fork_by(std::uint32_t parent, std::vector<std::uint32_t> nr) {
    return {DecisionKind::Fork, parent, parent, std::move(nr)};
}
inline Record wake_by(std::uint32_t waker, std::uint32_t prev, std::vector<std::uint32_t> nr) {
    return {DecisionKind::Wake, waker, prev, std::move(nr)};
}

// Shows lists when a comparison fails.
inline QString text(const CpuMask& cpus) { return QString::fromStdString(cpus.to_list()); }

inline std::string read_all(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace rqscope::test
