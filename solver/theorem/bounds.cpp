// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/bounds.h"

#include <algorithm>

#include "model/vocab/contract.h"

namespace fw::theorem {
namespace {

// Products of a time (up to seconds in ns) and a weight overflow 64 bits only beyond 10^14 ns; the
// wider type keeps that out of the reader's mind.
__extension__ using Wide = __int128;

constexpr std::int64_t unit_weight = 1024;

std::int64_t narrow(Wide value) {
  const Wide most = INT64_MAX / 4;  // sums of a few bounds stay representable
  return static_cast<std::int64_t>(std::min(value, most));
}

Wide ceil_div(Wide a, Wide b) { return (a + b - 1) / b; }

std::int64_t period(const CfsLimits& limits, std::int64_t n) {
  return n > limits.nr_latency ? narrow(Wide{limits.min_granularity_ns} * n) : limits.latency_ns;
}

/// period * w / load from above. The kernel's reciprocal of the load is at most 2^32 / load + 1,
/// and its multiply rounds twice: the excess stays below product / 2^32 + 2^15 / load + 2.
std::int64_t slice(std::int64_t period_ns, std::int64_t weight, Wide load, Arithmetic arithmetic) {
  const Wide product = Wide{period_ns} * weight;
  Wide out = ceil_div(product, load);
  if (arithmetic == Arithmetic::kernel) out += product / (Wide{1} << 32) + 32768 / load + 3;
  return narrow(out);
}

std::int64_t weight_of(const CfsMix& mix, std::size_t i) {
  FW_EXPECT(i < mix.weights.size() && mix.weights[i] > 0);
  return static_cast<std::int64_t>(mix.weights[i]);
}

std::int64_t lightest(const CfsMix& mix) {
  FW_EXPECT(!mix.weights.empty());
  return static_cast<std::int64_t>(*std::min_element(mix.weights.begin(), mix.weights.end()));
}

/// With n - 1 others of the lightest weight: n = 2 is worst up to nr_latency; beyond it the slice
/// grows with n towards min_granularity * w / lightest.
std::int64_t open_slice(const CfsLimits& limits, const CfsMix& mix, std::int64_t weight) {
  const std::int64_t light = lightest(mix);
  std::int64_t longest = 0;
  if (limits.nr_latency >= 2) {
    longest = slice(limits.latency_ns, weight, Wide{weight} + light, mix.arithmetic);
  }
  // At n = nr_latency + 1 with few tasks the load may be smaller than the limit's; take both ends.
  const std::int64_t n = std::max<std::int64_t>(2, limits.nr_latency + 1);
  longest = std::max(
      longest,
      slice(period(limits, n), weight, Wide{weight} + (n - 1) * Wide{light}, mix.arithmetic));
  const std::int64_t end = slice(limits.min_granularity_ns, weight, light, mix.arithmetic);
  // The kernel's excess grows with the product period * w, that is with n; allow for a million
  // tasks.
  const Wide excess = mix.arithmetic == Arithmetic::kernel
                          ? Wide{limits.min_granularity_ns} * 100'000 / (Wide{1} << 32) * weight
                          : 0;
  return narrow(Wide{std::max(longest, end)} + excess);
}

std::int64_t closed_slice(const CfsLimits& limits, const CfsMix& mix, std::size_t i) {
  std::vector<std::uint64_t> others = mix.weights;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
  std::sort(others.begin(), others.end());
  const std::int64_t weight = weight_of(mix, i);
  Wide load = weight;
  std::int64_t longest = 0;
  std::int64_t n = 1;
  for (const std::uint64_t other : others) {
    load += static_cast<std::int64_t>(other);
    ++n;
    longest = std::max(longest, slice(period(limits, n), weight, load, mix.arithmetic));
  }
  return longest;
}

}  // namespace

std::int64_t cfs_run_limit(const CfsLimits& limits, const CfsMix& mix, std::size_t i) {
  const std::int64_t longest =
      mix.open ? open_slice(limits, mix, weight_of(mix, i)) : closed_slice(limits, mix, i);
  return narrow(Wide{longest} + limits.tick_ns);
}

std::int64_t cfs_budget(const CfsLimits& limits, const CfsMix& mix, std::size_t i) {
  const std::int64_t run = cfs_run_limit(limits, mix, i);
  const Wide product = Wide{run} * unit_weight;
  if (mix.arithmetic == Arithmetic::exact) return narrow(product / weight_of(mix, i));
  // The table's reciprocal is at most one above 2^32 / w.
  return narrow(ceil_div(product, weight_of(mix, i)) + ceil_div(product, Wide{1} << 32));
}

std::int64_t cfs_budget_U(const CfsLimits& limits, const CfsMix& mix) {
  std::int64_t out = 0;
  std::vector<std::uint64_t> seen;
  for (std::size_t i = 0; i < mix.weights.size(); ++i) {
    // Tasks of equal weight have equal budgets.
    if (std::find(seen.begin(), seen.end(), mix.weights[i]) != seen.end()) continue;
    seen.push_back(mix.weights[i]);
    out = std::max(out, cfs_budget(limits, mix, i));
  }
  return out;
}

std::int64_t cfs_budget_U_any(const CfsLimits& limits, std::uint64_t least_weight) {
  FW_EXPECT(least_weight > 0);
  const std::int64_t part = std::max((limits.latency_ns + 1) / 2, limits.min_granularity_ns);
  return narrow((Wide{part} + limits.tick_ns) * unit_weight /
                static_cast<std::int64_t>(least_weight));
}

std::int64_t cfs_buddy_lead(const CfsLimits& limits, const CfsMix& mix) {
  if (limits.granularity_ns == 0) return 0;
  const Wide product = Wide{limits.granularity_ns} * unit_weight;
  const std::int64_t light = lightest(mix);
  Wide out = ceil_div(product, light);
  if (mix.arithmetic == Arithmetic::kernel && light != unit_weight) {
    // As for a charge: reciprocal one too large, and up to half a step of 64 ns.
    out += ceil_div(product, Wide{1} << 32) +
           cfs_charge_excess(static_cast<std::uint64_t>(light), limits.granularity_ns);
  }
  return narrow(out);
}

std::int64_t cfs_spread_bound(const CfsLimits& limits, const CfsMix& mix) {
  return narrow(Wide{limits.credit_vns} + cfs_budget_U(limits, mix) + cfs_buddy_lead(limits, mix));
}

namespace {

/// F: the most wall time that `virtual_time` stands for at that weight. A charge in the kernel's
/// arithmetic keeps at least 7/8 of itself.
Wide wall_time(Wide virtual_time, std::int64_t weight, Arithmetic arithmetic) {
  return arithmetic == Arithmetic::exact ? ceil_div(virtual_time * weight, unit_weight)
                                         : virtual_time * weight * 8 / (7 * unit_weight);
}

/// What all others can run while `b` waits and nobody gets `reach` beyond where they were.
std::int64_t wait_within(Wide reach, const CfsLimits& limits, const CfsMix& mix, std::size_t b) {
  FW_EXPECT(!mix.open);
  Wide sum = 0;
  for (std::size_t x = 0; x < mix.weights.size(); ++x) {
    if (x == b) continue;
    sum += wall_time(reach, weight_of(mix, x), mix.arithmetic) + cfs_run_limit(limits, mix, x);
  }
  return narrow(sum);
}

}  // namespace

std::int64_t cfs_wait_bound(const CfsLimits& limits, const CfsMix& mix, std::size_t b) {
  return wait_within(
      Wide{cfs_budget(limits, mix, b)} + limits.credit_vns + 2 * Wide{cfs_buddy_lead(limits, mix)},
      limits,
      mix,
      b);
}

std::int64_t cfs_least_debit(const CfsLimits& limits, const CfsMix& mix) {
  FW_EXPECT(!mix.weights.empty());
  const auto heaviest =
      static_cast<std::int64_t>(*std::max_element(mix.weights.begin(), mix.weights.end()));
  const bool kernel = mix.arithmetic == Arithmetic::kernel;
  const auto count = static_cast<std::int64_t>(mix.weights.size());
  // vslice = period * 1024 / load (load + 1 by the kernel's reciprocal), load <= n * heaviest.
  Wide least = INT64_MAX / 4;
  for (std::int64_t n = 1; n <= count; ++n) {
    least = std::min(
        least, Wide{period(limits, n)} * unit_weight / (n * Wide{heaviest} + (kernel ? 1 : 0)));
  }
  if (!kernel) return narrow(least);
  // What the roundings of the slice and of its charge can take off, for each weight of the child.
  Wide loss = 0;
  for (const std::uint64_t each : mix.weights) {
    const Wide weight = static_cast<std::int64_t>(each);
    const bool two_stages = Wide{period(limits, count)} * weight > (Wide{1} << 32);
    const Wide slice_loss = 2 + (two_stages ? 1 + 32768 / weight : 0);
    loss = std::max(loss, (slice_loss + 33) * unit_weight / weight + 4);
  }
  // Reciprocals are whole: the table's less than one below 2^32 / w, the load's less than half of
  // one below 2^32 / (load + 1).
  loss += least * heaviest * (2 + count) / (Wide{1} << 33) + 1;
  return narrow(std::max<Wide>(0, least - loss));
}

std::int64_t cfs_wait_forks_bound(const CfsLimits& limits, const CfsMix& mix, std::size_t b) {
  const Wide lead = cfs_buddy_lead(limits, mix);
  const Wide budget = cfs_budget_U(limits, mix);
  const Wide debit = cfs_least_debit(limits, mix);
  if (debit <= lead) return INT64_MAX / 4;
  const Wide births = (budget + 2 * lead) / (debit - lead);
  const Wide reach =
      budget + limits.credit_vns + 2 * lead + births * std::max<Wide>(0, budget + lead - debit);
  Wide sum = 0;
  for (std::size_t x = 0; x < mix.weights.size(); ++x) {
    if (x == b) continue;
    sum += wall_time(reach, weight_of(mix, x), mix.arithmetic) + cfs_run_limit(limits, mix, x);
  }
  return narrow(sum);
}

std::int64_t cfs_leftmost_wait_bound(const CfsLimits& limits, const CfsMix& mix, std::size_t b) {
  return wait_within(cfs_buddy_lead(limits, mix), limits, mix, b);
}

std::int64_t buddy_delay_bound(const CfsLimits& limits, const CfsMix& mix, std::size_t b) {
  const Wide lead = 2 * Wide{cfs_buddy_lead(limits, mix)};
  Wide sum = 0;
  for (std::size_t x = 0; x < mix.weights.size(); ++x) {
    if (x == b) continue;
    const Wide product = lead * weight_of(mix, x);
    sum += mix.arithmetic == Arithmetic::exact ? ceil_div(product, unit_weight)
                                               : ceil_div(product * 8, 7 * unit_weight);
  }
  return narrow(sum);
}

namespace {

/// Equal weights: b of a set depends on its size only.
std::int64_t dyn_lead_equal(Wide count, Wide credit, Wide step) {
  // In units of the weight; b(k) = k (b(k + 1) + step) / (k + 1).
  Wide bound = count * credit + (count - 1) * step;
  for (Wide k = count - 1; k >= 1; --k) bound = ceil_div(k * (bound + step), k + 1);
  return narrow(bound);
}

constexpr std::size_t most_distinct = 16;

}  // namespace

std::int64_t cfs_dyn_lead_bound(const CfsLimits& limits, const CfsMix& mix) {
  const std::size_t count = mix.weights.size();
  FW_EXPECT(count > 0);
  const Wide lead = cfs_buddy_lead(limits, mix);
  const bool equal = std::all_of(mix.weights.begin(), mix.weights.end(), [&](std::uint64_t weight) {
    return weight == mix.weights.front();
  });
  if (equal) {
    return dyn_lead_equal(
        static_cast<std::int64_t>(count), limits.credit_vns, cfs_budget(limits, mix, 0) + lead);
  }
  if (count > most_distinct) return INT64_MAX / 4;
  std::vector<Wide> step;  // w_c (U_c + g)
  for (std::size_t i = 0; i < count; ++i) {
    step.push_back(weight_of(mix, i) * (cfs_budget(limits, mix, i) + lead));
  }
  const std::size_t all = (std::size_t{1} << count) - 1;
  std::vector<Wide> weight(all + 1, 0);
  for (std::size_t set = 1; set <= all; ++set) {
    for (std::size_t i = 0; i < count; ++i) {
      if (set >> i & 1) weight[set] += weight_of(mix, i);
    }
  }
  std::vector<Wide> bound(all + 1, 0);
  Wide most = 0;
  for (std::size_t j = 0; j < count; ++j) {
    most = std::max(most, (weight[all] - weight_of(mix, j)) * (step[j] / weight_of(mix, j)));
  }
  bound[all] = weight[all] * limits.credit_vns + most;
  for (std::size_t set = all - 1; set >= 1; --set) {
    for (std::size_t c = 0; c < count; ++c) {
      const std::size_t more = set | std::size_t{1} << c;
      if (more == set) continue;
      bound[set] =
          std::max(bound[set], ceil_div(weight[set] * (bound[more] + step[c]), weight[more]));
    }
  }
  Wide worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    worst = std::max(worst, ceil_div(bound[std::size_t{1} << i], weight_of(mix, i)));
  }
  return narrow(worst);
}

std::int64_t cfs_dyn_spread_bound(const CfsLimits& limits, const CfsMix& mix) {
  const Wide lead = cfs_dyn_lead_bound(limits, mix);
  const Wide budget = cfs_budget_U(limits, mix);
  const Wide plain = limits.credit_vns + budget + cfs_buddy_lead(limits, mix);
  return narrow(std::max(plain, mix.open ? lead + budget : lead - limits.credit_vns));
}

std::int64_t cfs_least_charge(std::uint64_t weight) {
  return static_cast<std::int64_t>((8 * weight + 1023) / 1024);
}

std::int64_t cfs_charge_excess(std::uint64_t weight, std::int64_t delta_ns) {
  if (weight == 1024) return 0;
  // Beyond a product of 2^32 the delta is first rounded to a multiple of 64 ns: 32 ns too much at
  // most.
  const bool coarse = delta_ns > (std::int64_t{1} << 22);
  return coarse ? 2 + static_cast<std::int64_t>(32 * 1024 / weight) : 1;
}

}  // namespace fw::theorem
