// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "props/properties/property.h"

namespace fw::props {

/// A relation whose second run must take exactly the decisions of the first: the change it makes is
/// one that scheduling must not see. Task ids, CPUs, times and logged values are all the same.
class SameDecisions : public Relation {
 public:
  std::optional<Violation> compare(const Decision& original, const Decision& varied) override {
    if (original == varied) return std::nullopt;
    const auto text = [](const Decision& d) {
      return fmt::format("t={} cpu {} {} task {} (other {}, why {}, preempt {}, v {}, min {})",
                         d.t.ns,
                         d.cpu.value,
                         decision_name(d.kind),
                         d.task.value,
                         d.other.value,
                         why_name(d.why),
                         d.preempt,
                         d.state[0],
                         d.state[1]);
    };
    return Violation{fmt::format("decided {}; in the related run {}", text(original), text(varied)),
                     std::string(decision_name(original.kind)),
                     original.task};
  }
};

}  // namespace fw::props
