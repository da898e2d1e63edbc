// SPDX-License-Identifier: GPL-3.0-or-later
// Small shared controls: labels that say their role, icons that follow the theme, the on/off switch. Everything here takes
// its colours at paint time or from the one style sheet, so that a theme switch reaches it.
#pragma once

#include "theme/theme.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QLabel>

namespace rqscope {

// Names of the style sheet's properties; empty = the sheet's default.
struct LabelRole {
    const char* text = "";   // tiny small title clock
    const char* ink = "";    // 2 3 accent decision ok warn alarm
    bool strong = false;
    bool kernel = false;     // kernel words and code
};
[[nodiscard]] QLabel* makeLabel(const QString& text, LabelRole role = {}, QWidget* parent = nullptr);
// Changes a property that the sheet selects on, and restyles the widget.
void setStyleProperty(QWidget* widget, const char* name, const QVariant& value);

// Keeps the button's icon in the theme's colours at every scale; `name` is a file of resources/icons.
void bindIcon(QAbstractButton* button, const Theme& theme, const QString& name, Token colour = Token::Ink, int size = 16);
// The same picture now, without following the theme: for menus, which are built when they open.
[[nodiscard]] QIcon themedIcon(const Theme& theme, const QString& name, Token colour = Token::Ink, int size = 16);

// A checkable menu entry with our tick; the style sheet hides the platform's. To be called again when the menu opens.
void setTicked(QAction* action, const Theme& theme, bool on);

// A picture in a layout that follows the theme.
class IconLabel : public QLabel {
    Q_OBJECT
public:
    IconLabel(const Theme& theme, QString name, Token colour, int size = 16, QWidget* parent = nullptr);

private:
    void reload();
    const Theme& m_theme;
    QString m_name;
    Token m_colour;
    int m_size;
};

// A combo box whose arrow follows the theme; a style sheet can only take it from a file.
class ThemedCombo : public QComboBox {
    Q_OBJECT
public:
    explicit ThemedCombo(const Theme& theme, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
};

// The on/off switch of the feature rows.
class SwitchControl : public QAbstractButton {
    Q_OBJECT
public:
    explicit SwitchControl(const Theme& theme, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
};

} // namespace rqscope
