// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/machine/interpreter.h"
#include "model/policy/event.h"
#include "model/vocab/side.h"

namespace fw::model {

/// The reference machine: runs a workload on a policy, one stimulus at a time, in the order of
/// simulator.md section A. `P`: see model/policy/event.h.
template <class P>
class Machine final : public Side {
 public:
  explicit Machine(const Setup& setup)
      : config_(P::configure(setup)),
        hz_(P::hz(config_)),
        cpus_(setup.topology.cpus),
        end_(std::min(setup.end,
                      setup.workload.duration ? Instant{setup.workload.duration->ns} : never)),
        interpreter_(setup.workload, cpus_, [this](TaskId task) { return is_current(task); }),
        state_(P::initial(config_, interpreter_.newcomers())),
        next_tick_(tick_time(1)) {
    if constexpr (requires { P::refusal(setup); }) refusal_ = P::refusal(setup);
  }

  std::optional<Stimulus> advance() override {
    decisions_.clear();
    while (refusal_.empty() && interpreter_.fault().empty() && !over_) {
      if (planned_ < plan_.size()) return carry_out(plan_[planned_++]);
      plan_.clear();
      planned_ = 0;
      if (auto out = go_on()) return out;
    }
    return std::nullopt;
  }
  std::span<const Decision> decisions() const override { return decisions_; }
  void look(View& out) const override { P::look(config_, state_, out); }
  std::string task_name(TaskId task) const override { return interpreter_.name(task); }
  std::string fault() const override { return refusal_.empty() ? interpreter_.fault() : refusal_; }

  const typename P::State& state() const { return state_; }
  const typename P::Config& config() const { return config_; }

 private:
  /// Where the round of `cpu_` stands; `instant`: between two instants.
  enum class Stage { instant, actions, external, tick, balance, schedule };

  std::optional<Stimulus> go_on() {
    const CpuId cpu{cpu_};
    switch (stage_) {
      case Stage::instant:
        over_ = !begin_instant();
        stage_ = Stage::actions;
        return std::nullopt;
      case Stage::actions: {
        const TaskId current = P::current(state_, cpu);
        if (!current.idle()) interpreter_.run(current, now_, plan_);
        if (plan_.empty()) stage_ = Stage::external;
        return std::nullopt;
      }
      case Stage::external:
        if (const TaskId woken = next_expired(cpu); !woken.idle()) return expire(woken);
        stage_ = Stage::tick;
        return std::nullopt;
      case Stage::tick: {
        const bool due = ticking_ && cpu_ >= ticked_;
        stage_ = due ? Stage::balance : Stage::schedule;
        if (!due) return std::nullopt;
        ticked_ = cpu_ + 1;
        const bool charges = P::ticks(state_, cpu);
        return apply(
            event(charges ? StimulusKind::tick : StimulusKind::idle_tick), idle_task, charges);
      }
      case Stage::balance: {
        stage_ = Stage::schedule;
        if (!P::balance_due(config_, state_, cpu, jiffies_)) return std::nullopt;
        Stimulus out = apply(event(StimulusKind::balance), idle_task, true);
        out.counts = !decisions_.empty();
        return out;
      }
      case Stage::schedule: {
        if (!P::marked(state_, cpu)) {
          next_round();
          return std::nullopt;
        }
        stage_ = Stage::actions;
        const Stimulus out = apply(event(StimulusKind::schedule), idle_task, true);
        const TaskId current = P::current(state_, cpu);
        if (!current.idle()) interpreter_.picked(current, cpu);
        return out;
      }
    }
    return std::nullopt;
  }

  /// After a quiet round: the next CPU, the first one again, or the next instant.
  void next_round() {
    stage_ = Stage::actions;
    if (++cpu_ < cpus_) return;
    cpu_ = 0;
    for (int cpu = 0; cpu < cpus_ && cpus_ > 1; ++cpu) {
      const TaskId current = P::current(state_, CpuId{cpu});
      if (P::marked(state_, CpuId{cpu}) || (!current.idle() && interpreter_.ready(current, now_))) {
        return;
      }
    }
    stage_ = Stage::instant;
  }

  /// Moves time on; false when nothing is left to happen.
  bool begin_instant() {
    const Instant expiry = interpreter_.next_expiry();
    const bool nothing_left = runnable_ == 0 && expiry == never;
    if (interpreter_.newcomers_count() == 0 || nothing_left) return false;
    Instant next = std::min(next_tick_, expiry);
    for (int cpu = 0; cpu < cpus_; ++cpu) {
      const TaskId current = P::current(state_, CpuId{cpu});
      if (!current.idle()) next = std::min(next, interpreter_.goes_on(current, now_));
    }
    if (next >= end_) return false;
    for (int cpu = 0; cpu < cpus_; ++cpu) {
      const TaskId current = P::current(state_, CpuId{cpu});
      if (!current.idle()) interpreter_.burn(current, (next - now_).ns);
    }
    now_ = next;
    ticking_ = now_ == next_tick_;
    if (ticking_) next_tick_ = tick_time(++jiffies_ + 1);
    ticked_ = 0;
    interpreter_.take_expired(now_, expired_);
    return true;
  }

  /// The k-th tick: floor(k * 10^9 / HZ).
  Instant tick_time(std::uint64_t k) const {
    const auto hz = static_cast<std::uint64_t>(hz_);
    constexpr std::uint64_t second = 1'000'000'000;
    // Whole seconds apart, so that k * 10^9 cannot overflow.
    return {static_cast<std::int64_t>(k / hz * second + k % hz * second / hz)};
  }

  TaskId next_expired(CpuId cpu) {
    for (std::size_t i = 0; i < expired_.size(); ++i) {
      const TaskId task = expired_[i];
      if (P::cpu_of(state_, task) != cpu) continue;
      expired_.erase(expired_.begin() + static_cast<std::ptrdiff_t>(i));
      return task;
    }
    return idle_task;
  }

  Stimulus expire(TaskId task) {
    const bool starts = interpreter_.begin(task);
    Event out = event(starts ? StimulusKind::start : StimulusKind::wake);
    out.task = task;
    out.by = starts ? Why::start : Why::timer;
    ++runnable_;
    return apply(out, task, true);
  }

  Stimulus carry_out(const Action& action) {
    Event out = event(action.kind);
    out.task = action.task;
    NewTask child;
    switch (action.kind) {
      case StimulusKind::wake:
        out.waker = action.actor;
        ++runnable_;
        break;
      case StimulusKind::fork:
        out.task = action.actor;
        child = interpreter_.newborn(action.task);
        out.child = &child;
        ++runnable_;
        break;
      case StimulusKind::block:
      case StimulusKind::exit:
        --runnable_;
        break;
      default:
        out.nice = action.nice;
        out.cpus = action.cpus;
        break;
    }
    return apply(out, action.task, true);
  }

  Event event(StimulusKind kind) const {
    Event out;
    out.kind = kind;
    out.t = now_;
    out.jiffies = jiffies_;
    out.cpu = CpuId{cpu_};
    return out;
  }

  Stimulus apply(const Event& event, TaskId about, bool counts) {
    Step<typename P::State> next =
        P::step(config_, std::move(state_), event, std::move(decisions_));
    state_ = std::move(next.state);
    decisions_ = std::move(next.decisions);
    return {now_, event.cpu, event.kind, about, counts};
  }

  bool is_current(TaskId task) const { return P::current(state_, P::cpu_of(state_, task)) == task; }

  const typename P::Config config_;
  const int hz_;
  const int cpus_;
  const Instant end_;
  Interpreter interpreter_;
  std::string refusal_;  ///< why the policy cannot run the workload; empty if it can
  typename P::State state_;
  std::vector<Decision> decisions_;
  std::vector<Action> plan_;  ///< what the last events of a program still want done
  std::size_t planned_ = 0;
  std::vector<TaskId> expired_;
  Stage stage_ = Stage::instant;
  Instant now_;
  std::uint64_t jiffies_ = 0;
  Instant next_tick_;
  bool ticking_ = false;  ///< this instant is a tick
  int ticked_ = 0;        ///< CPUs below this have had their tick
  int cpu_ = 0;
  int runnable_ = 0;
  bool over_ = false;
};

}  // namespace fw::model
