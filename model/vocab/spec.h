// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocab/outcome.h"
#include "model/vocab/view.h"

namespace fw {

/// A policy spec as the user wrote it, checked against the catalogue (product.md, "Policies").
/// Only deviations are kept: each side knows the defaults of a version for itself.
struct PolicySpec {
  std::string policy;                    ///< `cfs`
  std::string version;                   ///< the full known version, `2.6.36`
  std::map<std::string, bool> features;  ///< `+FEATURE` true, `-FEATURE` false
  /// Durations in ns, choices by index, ticks by ticks_of_knob().
  std::map<std::string, std::int64_t> knobs;
  /// The spec that reads back to this one: `cfs@2.6.36-LAST_BUDDY,latency=18ms`.
  std::string text;
};

/// How a knob's value is written. `ticks`: a bare number of ticks, or a time with a unit.
enum class KnobUnit { count, duration, choice, wide, ticks };

/// One row of `list knobs`. Range is inclusive; a choice's values are its alternatives in order;
/// `wide` is a whole unsigned 64-bit number (base offsets). Where a count has choices, these are
/// words for its lowest values (`none` for 0).
struct KnobInfo {
  std::string_view name;
  KnobUnit unit = KnobUnit::count;
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  std::string_view standard;  ///< default as text; "by version" where it differs
  std::string_view about;
  std::span<const std::string_view> choices = {};
};

/// One row of `list features`. `modelled` false: known to the kernel, without effect here.
struct FeatureInfo {
  std::string_view name;
  bool modelled = true;
  std::string_view on_in;  ///< versions where it defaults to on, `*` for all
  std::string_view about;
};

/// One policy: everything that help, `list`, the parser and the reports need to know of it.
struct PolicyInfo {
  std::string_view name;
  std::span<const std::string_view> versions;  ///< newest last; the last is the default
  std::span<const FeatureInfo> features;
  std::span<const KnobInfo> knobs;
  PolicySchema schema;
  std::string_view about;
};

/// A knob of unit `ticks` at a tick rate. The stored value is the number of ticks itself, or a time
/// as its negated ns.  Rounds: down to whole ticks.
std::uint64_t ticks_of_knob(std::int64_t value, int hz);

/// Reads a spec. Errors name the nearest valid policy, version, feature or knob, or the range.
Outcome<PolicySpec> parse_spec(std::string_view text, std::span<const PolicyInfo* const> catalogue);

/// The canonical text of a spec built in memory: features, then knobs, each alphabetically.
/// Unknown knobs are written as counts.
std::string spec_text(const PolicySpec& spec, const PolicyInfo& info);

/// The nearest of `known` to `word` by edit distance; for error texts.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

}  // namespace fw
