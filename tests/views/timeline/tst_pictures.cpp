// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the timeline in many sizes, both themes and at device pixel ratios; checks that something is on the picture and
// that a million runs are fast. With RQSCOPE_PICTURES=DIR the pictures are kept, to be looked at.
#include "stage.h"

#include <QDir>
#include <QSet>
#include <QTest>

#include <algorithm>
#include <ctime>

using namespace rqscope;
using namespace rqscope::test;

namespace {

void keep(const QImage& image, const QString& name) {
    const auto folder = qEnvironmentVariable("RQSCOPE_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    QVERIFY(image.save(QDir(folder).filePath(name + QStringLiteral(".png"))));
}

int coloursIn(const QImage& image) {
    QSet<QRgb> seen;
    for (int y = 0; y < image.height(); y += 3)
        for (int x = 0; x < image.width(); ++x) seen.insert(image.pixel(x, y));
    return static_cast<int>(seen.size());
}

} // namespace

class TestPictures : public QObject {
    Q_OBJECT
private slots:
    void sizes_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("dark");
        for (const auto& size : {QSize(1252, 430), QSize(852, 320), QSize(660, 320)})
            for (const bool dark : {false, true})
                QTest::newRow(
                    qPrintable(QStringLiteral("%1x%2-%3").arg(size.width()).arg(size.height()).arg(dark ? "dark" : "light")))
                    << size << dark;
    }
    void sizes() {
        QFETCH(QSize, size);
        QFETCH(bool, dark);
        const auto suffix = QString::fromLatin1(QTest::currentDataTag());
        {
            Stage stage(dark);
            stage.storm();
            const auto image = stage.picture(size);
            QVERIFY(coloursIn(image) > 20);
            keep(image, "storm-" + suffix);
            stage.selection.selectTask(TaskId{14});
            stage.selection.selectCpu(CpuId{6});
            stage.selection.selectRange(TimeWindow{from_ns(1000000), from_ns(2100000)});
            keep(stage.picture(size), "storm-selected-" + suffix);
            stage.selection.hoverTask(TaskId{1});
            stage.selection.selectRange(std::nullopt);
            stage.canvas->setMode(LaneMode::Task);
            keep(stage.picture(size), "storm-tasks-" + suffix);
        }
        {
            Stage stage(dark);
            stage.dense(256, 16, 60000, 700, 90000, true);
            const auto image = stage.picture(size);
            QVERIFY(coloursIn(image) > 5);
            keep(image, "zen3-" + suffix);
        }
        {
            Stage stage(dark);
            stage.dense(8, 4, 900, 30, 60000);
            keep(stage.picture(size), "busy8-" + suffix);
            stage.selection.setWindow({from_ns(100000), from_ns(900000)});
            keep(stage.picture(size), "busy8-near-" + suffix);
        }
        {
            Stage stage(dark);
            stage.dense(8, 4, 60000, 30, 60000);
            keep(stage.picture(size), "dense8-" + suffix);
        }
    }

    void scales_data() {
        QTest::addColumn<double>("scale");
        QTest::newRow("0.8") << 0.8;
        QTest::newRow("1.6") << 1.6;
        QTest::newRow("2") << 2.0;
    }
    void scales() {
        QFETCH(double, scale);
        Stage stage(false, scale);
        stage.storm();
        keep(stage.picture({852, 430}), QStringLiteral("storm-scale-%1").arg(scale));
    }

    void anySize() {
        Stage stage;
        stage.dense(64, 8, 4000, 100, 50000);
        for (const auto& size : {QSize(1, 1), QSize(20, 10), QSize(60, 200), QSize(3000, 40), QSize(4000, 2400)}) {
            QVERIFY(!stage.picture(size).isNull());
            stage.canvas->setMode(LaneMode::Task);
            QVERIFY(!stage.picture(size).isNull());
            stage.canvas->setMode(LaneMode::Cpu);
        }
    }

    void withoutARun() {
        Stage stage;
        const auto image = stage.picture({660, 320});
        QVERIFY(coloursIn(image) > 2);
        keep(image, "empty");
    }

    void themeSwitch() {
        Stage stage;
        stage.storm();
        const auto light = stage.picture({660, 320});
        stage.theme.setDark(true);
        const auto dark = stage.picture({660, 320});
        QVERIFY(QColor(light.pixel(300, 318)) != QColor(dark.pixel(300, 318)));
        QCOMPARE(QColor(dark.pixel(300, 318)), stage.theme.colour(Token::Surface));
    }

    void aMillionRuns() {
        Stage stage;
        stage.dense(64, 8, 1400000, 300, 30000);
        std::size_t runs = 0;
        for (std::uint32_t c = 0; c < 64; ++c) runs += stage.canvas->model().runs(CpuId{c}).size();
        QVERIFY(runs > 900000);
        stage.canvas->resize(1600, 1200);
        stage.canvas->setLaneHeight(18);
        QVERIFY(paintTime(stage, "1.3 M runs, 64 lanes, full range") < 60);
        keep(stage.canvas->grab().toImage(), "million");
        const auto known = stage.canvas->model().knownTime();
        stage.selection.setWindow({from_ns(known / 3), from_ns(known / 3 + known / 500)});
        QVERIFY(paintTime(stage, "a 500th of it") < 60);
        keep(stage.canvas->grab().toImage(), "million-near");
        stage.canvas->setMode(LaneMode::Task);
        QVERIFY(paintTime(stage, "its 300 task lanes") < 120);
    }
    void aMillionRunsInClosedGroups() {
        Stage stage;
        stage.dense(256, 16, 1400000, 1200, 30000, true);
        stage.canvas->resize(1252, 430);
        QVERIFY(paintTime(stage, "1.3 M runs, 256 CPUs in 16 closed groups") < 60);
    }

private:
    // Median of nine, in milliseconds of processor time: other tests may run beside this one.
    static double paintTime(Stage& stage, const char* what) {
        std::vector<double> ms;
        for (int i = 0; i < 9; ++i) {
            const auto before = std::clock();
            stage.canvas->renderNow();
            ms.push_back(1e3 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
        }
        std::sort(ms.begin(), ms.end());
        qInfo("%s: %zu rows, median %.2f ms, worst %.2f ms", what, stage.scene().layout.rows().size(), ms[4], ms[8]);
        return ms[4];
    }
};

QTEST_MAIN(TestPictures)
#include "tst_pictures.moc"
