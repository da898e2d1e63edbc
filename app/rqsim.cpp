// SPDX-License-Identifier: GPL-3.0-or-later
// rqsim: the simulator from a terminal. Links the core and Qt6::Core only, so it runs where there is no display.
#include "rqsim/cli.h"

#include <QCoreApplication>

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName("rqsim");
    QCoreApplication::setApplicationVersion(RQSCOPE_VERSION);
    return rqscope::runCli(QCoreApplication::arguments().mid(1));
}
