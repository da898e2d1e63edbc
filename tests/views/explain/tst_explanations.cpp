// SPDX-License-Identifier: GPL-3.0-or-later
// Every reason has a sentence: filled in completely, at most 20 words, kernel word first, no exclamation mark.
#include "explain/explanations.h"

#include <QRegularExpression>
#include <QTest>

using namespace rqscope;

namespace {

constexpr PlaceReason kPlaceReasons[] = {
#define PLACE_REASON(id, ...) PlaceReason::id,
#include "select/reasons.def"
#undef PLACE_REASON
};
constexpr PreemptReason kPreemptReasons[] = {PreemptReason::CurrIdle, PreemptReason::SameTask, PreemptReason::AlreadyPending,
    PreemptReason::IdlePolicyCurr, PreemptReason::NotNormal, PreemptReason::NotFarEnough, PreemptReason::Granted};

DecisionFacts fork(std::uint32_t chosenRunnable, std::uint32_t chosenLoad, std::uint32_t rivalRunnable, std::uint32_t rivalLoad, bool loadAvg) {
    DecisionFacts facts;
    facts.row.kind = RowKind::Fork;
    facts.row.time = from_ns(4200000);
    facts.row.cpu = CpuId{7};
    facts.row.placement.cpu = CpuId{7};
    facts.row.placement.reason = PlaceReason::ForkIdlestCpu;
    facts.row.placement.has_figures = true;
    facts.row.placement.rival = CpuId{6};
    facts.row.placement.chosen_runnable = chosenRunnable;
    facts.row.placement.chosen_load = chosenLoad;
    facts.row.placement.rival_runnable = rivalRunnable;
    facts.row.placement.rival_load = rivalLoad;
    facts.task = QStringLiteral("child 17");
    facts.other = QStringLiteral("parent");
    facts.forkNumber = 17;
    facts.forkCount = 18;
    facts.loadAvgRule = loadAvg;
    return facts;
}

// Every way in which the rules since 5.5 decide.
QList<DecisionFacts> modernForks() {
    QList<DecisionFacts> all;
    for (const auto figures : {PlaceFigures::Types, PlaceFigures::IdleCpus, PlaceFigures::AvgLoads})
        for (const auto reason : {PlaceReason::ForkIdlestCpu, PlaceReason::ForkLocalGroup})
            for (const auto& facts : {fork(3, 200, 1, 300, false), fork(1, 200, 3, 300, false), fork(3, 200, 3, 300, false), fork(3, 300, 3, 300, false)}) {
                all << facts;
                all.last().row.placement.figures = figures;
                all.last().row.placement.reason = reason;
            }
    return all;
}

void checkSentence(const QString& sentence) {
    QVERIFY2(!sentence.isEmpty(), "no sentence");
    QVERIFY2(!sentence.contains(QLatin1Char('{')), qPrintable(sentence));
    QVERIFY2(!sentence.contains(QLatin1Char('!')), qPrintable(sentence));
    QVERIFY2(sentence.endsWith(QLatin1Char('.')), qPrintable(sentence));
    // "CPU 7" holds a no-break space: one word.
    QVERIFY2(sentence.split(QLatin1Char(' '), Qt::SkipEmptyParts).size() <= 20, qPrintable(sentence));
    static const QRegularExpression kernelWord(QStringLiteral("^[a-z_]+(\\([a-z]+\\))?:"));
    QVERIFY2(kernelWord.match(sentence).hasMatch(), qPrintable(sentence));
}

} // namespace

class TestExplanations : public QObject {
    Q_OBJECT
private slots:
    void everyPlaceReason() {
        const Explanations explanations;
        for (const auto reason : kPlaceReasons)
            for (const bool figures : {false, true}) {
                auto facts = fork(0, 200, 0, 300, true);
                facts.row.placement.reason = reason;
                facts.row.placement.has_figures = figures;
                checkSentence(explanations.describe(facts).rule);
            }
    }
    void everyClassOfGroups() {
        const Explanations explanations;
        for (const auto& facts : modernForks()) checkSentence(explanations.describe(facts).rule);
        auto facts = fork(static_cast<std::uint32_t>(GroupType::HasSpare), 8, static_cast<std::uint32_t>(GroupType::Overloaded), 0, false);
        facts.row.placement.figures = PlaceFigures::Types;
        QCOMPARE(explanations.describe(facts).rule, QStringLiteral("find_idlest_group: CPU\u00A07 is group_has_spare, CPU\u00A06 is group_overloaded: the better class wins."));
        facts = fork(1, 90, 3, 40, false);
        facts.row.placement.figures = PlaceFigures::IdleCpus;
        facts.row.placement.reason = PlaceReason::ForkLocalGroup;
        QCOMPARE(Explanations::placeKey(facts), QStringLiteral("place.ForkLocalGroup.allowance"));
    }
    void everyPreemptReason() {
        const Explanations explanations;
        for (const auto reason : kPreemptReasons) {
            auto facts = fork(0, 0, 10, 0, false);
            facts.row.preempt = {false, reason, 1200000, 1000000};
            checkSentence(explanations.describe(facts).preempt);
        }
        auto behind = fork(0, 0, 10, 0, false);
        behind.row.preempt = {false, PreemptReason::NotFarEnough, -9660000, 1000000};
        checkSentence(explanations.describe(behind).preempt);
        QVERIFY(explanations.describe(behind).preempt.contains(QStringLiteral("9.66")));
        QVERIFY(!explanations.describe(behind).preempt.contains(QChar(0x2212)));
    }
    void everySentenceInTheFileIsReachable() {
        QStringList keys;
        for (const auto& facts : {fork(0, 0, 10, 0, false), fork(0, 200, 0, 300, true), fork(0, 200, 0, 300, false)}) {
            keys << Explanations::placeKey(facts);
            auto local = facts;
            local.row.placement.reason = PlaceReason::ForkLocalGroup;
            keys << Explanations::placeKey(local);
        }
        for (const auto& facts : modernForks()) keys << Explanations::placeKey(facts);
        for (const auto reason : kPlaceReasons) {
            auto facts = fork(0, 0, 0, 0, false);
            facts.row.placement.reason = reason;
            facts.row.placement.has_figures = false;
            keys << Explanations::placeKey(facts);
        }
        const Explanations explanations;
        for (auto it = explanations.sentences().cbegin(); it != explanations.sentences().cend(); ++it)
            if (it.key().startsWith(QStringLiteral("place."))) QVERIFY2(keys.contains(it.key()), qPrintable(it.key()));
    }
    void figuresPickTheVariant() {
        QCOMPARE(Explanations::placeKey(fork(0, 200, 10, 0, false)), QStringLiteral("place.ForkIdlestCpu.runnable"));
        QCOMPARE(Explanations::placeKey(fork(0, 200, 0, 300, false)), QStringLiteral("place.ForkIdlestCpu.tie"));
        QCOMPARE(Explanations::placeKey(fork(0, 200, 0, 300, true)), QStringLiteral("place.ForkIdlestCpu.load"));
        QCOMPARE(Explanations::placeKey(fork(0, 200, 2000, 300, true)), QStringLiteral("place.ForkIdlestCpu.runnable"));
    }
    void titleAndLines() {
        const Explanations explanations;
        const auto text = explanations.describe(fork(0, 200, 0, 300, true));
        QCOMPARE(text.title, QStringLiteral("child 17 goes to CPU\u00A07"));
        QCOMPARE(text.who, QStringLiteral("Fork 17 of 18 known, by parent on CPU\u00A00, at 4.200\u00A0ms"));
        QVERIFY(text.rule.contains(QStringLiteral("300")) && text.rule.contains(QStringLiteral("200")));
    }
};

QTEST_MAIN(TestExplanations)
#include "tst_explanations.moc"
