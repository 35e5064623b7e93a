// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "model/vocab/case.h"

namespace fw::gen {

inline constexpr int op_kinds = 17;

/// What a campaign's cases were like: the generator's own figures, for reports and tuning.
struct Summary {
  std::int64_t cases = 0;
  std::int64_t tasks = 0;                       ///< task definitions
  std::int64_t instances = 0;                   ///< started threads
  std::int64_t events = 0;                      ///< program events as written
  std::array<std::int64_t, op_kinds> ops = {};  ///< by OpKind, as written
  std::map<int, std::int64_t> cases_by_tasks;
  std::map<std::string, std::int64_t> cases_by_topology;
  std::map<std::string, std::int64_t> cases_by_version;
  std::map<std::string, std::int64_t> features;  ///< cases that name the feature
  std::map<std::string, std::int64_t> knobs;     ///< cases that name the knob
  std::int64_t horizon_ms = 0;
  std::int64_t longest_ms = 0;
  std::int64_t balanced = 0, pinned = 0, classes = 0, niced = 0, delayed = 0, forked = 0;

  void add(const Case& input);
  /// A few lines, one kind of figure each.
  std::string text() const;
};

}  // namespace fw::gen
