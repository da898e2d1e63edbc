// SPDX-License-Identifier: GPL-3.0-or-later
// Input that nobody meant as a machine: cut, mutated, deep, huge, binary. The reader must answer with a value or with
// problems, in bounded time and memory, and what it accepts must survive building domains and saving.
#include "base/rng.h"
#include "core/topology/topology_files.h"
#include "topology/build_domains.h"
#include "topology/machine_json.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

std::string sample() { return readAll(QStringLiteral(RQSCOPE_SOURCE_DIR "/topologies/kunpeng-mini-8cpu.json")); }

// True when loaded; checks the consequences.
bool survives(const std::string& content) {
    const auto machine = load_machine_json(content, "fuzz");
    if (!machine) {
        if (machine.problems().empty()) qFatal("refused without a problem");
        return false;
    }
    const auto saved = save_machine_json(*machine);
    const auto again = load_machine_json(saved, "saved");
    if (!again || save_machine_json(*again) != saved) qFatal("not stable:\n%s", saved.c_str());
    for (const auto profile : {DomainProfile::V4_7, DomainProfile::V5_19, DomainProfile::V6_12})
        (void)build_domains(*machine, profile, machine->online);
    return true;
}

std::string mutated(const std::string& source, Rng& rng) {
    static constexpr std::string_view kPieces[] = {"{", "}", "[", "]", ",", "\"", "0", "-1", "99999999999999999999", "1e9", "null", "true", "0-4095", "\\u0000", "\xff", "\"cpus\"", "core", "4096"};
    auto text = source;
    for (auto edits = 1 + rng.uniform(3); edits > 0; --edits) {
        const auto at = rng.uniform(text.size() - 1);
        switch (rng.uniform(4)) {
        case 0: text[at] = static_cast<char>(rng.uniform(255)); break;
        case 1: text.erase(at, 1 + rng.uniform(20)); break;
        case 2: text.insert(at, kPieces[rng.uniform(std::size(kPieces) - 1)]); break;
        case 3: text.insert(at, text.substr(rng.uniform(text.size() - 1), rng.uniform(60))); break;
        default: text[at] = static_cast<char>('0' + rng.uniform(9)); break;
        }
        if (text.empty()) text.push_back(' ');
    }
    return text;
}

std::string repeated(std::string_view piece, std::size_t times) {
    std::string out;
    out.reserve(piece.size() * times);
    for (std::size_t i = 0; i < times; ++i) out += piece;
    return out;
}

std::string with_children(const std::string& children) {
    return R"({"schema": "sched-topology/1", "id": "a", "name": "A", "arch": "x86", "provenance": {}, "cpus": {"possible": "0-4095"},
               "tree": {"type": "machine", "children": [)" + children + "]}}";
}

} // namespace

class TestMachineReaderRobust : public QObject {
    Q_OBJECT
private slots:
    void truncated() {
        const auto text = sample();
        QVERIFY(survives(text));
        for (std::size_t n = 0; n < text.size() - 3; n += 64) QVERIFY(!survives(text.substr(0, n)));
    }
    void wrongTopLevel() {
        for (const char* text : {"", " ", "null", "1", "\"x\"", "[]", "[{}]", "{}", "{\"schema\": null}", "{\"schema\": []}", "{\"schema\": \"sched-topology/10\"}"})
            QVERIFY(!survives(text));
    }
    void wrongTypesEverywhere() {
        const auto text = sample();
        for (const char* value : {"null", "[]", "{}", "-1", "1.5", "\"\"", "false", "[[[]]]", "1e400"})
            for (std::size_t at = text.find("\": "); at != std::string::npos; at = text.find("\": ", at + 1)) {
                auto copy = text;
                const auto end = copy.find_first_of(",}]\n", at + 3);
                survives(copy.replace(at + 3, end - at - 3, value));
            }
    }
    void deepNesting() {
        QVERIFY(!survives(repeated("[", 4'000'000)));
        QVERIFY(!survives(repeated("{\"a\":", 1'000'000)));
        QVERIFY(!survives(with_children(repeated(R"({"type": "die", "children": [)", 1000))));
    }
    void bigFiles() {
        QElapsedTimer timer;
        timer.start();
        QVERIFY(!survives(repeated(" ", kMaxMachineBytes + 1)));
        QVERIFY(!survives(with_children(repeated(R"({"type": "core", "id": 0, "cpus": "0-4095"},)", 100'000) + "{}")));
        QVERIFY(!survives(with_children(repeated("1,", 1'000'000) + "1")));
        std::string keys = "{";
        for (int i = 0; i < 300'000; ++i) keys += "\"k" + std::to_string(i) + "\":1,";
        QVERIFY(!survives(keys + "\"z\":1}"));
        QVERIFY(timer.elapsed() < 60'000); // under 1 s in a Release build, far slower with sanitizers
    }
    void hugeFileOnDisk() {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("big.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.resize(qint64{4} << 30)); // sparse
        file.close();
        QVERIFY(!load_machine_file(file.fileName().toStdString()).ok());
    }
    void duplicateKeys() {
        const auto result = load_machine_json(R"({"schema": "sched-topology/1", "id": "a", "id": "b"})", "");
        QVERIFY(result.problems().front().message.find("\"id\" appears twice") != std::string::npos);
    }
    void binaryGarbage() {
        Rng rng(1, 2, 3);
        for (int i = 0; i < 500; ++i) {
            std::string bytes;
            for (auto n = rng.uniform(2000); n > 0; --n) bytes += static_cast<char>(rng.uniform(255));
            QVERIFY(!survives(bytes));
        }
    }
    // The problems of one file stay readable: their number is bounded, and their text is plain.
    void problemsAreBounded() {
        const auto result = load_machine_json(with_children(repeated(R"({"type": "\u0007\u00e9x"},)", 5000) + "{}"), "f");
        QVERIFY(result.problems().size() <= 101);
        for (const auto& p : result.problems())
            for (const char c : p.message) QVERIFY(c >= ' ' && c <= '~');
    }
    void mutations() {
        const auto text = sample();
        Rng rng(20260101, 1, 1);
        int loaded = 0;
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 20'000; ++i) loaded += survives(mutated(text, rng)) ? 1 : 0;
        qInfo("%d of 20000 mutations load, %lld ms", loaded, static_cast<long long>(timer.elapsed()));
        QVERIFY(loaded > 100); // otherwise nothing behind the parser was reached
    }
};

QTEST_APPLESS_MAIN(TestMachineReaderRobust)
#include "tst_machine_reader_robust.moc"
