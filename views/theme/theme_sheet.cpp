// SPDX-License-Identifier: GPL-3.0-or-later
// The one style sheet of the application. Widgets name what they are through properties (ink, textSize, fill, kind), never
// through palettes or sheets of their own: those would keep the old colours after a theme switch.
#include "theme/theme.h"

#include <QHash>
#include <QRegularExpression>

namespace rqscope {

namespace {

// @name = a colour or family, @12 = scaled pixels.
constexpr const char* kSheet = R"(
QToolTip { background: @tooltip; color: @on_tooltip; border: 1px solid @line; padding: @6 @8; font-size: @12; }
QLabel { background: transparent; }
QLabel[ink="2"] { color: @ink_2; }
QLabel[ink="3"] { color: @ink_3; }
QLabel[ink="accent"] { color: @accent; }
QLabel[ink="decision"] { color: @decision; }
QLabel[ink="ok"] { color: @ok; }
QLabel[ink="warn"] { color: @warn; }
QLabel[ink="alarm"] { color: @alarm; }
*[textSize="tiny"] { font-size: @11; }
*[textSize="small"] { font-size: @12; }
*[textSize="title"] { font-size: @15; }
*[textSize="clock"] { font-size: @20; }
*[weight="strong"] { font-weight: 600; }
*[face="kernel"] { font-family: @kernel; }
QFrame[fill="surface"] { background: @surface; }
QFrame[fill="sunken"] { background: @sunken; }
QFrame[fill="card"] { background: @surface; border: 1px solid @line; border-radius: @8; }
QFrame[fill="accent_soft"] { background: @accent_soft; border-radius: @6; }
QFrame[fill="decision_soft"] { background: @decision_soft; border-radius: @6; }
QFrame[fill="alarm_soft"] { background: @alarm_soft; border: 1px solid @alarm; border-radius: @6; }
QFrame[fill="line"] { background: @line; border: none; }
QFrame[fill="tooltip"] { background: @tooltip; border-radius: @6; }
QFrame[fill="tooltip"] QLabel { color: @on_tooltip; }

QPushButton, QToolButton { background: @surface; color: @ink; border: 1px solid @line_strong; border-radius: @6;
  padding: 0 @10; min-height: @26; }
QToolButton { padding: 0 @4; min-width: @20; }
QPushButton[kind="chip"] { padding: 0; min-height: @28; }
QPushButton:hover, QToolButton:hover { background: @hover; }
QPushButton:pressed, QToolButton:pressed, QToolButton:checked { background: @accent_soft; }
QPushButton:focus, QToolButton:focus { border: 2px solid @accent; }
QPushButton:disabled, QToolButton:disabled { color: @ink_3; border-color: @line; }
QPushButton[kind="link"], QToolButton[kind="link"] { border: 1px solid transparent; background: transparent; color: @accent;
  font-weight: 600; padding: 0 @4; }
QPushButton[kind="link"]:hover, QToolButton[kind="link"]:hover { background: @hover; }
QPushButton[kind="link"]:focus, QToolButton[kind="link"]:focus { border: 2px solid @accent; }
QPushButton[kind="link"]:disabled { color: @ink_3; }
QToolButton[kind="icon"], QPushButton[kind="icon"] { border: 1px solid transparent; background: transparent; }
QToolButton[kind="icon"]:hover { background: @hover; }
QToolButton[kind="icon"]:focus { border: 2px solid @accent; }
QToolButton[kind="heading"] { border: 1px solid transparent; background: transparent; font-weight: 600; font-size: @12;
  color: @ink_2; text-align: left; padding: 0 @4; }
QToolButton[kind="heading"]:hover { background: @hover; }
QToolButton[kind="heading"]:focus { border: 2px solid @accent; }
QToolButton[kind="primary"], QPushButton[kind="primary"] { background: @accent; color: @on_accent; border: 1px solid @accent; }
QToolButton[kind="primary"]:hover, QPushButton[kind="primary"]:hover { border: 1px solid @ink; }
QToolButton[kind="primary"]:focus, QPushButton[kind="primary"]:focus { border: 2px solid @ink; }
QToolButton[kind="clock"] { border: 1px solid transparent; background: transparent; font-size: @20; font-weight: 600; padding: 0 @4; }
QToolButton[kind="clock"]:hover { background: @hover; }
QToolButton[kind="clock"]:focus { border: 2px solid @accent; }
QToolButton::menu-indicator, QPushButton::menu-indicator { image: none; width: 0; }

QLineEdit, QSpinBox, QComboBox, QPlainTextEdit, QAbstractSpinBox { background: @surface; color: @ink; border: 1px solid @line_strong;
  border-radius: @6; padding: 0 @6; min-height: @26; selection-background-color: @accent; selection-color: @on_accent; }
QLineEdit:focus, QSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus, QAbstractSpinBox:focus { border: 2px solid @accent; }
QLineEdit[invalid="true"] { border: 2px solid @alarm; }
QLineEdit:disabled, QSpinBox:disabled, QComboBox:disabled { color: @ink_3; border-color: @line; }
QComboBox[kind="compact"] { min-height: @18; padding: 0 @4; border-radius: @4; }
QComboBox::drop-down { border: none; width: @20; }
QComboBox::down-arrow { image: none; }
QComboBox QAbstractItemView { background: @surface; color: @ink; border: 1px solid @line_strong; outline: none;
  selection-background-color: @accent_soft; selection-color: @ink; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 0; border: none; }

QMenu { background: @surface; color: @ink; border: 1px solid @line_strong; padding: @4; }
QMenu::item { padding: @5 @24 @5 @12; border-radius: @4; }
QMenu::item:selected { background: @accent_soft; color: @ink; }
QMenu::item:disabled { color: @ink_3; }
QMenu::indicator { width: @14; height: @14; left: @4; }
QMenu::indicator:checked { border: none; }
QMenu::separator { height: 1px; background: @line; margin: @4 @8; }

QSlider { min-height: @22; background: transparent; }
QSlider::groove:horizontal { height: @3; background: @line_strong; border-radius: 1px; }
QSlider::sub-page:horizontal { background: @accent; border-radius: 1px; }
QSlider::handle:horizontal { background: @surface; border: @3 solid @accent; width: @8; margin: -@6 0; border-radius: @handle; }
QSlider::handle:horizontal:focus { background: @accent; border: @3 solid @ink; }

QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: @12; margin: 0; }
QScrollBar::handle:vertical { background: @line_strong; border-radius: @3; min-height: @24; margin: @3; }
QScrollBar:horizontal { background: transparent; height: @12; margin: 0; }
QScrollBar::handle:horizontal { background: @line_strong; border-radius: @3; min-width: @24; margin: @3; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QMainWindow#host { background: @window; }
QMainWindow#host::separator { width: @8; height: @8; background: transparent; }
QMainWindow#host > QTabBar { background: transparent; qproperty-drawBase: 0; }
QMainWindow#host > QTabBar::tab { background: transparent; color: @ink_2; padding: @8 @4; margin: 0 @8; border: none;
  border-bottom: 2px solid transparent; }
QMainWindow#host > QTabBar::tab:selected { color: @ink; font-weight: 600; border-bottom: 2px solid @accent; }
QMainWindow#host > QTabBar::tab:hover { color: @ink; }
QMainWindow#host > QTabBar::tab:focus { border-bottom: 2px solid @ink; }
QSplitter::handle { background: transparent; image: none; }
QDockWidget { background: transparent; border: none; }
QDockWidget::title { background: @surface; padding: @6; }
)";

} // namespace

QString Theme::styleSheet() const {
    static const QHash<QString, Token> kNames{
        {"window", Token::Window}, {"surface", Token::Surface}, {"sunken", Token::Sunken}, {"hover", Token::Hover},
        {"line", Token::Line}, {"line_strong", Token::LineStrong}, {"ink", Token::Ink}, {"ink_2", Token::Ink2},
        {"ink_3", Token::Ink3}, {"accent", Token::Accent}, {"on_accent", Token::OnAccent}, {"accent_soft", Token::AccentSoft},
        {"decision", Token::Decision}, {"decision_soft", Token::DecisionSoft}, {"ok", Token::Ok}, {"warn", Token::Warn},
        {"alarm", Token::Alarm}, {"alarm_soft", Token::AlarmSoft}, {"tooltip", Token::Tooltip}, {"on_tooltip", Token::OnTooltip}};
    static const QRegularExpression kPlaceholder(QStringLiteral("@(\\w+)"));
    const auto source = QString::fromLatin1(kSheet);
    QString sheet;
    qsizetype at = 0;
    for (auto it = kPlaceholder.globalMatch(source); it.hasNext();) {
        const auto match = it.next();
        sheet += source.mid(at, match.capturedStart() - at);
        at = match.capturedEnd();
        const auto word = match.captured(1);
        bool isNumber = false;
        const auto pixels = word.toInt(&isNumber);
        if (isNumber) sheet += QString::number(px(pixels)) + QStringLiteral("px");
        else if (word == QStringLiteral("handle")) sheet += QString::number(px(8) / 2 + px(3)) + QStringLiteral("px"); // more than half is drawn square
        else if (word == QStringLiteral("kernel")) sheet += '"' + m_kernelFamilies.join(QStringLiteral("\", \"")) + '"';
        else sheet += colour(kNames.value(word, Token::Ink)).name();
    }
    return sheet + source.mid(at);
}

} // namespace rqscope
