// SPDX-License-Identifier: GPL-3.0-or-later
// /proc/schedstat text: the shape of version 15, the counters' order, the 36 numbers of a domain from passes and wake-ups.
#include "core/metrics/hand_made_run.h"
#include "metrics/schedstat.h"

#include <QTest>

using namespace rqscope;
using namespace rqscope::test;

class TestSchedstat : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_run = handMadeRun();
        m_state = {};
        m_state.online = CpuMask::first_n(8);
        m_state.rqs.resize(8);
        m_state.jiffies = 2503;
        m_state.rqs[2].stat = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    }

    void shape() {
        const auto lines = text(false);
        QCOMPARE(lines[0], QString("version 15"));
        QCOMPARE(lines[1], QString("timestamp 2503"));
        QCOMPARE(lines.size(), 2 + 8 * 3 + 1); // a CPU line and two domains each; the text ends with a newline
        QCOMPARE(lines[2 + 2 * 3], QString("cpu2 1 0 2 3 4 5 6 7 8"));
        for (int i = 3; i < lines.size() - 1; i += 3) {
            QCOMPARE(lines[i].split(' ').size(), 2 + 36);
            QVERIFY(lines[i].startsWith("domain0 "));
            QVERIFY(lines[i + 1].startsWith("domain1 000000ff "));
        }
    }

    void preemptionCountersOnRequest() { QCOMPARE(text(true)[2 + 2 * 3], QString("cpu2 1 0 2 3 4 5 6 7 8 9 10 11")); }

    void domainNumbers() {
        const auto lines = text(false);
        const auto pulled = lines[3 + 2 * 3].split(' ').mid(2); // MC of CPU 2: one new-idle pass that moved a task
        const auto newly = pulled.mid(16, 8);
        QCOMPARE(newly, (QStringList{"1", "0", "0", "512", "1", "0", "0", "0"}));
        const auto remote = lines[3].split(' ').mid(2); // MC of CPU 0: its wake-up of CPU 1
        QCOMPARE(remote[33], QString("1"));
        QCOMPARE(remote[34], QString("0"));
    }

private:
    QStringList text(bool withPreempt) {
        DomainStats domains(*m_run.start.domains);
        for (const auto& row : m_run.rows) domains.row(row);
        return QString::fromStdString(schedstat_text(m_state, domains, withPreempt)).split('\n');
    }

    HandMadeRun m_run;
    SchedState m_state;
};

QTEST_APPLESS_MAIN(TestSchedstat)
#include "tst_schedstat.moc"
