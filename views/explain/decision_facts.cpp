// SPDX-License-Identifier: GPL-3.0-or-later
// Gathers from a recorded run what the Why panel says about one decision: names, counts, the rule in force at that moment.
#include "explain/explanations.h"
#include "theme/format.h"

namespace rqscope {

namespace {

QString nameOf(const History& history, TaskId task) {
    if (task == kIdleTask || task.index() >= history.tasks().size()) return {};
    return fromStd(history.tasks()[task.index()].name);
}

// The child's number among the tasks of its role, and how many of them are known.
void countForks(const History& history, DecisionFacts& facts) {
    const auto& child = history.tasks()[facts.row.task.index()];
    for (const auto& task : history.tasks()) facts.forkCount += task.role == child.role && task.number > 0 ? 1 : 0;
    facts.forkNumber = static_cast<int>(child.number);
}

// Value of a feature when `row` was logged: the run's start, then every input before it. Inputs of the same instant may
// come before or after the row; only the log knows.
FeatureValue valueAt(const History& history, Feature feature, const LogRow& row) {
    auto value = default_value(feature, history.scenario().era);
    const auto take = [&](const FeatureSetting* setting) {
        if (setting && setting->feature == feature) value = setting->value;
    };
    for (const auto& setting : history.scenario().features) take(&setting);
    for (const auto& input : history.inputs())
        if (input.at < row.time) take(std::get_if<FeatureSetting>(&input.change));
    history.log().for_each(history.log().upper_bound(row.time - Duration{1}), row.seq.value, [&](const LogRow& earlier) {
        if (earlier.kind == RowKind::Input) take(std::get_if<FeatureSetting>(&history.inputs()[earlier.input].change));
    });
    return value;
}

} // namespace

DecisionFacts factsOf(const History& history, const LogRow& row) {
    DecisionFacts facts;
    facts.row = row;
    facts.task = nameOf(history, row.task);
    facts.other = nameOf(history, row.other);
    if (row.kind == RowKind::Fork) {
        countForks(history, facts);
        facts.loadAvgRule = valueAt(history, Feature::FORK_LOAD_AVG, row) != 0;
    }
    const auto& domains = history.domains();
    if (const auto* lowest = domains.lowest(row.cpu)) {
        facts.place = fromStd(lowest->name) + QChar(0x00A0) + listText(lowest->span.to_list());
        facts.groupsOfOne = !lowest->parent;
    }
    return facts;
}

} // namespace rqscope
