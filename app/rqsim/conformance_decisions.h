// SPDX-License-Identifier: GPL-3.0-or-later
// The part of `rqsim conformance` that recorded placement decisions need: which machine and kernel a file is of, and its
// figures as text and JSON.
#pragma once

#include "base/json_text.h"
#include "conformance/decision_report.h"

#include <QString>

#include <optional>
#include <string>

namespace rqscope {

// `text`: the file unpacked. The machine is `topology`, else the one that the file's name stands for.
[[nodiscard]] Result<ScoredRecording> scoreRecording(const QString& file, const std::string& text,
                                                     const std::optional<QString>& topology);

[[nodiscard]] QString figuresText(const DecisionScore& score);
// One member "figures" of the object that is open.
void writeFigures(JsonText& json, const DecisionScore& score);

} // namespace rqscope
