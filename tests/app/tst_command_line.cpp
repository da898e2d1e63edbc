// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/command_line.h"

#include <QTest>

using namespace rqscope;

class TestCommandLine : public QObject {
    Q_OBJECT
private slots:
    void understands() {
        const auto line = parseCommandLine({"storm.json", "--screenshot", "out.png", "--size", "1280x800", "--at", "3.2ms", "--view", "why",
                                            "--theme", "dark", "--scale", "1.25"});
        QVERIFY(line.ok());
        QCOMPARE(line->file, QStringLiteral("storm.json"));
        QCOMPARE(line->size, QSize(1280, 800));
        QCOMPARE(to_ns(std::get<SimTime>(*line->at)), qint64(3200000));
        QCOMPARE(line->view, QStringLiteral("why"));
        QCOMPARE(line->dark, std::optional(true));
        QCOMPARE(line->scale, std::optional(1.25));
        QVERIFY(line->picture());
    }
    void refuses_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("later view") << QStringList{"--view", "numbers"};
        QTest::newRow("no view") << QStringList{"--view", "moon"};
        QTest::newRow("size") << QStringList{"--size", "big"};
        QTest::newRow("huge size") << QStringList{"--size", "99999x99999"};
        QTest::newRow("time") << QStringList{"--at", "soon"};
        QTest::newRow("theme") << QStringList{"--theme", "pink"};
        QTest::newRow("scale") << QStringList{"--scale", "nan"};
        QTest::newRow("unknown") << QStringList{"--wat"};
        QTest::newRow("two files") << QStringList{"a.json", "b.json"};
    }
    void refuses() {
        QFETCH(QStringList, arguments);
        QVERIFY(!parseCommandLine(arguments).ok());
    }
    void allProblemsAtOnce() { QCOMPARE(parseCommandLine({"--size", "x", "--theme", "y"}).problems().size(), std::size_t(2)); }
    void helpAndVersion() {
        QVERIFY(parseCommandLine({"-h"})->answer.contains(QStringLiteral("--screenshot")));
        QVERIFY(parseCommandLine({"--version"})->answer.startsWith(QStringLiteral("rqscope ")));
    }
};

QTEST_APPLESS_MAIN(TestCommandLine)
#include "tst_command_line.moc"
