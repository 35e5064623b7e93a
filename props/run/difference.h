// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/vocab/side.h"

namespace fw::run {

/// The first field in which two sides differ after a stimulus.
struct Difference {
  std::string kind;  ///< short stable word: `stimulus`, `decision pick`, `vruntime`, ...
  std::string text;  ///< changed fields only, model first
};

/// How one writes a decision in a sentence: `3.2ms cpu 0 pick hog-0 (prev fig-1, leftmost) v=12`.
std::string describe(const Decision& decision, const Side& names, const PolicySchema& schema);
std::string describe(const Stimulus& stimulus, const Side& names);

/// Compares what one stimulus did on the two sides: the stimulus, then every decision key by key.
std::optional<Difference> compare_decisions(const Side& model,
                                            const std::optional<Stimulus>& model_stimulus,
                                            const Side& impl,
                                            const std::optional<Stimulus>& impl_stimulus,
                                            const PolicySchema& schema);

/// Compares every integer of two views and names the first one that differs.
std::optional<Difference> compare_views(const View& model,
                                        const View& impl,
                                        const Side& names,
                                        const PolicySchema& schema);

}  // namespace fw::run
