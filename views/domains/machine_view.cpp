// SPDX-License-Identifier: GPL-3.0-or-later
#include "domains/machine_view.h"

#include "domains/machine_canvas.h"
#include "domains/machine_head.h"

#include <QPainter>
#include <QVBoxLayout>

namespace rqscope {

namespace {

constexpr std::uint32_t kFollowRows = 256; // a longer way forward while paused is a seek: no motion

} // namespace

MachineView::MachineView(const Theme& theme, RunSource& run, Selection& selection, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_run(run), m_canvas(new MachineCanvas(theme, selection)),
      m_head(new MachineHead(theme, m_canvas->scene())) {
    setObjectName(QStringLiteral("machineView"));
    setAccessibleName(tr("Machine"));
    auto* column = new QVBoxLayout(this);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_canvas, 1);
    setMargins();
    setFocusProxy(m_canvas);

    connect(&run, &RunSource::runReset, this, &MachineView::reset);
    connect(&run, &RunSource::cursorMoved, this, &MachineView::follow);
    connect(&run, &RunSource::playingChanged, this, &MachineView::showDecision);
    connect(m_canvas, &MachineCanvas::headChanged, m_head, &MachineHead::refresh);
    connect(m_head, &MachineHead::focusRequested, m_canvas, &MachineCanvas::focusNode);
    connect(m_head, &MachineHead::clearRequested, &selection, [&selection] { selection.selectDomain(std::nullopt); });
    connect(&theme, &Theme::changed, this, [this] {
        setMargins();
        update();
    });
    reset();
}

void MachineView::setMargins() {
    layout()->setContentsMargins(1, 1, 1, m_theme.px(8));
    layout()->setSpacing(m_theme.px(8));
}

void MachineView::reset() {
    m_canvas->clearRun();
    m_rows = 0;
    const auto* history = m_run.history();
    m_head->setConstructed(history && history->scenario().constructed());
    if (history) follow();
}

void MachineView::follow() {
    const auto* history = m_run.history();
    if (!history) return;
    const auto& snapshot = m_run.snapshot();
    const bool forward = snapshot.rows >= m_rows && (m_run.playing() || snapshot.rows - m_rows <= kFollowRows);
    m_rows = snapshot.rows;
    m_canvas->setSnapshot(snapshot, history->tasks(), forward ? MachineCanvas::Motion::Follow : MachineCanvas::Motion::Jump);
    m_canvas->moveLanded(history->log(), snapshot.rows);
    showDecision();
}

void MachineView::showDecision() {
    const auto* history = m_run.history();
    if (!history) return;
    auto decision = history->current_decision();
    if (decision && !isCurrent(*decision, history->log(), m_rows, m_run.snapshot().time)) decision.reset();
    m_canvas->setDecision(decision, !m_run.playing());
}

void MachineView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.colour(Token::Line));
    painter.setBrush(m_theme.colour(Token::Surface));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), m_theme.px(8), m_theme.px(8));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(m_theme.colour(Token::Line));
    painter.drawLine(1, m_head->geometry().bottom() + 1, width() - 2, m_head->geometry().bottom() + 1);
}

} // namespace rqscope
