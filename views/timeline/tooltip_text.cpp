// SPDX-License-Identifier: GPL-3.0-or-later
// Words of the timeline's tool tips: who, where, since when, how long, what state; kernel names with their units.
#include "theme/format.h"
#include "timeline/hit_test.h"

#include <QStringList>

#include <algorithm>

namespace rqscope {

namespace {

const QChar kSpace(0x00A0);

QString bold(const QString& text) { return QStringLiteral("<b>%1</b>").arg(text.toHtmlEscaped()); }

QString kernel(const TimelineScene& s, const QString& text) {
    return QStringLiteral("<span style=\"font-family:'%1'\">%2</span>")
        .arg(s.theme.kernelFont(TextRole::Small).families().join(QStringLiteral("','")), text.toHtmlEscaped());
}

QString kernelNs(const TimelineScene& s, const char* name, Ns value) {
    return kernel(s, QLatin1String(name) + kSpace + grouped(value) + kSpace + QStringLiteral("ns"));
}

QString moment(Ns t) { return clockText(from_ns(t)); }

QString plural(qint64 count, const char* one, const char* many) {
    return grouped(count) + kSpace + QLatin1String(count == 1 ? one : many);
}

QString who(const TimelineScene& s, TaskId task) {
    const auto* info = s.infoOf(task);
    auto text = bold(s.nameOf(task));
    if (info != nullptr) text += QStringLiteral(" &nbsp;pid %1").arg(info->pid);
    return text;
}

// How the run ended, from the phase that follows it.
QString ending(const TimelineScene& s, const TimelineHit& hit) {
    const auto& phases = s.model.phases(hit.task);
    const auto until = phases.stepsUntil(hit.begin);
    if (until == 0 || until >= phases.size()) return QStringLiteral("running");
    switch (phases.phase(until)) {
    case TaskPhase::Waiting: return QStringLiteral("running, then preempted");
    case TaskPhase::Blocked: return QStringLiteral("running, then blocked");
    case TaskPhase::Absent: return QStringLiteral("running, then exited");
    case TaskPhase::Running: break;
    }
    return QStringLiteral("running");
}

QString pendingText(Ns pending) { return QStringLiteral("pending %1, woken by message").arg(durationText(pending)); }

QStringList runLines(const TimelineScene& s, const TimelineHit& hit) {
    QStringList lines{who(s, hit.task), cpuText(hit.cpu.value) + QStringLiteral(", ") + ending(s, hit),
                      QStringLiteral("from %1 for %2").arg(moment(hit.begin), durationText(hit.end - hit.begin)),
                      kernelNs(s, "delta_exec", hit.end - hit.begin)};
    const auto& phases = s.model.phases(hit.task);
    const auto until = phases.stepsUntil(hit.begin);
    if (until >= 2 && phases.phase(until - 2) == TaskPhase::Waiting)
        lines += kernelNs(s, "run_delay", phases.time(until - 1) - phases.time(until - 2)) + QStringLiteral(" (waiting)");
    if (const auto* hop = hopBefore(s, hit.task, hit.begin)) {
        const auto verb = hop->kind == HopKind::Fork ? QStringLiteral("forked by ") : QStringLiteral("woken by ");
        const auto by = hop->other == kIdleTask ? QStringLiteral("a timer")
                                                : s.nameOf(hop->other) + QStringLiteral(" on ") + cpuText(hop->from.value);
        lines += (verb + by).toHtmlEscaped();
        if (hop->pending > 0) lines += pendingText(hop->pending);
    }
    return lines;
}

QStringList waitLines(const TimelineScene& s, const TimelineHit& hit) {
    if (!hit.hasTask())
        return {bold(plural(hit.count, "task waits", "tasks wait")), cpuText(hit.cpu.value),
                kernel(s, QStringLiteral("cfs_rq")) + QStringLiteral(" since ") + moment(hit.begin)};
    return {who(s, hit.task), cpuText(hit.cpu.value) + QStringLiteral(", waiting (runnable)"),
            QStringLiteral("from %1 for %2").arg(moment(hit.begin), durationText(hit.end - hit.begin)),
            kernelNs(s, "run_delay", hit.end - hit.begin)};
}

QStringList decisionLines(const TimelineScene& s, const TimelineHit& hit) {
    if (hit.count > 1)
        return {bold(plural(hit.count, "decision", "decisions")),
                QStringLiteral("from ") + moment(s.model.decisions()[hit.index].time)};
    const auto& hop = s.model.decisions()[hit.index];
    const auto what = hop.kind == HopKind::Fork ? QStringLiteral("%1 is forked to %2") : QStringLiteral("%1 wakes on %2");
    QStringList lines{bold(what.arg(s.nameOf(hop.task), cpuText(hop.to.value))), moment(hop.time)};
    if (hop.pending > 0) lines += pendingText(hop.pending);
    return lines << QStringLiteral("double-click goes there");
}

QStringList groupLines(const TimelineScene& s, const LaneGroup& group, Ns t) {
    std::size_t busy = 0, waiting = 0;
    for (const auto cpu : group.cpus) {
        const auto& lane = s.model.runs(cpu);
        const auto i = lane.endingAfter(t);
        if (i < lane.size() && lane.begin(i) <= t) ++busy;
        const auto& queue = s.model.queue(cpu);
        if (const auto n = queue.stepsUntil(t); n > 0) waiting += queue.step(n - 1).depth;
    }
    return {bold(group.title), QStringLiteral("%1 of %2 CPUs busy at %3").arg(busy).arg(group.cpus.size()).arg(moment(t)),
            plural(static_cast<qint64>(waiting), "task waits", "tasks wait"), QStringLiteral("click opens its CPUs")};
}

QStringList linesOf(const TimelineScene& s, const TimelineHit& hit) {
    using Kind = TimelineHit::Kind;
    switch (hit.kind) {
    case Kind::None:
    case Kind::Lane: return {};
    case Kind::Axis: return {moment(hit.time), QStringLiteral("click goes there")};
    case Kind::Flag: {
        const auto& flag = s.model.flags()[hit.index];
        const auto text = flag.input < s.facts.flagTexts.size() ? s.facts.flagTexts[flag.input] : QString();
        return {kernel(s, text), QStringLiteral("set by you at ") + moment(flag.time)};
    }
    case Kind::Diamond: return decisionLines(s, hit);
    case Kind::Label: return hit.hasTask() ? QStringList{who(s, hit.task)} : QStringList{bold(cpuText(hit.cpu.value))};
    case Kind::Title: {
        const auto& group = s.layout.groups()[s.layout.rows()[hit.row].group];
        return {bold(group.title), QStringLiteral("click %1 its %2 CPUs")
                                       .arg(group.closed ? QStringLiteral("opens") : QStringLiteral("closes"))
                                       .arg(group.cpus.size())};
    }
    case Kind::Run: return runLines(s, hit);
    case Kind::Merged:
        return {bold(plural(hit.count, "run", "runs") + QStringLiteral(" of ") + plural(hit.tasks, "task", "tasks")),
                cpuText(hit.cpu.value), QStringLiteral("from %1 to %2").arg(moment(hit.begin), moment(hit.end))};
    case Kind::Waiting: return waitLines(s, hit);
    case Kind::Pending:
        return {who(s, hit.task), cpuText(hit.cpu.value) + QStringLiteral(", pending ") + durationText(hit.end - hit.begin),
                QStringLiteral("the message is on its way; the CPU does not count as idle")};
    case Kind::Blocked:
        return {who(s, hit.task), QStringLiteral("blocked"),
                QStringLiteral("from %1 for %2").arg(moment(hit.begin), durationText(hit.end - hit.begin))};
    case Kind::Group: return groupLines(s, s.layout.groups()[s.layout.rows()[hit.row].group], hit.time);
    }
    return {};
}

} // namespace

QString tooltipText(const TimelineScene& scene, const TimelineHit& hit) {
    const auto lines = linesOf(scene, hit);
    // Without a paragraph that keeps blanks, Qt wraps tool tips at odd places.
    return lines.isEmpty() ? QString()
                           : QStringLiteral("<p style='white-space:pre'>%1</p>").arg(lines.join(QStringLiteral("<br>")));
}

} // namespace rqscope
