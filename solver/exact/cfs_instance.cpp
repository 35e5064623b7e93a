// SPDX-License-Identifier: Apache-2.0
#include "solver/exact/cfs_instance.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "model/rules/cfs.h"
#include "model/vocab/contract.h"

namespace fw::exact {
namespace {

namespace rc = rules::cfs;
using rules::s64;
using rules::u64;

constexpr std::size_t most_tasks = 4;
constexpr std::uint8_t nobody = 255;
/// Where min_vruntime lies in the rules' words: states are kept relative to it.
constexpr u64 base = u64{1} << 40;

/// One queue, vruntimes relative to min_vruntime.
struct State {
  std::array<std::int32_t, most_tasks> v{};
  std::uint8_t on = 0;  ///< bit mask
  std::uint8_t current = nobody;
  bool idle = true;
  std::int32_t ran = 0;  ///< since the pick, in company, ticks
  friend bool operator==(const State&, const State&) = default;
};

struct HashState {
  std::size_t operator()(const State& state) const {
    u64 out = 14695981039346656037ull;
    const auto add = [&](u64 value) { out = (out ^ value) * 1099511628211ull; };
    for (const std::int32_t v : state.v) add(static_cast<u64>(static_cast<s64>(v)));
    add(state.on | u64{state.current} << 8 | u64{state.idle} << 16);
    add(static_cast<u64>(state.ran));
    return static_cast<std::size_t>(out ^ (out >> 29));
  }
};

int label_of(CfsEvent::Kind kind, std::size_t task) {
  return static_cast<int>(kind) * 8 + static_cast<int>(task);
}
CfsEvent event_of(int label) {
  return {static_cast<CfsEvent::Kind>(label / 8), static_cast<std::size_t>(label % 8)};
}

class Queue {
 public:
  explicit Queue(const CfsInstance& instance) : instance_(instance) {
    const auto count = instance.weights.size();
    FW_EXPECT(count >= 1 && count <= most_tasks && instance.limits.tick_ns == 1);
    const theorem::CfsMix mix = mix_of(instance);
    for (std::size_t i = 0; i < count; ++i) {
      const u64 weight = instance.weights[i];
      FW_EXPECT(weight > 0 && weight <= 1024 && 1024 % weight == 0);
      loads_.push_back({weight, (u64{1} << 32) / weight});
      run_limits_.push_back(theorem::cfs_run_limit(instance.limits, mix, i));
    }
    lead_ = theorem::cfs_buddy_lead(instance.limits, mix);
  }

  template <class Emit>
  void successors(const State& s, const Emit& emit) const {
    if (s.current != nobody) {
      run(s, emit);
      leave(s, emit);
    }
    for (std::size_t j = 0; j < loads_.size(); ++j) {
      if (is_on(s, j)) {
        pick(s, j, emit);
      } else {
        join(s, j, emit);
      }
    }
  }

  static bool is_on(const State& s, std::size_t j) { return (s.on >> j & 1) != 0; }
  static bool waits(const State& s, std::size_t j) { return is_on(s, j) && s.current != j; }

 private:
  static u64 word(std::int32_t v) { return base + static_cast<u64>(static_cast<s64>(v)); }

  /// The runnable task of least vruntime (those but the current one, when `waiting_only`).
  std::size_t lowest(const State& s, bool waiting_only) const {
    std::size_t out = nobody;
    for (std::size_t j = 0; j < loads_.size(); ++j) {
      if (!(waiting_only ? waits(s, j) : is_on(s, j))) continue;
      if (out == nobody || s.v[j] < s.v[out]) out = j;
    }
    return out;
  }

  /// Moves the origin to the new minimum. Of a task that is asleep only what a wakeup would see
  /// is kept: further left than the credit makes no difference.
  void normalize(State& s, u64 m) const {
    const auto shift = static_cast<std::int32_t>(static_cast<s64>(m - base));
    for (std::size_t j = 0; j < loads_.size(); ++j) {
      s.v[j] -= shift;
      if (!is_on(s, j)) {
        s.v[j] = std::max(s.v[j], static_cast<std::int32_t>(-instance_.limits.credit_vns));
      }
    }
  }

  /// The minimum after a charge or while the current leaves: it counts either way.
  u64 minimum(const State& s) const {
    const std::size_t left = lowest(s, true);
    return rc::updated_min(
        base, true, word(s.v[s.current]), left != nobody, word(left == nobody ? 0 : s.v[left]));
  }

  template <class Emit>
  void run(const State& s, const Emit& emit) const {
    const std::size_t c = s.current;
    const bool company = lowest(s, true) != nobody;
    if (company && s.ran + 1 > run_limits_[c]) return;
    State out = s;
    out.v[c] = static_cast<std::int32_t>(
        static_cast<s64>(rc::charged(word(s.v[c]), u64{1}, loads_[c]) - base));
    out.ran = company ? s.ran + 1 : 0;
    normalize(out, minimum(out));
    emit(out, 1, label_of(CfsEvent::Kind::run, c));
  }

  template <class Emit>
  void leave(const State& s, const Emit& emit) const {
    const u64 m = minimum(s);
    State out = s;
    out.on = static_cast<std::uint8_t>(s.on & ~(1u << s.current));
    out.current = nobody;
    out.idle = out.on == 0;
    out.ran = 0;
    normalize(out, m);
    emit(out, 0, label_of(CfsEvent::Kind::leave, s.current));
  }

  template <class Emit>
  void pick(const State& s, std::size_t j, const Emit& emit) const {
    const std::int32_t leftmost = s.v[lowest(s, false)];
    const bool allowed =
        lead_ > 0 ? rc::buddy_allowed(word(s.v[j]), word(leftmost), static_cast<u64>(lead_))
                  : s.v[j] <= leftmost;
    if (!allowed || (instance_.replayable && ties(s, j))) return;
    State out = s;
    out.current = static_cast<std::uint8_t>(j);
    out.idle = false;
    out.ran = 0;
    emit(out, 0, label_of(CfsEvent::Kind::pick, j));
  }

  /// Another one is as far left as `j`.
  bool ties(const State& s, std::size_t j) const {
    for (std::size_t other = 0; other < loads_.size(); ++other) {
      if (other != j && is_on(s, other) && s.v[other] <= s.v[j]) return true;
    }
    return false;
  }

  template <class Emit>
  void join(const State& s, std::size_t j, const Emit& emit) const {
    const std::size_t left = lowest(s, false);
    const bool fresh = s.idle || (left != nobody && s.v[left] <= 0);
    const auto place = [&](u64 v, CfsEvent::Kind kind) {
      State out = s;
      out.on = static_cast<std::uint8_t>(s.on | (1u << j));
      out.v[j] = static_cast<std::int32_t>(static_cast<s64>(v - base));
      emit(out, 0, label_of(kind, j));
    };
    const bool nobody_wakes = instance_.replayable && !s.idle && s.current == nobody;
    if ((fresh || !instance_.gap_rule) && !nobody_wakes) {
      const auto credit = static_cast<u64>(instance_.limits.credit_vns);
      place(rc::placed_at_wakeup(word(s.v[j]), base, credit), CfsEvent::Kind::wake);
    }
    if (instance_.forks && s.current != nobody) {
      const auto debit = static_cast<u64>(instance_.debit_vns);
      place(rc::placed_at_fork(word(s.v[s.current]), base, debit), CfsEvent::Kind::fork);
    }
  }

  const CfsInstance& instance_;
  std::vector<rc::Load<u64>> loads_;
  std::vector<std::int64_t> run_limits_;
  std::int64_t lead_ = 0;
};

std::int64_t spread_of(const State& s, std::size_t tasks) {
  std::int64_t low = INT64_MAX;
  std::int64_t high = INT64_MIN;
  for (std::size_t j = 0; j < tasks; ++j) {
    if (!Queue::is_on(s, j)) continue;
    low = std::min<std::int64_t>(low, s.v[j]);
    high = std::max<std::int64_t>(high, s.v[j]);
  }
  return low > high ? 0 : high - low;
}

/// The steps between states that `inside` accepts, with their numbers in the whole graph.
struct Part {
  std::vector<solver::Step> steps;
  std::vector<std::uint32_t> whole;
};
Part part_of(const solver::Reachable<State>& graph,
             const std::function<bool(const State&)>& inside) {
  std::vector<bool> in(graph.states.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = inside(graph.states[i]);
  Part out;
  for (std::uint32_t i = 0; i < graph.steps.size(); ++i) {
    if (!in[graph.steps[i].from] || !in[graph.steps[i].to]) continue;
    out.steps.push_back(graph.steps[i]);
    out.whole.push_back(i);
  }
  return out;
}

std::vector<CfsEvent> events_of(const std::vector<solver::Step>& steps,
                                const std::vector<std::uint32_t>& path) {
  std::vector<CfsEvent> out;
  for (const std::uint32_t i : path) out.push_back(event_of(steps[i].label));
  return out;
}

void read_wait(const solver::Reachable<State>& graph, std::size_t b, CfsWorst& out) {
  const Part waiting = part_of(graph, [b](const State& s) { return Queue::waits(s, b); });
  const solver::Longest longest = solver::longest_time(graph.states.size(), waiting.steps);
  out.wait_unbounded = longest.unbounded;
  out.wait = longest.time;
  const auto& path = longest.unbounded ? longest.cycle : longest.path;
  out.worst = events_of(waiting.steps, path);
  if (path.empty()) return;
  const auto lead =
      solver::way_to(graph.states.size(), graph.steps, waiting.steps[path.front()].from);
  FW_EXPECT(lead.has_value());
  out.lead = events_of(graph.steps, *lead);
}

}  // namespace

theorem::CfsMix mix_of(const CfsInstance& instance) {
  return {instance.weights, false, theorem::Arithmetic::exact};
}

std::string event_text(const CfsEvent& event) {
  static constexpr std::array<std::string_view, 5> words = {"run", "pick", "leave", "wake", "fork"};
  return std::string(words[static_cast<std::size_t>(event.kind)]) + " " +
         static_cast<char>('A' + event.task);
}

CfsWorst explore_cfs(const CfsInstance& instance, std::size_t limit) {
  const Queue queue(instance);
  const auto graph = solver::explore<State, HashState>(
      State{}, [&](const State& state, const auto& emit) { queue.successors(state, emit); }, limit);
  CfsWorst out;
  out.complete = graph.complete;
  out.states = graph.states.size();
  out.steps = graph.steps.size();
  const std::size_t tasks = instance.weights.size();
  for (const State& state : graph.states)
    out.spread = std::max(out.spread, spread_of(state, tasks));
  if (!graph.complete) return out;
  const std::size_t b = instance.observed;
  read_wait(graph, b, out);
  const Part leftmost = part_of(graph, [&](const State& s) {
    for (std::size_t j = 0; j < tasks; ++j) {
      if (Queue::is_on(s, j) && s.v[j] < s.v[b]) return false;
    }
    return Queue::waits(s, b);
  });
  const solver::Longest passed_over = solver::longest_time(graph.states.size(), leftmost.steps);
  out.leftmost_wait_unbounded = passed_over.unbounded;
  out.leftmost_wait = passed_over.time;
  Part present = part_of(graph, [b](const State& s) { return Queue::is_on(s, b); });
  for (solver::Step& step : present.steps) {
    const bool served = step.label == label_of(CfsEvent::Kind::run, b);
    step.service = served ? step.time : 0;
  }
  out.share = solver::least_share(graph.states.size(), present.steps);
  return out;
}

CfsInstance starved_by_forks() {
  CfsInstance out;
  out.name = "3 equal tasks, forks without a debit, replayable";
  out.limits = {6, 2, 3, 1, 3, 0};
  out.weights = {1024, 1024, 1024};
  out.forks = true;
  out.replayable = true;
  return out;
}

std::vector<CfsInstance> cfs_instances() {
  // Two equal tasks: slice = latency / 2, so budget = latency / 2 + 1 tick.
  const auto limits = [](std::int64_t budget, std::int64_t credit, std::int64_t lead) {
    return theorem::CfsLimits{2 * (budget - 1), 0, 1'000'000, 1, credit, lead};
  };
  const auto row = [&](std::string name, theorem::CfsLimits tunables, std::vector<u64> weights) {
    CfsInstance out;
    out.name = std::move(name);
    out.limits = tunables;
    out.weights = std::move(weights);
    return out;
  };
  std::vector<CfsInstance> out = {
      row("2 equal tasks", limits(4, 6, 0), {1024, 1024}),
      row("3 equal tasks", limits(4, 6, 0), {1024, 1024, 1024}),
      row("3 tasks, one of half the weight", limits(3, 4, 0), {1024, 1024, 512}),
      row("2 equal tasks, buddies", limits(4, 6, 1), {1024, 1024}),
      row("3 equal tasks, buddies", limits(4, 6, 1), {1024, 1024, 1024}),
  };
  CfsInstance forks = row("3 equal tasks, forks with a debit", limits(2, 3, 0), {1024, 1024, 1024});
  forks.forks = true;
  forks.debit_vns = 2;
  out.push_back(forks);
  out.push_back(starved_by_forks());
  out.back().name = "3 equal tasks, forks without a debit";
  out.back().replayable = false;
  return out;
}

}  // namespace fw::exact
