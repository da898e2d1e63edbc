// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_canvas.h"

#include "plot/lane_plot.h"
#include "timeline/frame_painter.h"
#include "timeline/hop_painter.h"

#include <QFocusEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace rqscope {

namespace {

constexpr int kGlideMs = 160, kHoverMs = 350;
constexpr int kRightMargin = 12, kBottomMargin = 6;
constexpr double kLabelPitch = 84; // least distance of axis labels, logical pixels

TimeWindow toWindow(const View& view) {
    return {from_ns(static_cast<Ns>(std::floor(view.begin))), from_ns(static_cast<Ns>(std::ceil(view.end)))};
}

} // namespace

TimelineCanvas::TimelineCanvas(const Theme& theme, Selection& selection, QWidget* parent)
    : QWidget(parent), m_scene(theme, selection), m_selection(selection), m_lanePainter(m_scene), m_overlayPainter(m_scene),
      m_plot(new LanePlot([this](QPainter& p) { paintLanes(p); }, [this](QPainter& p) { m_overlayPainter.paint(p); }, this)),
      m_bar(new QScrollBar(Qt::Vertical, this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("What ran on each CPU over time. W and S zoom, A and D pan, comma and period step through the runs of a lane."));
    m_bar->hide();
    m_bar->setFocusPolicy(Qt::NoFocus);
    m_bar->setAccessibleName(tr("Lanes"));
    connect(m_bar, &QScrollBar::valueChanged, this, &TimelineCanvas::setScroll);

    m_hoverTimer.setSingleShot(true);
    m_hoverTimer.setInterval(kHoverMs);
    connect(&m_hoverTimer, &QTimer::timeout, this, &TimelineCanvas::hoverRested);

    m_glide.setDuration(kGlideMs);
    m_glide.setEasingCurve(QEasingCurve::OutCubic);
    m_glide.setStartValue(0.0);
    m_glide.setEndValue(1.0);
    connect(&m_glide, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
        const auto t = value.toDouble();
        const auto& to = m_window.view();
        m_shown = {m_glideFrom.begin + (to.begin - m_glideFrom.begin) * t, m_glideFrom.end + (to.end - m_glideFrom.end) * t};
        updateAll();
    });

    connect(&theme, &Theme::changed, this, &TimelineCanvas::themeChanged);
    connect(&selection, &Selection::changed, this, &TimelineCanvas::updateOverlay);
    connect(&selection, &Selection::hoverChanged, this, &TimelineCanvas::updateOverlay);
    connect(&selection, &Selection::windowChanged, this, &TimelineCanvas::takeSelectionWindow);
    m_shown = m_window.view();
    themeChanged();
}

void TimelineCanvas::restart(RunFacts facts, bool keepWindow) {
    m_scene.facts = std::move(facts);
    m_scene.dropPaints();
    m_scene.layout.setMachine(m_scene.facts.domains.get(), m_scene.model.cpuCount());
    m_current.reset();
    m_press.reset();
    m_scene.rubber.reset();
    stopHover();
    if (!keepWindow) {
        m_window.restart(known());
        m_scene.scroll = 0;
        windowMoved(false);
    }
    updateAll();
}

void TimelineCanvas::grow(RunFacts facts) {
    m_scene.facts = std::move(facts);
    const auto before = m_window.view();
    m_window.grew(known(), m_scene.facts.cursor, m_scene.facts.finished);
    if (m_window.view() != before) windowMoved(false);
    else updateAll();
}

void TimelineCanvas::moveCursor(Ns cursor, const std::optional<Hop>& decision) {
    m_scene.facts.cursor = cursor;
    m_scene.facts.decision = decision;
    const auto before = m_window.view();
    m_window.headMoved(cursor);
    if (m_window.view() != before) windowMoved(false);
    else updateOverlay();
}

void TimelineCanvas::setMode(LaneMode mode) {
    if (m_scene.layout.mode() == mode) return;
    m_scene.layout.setMode(mode);
    m_scene.scroll = 0;
    updateAll();
    emit modeChanged();
}

void TimelineCanvas::setLaneHeight(int logical) {
    m_scene.layout.setLaneHeight(logical);
    updateAll();
}

void TimelineCanvas::renderNow() {
    relayout();
    m_plot->replotNow();
}

void TimelineCanvas::relayout() {
    auto& s = m_scene;
    s.ratio = devicePixelRatioF();
    const auto top = s.axisHeight();
    const auto room = std::max(0, height() - top - s.theme.px(kBottomMargin));
    s.layout.arrange(s.model, room, s.theme.scale());
    const auto overflow = s.layout.contentHeight() > room;
    const auto left = std::min(gutterWidth(s), width() / 2);
    const auto right = overflow ? m_bar->sizeHint().width() + 2 : s.theme.px(kRightMargin);
    s.lanes = QRect(left, top, std::max(1, width() - left - right), std::max(1, room));
    const auto most = std::max(0, s.layout.contentHeight() - room);
    s.scroll = std::clamp(s.scroll, 0, most);
    m_bar->setVisible(overflow);
    const QSignalBlocker quiet(m_bar);
    m_bar->setGeometry(width() - m_bar->sizeHint().width(), top, m_bar->sizeHint().width(), std::max(1, room));
    m_bar->setRange(0, most);
    m_bar->setPageStep(std::max(1, room));
    m_bar->setSingleStep(s.layout.rows().empty() ? 1 : s.layout.rows().front().height);
    m_bar->setValue(s.scroll);
    applyScale();
}

void TimelineCanvas::applyScale() {
    auto& s = m_scene;
    s.scale = {m_shown.begin, m_shown.span() / s.lanes.width(), static_cast<double>(s.lanes.left())};
    s.ticks = chooseTicks(s.theme.px(kLabelPitch) * s.scale.nsPerPx, static_cast<Ns>(m_shown.end));
    std::vector<LanePlot::Tick> ticks;
    if (s.facts.hasRun)
        for (const auto& label : axisLabels(s)) ticks.push_back({static_cast<double>(label.time), label.text});
    m_plot->setArea(s.lanes);
    m_plot->setTime(m_shown.begin, m_shown.end);
    m_plot->setTicks(ticks, s.diamondStrip());
}

void TimelineCanvas::updateAll() {
    relayout();
    m_plot->replotAll();
    emit laidOut();
}

void TimelineCanvas::updateOverlay() { m_plot->replotOverlay(); }

void TimelineCanvas::paintLanes(QPainter& p) {
    if (!m_scene.facts.hasRun) {
        paintEmpty(p);
        return;
    }
    paintSeparators(p, m_scene);
    // Arrows run behind the bars, so that they never cross out a name.
    paintArrows(p, m_scene);
    m_lanePainter.paint(p);
    paintGutter(p, m_scene);
    paintDiamonds(p, m_scene);
    paintFlags(p, m_scene);
}

void TimelineCanvas::paintEmpty(QPainter& p) {
    p.setFont(m_scene.theme.font(TextRole::Body));
    p.setPen(m_scene.theme.colour(Token::Ink3));
    p.drawText(rect(), static_cast<int>(Qt::AlignCenter | Qt::TextWordWrap),
               tr("No run is open. Choose a machine and a workload."));
}

void TimelineCanvas::themeChanged() {
    const auto& theme = m_scene.theme;
    m_scene.dropPaints();
    m_plot->setLook(
        {theme.colour(Token::Surface), theme.colour(Token::Line), theme.colour(Token::Ink3), theme.font(TextRole::Tiny)});
    updateAll();
}

void TimelineCanvas::windowMoved(bool glide) {
    m_glide.stop();
    m_settingWindow = true;
    m_selection.setWindow(toWindow(m_window.view()));
    m_settingWindow = false;
    if (glide && isVisible() && !m_scene.theme.reducedMotion()) {
        m_glideFrom = m_shown;
        m_glide.start();
        return;
    }
    m_shown = m_window.view();
    updateAll();
}

void TimelineCanvas::takeSelectionWindow() {
    const auto window = m_selection.window();
    if (m_settingWindow || window.end <= window.begin || window == toWindow(m_window.view())) return;
    m_window.show({static_cast<double>(to_ns(window.begin)), static_cast<double>(to_ns(window.end))}, known());
    m_glide.stop();
    m_shown = m_window.view();
    updateAll();
}

void TimelineCanvas::setScroll(int scroll) {
    const auto before = m_scene.scroll;
    m_scene.scroll = scroll;
    relayout();
    if (m_scene.scroll != before) m_plot->replotAll();
}

void TimelineCanvas::ensureVisible(Ns begin, Ns end) {
    const auto& view = m_window.view();
    const auto from = static_cast<double>(begin), to = static_cast<double>(end);
    const auto middleShown = (from + to) / 2 >= view.begin && (from + to) / 2 <= view.end;
    const auto fits = from >= view.begin && to <= view.end;
    if (fits || (middleShown && to - from > view.span())) return;
    const auto span = view.span();
    const auto middle = to - from > span * 0.8 ? from + span * 0.4 : (from + to) / 2;
    m_window.show({middle - span / 2, middle + span / 2}, known());
    windowMoved(true);
}

void TimelineCanvas::ensureRowVisible(std::size_t row) {
    const auto& lane = m_scene.layout.rows()[row];
    if (lane.y < m_scene.scroll) setScroll(lane.y);
    else if (lane.y + lane.height > m_scene.scroll + m_scene.lanes.height())
        setScroll(lane.y + lane.height - m_scene.lanes.height());
}

bool TimelineCanvas::event(QEvent* event) {
    // Single keys of the window's actions must not take those that have a meaning here.
    if (event->type() == QEvent::ShortcutOverride && wants(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::ScreenChangeInternal) updateAll();
    return QWidget::event(event);
}

void TimelineCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_plot->setGeometry(rect());
    updateAll();
}

void TimelineCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    m_scene.focusRing = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                        event->reason() == Qt::ShortcutFocusReason;
    updateOverlay();
}

void TimelineCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    m_scene.focusRing = false;
    updateOverlay();
}

} // namespace rqscope
