// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of rqscope (CONTRACT): what to open, whether to render a picture instead of opening a window.
#pragma once

#include "base/result.h"
#include "transport/go_to_time.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace rqscope {

struct CommandLine {
    QString file;       // "" = last session or first start
    QString screenshot; // "" = a window
    QSize size{1600, 1000};
    std::optional<GoTo> at; // none = the end
    QString view = QStringLiteral("main");
    std::optional<bool> dark;
    std::optional<double> scale;
    bool headless = false;
    QString answer;     // text to print instead of anything else (help, version)

    [[nodiscard]] bool picture() const { return headless || !screenshot.isEmpty(); }
};

// `arguments` without the program's name. Problems: one per wrong argument.
[[nodiscard]] Result<CommandLine> parseCommandLine(const QStringList& arguments);

} // namespace rqscope
