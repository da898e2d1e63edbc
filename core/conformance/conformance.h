// SPDX-License-Identifier: GPL-3.0-or-later
// What a check against published or recorded values reports: one row per case, with the first differences in words.
// Each kind of file (domains, cfs, pelt, select ...) has its own reader beside this header; all return this report.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace rqscope {

struct CaseResult {
    std::string name;
    bool passed = false;
    bool not_run = false;                 // left out on purpose; differences then says why
    std::vector<std::string> differences; // the first few, "where: expected A, got B"
};

struct ConformanceReport {
    std::vector<CaseResult> cases;

    // Everything that was run passed.
    [[nodiscard]] bool ok() const {
        return std::all_of(cases.begin(), cases.end(), [](const CaseResult& c) { return c.passed || c.not_run; });
    }
};

} // namespace rqscope
