// SPDX-License-Identifier: GPL-3.0-or-later
// The clock's language, its field with valid and nonsense input, and the pace slider.
#include "theme/theme.h"
#include "transport/clock_field.h"
#include "transport/pace.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace rqscope;

class TestGoToTime : public QObject {
    Q_OBJECT
private slots:
    void valid_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<int>("event");
        QTest::newRow("absolute") << "3.2ms" << qint64(3200000) << -1;
        QTest::newRow("blank inside") << " 3 ms " << qint64(3000000) << -1;
        QTest::newRow("zero") << "0" << qint64(0) << -1;
        QTest::newRow("forward") << "+200us" << qint64(1200000) << -1;
        QTest::newRow("back") << "-200us" << qint64(800000) << -1;
        QTest::newRow("true minus") << "\u2212200us" << qint64(800000) << -1;
        QTest::newRow("back before the start") << "-5ms" << qint64(0) << -1;
        QTest::newRow("event") << "#83" << qint64(0) << 83;
    }
    void valid() {
        QFETCH(QString, text);
        QFETCH(qint64, ns);
        QFETCH(int, event);
        const auto target = parseGoTo(text.toStdString(), from_ns(1000000));
        QVERIFY(target.ok());
        if (event >= 0) QCOMPARE(std::get<EventNumber>(*target).value, std::uint32_t(event));
        else QCOMPARE(to_ns(std::get<SimTime>(*target)), ns);
    }
    void nonsense_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "  ", "2q0us", "12", "#", "#x", "#-1", "#99999999999", "+", "-", "ms", "1e5ms", "--1ms"}) QTest::newRow(text) << text;
    }
    void nonsense() {
        QFETCH(QString, text);
        const auto target = parseGoTo(text.toStdString(), from_ns(1000000));
        QVERIFY(!target.ok());
        QVERIFY(!target.problems().front().message.empty());
    }
    void fieldAcceptsAndComplains() {
        Theme theme;
        ClockField field(theme);
        field.setTime(from_ns(4200000));
        field.show();
        QSignalSpy went(&field, &ClockField::goTo);
        QTest::mouseClick(field.findChild<QToolButton*>(), Qt::LeftButton);
        auto* edit = field.findChild<QLineEdit*>();
        QVERIFY(field.editing());
        QTest::keyClicks(edit, QStringLiteral("soon"));
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(went.count(), 0);
        QVERIFY(field.editing());
        QVERIFY(field.errorText().contains(QStringLiteral("soon")));
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("+1ms"));
        QVERIFY(field.errorText().isEmpty());
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(went.count(), 1);
        QCOMPARE(to_ns(std::get<SimTime>(went.front().front().value<GoTo>())), qint64(5200000));
        QVERIFY(!field.editing());
    }
    void escapeLeavesTheField() {
        Theme theme;
        ClockField field(theme);
        field.show();
        field.beginEdit();
        QTest::keyClick(field.findChild<QLineEdit*>(), Qt::Key_Escape);
        QVERIFY(!field.editing());
    }
    void paceSliderCoversSixDecades() {
        QCOMPARE(realTimeAt(0), 1e-6);
        QCOMPARE(realTimeAt(kPaceSteps), 1.0);
        for (int position = 1; position <= kPaceSteps; ++position) QVERIFY(realTimeAt(position) >= realTimeAt(position - 1));
        QCOMPARE(positionOf(1e-3), kPaceSteps / 2);
    }
};

QTEST_MAIN(TestGoToTime)
#include "tst_go_to_time.moc"
