// SPDX-License-Identifier: GPL-3.0-or-later
// 200 random runs: machine, programs, channels, toggles and their moments drawn per seed; the invariants hold after every
// event, the run never faults, and going back and forth ends in the same state.
#include "base/rng.h"
#include "sched/invariants.h"
#include "sim/sim_state.h"
#include "sim/simulator.h"
#include "support/scenarios.h"

using namespace rqscope;
using namespace rqscope::test;

namespace {

constexpr std::uint32_t kMostEvents = 20'000;
constexpr const char* kSmall[] = {"teach-mc8", "teach-smt4", "teach-cls8", "teach-2x4-numa", "box-4cpu", "single-cpu", "hikey-8cpu",
                                  "trigear-8cpu", "xeon-2s-8cpu", "xeon-2s-8cpu-fsb", "kunpeng-mini-8cpu", "jacobsville-24cpu", "ivb-ep-40cpu"};
constexpr const char* kLarge[] = {"zen3-2s-nps1", "power8-smt8-160cpu", "teach-nps4-30", "clx-2s-96cpu", "xeon-4s-192cpu"};

class Maker {
public:
    explicit Maker(std::uint64_t seed) : m_rng(seed, 0, 42) {}

    Scenario make() {
        Scenario s;
        const bool large = pick(15) == 0;
        s.machine = machine(large ? kLarge[pick(std::size(kLarge) - 1)] : kSmall[pick(std::size(kSmall) - 1)]);
        s.era = pick(2) == 0 ? Era::V4_8_LOAD_AVG : Era::V4_8;
        s.seed = m_rng.next();
        s.until = std::chrono::milliseconds{pick(9) == 0 ? 500 : 5 + pick(60)};
        s.jitter = Duration{pick(1) ? pick(20'000) : 0};
        if (pick(3) == 0) s.tunables.push_back(check_tunable("child_runs_first", 1).value());
        if (pick(3) == 0) s.tunables.push_back(check_tunable("migration_cost_ns", pick(2) == 0 ? std::int64_t{-1} : std::int64_t{pick(500'000)}).value());
        const auto features = read_in(s.era);
        for (const auto f : features)
            if (pick(3) == 0) s.features.push_back({f, static_cast<FeatureValue>(pick(value_count(f)))});
        for (std::uint32_t i = pick(4); i-- > 0;) {
            const auto f = features[pick(features.size() - 1)];
            s.actions.push_back({from_ns(pick(40'000'000)), FeatureSetting{f, static_cast<FeatureValue>(pick(value_count(f)))}});
        }
        std::sort(s.actions.begin(), s.actions.end(), [](const Input& a, const Input& b) { return a.at < b.at; });
        make_workload(s);
        return s;
    }

private:
    static std::vector<Feature> read_in(Era era) {
        std::vector<Feature> out;
        for (const auto& f : all_features())
            if (readable(f.feature, era)) out.push_back(f.feature);
        return out;
    }
    std::uint32_t pick(std::uint64_t bound) { return static_cast<std::uint32_t>(m_rng.uniform(bound)); }

    void make_workload(Scenario& s) {
        auto& w = s.workload;
        w.endless = true;
        w.channels = {{"pipe", ChannelKind::Pipe}, {"unix", ChannelKind::Unix}, {"tcp", ChannelKind::Tcp}, {"flag", ChannelKind::Futex}, {"flag2", ChannelKind::Futex}};
        const auto templates = 2 + pick(5);
        for (std::uint32_t t = 0; t < templates; ++t) {
            TaskTemplate task{.role = "t" + std::to_string(t), .comm = "t", .program = {}, .weight = {}, .cpus = {}};
            task.nice = static_cast<std::int8_t>(static_cast<int>(pick(39)) - 20);
            task.policy = pick(5) == 0 ? (pick(1) ? 3 : 5) : 0;
            if (pick(4) == 0) task.cpus = CpuMask::single(*s.machine.online.next(pick(s.machine.online.last()->value)));
            task.program.push_back({OpKind::LoopBegin, 0, pick(2) == 0 ? std::int64_t{3} : std::int64_t{-1}, 0});
            // Children are of later templates only, so that births end.
            for (std::uint32_t i = 1 + pick(5); i-- > 0;) task.program.push_back(step(t, templates));
            task.program.push_back({OpKind::Run, 0, 1 + pick(300'000), 0});
            task.program.push_back({OpKind::LoopEnd, 0, 0, 1});
            task.program.front().jump = static_cast<std::uint32_t>(task.program.size());
            task.program.push_back({pick(1) ? OpKind::Exit : OpKind::Block, 0, 0, 0});
            w.templates.push_back(task);
            const auto cpu = task.cpus ? *task.cpus->first() : *s.machine.online.next(pick(s.machine.online.last()->value));
            if (t == 0 || pick(1)) w.initial.push_back({.task_template = t, .count = 1 + pick(4), .cpu = cpu});
        }
    }

    Op step(std::uint32_t self, std::uint32_t templates) {
        switch (pick(10)) {
        case 0: return {OpKind::Sleep, 0, 1 + pick(2'000'000), 0};
        case 1: return {OpKind::Timer, 0, 1'000 + pick(4'000'000), 0};
        case 2: return self + 1 < templates ? Op{pick(1) ? OpKind::Fork : OpKind::Thread, self + 1 + pick(templates - self - 2), 0, 0} : Op{OpKind::Run, 0, 1000, 0};
        case 3: return {OpKind::Send, pick(2), 1 + pick(4000), 0};
        case 4: return {OpKind::Recv, pick(2), 100, 0};
        case 5: return {OpKind::Wake, 3 + pick(1), 0, 0};
        case 6: return {OpKind::Wait, 3 + pick(1), 0, 0};
        case 7: return {OpKind::Poll, pick(2), 0, 0};
        case 8: return {OpKind::Exec, 0, 0, 0};
        default: return {OpKind::Run, 0, 1 + pick(3'000'000), 0};
        }
    }

    Rng m_rng;
};

// What the engine adds to the scheduler's invariants.
std::optional<std::string> check_engine(const SimState& s) {
    std::uint32_t running = 0;
    for (std::size_t c = 0; c < s.cpus.size(); ++c) {
        const CpuId cpu{static_cast<std::uint32_t>(c)};
        const auto curr = s.sched.rqs[c].curr;
        const bool idle = curr == kIdleTask && s.sched.nr_running[c] == 0 && s.sched.rqs[c].ttwu_pending == 0 && s.sched.online.test(cpu);
        if (idle != s.sched.idle.test(cpu)) return "cpu " + std::to_string(c) + ": idle mask says " + (idle ? "busy" : "idle");
        if (curr != kIdleTask) {
            ++running;
            if (s.tasks[curr.index()].state != TaskState::Running) return "cpu " + std::to_string(c) + ": current task is not Running";
            if (s.sched.se[curr.index()].cpu != cpu) return "cpu " + std::to_string(c) + ": current task believes to be elsewhere";
        }
        if (s.sched.nr_running[c] > 0 && s.cpus[c].window == Window::None && !s.cpus[c].working) return "cpu " + std::to_string(c) + ": has tasks and does nothing";
    }
    for (std::size_t t = 1; t < s.tasks.size(); ++t) {
        const auto& se = s.sched.se[t];
        const auto state = s.tasks[t].state;
        running -= state == TaskState::Running;
        if (se.on_rq != (state == TaskState::Running || state == TaskState::Waiting)) return "task " + std::to_string(t) + ": state and queue disagree";
        if (se.on_rq && !s.sched.allowed(TaskId{static_cast<std::uint32_t>(t)}, se.cpu)) return "task " + std::to_string(t) + ": is on a CPU outside its mask";
    }
    return running == 0 ? std::nullopt : std::optional<std::string>("running tasks and current tasks differ in number");
}

} // namespace

class TestRandomScenarios : public QObject {
    Q_OBJECT
private slots:
    void invariants_after_every_event_data() {
        QTest::addColumn<int>("first");
        for (int first = 0; first < 200; first += 20) QTest::addRow("seeds %d to %d", first, first + 19) << first;
    }
    void invariants_after_every_event() {
        QFETCH(int, first);
        std::uint64_t events = 0;
        for (int seed = first; seed < first + 20; ++seed) {
            const auto s = std::make_shared<const Scenario>(Maker(static_cast<std::uint64_t>(seed)).make());
            auto start = initial_state(*s);
            QVERIFY2(start.ok(), text_of(start.problems()).c_str());
            Simulator sim(s, std::move(start).value());
            auto rows = sim.state().rows;
            while (sim.step() && sim.state().rows < kMostEvents) {
                if (sim.state().rows == rows) continue;
                rows = sim.state().rows;
                auto broken = check_sched_invariants(sim.state().sched);
                if (!broken) broken = check_engine(sim.state());
                QVERIFY2(!broken, qPrintable(QString("seed %1, event %2, %3 ns: %4").arg(seed).arg(rows).arg(to_ns(sim.state().now)).arg(QString::fromStdString(broken.value_or("")))));
            }
            QVERIFY2(!sim.fault(), qPrintable(QString("seed %1: %2").arg(seed).arg(QString::fromStdString(sim.fault().value_or("")))));
            events += rows;
        }
        QVERIFY2(events > 1'000, qPrintable(QString::number(events)));
    }

    void back_and_forth() {
        Rng rng(99, 0, 0);
        for (std::uint64_t seed = 0; seed < 200; seed += 9) {
            auto h = history(Maker(seed).make());
            h.advance(SimTime::max(), 3'000);
            const auto rows = h.cursor();
            const auto hash = h.state_hash();
            for (int i = 0; i < 6; ++i) {
                h.seek_row(static_cast<std::uint32_t>(rng.uniform(rows - 1))); // the end itself lies behind the last row
                const auto here = h.state_hash();
                const auto at = h.cursor();
                if (h.step_back(StepUnit::Event)) h.step_forward(StepUnit::Event);
                const auto where = QString("seed %1, row %2 of %3").arg(seed).arg(at).arg(rows);
                QVERIFY2(h.cursor() == at, qPrintable(where));
                QVERIFY2(h.state_hash() == here, qPrintable(where));
            }
            h.seek_row(rows);
            QCOMPARE(h.cursor(), rows);
            if (h.at_frontier()) QCOMPARE(h.state_hash(), hash);
        }
    }
};

QTEST_APPLESS_MAIN(TestRandomScenarios)
#include "tst_random_scenarios.moc"
