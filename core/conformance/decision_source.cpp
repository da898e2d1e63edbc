// SPDX-License-Identifier: GPL-3.0-or-later
// Runs named dom-X ran on machine X, the five short names on the machines that the format page lists; any other name is
// taken for the machine's own.
#include "conformance/decision_source.h"

#include <utility>

namespace rqscope {

namespace {

constexpr std::pair<std::string_view, std::string_view> kMachines[] = {{"A-8", "2s4c-numa"},
                                                                       {"A-16", "2s4c2t-numa"},
                                                                       {"A-40", "ivbep40"},
                                                                       {"A-clu16", "clu-2s2m4c-numa"},
                                                                       {"E-16", "2s4c2t-numa"}};

std::string_view machine_of(std::string_view run) {
    if (run.starts_with("dom-")) return run.substr(4);
    for (const auto& [name, machine] : kMachines)
        if (name == run) return machine;
    return run;
}

} // namespace

Result<DecisionSource> decision_source(std::string_view name) {
    const auto dot = name.find('.');
    const auto run = name.substr(0, dot);
    auto workload = dot == std::string_view::npos ? std::string_view{} : name.substr(dot + 1);
    for (const std::string_view ending : {".gz", ".jsonl"})
        if (workload.ends_with(ending)) workload.remove_suffix(ending.size());
    for (const auto& [ending, era] : {std::pair<std::string_view, Era>{"-612", Era::V6_12}, {"-61", Era::V6_1}})
        if (run.ends_with(ending) && run.size() > ending.size()) {
            const auto base = run.substr(0, run.size() - ending.size());
            return DecisionSource{std::string(run), std::string(workload),
                                  std::string(machine_of(base)) + std::string(ending), era};
        }
    return Problem{
        "", "the name does not say which kernel was recorded: expected MACHINE-61.WORKLOAD.jsonl.gz or MACHINE-612...."};
}

} // namespace rqscope
