// SPDX-License-Identifier: GPL-3.0-or-later
// Colours, fonts, sizes and patterns of resources/tokens.json, light or dark, at a text scale. Painters ask for tokens and
// never write a colour; one Theme object is shared by all views, and changed() tells them to repaint and drop caches.
#pragma once

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QObject>
#include <QPixmap>
#include <QString>

#include <array>
#include <cstdint>
#include <vector>

namespace rqscope {

struct TaskInfo;

enum class Token : std::uint8_t {
    Window, Surface, Sunken, Hover, Line, LineStrong, Ink, Ink2, Ink3, Accent, OnAccent, AccentSoft, Decision, OnDecision,
    DecisionSoft, Rejected, Ok, Warn, Alarm, AlarmSoft, StateRunning, StateWaiting, StateBlocked, StateDsleep, StateOther,
    Tooltip, OnTooltip, Count
};
enum class TextRole : std::uint8_t { Tiny, Small, Body, Title, Clock };
enum class Pattern : std::uint8_t { Waiting, Waste };

class Theme : public QObject {
    Q_OBJECT
public:
    // Reads :/tokens.json; aborts the program when the compiled-in resource is damaged.
    explicit Theme(QObject* parent = nullptr);

    void setDark(bool dark);
    void setScale(double scale); // 0.8 .. 2.0
    void setReducedMotion(bool on);
    [[nodiscard]] bool dark() const { return m_dark; }
    [[nodiscard]] double scale() const { return m_scale; }
    [[nodiscard]] bool reducedMotion() const { return m_reducedMotion; }

    [[nodiscard]] QColor colour(Token token) const;
    struct TaskColour {
        QColor fill, ink;
        bool stripe = false; // variant with an inner 2 px line of the ink colour
    };
    [[nodiscard]] TaskColour task(const TaskInfo& info) const; // stable per name; numbered roles use number % 16
    [[nodiscard]] QColor ramp(int step) const;   // load ramp, 0..5
    [[nodiscard]] QFont font(TextRole role, bool strong = false) const;   // UI font, scaled
    [[nodiscard]] QFont kernelFont(TextRole role, bool strong = false) const; // kernel words and code
    [[nodiscard]] int px(double logical) const;  // scaled size, at least 1 for positive input
    // 8x8 tile, 45 degrees; draw with the brush origin fixed to the view and antialiasing off.
    [[nodiscard]] QBrush pattern(Pattern p, QColor ground, QColor line, qreal devicePixelRatio) const;
    // Monochrome icon of resources/icons/NAME.svg in the given colour.
    [[nodiscard]] QPixmap icon(const QString& name, QColor colour, int size, qreal devicePixelRatio) const;
    // Fusion style sheet and palette of the application.
    [[nodiscard]] QString styleSheet() const;
    void applyTo(class QApplication& app) const;

signals:
    void changed();

private:
    struct Colours {
        std::array<QColor, static_cast<std::size_t>(Token::Count)> tokens;
        std::vector<TaskColour> tasks; // 8
        std::vector<QColor> ramp;      // 6
    };
    [[nodiscard]] const Colours& current() const { return m_dark ? m_darkColours : m_lightColours; }

    Colours m_lightColours, m_darkColours;
    std::array<int, 5> m_fontPx{};
    QStringList m_uiFamilies, m_kernelFamilies;
    bool m_dark = false;
    double m_scale = 1.0;
    bool m_reducedMotion = false;
};

} // namespace rqscope
