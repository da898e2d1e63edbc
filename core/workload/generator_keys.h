// SPDX-License-Identifier: GPL-3.0-or-later
// KEY=VALUE,... of an inline workload (CONTRACT "Workload SPEC"), asked for one by one so that a misspelt key is found.
// Problems name the generator and the key; a bad value counts as its fallback.
#pragma once

#include "base/cpu_mask.h"
#include "base/result.h"
#include "base/units.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rqscope {

class GeneratorKeys {
public:
    // `text` is what follows "name:".
    GeneratorKeys(std::string_view generator, std::string_view text, Problems& problems);

    [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t fallback, std::int64_t min, std::int64_t max);
    [[nodiscard]] Duration time(std::string_view key, Duration fallback);
    [[nodiscard]] std::optional<CpuMask> cpus(std::string_view key); // a list in Linux form
    [[nodiscard]] bool has(std::string_view key);
    void problem(std::string_view key, const std::string& what);
    // Whatever nobody asked for is a problem.
    void finish();

private:
    std::optional<std::string> take(std::string_view key);

    std::string m_generator;
    Problems& m_problems;
    std::map<std::string, std::string, std::less<>> m_values;
    std::vector<std::string_view> m_known;
    std::string m_last;
};

} // namespace rqscope
