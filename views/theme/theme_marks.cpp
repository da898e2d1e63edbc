// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns and icons of the theme. A pattern tile is 8 logical pixels wide, because 45 degree lines at the 6 px pitch of the
// design do not tile; its pixmap is made for the device so that a bar stays crisp at every scale.
#include "theme/theme.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

#include <cmath>

namespace rqscope {

namespace {

constexpr int kTile = 8;

void drawDiagonal(QPainter& painter, bool falling) {
    // Three copies, so that the line's thickness continues over the tile's corners.
    for (int shift = -kTile; shift <= kTile; shift += kTile) {
        if (falling) painter.drawLine(QPointF(shift - 1, -1), QPointF(shift + kTile + 1, kTile + 1));
        else painter.drawLine(QPointF(shift - 1, kTile + 1), QPointF(shift + kTile + 1, -1));
    }
}

} // namespace

QBrush Theme::pattern(Pattern p, QColor ground, QColor line, qreal devicePixelRatio) const {
    const auto side = std::max(1, static_cast<int>(std::lround(kTile * devicePixelRatio)));
    QPixmap tile(side, side);
    tile.setDevicePixelRatio(side / static_cast<qreal>(kTile));
    tile.fill(ground);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(line, p == Pattern::Waiting ? 2.0 : 1.0));
    drawDiagonal(painter, false);
    if (p == Pattern::Waste) drawDiagonal(painter, true);
    return QBrush(tile);
}

QPixmap Theme::icon(const QString& name, QColor colour, int size, qreal devicePixelRatio) const {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    const auto side = std::max(1, static_cast<int>(std::lround(size * devicePixelRatio)));
    QPixmap pixmap(side, side);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    if (!file.open(QIODevice::ReadOnly)) {
        qWarning("no icon named %s", qPrintable(name));
        return pixmap;
    }
    auto svg = file.readAll();
    svg.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(svg);
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(0, 0, size, size));
    return pixmap;
}

} // namespace rqscope
