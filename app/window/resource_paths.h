// SPDX-License-Identifier: GPL-3.0-or-later
// Where machines and scenarios lie: installed beside the program, or in the source tree during development. Independent of
// the working directory.
#pragma once

#include <QString>
#include <QStringList>

namespace rqscope {

// Existing folders only, best first; empty when the installation is incomplete.
[[nodiscard]] QStringList topologyFolders();
[[nodiscard]] QStringList scenarioFolders();


} // namespace rqscope
