// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/vocab/outcome.h"
#include "model/vocab/spec.h"

/// Features files: what a kernel prints in sched/features, pasted from a machine. Names separated
/// by white space; NO_ before a name means off.
namespace fw::input {

struct FeatureListing {
  std::vector<std::pair<std::string, bool>> names;  ///< in the order of the file, without NO_
  std::vector<std::string> notes;                   ///< names joined over a line end
};

/// What the file holds, whatever the policy. A name that a line end cut after `_` is joined.
/// Errors:  no names, or a word that is no feature name; `FILE:LINE`.
Outcome<FeatureListing> list_features(std::string_view text, std::string_view file_name);

struct FeatureReading {
  std::map<std::string, bool> features;     ///< modelled by the policy
  std::vector<std::string> without_effect;  ///< known to the kernel, as written
  std::vector<std::string> notes;           ///< names joined over a line end, repeated ones
};

/// The file as features of one policy. Unknown pieces at a line end are joined when that makes a
/// known name.
/// Errors:  unknown names: all of them, the nearest for each, and whether a line end cut them.
Outcome<FeatureReading> read_features(std::string_view text,
                                      std::string_view file_name,
                                      const PolicyInfo& policy);

/// Adds the features to a spec; what the spec says itself stands. Renews the spec's text.
void apply_features(const FeatureReading& reading, const PolicyInfo& policy, PolicySpec& spec);

}  // namespace fw::input
