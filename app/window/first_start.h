// SPDX-License-Identifier: GPL-3.0-or-later
// What a newcomer sees without a click: the fork storm plays, every child lands on CPU 1, and after five seconds FORK_LOAD_AVG
// is switched on. Any key or click hands the controls over.
#pragma once

#include "base/units.h"
#include "sched/features.h"

#include <QObject>
#include <QTimer>

namespace rqscope {

class Session;

class FirstStart : public QObject {
    Q_OBJECT
public:
    static constexpr FeatureSetting kFlip{Feature::FORK_LOAD_AVG, 1};
    static constexpr SimTime kFlipAt{std::chrono::microseconds{2400}}; // after nine of the eighteen children; for pictures

    explicit FirstStart(Session& session, QObject* parent = nullptr);
    void begin(int flipAfterMs = 5000);
    [[nodiscard]] bool running() const { return m_running; }
    void end();

    bool eventFilter(QObject* object, QEvent* event) override;

signals:
    void captionChanged(const QString& text); // "" = over

private:
    void flip();
    Session& m_session;
    QTimer m_flip;
    bool m_running = false;
};

} // namespace rqscope
