// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/explanations.h"

#include "theme/format.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

// See theme.cpp: a resource in a static library must be named.
static void initResources() { Q_INIT_RESOURCE(rqscope); }

namespace rqscope {

namespace {

QString fill(QString sentence, const QHash<QString, QString>& words) {
    for (auto it = words.cbegin(); it != words.cend(); ++it) sentence.replace('{' + it.key() + '}', it.value());
    return sentence;
}

QString groupText(CpuId first, bool alone) {
    return alone ? cpuText(first.value) : QStringLiteral("the group of ") + cpuText(first.value);
}

// PlaceFigures::Types carries the class of a group as its first figure.
QString typeText(std::uint32_t type) {
    return type > static_cast<std::uint32_t>(GroupType::Overloaded) ? QString() : QStringLiteral("group_") + fromStd(rqscope::name_of(static_cast<GroupType>(type)));
}

QHash<QString, QString> wordsOf(const DecisionFacts& facts) {
    const auto& row = facts.row;
    const auto& p = row.placement;
    return {{"task", facts.task},
            {"other", facts.other},
            {"cpu", cpuText(row.cpu.value)},
            {"from", cpuText(row.from.value)},
            {"chosen", groupText(row.cpu, facts.groupsOfOne)},
            {"rival", groupText(p.rival, facts.groupsOfOne)},
            {"chosen_runnable", grouped(p.chosen_runnable)},
            {"chosen_load", grouped(p.chosen_load)},
            {"chosen_type", typeText(p.chosen_runnable)},
            {"rival_type", typeText(p.rival_runnable)},
            {"rival_runnable", grouped(p.rival_runnable)},
            {"rival_load", grouped(p.rival_load)},
            {"nr_checks", grouped(p.nr_checks)},
            {"vdiff", durationText(row.preempt.vdiff)},
            {"behind", durationText(-row.preempt.vdiff)},
            {"gran", durationText(static_cast<qint64>(row.preempt.gran))}};
}

QString whoText(const DecisionFacts& facts) {
    const auto& row = facts.row;
    const auto at = clockText(row.time);
    if (row.kind == RowKind::Fork) {
        const auto which = facts.forkNumber > 0 ? QStringLiteral("Fork %1 of %2 known").arg(facts.forkNumber).arg(facts.forkCount) : QStringLiteral("Forked");
        return QStringLiteral("%1, by %2 on %3, at %4").arg(which, facts.other, cpuText(row.from.value), at);
    }
    if (row.kind == RowKind::Exec) return QStringLiteral("Exec on %1, at %2").arg(cpuText(row.from.value), at);
    const auto waker = facts.other.isEmpty() ? QStringLiteral("a timer") : facts.other;
    return QStringLiteral("Woken by %1 on %2, at %3; it last ran on %4").arg(waker, cpuText(row.waker_cpu.value), at, cpuText(row.from.value));
}

// A task that is behind in virtual time has no lead to compare with wakeup_gran.
QString preemptKey(const PreemptVerdict& verdict) {
    const bool behind = verdict.reason == PreemptReason::NotFarEnough && verdict.vdiff <= 0;
    return QStringLiteral("preempt.") + (behind ? QStringLiteral("NotAhead") : name_of(verdict.reason));
}

// Since 5.5 groups are compared by class, idle CPUs and util, or avg_load; empty for the older rules.
QString modernVariant(const Placement& p) {
    const bool stays = p.reason == PlaceReason::ForkLocalGroup;
    switch (p.figures) {
    case PlaceFigures::Types: return QStringLiteral("types");
    case PlaceFigures::AvgLoads: return QStringLiteral("avg_load");
    case PlaceFigures::IdleCpus:
        if (stays) return p.chosen_runnable < p.rival_runnable ? QStringLiteral("allowance") : QStringLiteral("idle");
        if (p.chosen_runnable != p.rival_runnable) return QStringLiteral("idle");
        return p.chosen_load != p.rival_load ? QStringLiteral("util") : QStringLiteral("first");
    case PlaceFigures::Loads:
    case PlaceFigures::Spare: return {};
    }
    return {};
}

QString landedText(const DecisionFacts& facts) {
    auto text = facts.place.isEmpty() ? QStringLiteral("It lands on %1.").arg(cpuText(facts.row.cpu.value))
                                      : QStringLiteral("It lands on %1 in %2.").arg(cpuText(facts.row.cpu.value), facts.place);
    if (facts.row.kind == RowKind::Wakeup && facts.row.from != facts.row.cpu)
        text += QStringLiteral(" It moves there from %1.").arg(cpuText(facts.row.from.value));
    return text;
}

} // namespace

QString functionOf(PlaceReason reason) {
    static constexpr const char* kFunctions[] = {
#define PLACE_REASON(id, function) function,
#include "select/reasons.def"
#undef PLACE_REASON
    };
    return QLatin1String(kFunctions[static_cast<std::size_t>(reason)]);
}

QString name_of(PreemptReason reason) {
    switch (reason) {
    case PreemptReason::CurrIdle: return QStringLiteral("CurrIdle");
    case PreemptReason::SameTask: return QStringLiteral("SameTask");
    case PreemptReason::AlreadyPending: return QStringLiteral("AlreadyPending");
    case PreemptReason::IdlePolicyCurr: return QStringLiteral("IdlePolicyCurr");
    case PreemptReason::NotNormal: return QStringLiteral("NotNormal");
    case PreemptReason::NotFarEnough: return QStringLiteral("NotFarEnough");
    case PreemptReason::Granted: return QStringLiteral("Granted");
    }
    return {};
}

Explanations::Explanations() {
    initResources();
    QFile file(QStringLiteral(":/explanations.json"));
    if (!file.open(QIODevice::ReadOnly)) qFatal("the compiled-in explanations.json is missing");
    const auto root = QJsonDocument::fromJson(file.readAll()).object();
    if (root.isEmpty()) qFatal("the compiled-in explanations.json is damaged");
    m_empty = root["empty"].toString();
    const auto place = root["place"].toObject();
    for (auto reason = place.begin(); reason != place.end(); ++reason) {
        const auto variants = reason.value().toObject();
        for (auto variant = variants.begin(); variant != variants.end(); ++variant)
            m_sentences[QStringLiteral("place.%1.%2").arg(reason.key(), variant.key())] = variant.value().toString();
    }
    const auto preempt = root["preempt"].toObject();
    for (auto reason = preempt.begin(); reason != preempt.end(); ++reason)
        m_sentences[QStringLiteral("preempt.") + reason.key()] = reason.value().toString();
}

QString Explanations::placeKey(const DecisionFacts& facts) {
    const auto& p = facts.row.placement;
    const auto key = QStringLiteral("place.%1.").arg(fromStd(rqscope::name_of(p.reason)));
    const auto figured = p.reason == PlaceReason::ForkIdlestCpu || p.reason == PlaceReason::ForkLocalGroup;
    if (!figured || !p.has_figures) return key + QStringLiteral("plain");
    if (const auto variant = modernVariant(p); !variant.isEmpty()) return key + variant;
    // Inside the band of FORK_LOAD_AVG load_avg decides, even against a small lead in runnable load.
    const auto loadDecides = facts.loadAvgRule && p.chosen_load < p.rival_load && p.chosen_runnable + 256 > p.rival_runnable;
    if (loadDecides) return key + QStringLiteral("load");
    if (p.reason == PlaceReason::ForkIdlestCpu && p.chosen_runnable >= p.rival_runnable) return key + QStringLiteral("tie");
    return key + QStringLiteral("runnable");
}

DecisionText Explanations::describe(const DecisionFacts& facts) const {
    const auto words = wordsOf(facts);
    const auto function = functionOf(facts.row.placement.reason);
    const auto entry = QStringLiteral("select_task_rq_fair");
    DecisionText text;
    text.title = fill(QStringLiteral("{task} goes to {cpu}"), words);
    text.function = entry + QStringLiteral("()") + (function == entry ? QString() : QStringLiteral(" › ") + function + QStringLiteral("()"));
    text.who = whoText(facts);
    text.rule = fill(m_sentences.value(placeKey(facts)), words);
    text.landed = landedText(facts);
    text.preempt = fill(m_sentences.value(preemptKey(facts.row.preempt)), words);
    return text;
}

} // namespace rqscope
