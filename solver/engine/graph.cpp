// SPDX-License-Identifier: Apache-2.0
#include "solver/engine/graph.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/howard_cycle_ratio.hpp>
#include <boost/graph/strong_components.hpp>
#include <numeric>

#include "model/vocab/contract.h"

namespace fw::solver {
namespace {

using Index = std::uint32_t;

/// Steps by the state that they leave: those of `s` are order[first[s]] .. order[first[s + 1] - 1].
struct ByState {
  std::vector<Index> first;
  std::vector<Index> order;
};

ByState by_state(std::size_t states, const std::vector<Step>& steps) {
  ByState out;
  out.first.assign(states + 1, 0);
  for (const Step& step : steps) ++out.first[step.from + 1];
  std::partial_sum(out.first.begin(), out.first.end(), out.first.begin());
  out.order.resize(steps.size());
  std::vector<Index> next(out.first.begin(), out.first.end() - 1);
  for (Index i = 0; i < steps.size(); ++i) out.order[next[steps[i].from]++] = i;
  return out;
}

/// Component of each state; a step between components goes to a smaller number.
std::vector<Index> components(std::size_t states, const std::vector<Step>& steps) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(states);
  for (const Step& step : steps) boost::add_edge(step.from, step.to, graph);
  std::vector<Index> out(states, 0);
  boost::strong_components(
      graph, boost::make_iterator_property_map(out.begin(), get(boost::vertex_index, graph)));
  return out;
}

/// Fewest steps from `start` to `goal`, over steps for which `use` holds.
template <class Use>
std::optional<std::vector<Index>> walk(
    std::size_t states, const std::vector<Step>& steps, Index start, Index goal, const Use& use) {
  const ByState out_of = by_state(states, steps);
  constexpr Index none = UINT32_MAX;
  std::vector<Index> came_by(states, none);
  std::vector<bool> seen(states, false);
  std::vector<Index> queue{start};
  seen[start] = true;
  for (std::size_t head = 0; head < queue.size() && !seen[goal]; ++head) {
    for (Index i = out_of.first[queue[head]]; i < out_of.first[queue[head] + 1]; ++i) {
      const Step& step = steps[out_of.order[i]];
      if (!use(step) || seen[step.to]) continue;
      seen[step.to] = true;
      came_by[step.to] = out_of.order[i];
      queue.push_back(step.to);
    }
  }
  if (!seen[goal]) return std::nullopt;
  std::vector<Index> path;
  for (Index at = goal; at != start; at = steps[came_by[at]].from) path.push_back(came_by[at]);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace

std::optional<std::vector<Index>> way_to(std::size_t states,
                                         const std::vector<Step>& steps,
                                         Index state) {
  return walk(states, steps, 0, state, [](const Step&) { return true; });
}

Longest longest_time(std::size_t states, const std::vector<Step>& steps) {
  Longest out;
  const std::vector<Index> component = components(states, steps);
  for (Index i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (step.time == 0 || component[step.from] != component[step.to]) continue;
    auto back = walk(states, steps, step.to, step.from, [&](const Step& other) {
      return component[other.from] == component[step.from] &&
             component[other.to] == component[step.from];
    });
    FW_EXPECT(back.has_value());
    out.unbounded = true;
    out.cycle.push_back(i);
    out.cycle.insert(out.cycle.end(), back->begin(), back->end());
    return out;
  }
  // Steps sorted by the component they leave: all of a smaller one are settled before.
  std::vector<Index> order(steps.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return component[steps[a].from] < component[steps[b].from];
  });
  constexpr Index none = UINT32_MAX;
  std::vector<std::int64_t> most(states, 0);  // by component: from any of its states on
  std::vector<Index> by(states, none);
  for (const Index i : order) {
    const Index from = component[steps[i].from];
    const Index to = component[steps[i].to];
    if (from == to || most[to] + steps[i].time <= most[from]) continue;
    most[from] = most[to] + steps[i].time;
    by[from] = i;
  }
  const auto best = std::max_element(most.begin(), most.end());
  if (best == most.end()) return out;
  out.time = *best;
  // The steps between components; within one no time passes, the way is filled in.
  std::optional<Index> at;
  for (auto c = static_cast<Index>(best - most.begin()); by[c] != none;) {
    const Step& step = steps[by[c]];
    if (at && *at != step.from) {
      const auto inside = walk(states, steps, *at, step.from, [&](const Step& other) {
        return component[other.from] == c && component[other.to] == c;
      });
      FW_EXPECT(inside.has_value());
      out.path.insert(out.path.end(), inside->begin(), inside->end());
    }
    out.path.push_back(by[c]);
    at = step.to;
    c = component[step.to];
  }
  return out;
}

namespace {

/// For every state that a step with time enters: the steps with time that follow, with nothing
/// but steps without time between.
std::vector<Step> contracted(std::size_t states, const std::vector<Step>& steps) {
  const ByState out_of = by_state(states, steps);
  std::vector<bool> entered(states, false);
  for (const Step& step : steps) {
    if (step.time > 0) entered[step.to] = true;
  }
  std::vector<Step> out;
  std::vector<Index> seen_by(states, UINT32_MAX);
  for (Index root = 0; root < states; ++root) {
    if (!entered[root]) continue;
    std::vector<Index> stack{root};
    seen_by[root] = root;
    while (!stack.empty()) {
      const Index at = stack.back();
      stack.pop_back();
      for (Index i = out_of.first[at]; i < out_of.first[at + 1]; ++i) {
        const Step& step = steps[out_of.order[i]];
        if (step.time > 0) {
          out.push_back({root, step.to, step.time, step.service, step.label});
        } else if (seen_by[step.to] != root) {
          seen_by[step.to] = root;
          stack.push_back(step.to);
        }
      }
    }
  }
  return out;
}

}  // namespace

std::optional<Ratio> least_share(std::size_t states, const std::vector<Step>& steps) {
  using Weights =
      boost::property<boost::edge_weight_t, int, boost::property<boost::edge_weight2_t, int>>;
  using Graph = boost::
      adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Weights>;
  Graph graph(states);
  for (const Step& step : contracted(states, steps)) {
    FW_EXPECT(step.time > 0);
    boost::add_edge(step.from, step.to, Weights(step.service, step.time), graph);
  }
  std::vector<Graph::edge_descriptor> cycle;
  boost::minimum_cycle_ratio(graph,
                             get(boost::vertex_index, graph),
                             get(boost::edge_weight, graph),
                             get(boost::edge_weight2, graph),
                             &cycle);
  if (cycle.empty()) return std::nullopt;
  Ratio out{0, 0};
  for (const auto& edge : cycle) {
    out.service += get(boost::edge_weight, graph, edge);
    out.time += get(boost::edge_weight2, graph, edge);
  }
  const std::int64_t common = std::gcd(out.service, out.time);
  return Ratio{out.service / common, out.time / common};
}

}  // namespace fw::solver
