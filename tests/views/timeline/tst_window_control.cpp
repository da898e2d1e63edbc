// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds and following of the shown part of the time axis.
#include "timeline/window_control.h"

#include <QTest>

using namespace rqscope;

class TestWindowControl : public QObject {
    Q_OBJECT
private slots:
    void staysInBounds() {
        QCOMPARE(WindowControl::bounded({-500, 500}, 10000000).begin, 0.0);
        QCOMPARE(WindowControl::bounded({0, 1}, 10000000).span(), WindowControl::kLeastSpan);
        QVERIFY(WindowControl::bounded({0, 1e15}, 10000000).end <= 12500000.0);
        const auto far = WindowControl::bounded({5e12, 5e12 + 1000}, 10000000);
        QVERIFY(far.end <= 12500000.0);
        QCOMPARE(far.span(), 1000.0);
    }
    void zoomKeepsTheAnchor() {
        WindowControl control;
        control.restart(10000000);
        control.zoom(0.5, 4000000, 10000000);
        const auto share = (4000000 - control.view().begin) / control.view().span();
        control.zoom(0.5, 4000000, 10000000);
        QVERIFY(std::abs((4000000 - control.view().begin) / control.view().span() - share) < 1e-9);
        for (int i = 0; i < 100; ++i) control.zoom(0.5, 4000000, 10000000);
        QCOMPARE(control.view().span(), WindowControl::kLeastSpan);
        QVERIFY(control.view().begin <= 4000000 && control.view().end >= 4000000);
    }
    void growsInSteps() {
        WindowControl control;
        control.restart(0);
        QCOMPARE(control.view().end, WindowControl::kFirstSpan);
        int moves = 0;
        for (Ns t = 0; t < 100000000; t += 100000) {
            const auto before = control.view();
            control.grew(t, t, false);
            if (before != control.view()) ++moves;
            QVERIFY(control.view().end >= static_cast<double>(t));
        }
        QVERIFY(moves > 5 && moves < 20);
        control.grew(100000000, 100000000, true);
        QCOMPARE(control.view(), WindowControl::fitting(100000000));
        control.grew(900000000, 900000000, false);
        QCOMPARE(control.view(), WindowControl::fitting(900000000));
    }
    void turnsThePageWithTheHead() {
        WindowControl control;
        control.restart(1000000);
        control.show({0, 100000}, 1000000);
        control.headMoved(500000);
        QCOMPARE(control.view().begin, 0.0); // the hand holds it
        control.focus(500000, 1000000);
        QCOMPARE(control.follow(), WindowControl::Follow::Head);
        QCOMPARE(control.view().span(), 100000.0);
        control.headMoved(700000);
        QVERIFY(control.view().begin < 700000 && control.view().end > 700000);
        const auto page = control.view();
        control.headMoved(710000);
        QCOMPARE(control.view(), page);
        control.headMoved(100);
        QVERIFY(control.view().begin <= 100);
        control.fill(1000000);
        QCOMPARE(control.follow(), WindowControl::Follow::Run);
    }
};

QTEST_APPLESS_MAIN(TestWindowControl)
#include "tst_window_control.moc"
