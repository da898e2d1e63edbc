// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens: every contrast pair of the design (4.5 for text, 3 for graphics), task colours by name and number, sizes that follow
// the scale, and that no painter writes a colour of its own.
#include "theme/theme.h"
#include "trace/history.h"

#include <QApplication>
#include <QDirIterator>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace rqscope;

namespace {

double linear(double channel) { return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4); }
double luminance(const QColor& c) { return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF()); }
double contrast(const QColor& a, const QColor& b) {
    const auto x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

struct Pair {
    Token front, back;
    double least;
};
constexpr Pair kPairs[] = {
    {Token::Ink, Token::Surface, 4.5},      {Token::Ink2, Token::Surface, 4.5},        {Token::Ink3, Token::Surface, 4.5},
    {Token::Ink, Token::Window, 4.5},       {Token::Ink2, Token::Window, 4.5},         {Token::Ink3, Token::Window, 4.5},
    {Token::LineStrong, Token::Surface, 3}, {Token::LineStrong, Token::Window, 3},     {Token::Accent, Token::Surface, 4.5},
    {Token::OnAccent, Token::Accent, 4.5},  {Token::Decision, Token::Surface, 4.5},    {Token::OnDecision, Token::Decision, 4.5},
    {Token::Ok, Token::Surface, 4.5},       {Token::Warn, Token::Surface, 4.5},        {Token::Alarm, Token::Surface, 4.5},
    {Token::Ink, Token::AccentSoft, 4.5},   {Token::Ink2, Token::AccentSoft, 4.5},     {Token::Accent, Token::AccentSoft, 4.5},
    {Token::Ink, Token::DecisionSoft, 4.5}, {Token::Ink, Token::AlarmSoft, 4.5},       {Token::OnTooltip, Token::Tooltip, 4.5},
    {Token::StateRunning, Token::Surface, 3}, {Token::StateWaiting, Token::Surface, 3}, {Token::StateBlocked, Token::Surface, 3},
    {Token::StateDsleep, Token::Surface, 3}};

TaskInfo named(const char* name, std::uint32_t number) {
    TaskInfo info;
    info.name = name;
    info.number = number;
    return info;
}

} // namespace

class TestTheme : public QObject {
    Q_OBJECT
private slots:
    void contrastPairs_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void contrastPairs() {
        QFETCH(bool, dark);
        Theme theme;
        theme.setDark(dark);
        for (const auto& pair : kPairs) {
            const auto ratio = contrast(theme.colour(pair.front), theme.colour(pair.back));
            QVERIFY2(ratio >= pair.least, qPrintable(QStringLiteral("pair %1 on %2: %3").arg(int(pair.front)).arg(int(pair.back)).arg(ratio)));
        }
        for (std::uint32_t number = 1; number <= 8; ++number) {
            const auto task = theme.task(named("t", number));
            QVERIFY(contrast(task.fill, theme.colour(Token::Surface)) >= 3.0);
            QVERIFY(contrast(task.ink, task.fill) >= 4.5);
        }
    }
    void rampIsMonotone() {
        Theme theme;
        for (int step = 1; step < 6; ++step) QVERIFY(luminance(theme.ramp(step)) < luminance(theme.ramp(step - 1)));
        theme.setDark(true);
        for (int step = 1; step < 6; ++step) QVERIFY(luminance(theme.ramp(step)) > luminance(theme.ramp(step - 1)));
    }
    void numberedTasksCycleThroughSixteen() {
        const Theme theme;
        const auto one = theme.task(named("child 1", 1));
        const auto nine = theme.task(named("child 9", 9));
        const auto seventeen = theme.task(named("child 17", 17));
        QCOMPARE(nine.fill, one.fill);
        QVERIFY(!one.stripe);
        QVERIFY(nine.stripe);
        QCOMPARE(seventeen.fill, one.fill);
        QCOMPARE(seventeen.stripe, one.stripe);
    }
    void namesKeepTheirColour() {
        const Theme theme;
        QCOMPARE(theme.task(named("parent", 0)).fill, theme.task(named("parent", 0)).fill);
    }
    void switchesLive() {
        Theme theme;
        QSignalSpy changed(&theme, &Theme::changed);
        const auto light = theme.colour(Token::Surface);
        theme.setDark(true);
        QVERIFY(theme.colour(Token::Surface) != light);
        theme.setScale(1.5);
        QCOMPARE(theme.px(10), 15);
        QCOMPARE(theme.font(TextRole::Body).pixelSize(), 20);
        theme.setScale(9);
        QCOMPARE(theme.scale(), 2.0);
        QCOMPARE(changed.count(), 3);
    }
    void sheetIsComplete() {
        const Theme theme;
        QVERIFY(!theme.styleSheet().contains(QLatin1Char('@')));
    }
    void iconsTakeTheColour() {
        const Theme theme;
        const QColor wanted = theme.colour(Token::Accent);
        const auto image = theme.icon(QStringLiteral("diamond"), wanted, 16, 2.0).toImage();
        QCOMPARE(image.size(), QSize(32, 32));
        QCOMPARE(image.pixelColor(16, 16), wanted);
    }
    void noLiteralColoursInViews() {
        static const QRegularExpression literal(QStringLiteral("\"#[0-9A-Fa-f]{3,8}\"|QColor\\([0-9]|Qt::(red|green|blue|black|white|gray|yellow|magenta|cyan)\\b"));
        QDirIterator files(QStringLiteral(RQSCOPE_SOURCE_DIR "/views"), {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories);
        int seen = 0;
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const auto match = literal.match(QString::fromUtf8(file.readAll()));
            QVERIFY2(!match.hasMatch(), qPrintable(file.fileName() + QStringLiteral(": ") + match.captured()));
            ++seen;
        }
        QVERIFY(seen > 20);
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
