// SPDX-License-Identifier: GPL-3.0-or-later
// Record and replay. One simulator stands at the cursor; while it is at the frontier its rows are appended to the log,
// behind it they are only counted, because determinism makes them the same. Keyframes are copies of the state, taken when
// the log since the last one outweighs a copy (DESIGN 5), so that memory stays near twice the log.
#include "trace/history.h"

#include "base/check.h"
#include "sim/simulator.h"
#include "trace/snapshot.h"

#include <algorithm>

namespace rqscope {

namespace {

struct Keyframe {
    std::uint32_t rows = 0;
    std::uint64_t steps = 0;
    std::size_t log_bytes = 0; // of the log when it was taken
    std::size_t bytes = 0;
    std::shared_ptr<const SimState> state;
};

} // namespace

struct History::Impl : Observer {
    std::shared_ptr<const Scenario> scenario;
    Simulator sim;
    EventLog log;
    std::vector<std::uint32_t> decision_rows;
    std::vector<TaskInfo> task_infos;
    std::vector<Keyframe> keyframes;
    std::vector<RecordedInput> user_inputs;
    std::vector<Input> all_inputs;            // those whose row is known, in the order of their rows
    const Input* applying = nullptr;          // a user's input while its row is written
    std::shared_ptr<const SimState> frontier; // set while the cursor is behind it
    SimTime frontier_time{};
    SimTime cursor_time{};
    bool run_ended = false;
    std::optional<Fault> failure;

    Impl(std::shared_ptr<const Scenario> s, SimState start) : scenario(s), sim(std::move(s), std::move(start)) {
        sim.set_observer(this);
        name_tasks();
        take_keyframe();
    }
    Impl(const Impl& o)
        : scenario(o.scenario), sim(o.scenario, o.sim.state()), log(o.log), decision_rows(o.decision_rows), task_infos(o.task_infos),
          keyframes(o.keyframes), user_inputs(o.user_inputs), all_inputs(o.all_inputs), frontier(o.frontier),
          frontier_time(o.frontier_time), cursor_time(o.cursor_time), run_ended(o.run_ended), failure(o.failure) {
        sim.set_observer(this);
    }

    void row(const LogRow& r) override {
        if (r.seq.value < log.size()) return; // replayed
        log.append(r);
        if (r.is_decision()) decision_rows.push_back(r.seq.value);
        if (r.kind == RowKind::Input) all_inputs.push_back(applying ? *applying : scenario->actions[sim.state().next_action - 1]);
    }

    void name_tasks() {
        const auto& tasks = sim.state().tasks;
        while (task_infos.size() < tasks.size()) {
            const TaskId id{static_cast<std::uint32_t>(task_infos.size())};
            TaskInfo info;
            if (id == kIdleTask) {
                info.name = info.comm = "swapper";
            } else {
                const auto& t = tasks[id.index()];
                const auto& tmpl = scenario->workload.templates[t.task_template];
                info = {tmpl.role, tmpl.comm, 999 + id.value, t.parent, tmpl.numbered ? t.number : 0, t.task_template};
                if (tmpl.group) info.name += " " + std::to_string(*tmpl.group) + "." + std::to_string(t.number - 1);
                else if (tmpl.numbered) info.name += " " + std::to_string(t.number);
            }
            task_infos.push_back(std::move(info));
        }
    }

    [[nodiscard]] bool behind() const { return frontier != nullptr; }

    void take_keyframe() {
        const auto& s = sim.state();
        auto copy = std::make_shared<const SimState>(s);
        keyframes.push_back({s.rows, s.steps, log.bytes(), state_bytes(s), std::move(copy)});
    }

    // The next user input, if it belongs here (before the next engine step).
    [[nodiscard]] const RecordedInput* due_input() const {
        const auto& s = sim.state();
        const auto done = s.inputs_done - s.next_action;
        if (done >= user_inputs.size() || user_inputs[done].steps != s.steps) return nullptr;
        return &user_inputs[done];
    }

    [[nodiscard]] std::optional<SimTime> next_time() const {
        if (const auto* input = due_input()) return input->input.at;
        return sim.next_time();
    }

    void apply(const Input& input) {
        applying = &input;
        sim.apply_input(input);
        applying = nullptr;
    }

    // One engine step or one recorded input. False at the end of the run.
    bool step() {
        if (const auto* input = due_input()) {
            apply(input->input);
            caught_up();
            return true;
        }
        if (!sim.step()) {
            stopped();
            return false;
        }
        cursor_time = sim.state().now;
        if (behind()) caught_up();
        else recorded();
        return true;
    }

    void recorded() {
        frontier_time = cursor_time;
        if (task_infos.size() != sim.state().tasks.size()) name_tasks();
        const auto& last = keyframes.back();
        if (log.bytes() - last.log_bytes > std::max<std::size_t>(last.bytes, 4096)) take_keyframe();
    }

    void caught_up() {
        // The end of a run is no step, but time moves on to it: behind the last step it is still to come.
        if (behind() && sim.state().rows == frontier->rows && sim.state().steps == frontier->steps &&
            sim.state().inputs_done == frontier->inputs_done && sim.state().finished == frontier->finished)
            frontier.reset();
        cursor_time = std::max(cursor_time, sim.state().now);
    }

    void stopped() {
        if (sim.fault() && !failure) failure = Fault{sim.state().now, EventSeq{sim.state().rows}, *sim.fault()};
        frontier.reset();
        run_ended = true;
        cursor_time = frontier_time = std::max(frontier_time, sim.state().now);
    }

    void leave_frontier() {
        if (!behind()) frontier = std::make_shared<const SimState>(sim.state());
    }

    void restore(const Keyframe& k) {
        sim.set_state(*k.state);
        cursor_time = sim.state().now;
    }

    // The latest keyframe with at most `rows` rows.
    [[nodiscard]] std::vector<Keyframe>::const_iterator keyframe_before(std::uint32_t rows) const {
        return std::upper_bound(keyframes.begin(), keyframes.end(), rows, [](std::uint32_t r, const Keyframe& f) { return r < f.rows; }) - 1;
    }

    // Brings the cursor to the latest keyframe with at most `rows` rows, unless it stands between that and the target.
    void restore_before(std::uint32_t rows, SimTime t = SimTime::max()) {
        const auto k = keyframe_before(rows);
        const auto& s = sim.state();
        if (s.rows <= rows && k->rows <= s.rows && s.now <= t) return;
        leave_frontier();
        restore(*k);
    }

    void restore_frontier() {
        sim.set_state(*frontier);
        frontier.reset();
        cursor_time = frontier_time;
    }
};

namespace {

// Rows at which engine steps begin: the cursor can stand there.
std::uint32_t step_boundary_before(const EventLog& log, std::uint32_t row) {
    while (row > 0 && !log.row(row).first_of_step) --row;
    return row;
}

} // namespace

History::History(std::unique_ptr<Impl> impl) : m(std::move(impl)) {}
History::~History() = default;
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;

Result<History> History::create(Scenario scenario, std::vector<RecordedInput> inputs) {
    auto state = initial_state(scenario);
    if (!state) return state.problems();
    auto shared = std::make_shared<const Scenario>(std::move(scenario));
    History history(std::make_unique<Impl>(std::move(shared), std::move(state).value()));
    history.m->user_inputs = std::move(inputs);
    return history;
}

bool History::advance_steps(std::uint64_t steps) {
    while (m->sim.state().steps < steps || m->due_input())
        if (!m->step()) return false;
    return true;
}

const Scenario& History::scenario() const { return *m->scenario; }
const SchedDomains& History::domains() const { return *m->sim.state().sched.domains; }
const EventLog& History::log() const { return m->log; }
const std::vector<Input>& History::inputs() const { return m->all_inputs; }
const std::vector<TaskInfo>& History::tasks() const { return m->task_infos; }
const std::vector<std::uint32_t>& History::decisions() const { return m->decision_rows; }
std::uint32_t History::cursor() const { return m->sim.state().rows; }
SimTime History::time() const { return m->cursor_time; }
std::uint32_t History::known_rows() const { return m->log.size(); }
SimTime History::known_time() const { return std::max(m->frontier_time, m->cursor_time); }
bool History::at_frontier() const { return !m->behind(); }
bool History::finished() const { return m->run_ended; }
SimTime History::end_limit() const { return rqscope::end_limit(*m->scenario); }
const std::optional<Fault>& History::fault() const { return m->failure; }
const std::vector<RecordedInput>& History::user_inputs() const { return m->user_inputs; }
const SimState& History::frontier_state() const { return m->behind() ? *m->frontier : m->sim.state(); }
std::uint64_t History::state_hash() const { return rqscope::state_hash(m->sim.state()); }
const SimState& History::state() const { return m->sim.state(); }
std::size_t History::log_bytes() const { return m->log.bytes(); }
Snapshot History::snapshot() const { return take_snapshot(m->sim.state(), m->cursor_time); }

std::vector<std::pair<TaskId, CpuId>> History::start_tasks() const {
    const auto& se = m->keyframes.front().state->sched.se;
    std::vector<std::pair<TaskId, CpuId>> out;
    for (std::uint32_t t = 1; t < se.size(); ++t) out.emplace_back(TaskId{t}, se[t].cpu);
    return out;
}

std::size_t History::keyframe_bytes() const {
    std::size_t n = 0;
    for (const auto& k : m->keyframes) n += k.bytes;
    return n;
}

std::optional<LogRow> History::current_decision() const {
    const auto it = std::lower_bound(m->decision_rows.begin(), m->decision_rows.end(), cursor());
    if (it == m->decision_rows.begin()) return std::nullopt;
    return m->log.row(*(it - 1));
}

bool History::step_forward(StepUnit unit) {
    const auto from = cursor();
    if (unit == StepUnit::Tick) {
        const auto tick = m->sim.state().next_tick;
        const auto before = time();
        seek_time(tick);
        return time() > before;
    }
    if (unit == StepUnit::Decision) {
        const auto& d = m->decision_rows;
        const auto known = std::lower_bound(d.begin(), d.end(), from);
        if (known != d.end()) {
            seek_row(*known + 1);
            return true;
        }
        if (m->behind()) m->restore_frontier();
        const auto had = d.size();
        while (d.size() == had)
            if (!m->step()) return false;
        return true;
    }
    while (cursor() == from)
        if (!m->step()) return false;
    return true;
}

bool History::step_back(StepUnit unit) {
    const auto at = cursor();
    if (unit == StepUnit::Tick) {
        const auto tick = static_cast<std::int64_t>(m->sim.state().sched.tick_nsec());
        const auto start = m->scenario->start_clock.count();
        const auto clock = start + to_ns(time()) - 1;
        const auto previous = clock / tick * tick - start;
        if (time() == SimTime{}) return false;
        seek_time(from_ns(std::max<std::int64_t>(previous, 0)));
        return true;
    }
    if (at == 0) return false;
    if (unit == StepUnit::Decision) {
        const auto& d = m->decision_rows;
        auto it = std::lower_bound(d.begin(), d.end(), at);
        // Standing on a decision means just after its row; the one before it is wanted.
        if (it != d.begin() && seek_target(*(it - 1)) >= at) --it;
        if (it == d.begin()) {
            seek_row(0);
            return true;
        }
        seek_row(*(it - 1) + 1);
        return true;
    }
    seek_row(step_boundary_before(m->log, at - 1));
    return true;
}

// First step boundary with more than `row` rows.
std::uint32_t History::seek_target(std::uint32_t row) const {
    auto next = row + 1;
    while (next < m->log.size() && !m->log.row(next).first_of_step) ++next;
    return next;
}

void History::seek_row(std::uint32_t row) {
    if (row > m->log.size() && m->behind()) m->restore_frontier();
    if (row < cursor() || m->behind()) m->restore_before(row);
    while (cursor() < row)
        if (!m->step()) return;
    m->cursor_time = m->sim.state().now;
    m->caught_up();
}

void History::seek_time(SimTime t) {
    if (t < time()) {
        m->leave_frontier();
        m->restore_before(m->log.upper_bound(t), t);
        m->cursor_time = m->sim.state().now;
    } else if (m->behind() && t >= m->frontier_time) {
        m->restore_frontier();
    }
    while (!advance(t, 1'000'000)) {}
}

bool History::advance(SimTime t, std::uint32_t max_steps) {
    t = std::min(t, end_limit());
    for (std::uint32_t i = 0; i < max_steps; ++i) {
        const auto next = m->next_time();
        if (!next || *next > t) {
            if (!next || t == end_limit()) m->step(); // lets the run notice that it is over
            else m->cursor_time = std::max(m->cursor_time, t);
            if (!m->behind()) m->frontier_time = std::max(m->frontier_time, m->cursor_time);
            return true;
        }
        if (!m->step()) return true;
    }
    return false;
}

void History::run_to_end() {
    if (m->behind()) m->restore_frontier();
    while (m->step()) {}
}

void History::apply(const Input& change) {
    SCHED_CHECK(at_frontier());
    auto input = change;
    input.at = time();
    m->user_inputs.push_back({m->sim.state().steps, input});
    m->run_ended = false;
    m->apply(input);
}

History History::branch() const {
    auto copy = std::make_unique<Impl>(*m);
    if (!copy->behind()) return History(std::move(copy));
    const auto& s = copy->sim.state();
    copy->log.truncate(s.rows);
    std::erase_if(copy->decision_rows, [&](std::uint32_t r) { return r >= s.rows; });
    std::erase_if(copy->keyframes, [&](const Keyframe& k) { return k.rows > s.rows || k.steps > s.steps; });
    copy->user_inputs.resize(s.inputs_done - s.next_action);
    copy->all_inputs.resize(s.inputs_done);
    copy->task_infos.resize(s.tasks.size());
    copy->frontier.reset();
    copy->frontier_time = copy->cursor_time;
    copy->run_ended = false;
    copy->failure.reset();
    return History(std::move(copy));
}

Explanation History::explain(EventSeq seq) const {
    const auto row = m->log.row(seq.value);
    SCHED_CHECK(row.is_decision());
    // The choice was made before its row; a keyframe at or before the moment of choice sees all of it.
    const auto begin = row.decided_at();
    auto k = m->keyframe_before(seq.value);
    while (k != m->keyframes.begin() && k->state->now >= begin) --k;
    Impl replay(*m);
    replay.restore(*k);
    replay.frontier = m->behind() ? m->frontier : std::make_shared<const SimState>(m->sim.state());
    Explanation result{row, {}};
    bool found = false;
    replay.sim.set_explainer([&](const LogRow& r, const std::vector<SelectStep>& steps) {
        if (r.seq != seq) return;
        result.steps = steps;
        found = true;
    });
    while (!found && replay.sim.state().rows <= seq.value)
        if (!replay.step()) break;
    return result;
}

} // namespace rqscope
