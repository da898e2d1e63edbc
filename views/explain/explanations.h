// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences of resources/explanations.json and the rule that picks and fills them. Teachers edit or translate the file;
// this only decides which variant the figures call for.
#pragma once

#include "sim/log_row.h"
#include "trace/history.h"

#include <QHash>
#include <QString>
#include <QStringList>

#include <optional>

namespace rqscope {

// A decision with the names and counts that the row itself does not carry.
struct DecisionFacts {
    LogRow row;
    QString task, other;        // "child 3", "parent"; other "" = a timer
    int forkNumber = 0, forkCount = 0; // among the known tasks of its role; 0 = not numbered
    bool loadAvgRule = false;   // FORK_LOAD_AVG was on: load_avg decides inside the band
    bool groupsOfOne = true;    // the levels compared single CPUs
    QString place;              // "MC 0–7", lowest domain of the chosen CPU, "" = none
};
[[nodiscard]] DecisionFacts factsOf(const History& history, const LogRow& row);

// What the panel shows.
struct DecisionText {
    QString title;    // "child 3 goes to CPU 1"
    QString function; // "select_task_rq_fair() › find_idlest_group()"
    QString who;      // "Fork 3 of 18 known, by parent on CPU 0, at 0.700 ms"
    QString rule;     // the deciding sentence
    QString landed;   // "It lands in MC 0–7."
    QString preempt;  // what check_preempt_wakeup said
};

class Explanations {
public:
    Explanations(); // reads :/explanations.json; aborts when the compiled-in resource is damaged

    [[nodiscard]] DecisionText describe(const DecisionFacts& facts) const;
    [[nodiscard]] QString empty() const { return m_empty; } // before the first decision
    // All templates, for tests and translators: "place.ForkIdlestCpu.runnable", ...
    [[nodiscard]] const QHash<QString, QString>& sentences() const { return m_sentences; }
    // Key of the sentence for this decision; the variant follows from the figures.
    [[nodiscard]] static QString placeKey(const DecisionFacts& facts);

private:
    QHash<QString, QString> m_sentences;
    QString m_empty;
};

[[nodiscard]] QString functionOf(PlaceReason reason); // the kernel function that returned
[[nodiscard]] QString name_of(PreemptReason reason);

} // namespace rqscope
