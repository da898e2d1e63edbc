// SPDX-License-Identifier: GPL-3.0-or-later
// rqsim: the simulator from a terminal. Links the core and Qt6::Core only, so it runs where there is no display.
#include "rqsim/cli.h"

#include <QCoreApplication>

#include <cstdio>

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName("rqsim");
    QCoreApplication::setApplicationVersion(RQSCOPE_VERSION);
    const int code = rqscope::runCli(QCoreApplication::arguments().mid(1));
    // A full disk or a closed pipe must not look like success.
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    std::fputs("rqsim: stdout: cannot be written\n", stderr);
    return rqscope::kBadInput;
}
