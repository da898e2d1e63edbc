// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the two domain checks: collecting the first differences, comparing a JSON value with ours, and turning JSON
// type errors into problems. Private to core/conformance/domain_*.cpp.
#pragma once

#include "base/cpu_mask.h"
#include "base/result.h"
#include "base/json_fields.h"

#include <string>
#include <vector>

namespace rqscope {

inline constexpr JsonBounds kVectorBounds{32U << 20U, 16};

class DomainDifferences {
public:
    void add(const std::string& where, const std::string& expected, const std::string& got) {
        if (m_first.size() < kShown) m_first.push_back(where + ": expected " + expected + ", got " + got);
        else ++m_more;
    }
    void text(const std::string& where, const Json& expected, const std::string& got) {
        if (const auto wanted = expected.get<std::string>(); wanted != got) add(where, wanted, got);
    }
    void number(const std::string& where, const Json& expected, std::uint64_t got) {
        if (const auto wanted = expected.get<std::uint64_t>(); wanted != got) add(where, std::to_string(wanted), std::to_string(got));
    }
    void list(const std::string& where, const Json& expected, const std::vector<std::string>& got) {
        if (const auto wanted = expected.get<std::vector<std::string>>(); wanted != got) add(where, join(wanted), join(got));
    }
    [[nodiscard]] bool empty() const { return m_first.empty(); }
    [[nodiscard]] std::vector<std::string> take() {
        if (m_more > 0) m_first.push_back("and " + std::to_string(m_more) + " more");
        return std::move(m_first);
    }
    static std::string join(const std::vector<std::string>& words) {
        std::string out;
        for (const auto& w : words) out += (out.empty() ? "" : " ") + w;
        return out;
    }

private:
    static constexpr std::size_t kShown = 5;
    std::vector<std::string> m_first;
    std::size_t m_more = 0;
};

// A malformed list counts as empty; the comparison then shows it.
inline CpuMask cpu_list(const Json& value) {
    auto mask = CpuMask::parse_list(value.get<std::string>());
    return mask ? std::move(mask).value() : CpuMask{};
}

template <class Work>
auto guarded(Work work) -> decltype(work()) {
    try {
        return work();
    } catch (const Json::exception& e) {
        return Problem{"", std::string("is not as a domain file should be: ") + e.what()};
    }
}

} // namespace rqscope
