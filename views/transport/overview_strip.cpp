// SPDX-License-Identifier: GPL-3.0-or-later
#include "transport/overview_strip.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace rqscope {

namespace {

constexpr int kDiamondPitch = 10; // denser than this, diamonds run together
constexpr int kStroke = 4;        // pixels of one step of the heat

// A round number a little above: 1, 2 or 5 times a power of ten.
std::int64_t niceAbove(std::int64_t ns) {
    std::int64_t unit = 1;
    while (unit * 10 <= ns) unit *= 10;
    for (const std::int64_t factor : {1, 2, 5})
        if (unit * factor > ns) return unit * factor;
    return unit * 10;
}

} // namespace

OverviewStrip::OverviewStrip(const Theme& theme, RunSource& source, Selection& selection, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_source(source), m_selection(selection) {
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(QStringLiteral("Overview of the run"));
    setToolTip(QStringLiteral("Click: go there. Drag the frame: move the timeline."));
    connect(&m_source, &RunSource::runReset, this, [this] {
        m_activity.clear();
        drop();
    });
    connect(&m_source, &RunSource::cursorMoved, this, [this] { update(); });
    connect(&m_source, &RunSource::runGrew, this, [this] { update(); });
    connect(&m_selection, &Selection::windowChanged, this, [this] { update(); });
    connect(&m_theme, &Theme::changed, this, [this] {
        updateGeometry();
        drop();
    });
}

QSize OverviewStrip::sizeHint() const { return {400, m_theme.px(22)}; }

void OverviewStrip::drop() {
    m_marks = {};
    update();
}

void OverviewStrip::resizeEvent(QResizeEvent*) { drop(); }

SimTime OverviewStrip::end() const {
    const auto* history = m_source.history();
    if (!history) return from_ns(1000000);
    const auto known = std::max<std::int64_t>(to_ns(history->known_time()), 1000);
    if (history->finished()) return from_ns(known);
    const auto limit = to_ns(history->end_limit());
    // Runs that end by themselves name no limit: leave room to grow into.
    return from_ns(limit <= known * 100 && limit > known ? limit : niceAbove(known));
}

QRect OverviewStrip::track() const { return rect().adjusted(m_theme.px(1), 0, -m_theme.px(1), 0); }

double OverviewStrip::xOf(SimTime time) const {
    const auto area = track();
    return area.left() + static_cast<double>(to_ns(time)) / static_cast<double>(to_ns(end())) * (area.width() - 1);
}

SimTime OverviewStrip::timeAt(double x) const {
    const auto area = track();
    const auto part = std::clamp((x - area.left()) / std::max(1, area.width() - 1), 0.0, 1.0);
    return from_ns(std::llround(part * static_cast<double>(to_ns(end()))));
}

bool OverviewStrip::windowed() const {
    const auto window = m_selection.window();
    return window.end > window.begin && (window.begin > SimTime{} || window.end < end());
}

void OverviewStrip::drawMarks() {
    const auto* history = m_source.history();
    const auto ratio = devicePixelRatioF();
    m_marks = QPixmap((QSizeF(size()) * ratio).toSize());
    m_marks.setDevicePixelRatio(ratio);
    m_marks.fill(Qt::transparent);
    m_marksRows = history->known_rows();
    m_marksEnd = end();
    QPainter painter(&m_marks);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto count = history->decisions().size();
    if (count * static_cast<std::size_t>(m_theme.px(kDiamondPitch)) <= static_cast<std::size_t>(width())) {
        std::vector<double> xs;
        for (const auto row : history->decisions()) xs.push_back(xOf(history->log().row(row).time));
        drawDiamonds(painter, xs);
    } else {
        takeRows();
        drawHeat(painter, m_activity.binned(m_marksEnd, static_cast<std::size_t>(width() / kStroke + 1)));
    }
    drawFlags(painter);
}

void OverviewStrip::takeRows() {
    if (m_activity.rows() > m_marksRows) m_activity.clear(); // the known future was dropped
    m_source.history()->log().for_each(m_activity.rows(), m_marksRows, [this](const LogRow& row) { m_activity.add(row); });
}

void OverviewStrip::drawDiamonds(QPainter& painter, const std::vector<double>& xs) const {
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.colour(Token::Ink3));
    const auto half = m_theme.px(4.5);
    const auto middle = height() / 2.0;
    for (const auto x : xs)
        painter.drawPolygon(QPolygonF{{x, middle - half}, {x + half, middle}, {x, middle + half}, {x - half, middle}});
}

void OverviewStrip::drawHeat(QPainter& painter, const std::vector<int>& bins) const {
    const auto most = std::max(1, *std::max_element(bins.begin(), bins.end()));
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t i = 0; i < bins.size(); ++i) {
        if (bins[i] == 0) continue;
        const auto step = std::min(5, 1 + bins[i] * 5 / (most + 1));
        painter.fillRect(QRect(static_cast<int>(i) * kStroke, m_theme.px(4), kStroke, height() - 2 * m_theme.px(4)), m_theme.ramp(step));
    }
}

void OverviewStrip::drawFlags(QPainter& painter) const {
    const auto size = m_theme.px(14);
    const auto flag = m_theme.icon(QStringLiteral("flag-solid"), m_theme.colour(Token::Accent), size, devicePixelRatioF());
    for (const auto& input : m_source.history()->inputs()) {
        if (input.at > m_source.history()->known_time()) continue;
        painter.drawPixmap(QPointF(std::floor(xOf(input.at)) - size * 3.5 / 16, (height() - size) / 2.0), flag);
    }
}

void OverviewStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = QRectF(track()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(m_theme.colour(Token::Line), 1));
    painter.setBrush(m_theme.colour(Token::Sunken));
    painter.drawRoundedRect(area, m_theme.px(4), m_theme.px(4));
    const auto* history = m_source.history();
    if (!history) return;
    QPainterPath clip;
    clip.addRoundedRect(area, m_theme.px(4), m_theme.px(4));
    painter.save();
    painter.setClipPath(clip);
    const auto known = xOf(history->known_time());
    const auto past = xOf(m_source.snapshot().time);
    auto future = m_theme.colour(Token::Hover);
    future.setAlphaF(0.5F);
    painter.fillRect(QRectF(area.left(), area.top(), known - area.left(), area.height()), future);
    painter.fillRect(QRectF(area.left(), area.top(), past - area.left(), area.height()), m_theme.colour(Token::Hover));
    painter.restore();
    if (m_marks.isNull() || m_marksRows != history->known_rows() || m_marksEnd != end()) drawMarks();
    painter.drawPixmap(0, 0, m_marks);
    if (windowed()) drawFrame(painter);
    drawHead(painter);
}

void OverviewStrip::drawFrame(QPainter& painter) const {
    const auto window = m_selection.window();
    const auto left = std::max<double>(track().left(), xOf(std::max(SimTime{}, window.begin)));
    const auto right = std::min<double>(track().right(), xOf(std::min(end(), window.end)));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme.colour(Token::Ink2), 2));
    painter.drawRoundedRect(QRectF(left, 1, std::max(6.0, right - left), height() - 2), 3, 3);
}

void OverviewStrip::drawHead(QPainter& painter) const {
    const auto x = xOf(m_source.snapshot().time);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto decision = m_source.history()->current_decision();
    if (decision && decision->time == m_source.snapshot().time) {
        const auto half = m_theme.px(6);
        const auto middle = height() / 2.0;
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.colour(Token::Decision));
        painter.drawPolygon(QPolygonF{{x, middle - half}, {x + half, middle}, {x, middle + half}, {x - half, middle}});
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF(std::floor(x) - 0.5, 0, m_theme.px(2), height()), m_theme.colour(Token::Ink));
}

OverviewStrip::Grip OverviewStrip::gripAt(double x) const {
    if (!windowed()) return Grip::Seek;
    const auto left = xOf(m_selection.window().begin);
    const auto right = xOf(m_selection.window().end);
    const double reach = m_theme.px(5);
    if (std::abs(x - left) <= reach) return Grip::Left;
    if (std::abs(x - right) <= reach) return Grip::Right;
    return x > left && x < right ? Grip::Move : Grip::Seek;
}

void OverviewStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_source.history()) return;
    m_pressX = event->position().x();
    m_pressWindow = m_selection.window();
    m_grip = gripAt(m_pressX);
    m_dragged = false;
    if (m_grip == Grip::Seek) emit m_selection.seekRequested(timeAt(m_pressX));
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event) {
    const auto x = event->position().x();
    if (m_grip == Grip::None) {
        const auto grip = gripAt(x);
        setCursor(grip == Grip::Left || grip == Grip::Right ? Qt::SizeHorCursor : grip == Grip::Move ? Qt::OpenHandCursor : Qt::ArrowCursor);
        return;
    }
    if (m_grip == Grip::Seek) {
        emit m_selection.seekRequested(timeAt(x));
        return;
    }
    m_dragged = m_dragged || std::abs(x - m_pressX) > 3;
    if (!m_dragged) return;
    const auto moved = Duration{std::llround((x - m_pressX) / std::max(1, track().width() - 1) * static_cast<double>(to_ns(end())))};
    auto window = m_pressWindow;
    const auto least = Duration{std::max<std::int64_t>(1000, to_ns(end()) / 1000)};
    if (m_grip == Grip::Left) window.begin = std::clamp(window.begin + moved, SimTime{}, window.end - least);
    if (m_grip == Grip::Right) window.end = std::max(window.begin + least, window.end + moved);
    if (m_grip == Grip::Move) {
        const auto shift = std::max(moved, SimTime{} - window.begin);
        window = {window.begin + shift, window.end + shift};
    }
    m_selection.setWindow(window);
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (m_grip == Grip::Move && !m_dragged) emit m_selection.seekRequested(timeAt(m_pressX));
    m_grip = Grip::None;
}

} // namespace rqscope
