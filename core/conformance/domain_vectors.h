// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the domain builder against files: expected-domains/1 (trees derived by rule) and dumps of booted kernels
// (topology-schema.md 3.4, 4). DomainDifferences name CPU, level and field. What a file cannot know (capacities left by interrupts)
// or what a kernel got wrong (NUMA groups of 4.7) is not compared.
#pragma once

#include "base/result.h"
#include "conformance/conformance.h"
#include "topology/machine.h"

#include <string_view>

namespace rqscope {

enum class DomainFileKind : std::uint8_t { None, Expected, Dump };
// By content; None for every other file, broken ones included.
[[nodiscard]] DomainFileKind domain_file_kind(std::string_view text);

// One case per era of the file, named "<machine> <era>".
[[nodiscard]] Result<ConformanceReport> check_expected_domains(std::string_view text, const Machine& machine);

// One case named after the dump. Its profile follows from the kernel's version.
[[nodiscard]] Result<ConformanceReport> check_domain_dump(std::string_view text, const Machine& machine);
// The machine as the dump itself describes it (nodes, cpu_topology).
[[nodiscard]] Result<Machine> machine_of_dump(std::string_view text);

} // namespace rqscope
