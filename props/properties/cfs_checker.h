// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "props/properties/cfs_rules.h"
#include "props/properties/cfs_view.h"
#include "props/properties/property.h"

namespace fw::props::cfs {

/// A checker that restates cfs rules in numbers: applies only where they are restated.
class RulesChecker : public Checker {
 public:
  bool applies(const Setup& setup) override {
    rules_.emplace(setup);
    return rules_->restated && in_scope(setup);
  }

 protected:
  virtual bool in_scope(const Setup& setup) {
    (void)setup;
    return true;
  }
  const Tunables& rules() const { return *rules_; }

 private:
  std::optional<Tunables> rules_;
};

inline std::optional<Violation> violation(std::string kind, TaskId task, std::string what) {
  return Violation{std::move(what), std::move(kind), task};
}

/// The first record of that kind, or nullptr.
inline const Decision* decision(const Moment& moment, DecisionKind kind) {
  for (const Decision& d : moment.decisions) {
    if (d.kind == kind) return &d;
  }
  return nullptr;
}

inline bool is_wakeup(StimulusKind kind) {
  return kind == StimulusKind::wake || kind == StimulusKind::start;
}
inline bool brings_task(StimulusKind kind) { return is_wakeup(kind) || kind == StimulusKind::fork; }

}  // namespace fw::props::cfs
