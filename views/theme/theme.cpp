// SPDX-License-Identifier: GPL-3.0-or-later
// Reads tokens.json into two colour sets and answers for the current one. Sizes and fonts follow the text scale; painters
// ask again after changed(). The style sheet is in theme_sheet.cpp, patterns and icons in theme_marks.cpp.
#include "theme/theme.h"

#include "theme/theme_style.h"
#include "trace/history.h"

#include <QApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPalette>

#include <algorithm>
#include <cmath>

// The resource sits in a static library, so the linker drops it unless somebody names it (outside any namespace).
static void initResources() { Q_INIT_RESOURCE(rqscope); }

namespace rqscope {

namespace {

constexpr std::array<const char*, static_cast<std::size_t>(Token::Count)> kTokenNames{
    "window", "surface", "sunken", "hover", "line", "line_strong", "ink", "ink_2", "ink_3", "accent", "on_accent", "accent_soft",
    "decision", "on_decision", "decision_soft", "rejected", "ok", "warn", "alarm", "alarm_soft", "state_running", "state_waiting",
    "state_blocked", "state_dsleep", "state_other", "tooltip", "on_tooltip"};
constexpr std::array<const char*, 5> kTextRoles{"tiny", "small", "body", "title", "clock"};
constexpr std::uint32_t kTaskFills = 8;

QJsonObject readTokens() {
    QFile file(QStringLiteral(":/tokens.json"));
    if (!file.open(QIODevice::ReadOnly)) qFatal("the compiled-in tokens.json is missing");
    const auto document = QJsonDocument::fromJson(file.readAll());
    if (!document.isObject()) qFatal("the compiled-in tokens.json is damaged");
    return document.object();
}

QColor readColour(const QJsonValue& value) {
    const QColor colour(value.toString());
    if (!colour.isValid()) qFatal("the compiled-in tokens.json names no colour where one is needed");
    return colour;
}

std::uint32_t fnv1a32(const std::string& text) {
    std::uint32_t hash = 2166136261U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash;
}

QStringList readFamilies(const QJsonValue& value) {
    QStringList families;
    for (const auto& family : value.toArray()) families << family.toString();
    return families;
}

} // namespace

Theme::Theme(QObject* parent) : QObject(parent) {
    initResources();
    const auto root = readTokens();
    const auto read = [&root](const char* name) {
        Colours out;
        const auto theme = root["themes"][QLatin1String(name)];
        for (std::size_t i = 0; i < kTokenNames.size(); ++i) out.tokens[i] = readColour(theme["colour"][QLatin1String(kTokenNames[i])]);
        for (const auto& task : theme["task"].toArray()) out.tasks.push_back({readColour(task[QLatin1String("fill")]), readColour(task[QLatin1String("ink")]), false});
        for (const auto& step : theme["load_ramp"].toArray()) out.ramp.push_back(readColour(step));
        if (out.tasks.size() != kTaskFills || out.ramp.size() != 6) qFatal("the compiled-in tokens.json has the wrong palette size");
        return out;
    };
    m_lightColours = read("light");
    m_darkColours = read("dark");
    const auto type = root["type"];
    for (std::size_t i = 0; i < kTextRoles.size(); ++i) m_fontPx[i] = type["px"][QLatin1String(kTextRoles[i])].toInt();
    m_uiFamilies = readFamilies(type["family_ui"]);
    m_kernelFamilies = readFamilies(type["family_kernel"]);
}

void Theme::setDark(bool dark) {
    if (m_dark == dark) return;
    m_dark = dark;
    emit changed();
}

void Theme::setScale(double scale) {
    const auto wanted = std::isfinite(scale) ? std::clamp(scale, 0.8, 2.0) : 1.0;
    if (std::abs(m_scale - wanted) < 1e-9) return;
    m_scale = wanted;
    emit changed();
}

void Theme::setReducedMotion(bool on) {
    if (m_reducedMotion == on) return;
    m_reducedMotion = on;
    emit changed();
}

QColor Theme::colour(Token token) const { return current().tokens[static_cast<std::size_t>(token)]; }

Theme::TaskColour Theme::task(const TaskInfo& info) const {
    const auto key = info.number > 0 ? info.number % (2 * kTaskFills) : fnv1a32(info.name) % (2 * kTaskFills);
    auto colour = current().tasks[key % kTaskFills];
    colour.stripe = key >= kTaskFills;
    return colour;
}

QColor Theme::ramp(int step) const { return current().ramp[static_cast<std::size_t>(std::clamp(step, 0, 5))]; }

QFont Theme::font(TextRole role, bool strong) const {
    QFont font;
    font.setFamilies(m_uiFamilies);
    font.setPixelSize(px(m_fontPx[static_cast<std::size_t>(role)]));
    font.setWeight(strong ? QFont::DemiBold : QFont::Normal);
    return font;
}

QFont Theme::kernelFont(TextRole role, bool strong) const {
    auto font = this->font(role, strong);
    font.setFamilies(m_kernelFamilies);
    font.setStyleHint(QFont::Monospace);
    return font;
}

int Theme::px(double logical) const {
    if (logical <= 0) return 0;
    return std::max(1, static_cast<int>(std::lround(logical * m_scale)));
}

void Theme::applyTo(QApplication& app) const {
    if (!qobject_cast<ThemeStyle*>(app.style()) && !app.property("rqscopeStyle").toBool()) {
        app.setProperty("rqscopeStyle", true);
        app.setStyle(new ThemeStyle(*this));
    }
    QPalette palette;
    palette.setColor(QPalette::Window, colour(Token::Window));
    palette.setColor(QPalette::Base, colour(Token::Surface));
    palette.setColor(QPalette::AlternateBase, colour(Token::Sunken));
    palette.setColor(QPalette::Button, colour(Token::Surface));
    palette.setColor(QPalette::Mid, colour(Token::LineStrong));
    palette.setColor(QPalette::Highlight, colour(Token::Accent));
    palette.setColor(QPalette::HighlightedText, colour(Token::OnAccent));
    palette.setColor(QPalette::Link, colour(Token::Accent));
    palette.setColor(QPalette::ToolTipBase, colour(Token::Tooltip));
    palette.setColor(QPalette::ToolTipText, colour(Token::OnTooltip));
    palette.setColor(QPalette::PlaceholderText, colour(Token::Ink3));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(role, colour(Token::Ink));
        palette.setColor(QPalette::Disabled, role, colour(Token::Ink3));
    }
    app.setFont(font(TextRole::Body));
    app.setPalette(palette);
    app.setStyleSheet(styleSheet());
}

} // namespace rqscope
