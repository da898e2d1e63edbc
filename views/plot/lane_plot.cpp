// SPDX-License-Identifier: GPL-3.0-or-later
// QCustomPlot behind the lanes: it keeps the buffered layers, the grid and the axis labels; the lanes themselves are one
// plottable that hands its painter on. Its own selection is not used, because a click there replots everything.
#include "plot/lane_plot.h"

#include <QEvent>

// The header is not clean under our warnings.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wshadow"
#include <qcustomplot.h>
#pragma GCC diagnostic pop

#include <utility>

namespace rqscope {

namespace {

// Paints through a callback over the whole widget: gutter and flags lie outside the axis rectangle.
class PaintedLanes : public QCPAbstractPlottable {
public:
    PaintedLanes(QCPAxis* key, QCPAxis* value, LanePlot::Paint paint)
        : QCPAbstractPlottable(key, value), m_paint(std::move(paint)) {
        setSelectable(QCP::stNone);
    }
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
    QCPRange getKeyRange(bool& found, QCP::SignDomain) const override {
        found = false;
        return {};
    }
    QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override {
        found = false;
        return {};
    }

protected:
    QRect clipRect() const override { return mParentPlot->viewport(); }
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}
    void draw(QCPPainter* painter) override { m_paint(*painter); }

private:
    LanePlot::Paint m_paint;
};

} // namespace

LanePlot::LanePlot(Paint lanes, Paint overlay, QWidget* parent) : QWidget(parent), m_plot(new QCustomPlot(this)) {
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->setFocusPolicy(Qt::NoFocus);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->setNotAntialiasedElements(QCP::aeAll);
    m_plot->plotLayout()->setMargins(QMargins());
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    for (auto* axis : {m_plot->xAxis, m_plot->yAxis, m_plot->xAxis2, m_plot->yAxis2}) {
        axis->setBasePen(Qt::NoPen);
        axis->setTickPen(Qt::NoPen);
        axis->setSubTickPen(Qt::NoPen);
        axis->setSubTicks(false);
        axis->grid()->setVisible(false);
    }
    m_plot->xAxis->setVisible(true);
    m_plot->xAxis->setTickLabels(false);
    m_plot->xAxis->grid()->setVisible(true);
    m_plot->xAxis->grid()->setZeroLinePen(Qt::NoPen);
    m_plot->yAxis->setVisible(false);
    m_plot->xAxis2->setVisible(true);
    m_plot->xAxis2->setTickLabels(true);
    m_plot->xAxis2->setTickLength(0);
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    m_plot->xAxis->setTicker(ticker);
    m_plot->xAxis2->setTicker(ticker);
    new PaintedLanes(m_plot->xAxis, m_plot->yAxis, std::move(lanes)); // the plot owns it
    auto* top = new PaintedLanes(m_plot->xAxis, m_plot->yAxis, std::move(overlay));
    top->setLayer(QStringLiteral("overlay"));
}

void LanePlot::setLook(const Look& look) {
    m_plot->setBackground(look.ground);
    m_plot->xAxis->grid()->setPen(QPen(look.grid, 1));
    m_plot->xAxis2->setTickLabelColor(look.label);
    m_plot->xAxis2->setTickLabelFont(look.font);
}

void LanePlot::setArea(const QRect& lanes) {
    m_area = lanes;
    m_plot->axisRect()->setMargins(
        QMargins(lanes.left(), lanes.top(), width() - lanes.right() - 1, height() - lanes.bottom() - 1));
}

void LanePlot::setTime(double begin, double end) {
    m_plot->xAxis->setRange(begin, end);
    m_plot->xAxis2->setRange(begin, end);
}

void LanePlot::setTicks(const std::vector<Tick>& ticks, int labelGap) {
    m_plot->xAxis2->setTickLabelPadding(labelGap);
    auto* ticker = static_cast<QCPAxisTickerText*>(m_plot->xAxis2->ticker().data());
    ticker->clear();
    for (const auto& tick : ticks) ticker->addTick(tick.at, tick.label);
}

void LanePlot::replotAll() { m_plot->replot(QCustomPlot::rpQueuedReplot); }

void LanePlot::replotOverlay() {
    if (std::exchange(m_overlayQueued, true)) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_overlayQueued = false;
            m_plot->layer(QStringLiteral("overlay"))->replot();
        },
        Qt::QueuedConnection);
}

void LanePlot::replotNow() { m_plot->replot(QCustomPlot::rpImmediateRefresh); }

void LanePlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_plot->setGeometry(rect());
}

bool LanePlot::event(QEvent* event) {
    // Another screen: the buffers must be made again at its resolution.
    if (event->type() == QEvent::ScreenChangeInternal) {
        m_plot->setBufferDevicePixelRatio(devicePixelRatioF());
        replotAll();
    }
    return QWidget::event(event);
}

} // namespace rqscope
