// SPDX-License-Identifier: Apache-2.0
#include "props/properties/clock_shift.h"

#include "props/properties/cfs_rules.h"
#include "props/properties/same_decisions.h"

namespace fw::props {
namespace {

class ClockShift final : public SameDecisions {
 public:
  std::optional<Setup> variant(const Setup& setup, std::uint64_t salt) override {
    const cfs::Tunables rules(setup);
    const std::uint64_t half = std::uint64_t{1} << 63;
    // A little before the place where a signed or unsigned comparison would tip over in mid-run.
    const std::uint64_t before = 1'234'567 + salt % 50'000'003;
    Setup out = setup;
    const std::uint64_t at = (salt & 1) != 0 ? half : 0;
    out.spec.knobs["vruntime_base"] = static_cast<std::int64_t>(at - before);
    // Balancing reads two absolute clock values: an idle stamp of 0 means "not idle", and a task
    // that never ran counts as having run at clock 0. So there the clock keeps clear of 0 and of
    // 2^63.
    const std::uint64_t clear = std::uint64_t{1} << 50;
    if (setup.topology.cpus == 1 || !setup.balance) {
      out.spec.knobs["clock_base"] = static_cast<std::int64_t>(at - before);
    } else if (rules.clock_base > clear && rules.clock_base < half - clear) {
      out.spec.knobs["clock_base"] = static_cast<std::int64_t>(half / 2 - before);
    }
    return out;
  }
};

}  // namespace

std::unique_ptr<Relation> make_clock_shift() { return std::make_unique<ClockShift>(); }

}  // namespace fw::props
