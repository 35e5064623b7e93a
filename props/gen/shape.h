// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/vocab/case.h"
#include "model/vocab/spec.h"
#include "props/gen/draw.h"
#include "props/gen/generate.h"

namespace fw::gen {

enum class NiceStyle { zero, near, extreme, any };

/// The choices that a whole case shares (swarm testing: each case is rich in a few things and
/// without the others, instead of every case being an average one).
struct Shape {
  int cpus = 1;
  std::int64_t tick_ns = 1'000'000;
  std::int64_t horizon_ns = 0;
  std::int64_t grain_ns = 1;
  int events = 0;
  int max_tasks = 1;
  /// Times at which policies change their mind: the tick and the duration knobs in force.
  std::vector<std::int64_t> landmarks_ns;
  NiceStyle nice = NiceStyle::zero;
  int class_percent = 0;  ///< tasks that are batch or idle
  int pin_percent = 0;    ///< tasks with an affinity
  int delay_percent = 0;  ///< tasks that start late
  int slice_percent = 0;  ///< tasks with a custom slice
  int many_percent = 0;   ///< tasks with more than one instance
};

/// Draws spec, topology, balancing and horizon into `out` and gives the shape of its workload.
Shape draw_shape(Draw& draw, const PolicyInfo& info, const GenOptions& options, Case& out);

/// A length of time from mixed scales: round numbers, landmarks and their neighbours, any
/// magnitude. Range:   1 <= lowest <= highest; the result is a positive multiple of the grain.
Duration draw_amount(Draw& draw,
                     const Shape& shape,
                     std::int64_t lowest_ns,
                     std::int64_t highest_ns);

int draw_nice(Draw& draw, const Shape& shape);

/// A set of allowed CPUs, never empty; often a single one.
CpuSet draw_cpus(Draw& draw, const Shape& shape);

}  // namespace fw::gen
