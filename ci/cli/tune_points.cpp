// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/tune_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ci/cli/proof_parts.h"
#include "ci/cli/values.h"
#include "props/properties/cfs_bounds.h"
#include "props/run/case_run.h"
#include "props/run/record.h"
#include "reports/metrics.h"

namespace fw::cli {
namespace {

using theorem::Theorem;

const KnobInfo* find_knob(const PolicyInfo& info, std::string_view name) {
  const auto found = std::find_if(info.knobs.begin(),
                                  info.knobs.end(),
                                  [name](const KnobInfo& knob) { return knob.name == name; });
  return found == info.knobs.end() ? nullptr : &*found;
}

/// A knob's value as a spec has it, range and unit checked by the spec's own reader.
Outcome<std::int64_t> read_value(const std::string& knob,
                                 const std::string& value,
                                 const PolicySpec& base,
                                 const Program& program) {
  auto spec = parse_spec(fmt::format("{}@{},{}={}", base.policy, base.version, knob, value),
                         program.catalogue);
  if (!spec) {
    Error error = spec.error();
    error.where = "--knob";
    return error;
  }
  return spec->knobs.at(knob);
}

/// Which limit the bound depends on most: the one whose change by a tenth moves it most.
std::string binding_limit(const Theorem& row, const Point& point) {
  struct Part {
    std::string_view name;
    std::int64_t theorem::CfsLimits::*field;
  };
  static constexpr Part parts[] = {{"latency", &theorem::CfsLimits::latency_ns},
                                   {"min_granularity", &theorem::CfsLimits::min_granularity_ns},
                                   {"tick", &theorem::CfsLimits::tick_ns},
                                   {"sleeper credit", &theorem::CfsLimits::credit_vns},
                                   {"wakeup_granularity", &theorem::CfsLimits::granularity_ns}};
  const std::int64_t now = row.value(point.limits, point.mix);
  std::string_view best = "none";
  std::int64_t most = 0;
  for (const Part& part : parts) {
    theorem::CfsLimits changed = point.limits;
    changed.*part.field += changed.*part.field / 10;
    const std::int64_t moved = row.value(changed, point.mix) - now;
    if (moved > most) {
      most = moved;
      best = part.name;
    }
  }
  return std::string(best);
}

/// What keeps a theorem from holding for runs under the spec; empty: nothing.
std::string lacks(const Theorem& row, const props::cfs::Tunables& rules) {
  if (row.name == "cfs_spread" && (rules.last_buddy || rules.next_buddy)) {
    return "needs NEXT_BUDDY and LAST_BUDDY off (cfs_spread_buddies holds)";
  }
  if (row.name == "cfs_spread_forks_debit" && !rules.start_debit) return "needs START_DEBIT";
  if (row.name == "cfs_spread_forks_no_debit" && rules.start_debit) return "needs START_DEBIT off";
  return "";
}

void add_flag(TunePoint& point, const std::string& flag) {
  if (std::find(point.flags.begin(), point.flags.end(), flag) == point.flags.end()) {
    point.flags.push_back(flag);
  }
}

/// What the refuted theorems say about the switches.
void add_cfs_flags(const props::cfs::Tunables& rules, TunePoint& point) {
  if (!rules.start_debit) {
    add_flag(point,
             "wait bound needs START_DEBIT once tasks fork: without it a stream of forks starves a "
             "task (cfs_wait_forks_no_debit)");
  }
  if (!rules.wakeup_preempt) {
    add_flag(point,
             "spread bound needs WAKEUP_PREEMPT: without it wakeups in the gap let the spread grow "
             "(cfs_spread_without_gap)");
  }
}

}  // namespace

Outcome<KnobRange> read_range(const std::string& text,
                              const PolicySpec& base,
                              const PolicyInfo& info,
                              const Program& program,
                              int steps) {
  const auto equals = text.find('=');
  const auto dots = text.find("..", equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || dots == std::string::npos) {
    return Error{fmt::format("'{}' is no range", text),
                 "write it as KNOB=LOWEST..HIGHEST, such as latency=4ms..24ms",
                 "--knob"};
  }
  KnobRange out;
  out.name = text.substr(0, equals);
  const KnobInfo* const knob = find_knob(info, out.name);
  if (knob == nullptr) {
    std::vector<std::string_view> names;
    for (const KnobInfo& one : info.knobs) names.push_back(one.name);
    Error error = unknown_word("knob", out.name, names);
    error.where = "--knob";
    return error;
  }
  const auto low = read_value(out.name, text.substr(equals + 1, dots - equals - 1), base, program);
  if (!low) return low.error();
  const auto high = read_value(out.name, text.substr(dots + 2), base, program);
  if (!high) return high.error();
  if (*low > *high) {
    return Error{fmt::format("the range {} is empty", text), "put the lower value first", "--knob"};
  }
  const std::int64_t span = *high - *low;
  const std::int64_t count =
      knob->unit == KnobUnit::choice ? span + 1 : std::min<std::int64_t>(steps, span + 1);
  for (std::int64_t i = 0; i < count; ++i) {
    // Without the product: spans are up to 2^63.
    const std::int64_t part =
        count == 1 ? 0 : span / (count - 1) * i + span % (count - 1) * i / (count - 1);
    out.values.push_back(*low + part);
  }
  return out;
}

std::vector<PolicySpec> grid(const PolicySpec& base,
                             const std::vector<KnobRange>& ranges,
                             const PolicyInfo& info) {
  std::vector<PolicySpec> out{base};
  for (const KnobRange& range : ranges) {
    std::vector<PolicySpec> next;
    for (const PolicySpec& spec : out) {
      for (const std::int64_t value : range.values) {
        PolicySpec changed = spec;
        changed.knobs[range.name] = value;
        changed.text = spec_text(changed, info);
        next.push_back(std::move(changed));
      }
    }
    out = std::move(next);
  }
  return out;
}

void add_bounds(const PolicySpec& spec, const std::vector<int>& nices, TunePoint& point) {
  Setup setup;
  setup.spec = spec;
  const bool cfs = spec.policy == "cfs";
  for (const Theorem& row : theorem::theorems()) {
    if (row.policy != spec.policy || row.value == nullptr) continue;
    TunePoint::Bound bound;
    bound.theorem = row.name;
    bound.unit = row.unit;
    const auto at = point_of(spec, nices, row);
    if (!at) {
      add_flag(point, "no bound here: outside the formulas' scope (see list knobs and README)");
    } else {
      bound.value = row.value(at->limits, at->mix);
      bound.binds = binding_limit(row, *at);
      bound.lacks = cfs ? lacks(row, props::cfs::Tunables(setup)) : "";
    }
    point.bounds.push_back(std::move(bound));
  }
  if (point.bounds.empty()) {
    add_flag(point,
             fmt::format("there is no bound for {} yet: simulated figures only", spec.policy));
  }
  if (cfs) add_cfs_flags(props::cfs::Tunables(setup), point);
}

Outcome<Done> add_metrics(const PolicyRow& row,
                          const std::vector<Case>& cases,
                          const PolicySpec& spec,
                          TunePoint& point) {
  std::int64_t switches = 0;
  double seconds = 0;
  run::CaseOptions watch;
  watch.lockstep = false;
  watch.relations = false;
  for (Case c : cases) {
    c.spec = spec;
    auto setup = run::setup_of(c);
    if (!setup) return setup.error();
    const run::CaseRun checked = run::run_case(row, c, *setup, watch);
    if (checked.failure && point.failure.empty()) {
      point.failure = checked.failure->property + ": " + checked.failure->message;
    }
    auto recording = run::record(row, *setup, {});
    if (!recording) return recording.error();
    const reports::Metrics seen = reports::measure(*recording);
    point.worst_wait_ns = std::max(point.worst_wait_ns, seen.wait.max_ns);
    point.wakeup_p99_ns = std::max(point.wakeup_p99_ns, seen.wakeup.p99_ns);
    point.worst_spread = std::max(point.worst_spread, seen.worst_spread.value_or(0));
    switches += seen.switches;
    seconds += static_cast<double>(seen.end_ns) / 1e9;
  }
  point.switches_per_s = seconds > 0 ? static_cast<double>(switches) / seconds : 0;
  return Done{};
}

namespace {

/// Small is good. A bound that does not hold at a point counts as no promise at all.
std::vector<double> objectives_of(const TunePoint& point, bool bounds) {
  std::vector<double> out;
  for (const TunePoint::Bound& bound : point.bounds) {
    const bool holds = bound.value && bound.lacks.empty();
    out.push_back(holds ? static_cast<double>(*bound.value) : 1e300);
  }
  if (!bounds) out.push_back(static_cast<double>(point.worst_wait_ns));
  out.push_back(point.switches_per_s);
  return out;
}

bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

}  // namespace

std::vector<std::string> mark_pareto(std::vector<TunePoint>& points) {
  const bool bounds = std::any_of(points.begin(), points.end(), [](const TunePoint& point) {
    return std::any_of(point.bounds.begin(), point.bounds.end(), [](const auto& bound) {
      return bound.value && bound.lacks.empty();
    });
  });
  for (TunePoint& point : points) {
    const auto own = objectives_of(point, bounds);
    point.pareto = std::none_of(points.begin(), points.end(), [&](const TunePoint& other) {
      return dominates(objectives_of(other, bounds), own);
    });
  }
  std::vector<std::string> names;
  if (!points.empty()) {
    for (const TunePoint::Bound& bound : points.front().bounds) names.push_back(bound.theorem);
  }
  if (!bounds) names.push_back("longest wait seen");
  names.push_back("switches per second");
  return names;
}

std::string valid_region(const std::vector<TunePoint>& points) {
  std::string out;
  std::set<std::string> flags;
  std::size_t valid = 0;
  for (const TunePoint& point : points) {
    const bool all = !point.bounds.empty() && point.flags.empty() &&
                     std::all_of(point.bounds.begin(), point.bounds.end(), [](const auto& bound) {
                       return bound.value.has_value();
                     });
    valid += all ? 1 : 0;
    flags.insert(point.flags.begin(), point.flags.end());
  }
  out = fmt::format("the bounds hold at {} of {} points", valid, points.size());
  for (const std::string& flag : flags) out += "; " + flag;
  return out;
}

}  // namespace fw::cli
