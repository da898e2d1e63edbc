// SPDX-License-Identifier: GPL-3.0-or-later
// The workload form says again what it was opened with, in fields where it has them, else as text.
#include "theme/theme.h"
#include "window/popup_form.h"

#include <QComboBox>
#include <QLineEdit>
#include <QTest>

using namespace rqscope;

class TestPopupForm : public QObject {
    Q_OBJECT
private slots:
    void comesBack_data() {
        QTest::addColumn<QString>("spec");
        QTest::addColumn<QString>("generator");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* spec, const char* generator, const char* expected) { QTest::newRow(spec) << spec << generator << expected; };
        row("forkstorm:n=9,run=200us,gap=250us,block=1", "forkstorm", "forkstorm:n=9,run=200us,gap=250us,block=1");
        row("hackbench:-g 4 -f 20 --threads --pipe", "hackbench", "hackbench:-g 4 -f 20 --pipe --threads");
        row("hackbench:", "hackbench", "hackbench:");
        row("pound_times:48", "pound_times", "pound_times:48");
        row("pound_clock_gettime:8,calls=1000", "pound_clock_gettime", "pound_clock_gettime:8,calls=1000");
        // What has no field stays as it was typed.
        row("hackbench:-pipe 30 process 1000", "other", "hackbench:-pipe 30 process 1000");
        row("hackbench:-g4 -pT", "other", "hackbench:-g4 -pT");
        row("forkstorm:n=9,jitter=5us", "other", "forkstorm:n=9,jitter=5us");
        row("some/file.json", "other", "some/file.json");
    }
    void comesBack() {
        QFETCH(QString, spec);
        QFETCH(QString, generator);
        QFETCH(QString, expected);
        const Theme theme;
        const WorkloadForm form(theme, spec);
        QCOMPARE(form.findChild<QComboBox*>()->currentText(), generator);
        QCOMPARE(form.spec(), expected);
    }
    void another_generator_begins_with_its_usual_values() {
        const Theme theme;
        const WorkloadForm form(theme, QStringLiteral("hogs:n=3"));
        form.findChild<QComboBox*>()->setCurrentText(QStringLiteral("hackbench"));
        QCOMPARE(form.spec(), QStringLiteral("hackbench:-g 10 -f 20 -l 100 -s 100"));
        form.findChild<QLineEdit*>(QStringLiteral("--pipe"))->setText(QStringLiteral("1"));
        QCOMPARE(form.spec(), QStringLiteral("hackbench:-g 10 -f 20 -l 100 -s 100 --pipe"));
    }
};

QTEST_MAIN(TestPopupForm)
#include "tst_popup_form.moc"
