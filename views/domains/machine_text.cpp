// SPDX-License-Identifier: GPL-3.0-or-later
#include "domains/machine_text.h"

#include "theme/format.h"

#include <algorithm>

namespace rqscope {

namespace {

QString num(std::uint64_t value) { return grouped(static_cast<qint64>(value)); }
QString code(const QString& word) { return QStringLiteral("<code>%1</code>").arg(word.toHtmlEscaped()); }

// Short words for the two figures of a group, and the figures themselves.
struct SideText {
    QString words, figures;
};
SideText textOf(PlaceFigures kind, const DecisionMarks::Side& side) {
    const auto first = num(side.runnable), second = num(side.load);
    switch (kind) {
    case PlaceFigures::Loads: return {QStringLiteral("runnable %1 · load_avg %2").arg(first, second), first + QStringLiteral(" · ") + second};
    case PlaceFigures::Types: {
        const auto type = fromStd(name_of(static_cast<GroupType>(side.runnable))).replace(QLatin1Char('_'), QLatin1Char(' '));
        return {QStringLiteral("%1 · %2 idle").arg(type, second), type};
    }
    case PlaceFigures::IdleCpus: return {QStringLiteral("%1 idle · util %2").arg(first, second), first + QStringLiteral(" · ") + second};
    case PlaceFigures::AvgLoads: return {QStringLiteral("%1 running · avg_load %2").arg(first, second), first + QStringLiteral(" · ") + second};
    case PlaceFigures::Spare: return {QStringLiteral("spare %1").arg(first), first};
    }
    return {};
}

QStringList sideFigures(PlaceFigures kind, const DecisionMarks::Side& side) {
    const auto text = textOf(kind, side);
    return {text.words, text.figures};
}

// Both CPUs of a comparison inside one box.
QStringList arenaFigures(const DecisionMarks& marks) {
    const auto kind = marks.row.placement.figures;
    const auto a = textOf(kind, *marks.winner), b = textOf(kind, *marks.rival);
    const auto both = [&](const QString& pattern, const QString& left, const QString& right) {
        return pattern.arg(marks.winner->cpu.value).arg(left).arg(marks.rival->cpu.value).arg(right);
    };
    const auto tight = [](QString text) { return text.replace(QStringLiteral(" · "), QStringLiteral("·")); };
    return {both(QStringLiteral("CPU %1: %2    CPU %3: %4"), a.words, b.words), both(QStringLiteral("CPU %1: %2   CPU %3: %4"), a.figures, b.figures),
            both(QStringLiteral("%1: %2  %3: %4"), tight(a.figures), tight(b.figures))};
}

// "fork, exec, wake-affine" of the flags that steer placement.
QString roles(const SchedDomain& domain) {
    QStringList words;
    const auto add = [&](SdFlag flag, const char* word) {
        if (domain.has(flag)) words << QLatin1String(word);
    };
    add(SdFlag::BALANCE_FORK, "fork");
    add(SdFlag::BALANCE_EXEC, "exec");
    add(SdFlag::BALANCE_WAKE, "wake");
    add(SdFlag::WAKE_AFFINE, "wake-affine");
    return words.join(QStringLiteral(", "));
}

// What wake-up searches remember about a cache.
QStringList llcLines(const LlcSnapshot& llc, const FeatureSet& features) {
    QStringList lines;
    if (llc.keeps_hint)
        lines << QStringLiteral("%1 %2: %3")
                     .arg(code(QStringLiteral("has_idle_cores")))
                     .arg(llc.has_idle_cores ? 1 : 0)
                     .arg(llc.has_idle_cores ? QStringLiteral("a wake-up looks for a wholly idle core first")
                                             : QStringLiteral("no search for a wholly idle core"));
    if (features.has(Feature::SIS_UTIL))
        lines << QStringLiteral("scan %1: %2, CPUs that a wake-up may look at")
                     .arg(llc.nr_idle_scan)
                     .arg(code(QStringLiteral("nr_idle_scan")));
    return lines;
}

QString domainTip(const MachineScene& scene, const Snapshot& snapshot, std::uint32_t index) {
    const auto& node = scene.domains.nodes()[index];
    const auto& domains = *scene.domains.domains();
    const auto& domain = domains[node.ids.front()];
    QStringList flags;
    for (const auto& flag : flag_names(domain.flags, domains.profile)) flags << fromStd(flag);
    QStringList lines;
    lines << QStringLiteral("<b>%1</b> %2").arg(code(node.name), node.list())
          << QStringLiteral("%1 of %2 CPUs busy").arg(scene.busy(index)).arg(node.span.count())
          << QStringLiteral("%1 %2 % &nbsp; %3 %4")
                 .arg(code(QStringLiteral("imbalance_pct")))
                 .arg(domain.imbalance_pct)
                 .arg(code(QStringLiteral("groups")))
                 .arg(domains.ring_of(domain).size())
          << QStringLiteral("balance every %1 to %2 ms").arg(domain.min_interval).arg(domain.max_interval);
    if (const auto* llc = scene.llcOf(index)) lines << llcLines(*llc, snapshot.features);
    lines << code(flags.join(u' ')) << QStringLiteral("Click closes or opens, double-click fills the view.");
    return lines.join(QStringLiteral("<br>"));
}

// 4.x tracks what is runnable by weight; later kernels track the time, and the weighted part is a sum of ours.
QStringList loadLines(const CpuSnapshot& cpu, Era era) {
    const auto figure = [](const QString& name, std::uint64_t value) { return QStringLiteral("%1 %2 of 1 024").arg(name, num(value)); };
    QStringList lines{figure(code(QStringLiteral("load_avg")), cpu.load_avg)};
    if (load_profile(era) == LoadProfile::L6_1) {
        lines << QStringLiteral("of it %1 by tasks on the queue").arg(num(cpu.runnable_load_avg))
              << figure(code(QStringLiteral("runnable_avg")), cpu.runnable_avg) + QStringLiteral(" per task");
    } else {
        lines << figure(code(QStringLiteral("runnable_load_avg")), cpu.runnable_load_avg);
    }
    return lines << QStringLiteral("%1 %2 of capacity %3").arg(code(QStringLiteral("util_avg")), num(cpu.util_avg), num(cpu.capacity));
}

// The test before a walk that starts on this CPU.
QStringList gateLines(const ScanGate& gate) {
    const auto cost = gate.margin == 0 ? code(QStringLiteral("avg_scan_cost"))
                                       : QStringLiteral("%1 + %2").arg(code(QStringLiteral("avg_scan_cost"))).arg(gate.margin);
    return {QStringLiteral("%1 %2 ns, %3 %4 ns").arg(code(QStringLiteral("avg_idle/512")), num(gate.idle), cost, num(gate.cost())),
            gate.open() ? QStringLiteral("gate open: a wake-up from here looks for an idle CPU")
                        : QStringLiteral("gate closed: a wake-up from here makes no walk")};
}

QString cpuTip(const MachineScene& scene, const Snapshot& snapshot, CpuId id) {
    const auto& cpu = snapshot.cpus[id.index()];
    QStringList place;
    for (const auto node : scene.domains.chain(id)) place << scene.domains.nodes()[node].title().toHtmlEscaped();
    QStringList lines;
    lines << QStringLiteral("<b>%1</b>").arg(cpuText(id.value));
    if (!place.isEmpty()) lines << place.join(QStringLiteral(" › "));
    if (!cpu.online) {
        lines << QStringLiteral("offline");
        return lines.join(QStringLiteral("<br>"));
    }
    if (cpu.curr == kIdleTask) lines << QStringLiteral("idle");
    else lines << QStringLiteral("runs <b>%1</b>").arg(scene.looks[cpu.curr].name.toHtmlEscaped());
    if (!cpu.waiting.empty()) {
        QStringList names;
        for (const auto task : cpu.waiting) {
            if (names.size() == 4) break;
            names << scene.looks[task].name.toHtmlEscaped();
        }
        if (cpu.waiting.size() > 4) names << QStringLiteral("%1 more").arg(cpu.waiting.size() - 4);
        lines << QStringLiteral("%1 waiting: %2").arg(cpu.waiting.size()).arg(names.join(QStringLiteral(", ")));
    }
    lines << loadLines(cpu, snapshot.era);
    if (cpu.gate && snapshot.features.has(Feature::SIS_AVG_CPU)) lines << gateLines(*cpu.gate);
    const auto& landed = scene.landed.cpu(id);
    if (landed.total() > 0)
        lines << QStringLiteral("landed since the last flag: %1 forks, %2 wake-ups")
                     .arg(num(landed.forks), num(landed.wakeups));
    return lines.join(QStringLiteral("<br>"));
}

} // namespace

QStringList titleSpellings(const MachineScene& scene, std::uint32_t index) {
    const auto& node = scene.domains.nodes()[index];
    const auto list = node.list();
    const auto firstRange = list.section(QStringLiteral(", "), 0, 0);
    // The second form leaves out siblings in the upper half: their number is in the count at the right.
    const auto numa = scene.domains.numaNode(index);
    return {list, firstRange, numa ? QStringLiteral("n%1").arg(numa->value) : firstRange,
            numa ? QStringLiteral("n%1").arg(numa->value) : firstRange.section(QChar(0x2013), 0, 0) + QChar(0x2013)};
}

QStringList titleFigures(const MachineScene& scene, const MachineScene::Frame& frame) {
    if (scene.marks && scene.marks->rival) {
        const auto& marks = *scene.marks;
        if (marks.winner->node == frame.node) return sideFigures(marks.row.placement.figures, *marks.winner);
        if (marks.rival->node == frame.node) return sideFigures(marks.row.placement.figures, *marks.rival);
        if (marks.arena == frame.node && !marks.winner->node && !marks.rival->node) return arenaFigures(marks);
    }
    const auto& node = scene.domains.nodes()[frame.node];
    const auto busy = scene.busy(frame.node), count = node.span.count();
    const auto fill = QStringLiteral("%1/%2").arg(busy).arg(count);
    if (frame.closed) return {fill};
    if (scene.layout.dense)
        return frame.innermost ? QStringList{fill}
                               : QStringList{QStringLiteral("%1 of %2 CPUs busy").arg(busy).arg(count), fill};
    if (frame.depth != 0 || scene.layout.rows.size() > 1) return {};
    const auto& domain = (*scene.domains.domains())[node.ids.front()];
    const auto pct = QStringLiteral("imbalance_pct %1").arg(domain.imbalance_pct);
    const auto words = roles(domain);
    return words.isEmpty() ? QStringList{pct} : QStringList{pct + QStringLiteral(" · ") + words, pct};
}

QString tooltip(const MachineScene& scene, const Snapshot& snapshot, const MachineHit& hit) {
    switch (hit.kind) {
    case MachineHit::Kind::None: return {};
    case MachineHit::Kind::Cpu: return hit.cpu.index() < snapshot.cpus.size() ? cpuTip(scene, snapshot, hit.cpu) : QString();
    case MachineHit::Kind::Title:
    case MachineHit::Kind::Closed: return domainTip(scene, snapshot, hit.node);
    }
    return {};
}

QString spoken(const MachineScene& scene, CpuId id) {
    QStringList words{QStringLiteral("CPU %1").arg(id.value)};
    const auto& cell = scene.cells[id.index()];
    if (!cell.online) return (words << QStringLiteral("offline")).join(QStringLiteral(", "));
    words << (cell.task == kIdleTask ? QStringLiteral("idle") : scene.looks[cell.task].name);
    if (cell.waiting > 0) words << QStringLiteral("%1 waiting").arg(cell.waiting);
    words << QStringLiteral("load %1").arg(scene.loads.loadAvg(id));
    if (scene.marks) {
        if (scene.marks->chosen == id) words << QStringLiteral("chosen");
        else if (scene.marks->rival && scene.marks->rival->cpu == id) words << QStringLiteral("not chosen");
        if (scene.marks->origin == id)
            words << (scene.marks->fork() ? QStringLiteral("forks here") : QStringLiteral("wakes from here"));
    }
    return words.join(QStringLiteral(", "));
}

QString spokenNode(const MachineScene& scene, std::uint32_t node) {
    const auto& domain = scene.domains.nodes()[node];
    auto text = QStringLiteral("%1, %2 of %3 CPUs busy").arg(domain.title()).arg(scene.busy(node)).arg(domain.span.count());
    if (node < scene.domains.nrNested() && scene.axis.closed(node)) text += QStringLiteral(", closed");
    return text;
}

} // namespace rqscope
