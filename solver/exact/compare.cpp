// SPDX-License-Identifier: Apache-2.0
#include "solver/exact/compare.h"

#include <algorithm>

#include "solver/exact/cfs_instance.h"

namespace fw::exact {
namespace {

/// Far more than any instance has, and still a second's work.
constexpr std::size_t state_limit = 1'000'000;

void compare(const CfsInstance& instance, std::vector<BruteForce>& out) {
  const CfsWorst worst = explore_cfs(instance, state_limit);
  const theorem::CfsMix mix = mix_of(instance);
  const bool buddies = instance.limits.granularity_ns > 0;
  const auto add = [&](std::string theorem,
                       std::string unit,
                       std::optional<std::int64_t> seen,
                       std::optional<std::int64_t> bound) {
    out.push_back({std::move(theorem),
                   instance.name,
                   std::move(unit),
                   worst.states,
                   worst.complete,
                   seen,
                   bound});
  };
  const std::int64_t spread = theorem::cfs_spread_bound(instance.limits, mix);
  const auto wait = worst.wait_unbounded ? std::nullopt : std::optional(worst.wait);
  if (instance.forks) {
    const bool debit = instance.debit_vns > 0;
    add(debit ? "cfs_spread_forks_debit" : "cfs_spread_forks_no_debit",
        "vns",
        worst.spread,
        spread);
    if (!debit) add("cfs_wait_forks_no_debit", "ns", wait, std::nullopt);
    return;
  }
  add(buddies ? "cfs_spread_buddies" : "cfs_spread", "vns", worst.spread, spread);
  const std::size_t b = instance.observed;
  add("cfs_wait", "ns", wait, theorem::cfs_wait_bound(instance.limits, mix, b));
  add("cfs_leftmost_wait",
      "ns",
      worst.leftmost_wait_unbounded ? std::nullopt : std::optional(worst.leftmost_wait),
      theorem::cfs_leftmost_wait_bound(instance.limits, mix, b));
}

}  // namespace

bool BruteForce::agrees() const {
  if (!complete) return false;
  if (!bound) return !worst;
  return worst && *worst <= *bound;
}

std::string BruteForce::words() const {
  if (!complete) return "too many states to visit";
  const std::string seen = worst ? std::to_string(*worst) : "unbounded";
  return seen + (bound ? " of " + std::to_string(*bound) + " " + unit : "") + " in " +
         std::to_string(states) + " states";
}

std::vector<BruteForce> brute_force() {
  std::vector<BruteForce> out;
  for (const CfsInstance& instance : cfs_instances()) compare(instance, out);
  return out;
}

std::vector<BruteForce> of_theorem(const std::vector<BruteForce>& all, std::string_view theorem) {
  std::vector<BruteForce> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out), [&](const BruteForce& one) {
    return one.theorem == theorem;
  });
  return out;
}

}  // namespace fw::exact
