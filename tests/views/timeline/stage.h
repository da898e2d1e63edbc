// SPDX-License-Identifier: GPL-3.0-or-later
// A timeline canvas on hand-made rows, with the theme and selection it needs.
#pragma once

#include "rows.h"
#include "timeline/timeline_canvas.h"

#include <QApplication>
#include <QImage>

#include <memory>
#include <vector>

namespace rqscope::test {

struct Stage {
    Theme theme;
    Selection selection;
    std::vector<TaskInfo> tasks;
    std::unique_ptr<TimelineCanvas> canvas;

    explicit Stage(bool dark = false, double scale = 1) {
        theme.setDark(dark);
        theme.setScale(scale);
        theme.setReducedMotion(true);
        theme.applyTo(*qApp);
        canvas = std::make_unique<TimelineCanvas>(theme, selection);
    }
    [[nodiscard]] RunFacts facts(std::shared_ptr<const SchedDomains> domains, Ns cursor) const {
        RunFacts facts;
        facts.hasRun = true;
        facts.tasks = &tasks;
        facts.domains = std::move(domains);
        facts.flagTexts = {QStringLiteral("FORK_LOAD_AVG")};
        facts.cursor = cursor;
        return facts;
    }
    void storm(Ns cursor = 4200000) {
        tasks = makeTasks("parent", "child", 18);
        stormRows(canvas->model());
        auto f = facts(makeDomains(8, 4, "DIE"), cursor);
        for (const auto& hop : canvas->model().decisions())
            if (hop.time <= cursor) f.decision = hop;
        canvas->restart(f, false);
    }
    void dense(std::uint32_t cpus, std::uint32_t llc, std::uint32_t switches, std::uint32_t count, std::uint32_t run,
               bool smt = false) {
        tasks = makeTasks("", "worker", count);
        denseRows(canvas->model(), cpus, switches, count, run);
        canvas->restart(facts(makeDomains(cpus, llc, "NUMA", smt), canvas->model().knownTime() * 2 / 3), false);
    }
    [[nodiscard]] QImage picture(QSize size) const {
        canvas->resize(size);
        canvas->renderNow();
        return canvas->grab().toImage();
    }
    [[nodiscard]] const TimelineScene& scene() const { return canvas->scene(); }
    // Middle of a lane's run bar at a time.
    [[nodiscard]] QPoint at(std::uint32_t cpu, Ns t) const {
        const auto row = scene().layout.rows()[*scene().layout.rowOfCpu(CpuId{cpu})];
        return {static_cast<int>(scene().scale.x(t)), scene().runRect(row).center().y()};
    }
    [[nodiscard]] QPoint onAxis(Ns t) const {
        return {static_cast<int>(scene().scale.x(t)), scene().flagStrip() + scene().labelStrip() / 2};
    }
};

} // namespace rqscope::test
