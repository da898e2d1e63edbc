// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a user meets it, off-screen: step, step back, toggle, branch, undo, zoom, select, go to time, bad files.
#include "features/features_panel.h"
#include "explain/why_panel.h"
#include "theme/theme.h"
#include "transport/transport_bar.h"
#include "window/chip_button.h"
#include "window/documents.h"
#include "window/main_window.h"
#include "window/message_bar.h"
#include "window/resource_paths.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace rqscope;

class TestMainWindow : public QObject {
    Q_OBJECT
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<MainWindow> m_window;

    const History& run() { return *m_window->session().history(); }
    template <class W>
    W* child(const char* name) { return m_window->findChild<W*>(QLatin1String(name)); }

private slots:
    void init() {
        m_theme = std::make_unique<Theme>();
        m_theme->setReducedMotion(true);
        m_window = std::make_unique<MainWindow>(*m_theme, MainWindow::Memory::None);
        m_window->resize(1600, 1000);
        m_window->show();
        m_window->startFirst(false);
        QVERIFY(m_window->session().history());
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() {
        m_window.reset();
        m_theme.reset();
    }
    void stepAndBackByKeys() {
        QTest::keyClick(m_window.get(), Qt::Key_Right, Qt::ControlModifier);
        QTRY_COMPARE(run().decisions().size(), std::size_t(1));
        const auto rows = run().cursor();
        const auto hash = run().state_hash();
        QTest::keyClick(m_window.get(), Qt::Key_Right, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(run().cursor(), rows);
        QCOMPARE(run().state_hash(), hash);
        QTest::keyClick(m_window.get(), Qt::Key_N);
        QVERIFY(run().cursor() > rows);
        QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ShiftModifier);
        QCOMPARE(run().cursor(), rows);
    }
    void notesAreShown() {
        const QTemporaryDir folder;
        const auto file = folder.filePath(QStringLiteral("toggle-order-idle.json"));
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(R"({"schema":"rqscope-scenario/1","machine":"teach-mc8.json","workload":"hogs:n=2","era":"4.8-idle-wip",
                      "until":"2ms","notes":["Watch the low CPUs.","They fill first."]})");
        out.close();
        auto* note = child<MessageBar>("note");
        QVERIFY(note);
        QVERIFY(m_window->openFile(file));
        QVERIFY(note->isVisible());
        QCOMPARE(note->lines(), (QStringList{QStringLiteral("Watch the low CPUs."), QStringLiteral("They fill first.")}));
        // Closed by the user it stays closed over a restart, and comes back when the file is opened again.
        note->hide();
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
        QVERIFY(note->isHidden());
        QVERIFY(m_window->openFile(file));
        QVERIFY(note->isVisible());
        // Another kernel: the note no longer says what happens.
        QVERIFY(m_window->session().open(withEra(m_window->session().nextScenario(), Era::V4_9)).empty());
        QVERIFY(note->isHidden());
    }
    void examplesByToggle() {
        const QTemporaryDir folder;
        for (const auto* name : {"toggle-wa-idle.json", "toggle-fork-load-avg.json", "toggle-nonsense.json", "storm.json", "notes.txt"}) {
            QFile out(folder.filePath(QLatin1String(name)));
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(R"({"schema":"rqscope-scenario/1","machine":"teach-mc8.json","workload":"hogs:n=2","era":"6.1","until":"2ms"})");
        }
        QMenu menu;
        m_window->fillExamples(menu, {folder.path()});
        QStringList top;
        for (const auto* action : menu.actions()) top << action->text();
        QCOMPARE(top, (QStringList{"storm", "toggle nonsense", "Fork placement", "Wake-up placement"}));
        auto* wake = menu.actions()[3]->menu()->actions().front();
        QCOMPARE(wake->text(), QStringLiteral("WA_IDLE"));
        QVERIFY(!wake->toolTip().isEmpty());
        wake->trigger();
        QCOMPARE(run().scenario().era, Era::V6_1);
        m_window->fillExamples(menu, {});
        QVERIFY(menu.actions().size() == 1 && !menu.actions().front()->isEnabled());
    }
    void everyShippedExampleOpens() {
        QMenu menu;
        m_window->fillExamples(menu, scenarioFolders());
        QVERIFY(menu.actions().front()->isEnabled());
        const auto examples = listExamples(scenarioFolders());
        for (const auto& example : examples) QVERIFY2(m_window->openFile(example.file), qPrintable(m_window->problemLinesShown().join(' ')));
        QVERIFY(!examples.empty());
    }
    void reconstructionStaysInSight() {
        const auto* chip = child<ChipButton>("kernel");
        for (const auto width : {1280, 1920}) {
            m_window->resize(width, 800);
            auto scenario = withEra(m_window->session().nextScenario(), Era::V4_8_IDLE_WIP);
            scenario.workload.spec = "hackbench:-g 16 -f 20 -l 1000 --threads --pipe"; // as long as they get
            QVERIFY(m_window->session().open(std::move(scenario)).empty());
            QVERIFY(chip->isVisible());
            QCOMPARE(chip->value(), QStringLiteral("4.8-idle-wip (reconstruction)"));
            const auto* label = chip->findChildren<QLabel*>()[1];
            QCOMPARE(label->text(), chip->value()); // not cut with dots
            QTRY_VERIFY(label->width() >= label->sizeHint().width());
            QVERIFY(chip->geometry().right() <= chip->parentWidget()->width());
            QVERIFY(chip->toolTip().contains(QStringLiteral("reconstruction of unpublished work")));
        }
    }
    void kernelMenuSaysWhatIsBorrowed() {
        auto* menu = child<ChipButton>("kernel")->menu();
        emit menu->aboutToShow();
        std::size_t available = 0;
        for (const auto& info : all_eras()) available += info.available;
        QCOMPARE(static_cast<std::size_t>(menu->actions().size()), available);
        for (const auto* action : menu->actions()) {
            const auto key = action->text().section(QLatin1Char('\t'), 0, 0), borrows = action->text().section(QLatin1Char('\t'), 1);
            const auto era = find_era(key.section(QLatin1Char(' '), 0, 0).toStdString());
            QVERIFY(era);
            QCOMPARE(borrows.toStdString(), std::string(era_info(*era).borrows));
            QCOMPARE(key.endsWith(QStringLiteral("(reconstruction)")), is_reconstruction(era_info(*era)));
        }
        QVERIFY2(menu->sizeHint().width() <= 1280, qPrintable(QString::number(menu->sizeHint().width())));
        const auto folder = qEnvironmentVariable("RQSCOPE_PICTURES");
        if (folder.isEmpty()) return;
        menu->resize(menu->sizeHint());
        QVERIFY(menu->grab().save(folder + QStringLiteral("/kernel-menu.png")));
    }
    void inlineWorkloadHasAWord() {
        const QTemporaryDir folder;
        QFile out(folder.filePath(QStringLiteral("own.json")));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(R"({"schema":"rqscope-scenario/1","machine":"teach-mc8.json","era":"6.1","until":"1ms","workload":
                      {"schema":"rqscope-workload/1","tasks":{"a":{"cpu":0,"program":[["run","1ms"]]}}}})");
        out.close();
        QVERIFY2(m_window->openFile(out.fileName()), qPrintable(m_window->problemLinesShown().join(' ')));
        QVERIFY(!child<ChipButton>("workload")->value().isEmpty());
    }
    void stepByButtons() {
        QTest::mouseClick(child<QToolButton>("decision-forward"), Qt::LeftButton);
        QTRY_VERIFY(m_window->findChild<WhyPanel*>()->text().has_value());
        QCOMPARE(m_window->findChild<WhyPanel*>()->text()->title, QStringLiteral("child 1 goes to CPU\u00A01"));
        QTest::mouseClick(child<QToolButton>("step-back"), Qt::LeftButton);
        QVERIFY(!m_window->findChild<WhyPanel*>()->text().has_value());
        QTest::mouseClick(child<QPushButton>("whyStep"), Qt::LeftButton);
        QTRY_VERIFY(m_window->findChild<WhyPanel*>()->text().has_value());
    }
    void toggleInThePastBranchesAndUndoes() {
        m_window->session().seekTime(from_ns(4000000));
        QTRY_VERIFY(!m_window->session().seeking());
        const auto all = run().known_rows();
        m_window->session().seekTime(from_ns(1000000));
        auto* toggle = child<SwitchControl>("FORK_LOAD_AVG");
        QVERIFY(!toggle->isChecked());
        QTest::mouseClick(toggle, Qt::LeftButton);
        QVERIFY(child<SwitchControl>("FORK_LOAD_AVG")->isChecked());
        QVERIFY(m_window->session().canUndoBranch());
        QVERIFY(run().known_rows() < all);
        auto* undo = child<QPushButton>("Undo");
        QVERIFY(undo);
        QTRY_VERIFY(undo->isVisible());
        QTest::mouseClick(undo, Qt::LeftButton);
        QCOMPARE(run().known_rows(), all);
        QVERIFY(!child<SwitchControl>("FORK_LOAD_AVG")->isChecked());
        QVERIFY(!m_window->session().canUndoBranch());
    }
    void toggleAtTheFrontierContinues() {
        m_window->session().step(StepUnit::Decision, true);
        QTest::mouseClick(child<SwitchControl>("FORK_LOAD_AVG"), Qt::LeftButton);
        QVERIFY(!m_window->session().canUndoBranch());
        QCOMPARE(run().inputs().size(), std::size_t(1));
        m_window->session().runToEnd();
        QVERIFY(run().finished());
        std::vector<bool> landed(8);
        for (const auto row : run().decisions()) landed[run().log().row(row).cpu.index()] = true;
        QVERIFY(std::count(landed.begin(), landed.end(), true) > 3);
    }
    void restartKeepsTheSwitches() {
        m_window->session().changeFeature({Feature::FORK_LOAD_AVG, 2});
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
        QCOMPARE(run().cursor(), 0U);
        QCOMPARE(m_window->source().snapshot().features.value(Feature::FORK_LOAD_AVG), FeatureValue(2));
        QVERIFY(run().inputs().empty());
    }
    void spaceBelongsToTheFocusedControl() {
        auto* toggle = child<SwitchControl>("WAKE_AFFINE");
        toggle->setFocus();
        QTest::keyClick(toggle, Qt::Key_Space);
        QVERIFY(!m_window->source().playing());
        QVERIFY(!child<SwitchControl>("WAKE_AFFINE")->isChecked());
        m_window->pane(QStringLiteral("timeline"))->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QVERIFY(m_window->source().playing());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QVERIFY(!m_window->source().playing());
    }
    void goToTimeByTyping() {
        QTest::keyClick(m_window.get(), Qt::Key_G);
        auto* edit = child<QLineEdit>("goToTime");
        QTRY_VERIFY(edit->isVisible());
        QTest::keyClicks(edit, QStringLiteral("1.5ms"));
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_VERIFY(!m_window->session().seeking());
        QCOMPARE(to_ns(run().time()), qint64(1500000));
    }
    void selectAndClear() {
        m_window->selection().selectCpu(CpuId{3});
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QVERIFY(!m_window->selection().cpu().has_value());
    }
    void badFileLeavesTheRun() {
        QTemporaryDir folder;
        const auto path = folder.filePath(QStringLiteral("bad.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"schema":"rqscope-scenario/1","machine":"nowhere","workload":"forkstorm:n=zz"})");
        file.close();
        const auto* before = m_window->session().history();
        QVERIFY(!m_window->openFile(path));
        QCOMPARE(m_window->session().history(), before);
        QVERIFY(!m_window->problemLinesShown().isEmpty());
        QVERIFY(m_window->problemLinesShown().front().contains(QStringLiteral("bad.json")));
        QVERIFY(!m_window->openFile(folder.filePath(QStringLiteral("missing.json"))));
    }
    void everySizeAndThemeLaysOut() {
        for (const auto size : {QSize(1920, 1080), QSize(1280, 800), QSize(1000, 700), QSize(640, 480)}) {
            m_window->resize(size);
            m_theme->setDark(!m_theme->dark());
            QCoreApplication::processEvents();
            QCOMPARE(m_window->size(), size);
        }
        m_window->resize(1280, 800);
        m_window->setProjector(true);
        QVERIFY(m_theme->font(TextRole::Tiny).pixelSize() >= 18);
        m_window->setProjector(false);
        QCOMPARE(m_theme->scale(), 1.0);
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
