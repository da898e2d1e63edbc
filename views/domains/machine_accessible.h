// SPDX-License-Identifier: GPL-3.0-or-later
// The machine for screen readers: a list with one item per CPU ("CPU 7, idle, load 200, chosen"). Without it a painted
// panel says nothing.
#pragma once

namespace rqscope {

void installMachineAccessible(); // once per process; later calls do nothing

} // namespace rqscope
