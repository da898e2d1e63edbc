// SPDX-License-Identifier: GPL-3.0-or-later
// Bad input for readers: a valid text cut, bent and filled with rubbish by a fixed generator. A reader may refuse it or
// take it, but must come back, and must say something when it refuses.
#pragma once

#include "base/rng.h"

#include <QTest>

#include <string>

namespace rqscope::test {

template <class Read>
void read_hostile(const std::string& valid, Read&& read, int rounds) {
    for (std::size_t cut = 0; cut < valid.size(); cut += 1 + valid.size() / 64) {
        const auto result = read(valid.substr(0, cut));
        QVERIFY2(!result.ok() && !result.problems().empty(), qPrintable(QString("cut at %1").arg(cut)));
    }
    for (const std::string& rubbish : {std::string(), std::string("\0\1\2\xff\xfe", 5), std::string("[]"), std::string("null"), std::string("\"x\""), std::string("{}"),
                                      std::string(100'000, '['), std::string(100'000, '{'), std::string(200'000, 'a'), std::string("{\"schema\": \"other/9\"}")})
        QVERIFY(!read(rubbish).ok());
    Rng rng(1, 2, 3);
    for (int i = 0; i < rounds; ++i) {
        auto text = valid;
        for (auto n = 1 + rng.uniform(4); n-- > 0;) {
            const auto at = rng.uniform(text.size() - 1);
            switch (rng.uniform(3)) {
            case 0: text[at] = static_cast<char>(rng.next()); break;
            case 1: text.erase(at, 1 + rng.uniform(8)); break;
            case 2: text.insert(at, std::string(1 + rng.uniform(3), "0-9e{}[],:\"x"[rng.uniform(11)])); break;
            default: text.insert(at, text.substr(rng.uniform(text.size() - 1), rng.uniform(40)));
            }
            if (text.empty()) text = " ";
        }
        const auto result = read(text);
        QVERIFY(result.ok() || !result.problems().empty());
    }
}

} // namespace rqscope::test
