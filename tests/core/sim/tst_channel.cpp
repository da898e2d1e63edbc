// SPDX-License-Identifier: GPL-3.0-or-later
// How many messages fit, and after how many reads a blocked writer may go on: the measured table of workloads.md 0.
#include "sim/channel.h"

#include <QTest>

using namespace rqscope;

namespace {

std::uint32_t fill(Channel& c, std::uint64_t bytes) {
    std::uint32_t n = 0;
    while (has_room(c, bytes)) {
        reserve(c, bytes);
        (void)commit(c, bytes);
        ++n;
    }
    return n;
}

} // namespace

class TestChannel : public QObject {
    Q_OBJECT
private slots:
    void fits_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("bytes");
        QTest::addColumn<int>("fit");
        QTest::addColumn<int>("reads");
        const int pipe[][3] = {{1, 65536, 4096}, {10, 6544, 409}, {100, 640, 40}, {256, 256, 16}, {512, 128, 8}, {1000, 64, 4}, {4096, 16, 1}};
        const int sock[][3] = {{1, 278, 209}, {10, 278, 209}, {100, 278, 209}, {256, 167, 126}, {512, 167, 126}, {1000, 93, 70}, {4096, 44, 34}};
        for (const auto& r : pipe) QTest::addRow("pipe %d", r[0]) << int(ChannelKind::Pipe) << r[0] << r[1] << r[2];
        for (const auto& r : sock) QTest::addRow("unix %d", r[0]) << int(ChannelKind::Unix) << r[0] << r[1] << r[2];
    }
    void fits() {
        QFETCH(int, kind);
        QFETCH(int, bytes);
        QFETCH(int, fit);
        QFETCH(int, reads);
        Channel c;
        c.kind = static_cast<ChannelKind>(kind);
        const auto n = static_cast<std::uint64_t>(bytes);
        QCOMPARE(static_cast<int>(fill(c, n)), fit);
        int read = 1;
        while (!take(c)) ++read;
        QCOMPARE(read, reads);
        QVERIFY(has_room(c, n));
    }

    void pipe_wakes_a_reader_only_when_it_was_empty() {
        Channel c;
        c.kind = ChannelKind::Pipe;
        reserve(c, 100);
        QVERIFY(!readable(c)); // the writer still copies
        QVERIFY(commit(c, 100));
        reserve(c, 100);
        QVERIFY(!commit(c, 100));
        (void)take(c);
        (void)take(c);
        QVERIFY(!readable(c));
    }

    void unix_wakes_at_each_send() {
        Channel c;
        c.kind = ChannelKind::Unix;
        for (int i = 0; i < 3; ++i) {
            reserve(c, 100);
            QVERIFY(commit(c, 100));
        }
    }
};

QTEST_APPLESS_MAIN(TestChannel)
#include "tst_channel.moc"
