// SPDX-License-Identifier: Apache-2.0
#include "props/gen/generate.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "props/gen/profiles.h"

namespace fw::gen {
namespace {

Profile draw_profile(Draw& draw) {
  static constexpr std::array<int, profile_count> weights = {
      // hogs ties sleepers long_sleeper periodic ping_pong ring hub semaphore condition
      10,
      6,
      10,
      6,
      6,
      10,
      3,
      9,
      5,
      5,
      // locks barrier crowd forks yields renice affinity runtime finite soup
      5,
      3,
      6,
      8,
      5,
      7,
      6,
      3,
      4,
      12};
  int total = 0;
  for (const int weight : weights) total += weight;
  int left = draw.between(0, total - 1);
  int row = 0;
  while (left >= weights[static_cast<std::size_t>(row)]) {
    left -= weights[static_cast<std::size_t>(row++)];
  }
  return static_cast<Profile>(row);
}

/// Whether the spec switches a feature on whose name holds `part`.
bool wants(const PolicySpec& spec, std::string_view part) {
  return std::any_of(spec.features.begin(), spec.features.end(), [&](const auto& feature) {
    return feature.second && feature.first.find(part) != std::string::npos;
  });
}

/// Features that act at forks only, or on what forks leave behind.
bool wants_forks(const PolicySpec& spec) {
  return wants(spec, "START_NICE") || wants(spec, "EXPEDITED") || wants(spec, "TREE_PENALTY");
}

/// The rarer keys under "fairwitness".
void draw_extras(Draw& draw, const Shape& shape, const PolicySpec& spec, Workload& workload) {
  if (draw.percent(wants(spec, "INTERACTIVE") ? 80 : 8)) {
    for (const TaskDef& task : workload.tasks) {
      if (draw.percent(40)) workload.labels.emplace(task.name, "input");
    }
  }
  if (draw.percent(6)) {
    workload.costs.switch_cost = draw_amount(draw, shape, 1, 50'000);
    if (draw.percent(60)) workload.costs.cache_refill = draw_amount(draw, shape, 1, 200'000);
    if (draw.percent(60)) workload.costs.migration = draw_amount(draw, shape, 1, 500'000);
  }
}

}  // namespace

Case generate(const PolicyInfo& info,
              std::uint64_t seed,
              std::uint64_t index,
              const GenOptions& options) {
  Draw draw(seed, index, options.max_size);
  Case out;
  out.seed = seed;
  out.index = index;
  const Shape shape = draw_shape(draw, info, options, out);
  Workload& workload = out.workload;
  workload.name = "random-" + std::to_string(seed) + "-" + std::to_string(index);

  Draft draft{draw, shape, workload};
  // A few kinds of situation a case, one of them often twice; small cases have one.
  const int profiles = draw.length(1, 4);
  Profile profile = draw_profile(draw);
  if (wants_forks(out.spec) && draw.percent(50)) profile = Profile::forks;
  for (int i = 0; i < profiles; ++i) {
    add_profile(draft, profile);
    if (draw.percent(75)) profile = draw_profile(draw);
  }
  if (workload.tasks.empty()) add_profile(draft, Profile::hogs);

  limit_forks(workload);
  const auto share = shape.events / static_cast<std::int64_t>(workload.tasks.size());
  for (TaskDef& task : workload.tasks) limit_rate(draft, task, share);
  draw_extras(draw, shape, out.spec, workload);
  return out;
}

}  // namespace fw::gen
