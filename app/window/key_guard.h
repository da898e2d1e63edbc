// SPDX-License-Identifier: GPL-3.0-or-later
// One-key shortcuts of a window win over its controls: Space would never press a focused button, arrows never move a slider.
// This filter gives those keys back to the control that has the focus.
#pragma once

#include <QObject>

namespace rqscope {

class KeyGuard : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    bool eventFilter(QObject* object, QEvent* event) override;
};

} // namespace rqscope
