// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

/// Exact answers about finite systems: the graph of reachable states, and worst cases on it.
namespace fw::solver {

/// A step between two states. `label` is the system's own.
struct Step {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int32_t time = 0;     ///< units of time that pass, >= 0
  std::int32_t service = 0;  ///< of them for the observed task, 0 .. time
  std::int32_t label = 0;
};

/// Everything that can be reached from the first state, which has index 0.
template <class State>
struct Reachable {
  std::vector<State> states;
  std::vector<Step> steps;
  bool complete = true;  ///< false: the limit on states was met, nothing may be concluded
};

/// `successors(state, emit)` calls `emit(next, time, label)` for every step out of a state.
/// Order: breadth first, so that the first step into a state lies on a path of fewest steps.
template <class State, class Hash, class Successors>
Reachable<State> explore(const State& first, const Successors& successors, std::size_t limit) {
  Reachable<State> out;
  std::unordered_map<State, std::uint32_t, Hash> index;
  out.states.push_back(first);
  index.emplace(first, 0);
  for (std::uint32_t at = 0; at < out.states.size(); ++at) {
    const State state = out.states[at];
    successors(state, [&](const State& next, std::int32_t time, std::int32_t label) {
      const auto found = index.emplace(next, static_cast<std::uint32_t>(out.states.size()));
      if (found.second) out.states.push_back(next);
      out.steps.push_back({at, found.first->second, time, 0, label});
    });
    if (out.states.size() > limit) {
      out.complete = false;
      break;
    }
  }
  return out;
}

/// The most time that a path can take.
struct Longest {
  bool unbounded = false;            ///< a cycle takes time: there is no most
  std::int64_t time = 0;             ///< otherwise
  std::vector<std::uint32_t> path;   ///< indices into the steps: of the longest path
  std::vector<std::uint32_t> cycle;  ///< or, when unbounded, of a cycle that takes time
};

/// Over all paths that use the given steps only.
/// Method: strong components; a step that takes time inside one is a lasso, else the longest path
/// over the components, which are acyclic.
Longest longest_time(std::size_t states, const std::vector<Step>& steps);

/// The fewest steps from state 0 to `state`, as indices into `steps`; nothing if there is no way.
std::optional<std::vector<std::uint32_t>> way_to(std::size_t states,
                                                 const std::vector<Step>& steps,
                                                 std::uint32_t state);

/// A ratio in lowest terms.
struct Ratio {
  std::int64_t service = 0;
  std::int64_t time = 1;
  friend bool operator==(const Ratio&, const Ratio&) = default;
};

/// The least service per time over all cycles that take time; nothing when no cycle does.
/// Method: steps without time are contracted first (a cycle of them has no ratio), then Howard's
/// algorithm on what is left.
std::optional<Ratio> least_share(std::size_t states, const std::vector<Step>& steps);

}  // namespace fw::solver
