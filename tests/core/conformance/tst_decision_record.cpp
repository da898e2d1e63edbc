// SPDX-License-Identifier: GPL-3.0-or-later
// Reading of recordings: fields and ranges, what the file's name says, gzip in one and several members, damaged and hostile
// input of both forms.
#include "conformance/decision_gzip.h"
#include "conformance/decision_source.h"

#include "core/conformance/decision_cases.h"
#include "support/hostile.h"

#include <zlib.h>

using namespace rqscope;
using namespace rqscope::test;

namespace {

const std::string kLine =
    R"({"t_us": 900, "kind": "wake", "pid": 767, "comm": "forkstorm", "waker_cpu": 1, "waker_pid": 0, "prev": 2, "chosen": 3, )"
    R"("nr": [0, 0, 2, 0], "idle_us": [900, 8, -1, 41]})";

Result<std::vector<Decision>> read(const std::string& text) {
    std::vector<Decision> out;
    auto problems = for_each_decision(text, CpuMask::first_n(4), [&out](const Decision& d) { out.push_back(d); });
    if (!problems.empty()) return problems;
    return out;
}

std::string changed(const std::string& from, const std::string& to) {
    auto line = kLine;
    return line.replace(line.find(from), from.size(), to);
}

std::string gzip(const std::string& text) {
    std::string out(text.size() + 1000, '\0');
    z_stream z{};
    if (deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK) qFatal("no zlib");
    auto in = text;
    z.next_in = reinterpret_cast<Bytef*>(in.data());
    z.avail_in = static_cast<uInt>(in.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    const auto status = deflate(&z, Z_FINISH);
    out.resize(z.total_out);
    deflateEnd(&z);
    if (status != Z_STREAM_END) qFatal("gzip failed");
    return out;
}

constexpr std::size_t kLimit = 1U << 20U;

} // namespace

class TestDecisionRecord : public QObject {
    Q_OBJECT

private slots:
    void fields() {
        const auto all = read(kLine + "\n" + changed("wake", "fork") + "\r\n");
        QVERIFY2(all.ok(), all.ok() ? "" : all.problems()[0].message.c_str());
        QCOMPARE(all->size(), std::size_t{2});
        const auto& d = all->front();
        QCOMPARE(d.line, 1U);
        QVERIFY(d.kind == DecisionKind::Wake && all->back().kind == DecisionKind::Fork);
        QCOMPARE(d.t_us, 900);
        QCOMPARE(d.pid, 767U);
        QVERIFY(d.waker_cpu == CpuId{1} && d.prev == CpuId{2} && d.chosen == CpuId{3});
        QCOMPARE(text(d.idle), "0-1,3");
        QVERIFY(!d.age_known(CpuId{0}) && d.age_known(CpuId{1}));
        QCOMPARE(all->back().line, 2U);
    }

    void badLines_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("where");
        const auto row = [](const char* name, const char* from, const char* to, const char* where) {
            QTest::newRow(name) << QString(from) << QString(to) << QString(where);
        };
        row("CPU beyond the machine", "\"chosen\": 3", "\"chosen\": 4", "line 2.chosen");
        row("no such kind", "wake", "exec", "line 2.kind");
        row("list too short", "[0, 0, 2, 0]", "[0, 0, 2]", "line 2.nr");
        row("list too long", "-1, 41]", "-1, 41, 3]", "line 2.idle_us");
        row("age below -1", "-1", "-2", "line 2.idle_us[2]");
        row("age beyond the trace", "[900", "[902", "line 2.idle_us[0]");
        row("negative count", "[0, 0, 2", "[0, 0, -2", "line 2.nr[2]");
        row("text for a number", "\"pid\": 767", "\"pid\": \"a\"", "line 2.pid");
        row("task 0 cannot be placed", "\"pid\": 767", "\"pid\": 0", "line 2.pid");
        row("fraction", "900,", "9.5,", "line 2.t_us");
        row("missing", "\"prev\": 2, ", "", "line 2.prev");
        row("unknown key", "\"prev\"", "\"perv\"", "line 2.perv");
        row("no JSON", "{\"t_us\"", "\"t_us\"", "line 2");
    }
    void badLines() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, where);
        const auto all = read(kLine + "\n" + changed(from.toStdString(), to.toStdString()) + "\n" + kLine + "\n");
        QVERIFY(!all.ok());
        const auto& problems = all.problems();
        QVERIFY2(std::any_of(problems.begin(), problems.end(),
                             [&](const Problem& p) { return p.where == where.toStdString() && !p.message.empty(); }),
                 problems[0].where.c_str());
    }
    void emptyTextAndLine() {
        QVERIFY(!read("").ok());
        QVERIFY(!read("\n").ok());
        QVERIFY(!read(kLine + "\n\n" + kLine).ok());
    }
    void endlessLine() { QVERIFY(!read("{\"t_us\": " + std::string(3U << 20U, '1') + "}").ok()); }
    void hostileText() {
        read_hostile(
            kLine, [](const std::string& t) { return read(t); }, 5'000);
    }

    void recognised() {
        QVERIFY(is_decision_text(kLine) && is_decision_text(kLine + "\nrubbish"));
        QVERIFY(!is_decision_text("") && !is_decision_text("{}") && !is_decision_text("[1]") &&
                !is_decision_text("\n" + kLine));
    }

    void gzipRoundTrip() {
        QVERIFY(is_gzip(gzip(kLine)) && !is_gzip(kLine) && !is_gzip("\x1f"));
        QCOMPARE(gunzip(gzip(kLine), kLimit).value(), kLine);
        QCOMPARE(gunzip(gzip("a") + gzip(kLine) + gzip(""), kLimit).value(), "a" + kLine);
        QCOMPARE(gunzip(gzip(std::string(kLimit, 'x')), kLimit).value().size(), kLimit);
    }
    void gzipBeyondTheLimit() {
        QVERIFY(!gunzip(gzip(std::string(kLimit + 1, 'x')), kLimit).ok());
        QVERIFY(!gunzip(gzip(std::string(64U << 20U, '\0')), kLimit).ok());
    }
    void gzipDamaged() {
        const auto whole = gzip(kLine);
        QVERIFY(!gunzip(whole + "tail", kLimit).ok());
        QVERIFY(!gunzip(kLine, kLimit).ok());
        auto wrongSum = whole;
        wrongSum[wrongSum.size() - 6] = static_cast<char>(~wrongSum[wrongSum.size() - 6]);
        QVERIFY(!gunzip(wrongSum, kLimit).ok());
        const auto cut = gunzip(whole.substr(0, whole.size() - 1), kLimit);
        QVERIFY(!cut.ok());
        QVERIFY(cut.problems()[0].message.find("cut off") != std::string::npos);
    }
    void hostileGzip() {
        const auto unpackAndRead = [](const std::string& bytes) -> Result<std::vector<Decision>> {
            const auto unpacked = gunzip(bytes, kLimit);
            if (!unpacked) return unpacked.problems();
            return read(*unpacked);
        };
        read_hostile(gzip(kLine), unpackAndRead, 5'000);
    }

    void names() {
        const auto short_name = decision_source("A-clu16-61.hb-P-g1.jsonl.gz").value();
        QCOMPARE(short_name.run, std::string("A-clu16-61"));
        QCOMPARE(short_name.workload, std::string("hb-P-g1"));
        QCOMPARE(short_name.machine, std::string("clu-2s2m4c-numa-61"));
        QVERIFY(short_name.era == Era::V6_1);
        const auto dom = decision_source("dom-nps4-2t-612.fs-fill.r3.jsonl").value();
        QCOMPARE(dom.machine, std::string("nps4-2t-612"));
        QCOMPARE(dom.workload, std::string("fs-fill.r3"));
        QVERIFY(dom.era == Era::V6_12);
        QCOMPARE(decision_source("E-16-612.tb1.base.jsonl.gz").value().machine, std::string("2s4c2t-numa-612"));
        QCOMPARE(decision_source("mybox-61.x.jsonl").value().machine, std::string("mybox-61"));
        for (const char* name : {"", "-61", "A-8.x.jsonl.gz", "A-8-62.x.jsonl.gz", "x.A-8-61.gz"})
            QVERIFY(!decision_source(name).ok());
    }
};

QTEST_APPLESS_MAIN(TestDecisionRecord)
#include "tst_decision_record.moc"
