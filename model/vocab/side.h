// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "model/vocab/decision.h"
#include "model/vocab/spec.h"
#include "model/vocab/topology.h"
#include "model/vocab/view.h"
#include "model/vocab/workload.h"

namespace fw {

/// Everything that decides a run. Two runs of one Setup take the same decisions.
struct Setup {
  PolicySpec spec;
  Topology topology;
  bool balance = true;  ///< false: `--no-balance`
  Workload workload;
  Instant end = never;  ///< stimuli with t < end; the earlier of this and workload.duration
};

/// One writing of a policy running a workload: the reference model or the implementation. The two
/// are advanced in turn and must agree in every stimulus, decision and View.
class Side {
 public:
  virtual ~Side() = default;
  /// Does the next stimulus (semantics/simulator.md section A); nothing when the run is over.
  virtual std::optional<Stimulus> advance() = 0;
  /// The decisions of the last advance(), in order.
  virtual std::span<const Decision> decisions() const = 0;
  /// Overwrites `out` with the present state; `out`'s storage is reused.
  virtual void look(View& out) const = 0;
  /// `NAME-INDEX` or `NAME-INDEX-FORKINDEX`; `idle` for idle_task. Exited tasks keep their names.
  virtual std::string task_name(TaskId task) const = 0;
  /// Why the workload cannot go on (a program that loops without taking time, an unlock of a lock
  /// not held, a fork of an unknown task); empty while it can. advance() gives nothing after it.
  virtual std::string fault() const = 0;
};

/// One built-in policy: its catalogue row and its two independent writings. Everything above the
/// bridge works on rows, so that adding a policy is adding one.
struct PolicyRow {
  const PolicyInfo* info = nullptr;
  std::unique_ptr<Side> (*model)(const Setup&) = nullptr;
  std::unique_ptr<Side> (*implementation)(const Setup&) = nullptr;
};

}  // namespace fw
